import { areaAt } from '../../areas/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { keyOf, type Placing } from './place-order.sql.ts'
import type { CheckoutSnapshot } from './rules.ts'

/**
 * Everything that placing depends on, for an order that failed. `lines` are [product, quantity, price, VAT, isOffered];
 * `wait_seconds` is set at the hourly limit.
 */
const snapshotSql = statement(
  'order-look',
  `select who.now, k.order_id as known_order_id, k.fingerprint as known_fingerprint, c.vendor_id as cart_vendor_id,
     v.delivery_fee, v.min_delivery_amount,
     case when $4::integer is not null then
       (select extract(epoch from o.created_at + interval '1 hour' - now())::float8 from orders o
        where o.user_id = who.id and o.created_at > now() - interval '1 hour' and o.placed_by is null
        order by o.created_at desc offset $4::integer - 1 limit 1) end as wait_seconds,
     exists (select from vendor_delivery_areas d where d.vendor_id = c.vendor_id and d.area_id = $3) as delivers,
     (select json_agg(json_build_array(i.product_id, i.quantity, p.price, p.vat_percentage,
         p.is_active and p.deleted_at is null and v.is_active) order by i.id)
      from cart_items i join products p on p.id = i.product_id where i.cart_id = c.id) as lines
   from (select now(), id from users where id = $1::integer and is_active) as who
   left join carts c on c.owner = 'u' || who.id and c.parked_at is null
   left join vendors v on v.id = c.vendor_id
   left join order_keys k on k.user_id = who.id and k.key = $2`,
)

/** @throws SIGNED_OUT if the account was deactivated */
export async function readSnapshot(
  ctx: Ctx,
  { catalogue, body, client, maxPerHour }: Placing,
): Promise<CheckoutSnapshot> {
  const covering = areaAt(catalogue, body.mapCoordinates)
  const values = [keyOf(client), covering?.id ?? null, maxPerHour]
  const [snapshot] = await run<CheckoutSnapshot>(ctx.db, snapshotSql, [userOf(ctx).id, ...values])
  if (!snapshot) throw new AppError('SIGNED_OUT')
  return snapshot
}
