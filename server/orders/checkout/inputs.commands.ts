import { closedDaysSql, lockCalendar } from '../../calendar/delivery-days.queries.ts'
import { lockCartsOf } from '../../cart/commands.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder } from '../../database/transaction.ts'
import { AppError } from '../../lib/errors.ts'
import type { CheckoutInputs } from './rules.ts'

const lockUserSql = statement(
  'order-user-lock',
  'select phone from users where id = $1 and is_active for no key update',
)

/** A statement of its own: its snapshot is taken after the locks, so that it shows what concurrent requests committed. */
const inputsSql = statement(
  'order-inputs',
  `select c.id as "cartId",
     case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'nameAr', v.name_ar,
       'logoUrl', v.logo_url, 'deliveryFee', v.delivery_fee, 'minDeliveryAmount', v.min_delivery_amount,
       'isActive', v.is_active, 'cutOff', v.cut_off) end as vendor,
     ${closedDaysSql('c.vendor_id')} as "closedDays",
     exists (select from vendor_delivery_areas d where d.vendor_id = c.vendor_id and d.area_id = $2) as "isServed",
     case when $3::integer is not null then
       (select o.created_at from orders o where o.user_id = $1 and o.placed_by is null
        order by o.created_at desc offset $3::integer - 1 limit 1) end as "limitingOrderAt",
     (select json_agg(json_build_object('productId', p.id, 'name', p.name, 'nameAr', p.name_ar, 'size', p.size,
        'imageUrl', p.image_url, 'price', p.price, 'vatPercentage', p.vat_percentage, 'quantity', i.quantity,
        'inventoryUnit', p.inventory_unit, 'inventoryUnitAr', p.inventory_unit_ar,
        'unitsPerInventoryUnit', p.units_per_inventory_unit, 'isActive', p.is_active and p.deleted_at is null)
        order by i.id)
      from cart_items i join products p on p.id = i.product_id where i.cart_id = c.id) as lines
   from (select 1) one
   left join carts c on c.owner = 'u' || $1::integer and c.parked_at is null
   left join vendors v on v.id = c.vendor_id`,
)

/**
 * Locks the customer, the customer's carts and the calendar, then reads what the order depends on, in one round trip.
 * @throws SIGNED_OUT if the account was deactivated or erased meanwhile
 */
export async function readCheckoutInputs(
  ctx: Ctx,
  { areaId, maxPerHour }: { areaId: number | null; maxPerHour: number | null },
): Promise<CheckoutInputs> {
  const { id } = userOf(ctx)
  const [[user], , , [inputs]] = await allInOrder([
    run<{ phone: string }>(ctx.db, lockUserSql, [id]),
    lockCartsOf(ctx, id),
    lockCalendar(ctx),
    run<Omit<CheckoutInputs, 'phone'>>(ctx.db, inputsSql, [id, areaId, maxPerHour]),
  ])
  if (!user || !inputs) throw new AppError('SIGNED_OUT')
  return { ...user, ...inputs }
}
