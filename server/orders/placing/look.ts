import type { Parsed } from '@qatra/contract/endpoint'
import type { placeOrder } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { sessionSql } from '../../auth/session-reader.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../platform/context.ts'
import { run, statement } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { sha256 } from '../../platform/session.ts'
import type { Look } from './rules.ts'

/**
 * One look at everything that placing depends on, in the statement that finds the session, whose columns come first.
 * `lines` are [product, quantity, price, VAT, whether it is offered]; `wait_seconds` is there while the customer has
 * placed the most in an hour, or more.
 */
export const lookSql = statement(
  'order-look',
  `select who.*, k.order_id as known_order_id, k.fingerprint as known_fingerprint, c.id as cart_id,
     c.version as cart_version, c.vendor_id as cart_vendor_id, v.delivery_fee, v.min_delivery_amount,
     case when $4::integer is not null then
       (select extract(epoch from o.created_at + interval '1 hour' - now())::float8 from orders o
        where o.user_id = who.id and o.created_at > now() - interval '1 hour' and o.placed_by is null
        order by o.created_at desc offset $4::integer - 1 limit 1) end as wait_seconds,
     exists (select from vendor_delivery_areas d where d.vendor_id = c.vendor_id and d.area_id = $3) as delivers,
     (select json_agg(json_build_array(i.product_id, i.quantity, p.price, p.vat_percentage,
         p.is_active and p.deleted_at is null and v.is_active) order by i.id)
      from cart_items i join products p on p.id = i.product_id where i.cart_id = c.id) as lines
   from (${sessionSql.text}) as who
   left join carts c on c.owner = 'u' || who.id and c.parked_at is null
   left join vendors v on v.id = c.vendor_id
   left join order_keys k on k.user_id = who.id and k.key = $2`,
)

export interface Looking {
  catalogue: Catalogue
  body: Parsed<typeof placeOrder>['body']
  client: Ctx['client']
  /** Null counts nothing. */
  mostAnHour: number | null
}

export const keyOf = ({ idempotencyKey }: Ctx['client']) => (idempotencyKey === null ? null : sha256(idempotencyKey))

/** What the look is told beside the session. */
export const lookValues = ({ catalogue, body, client, mostAnHour }: Looking): unknown[] => [
  keyOf(client),
  areaAt(catalogue, body.mapCoordinates)?.id ?? null,
  mostAnHour,
]

/** @throws SIGNED_OUT where the session ended since the first look */
export async function lookAgain({ db }: Ctx, looking: Looking): Promise<Look> {
  const [look] = await run<Look>(db, lookSql, [looking.client.sessionId, ...lookValues(looking)])
  if (!look) throw new AppError('SIGNED_OUT')
  return look
}
