import { promiseFields } from '@qatra/contract/calendar/slot'
import type { Output } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { placeOrder as place } from '@qatra/contract/orders/orders'
import { areaAt } from '../../areas/queries.ts'
import { freeBottlesSql, offeredBottleSql } from '../../bottles/queries.ts'
import { closedDaysSql, lockCalendar } from '../../calendar/queries.ts'
import { lockCartsOf } from '../../cart/commands.ts'
import { readCartUncached } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder } from '../../database/transaction.ts'
import { AppError } from '../../lib/errors.ts'
import { keepCompany } from '../../users/commands.ts'
import { type OrderDraft, placeOrder } from '../placing/commands.ts'
import type { OrderChannel } from '../placing/metrics.ts'
import { type CheckoutBody, type CheckoutInputs, requirePlaceable } from '../placing/rules.ts'
import { cancellableUntil } from '../policy.ts'

type Placed = Output<typeof place>

/** Orders per customer and hour; far more than a person needs. */
export const MAX_ORDERS_PER_HOUR = 20

interface Checkout {
  channel: OrderChannel
  catalogue: Catalogue
  body: CheckoutBody
  /** Orders per customer and hour; null is no limit. */
  maxPerHour: number | null
}

/** Places the customer's cart as an order, for the shop and the bot. */
export async function placeCartOrder(ctx: Ctx, { channel, catalogue, body, maxPerHour }: Checkout): Promise<Placed> {
  const area = areaAt(catalogue, body.mapCoordinates)
  const { id, draft } = await placeOrder(ctx, {
    channel,
    request: requestOf(body),
    read: () => readCheckoutInputs(ctx, { areaId: area?.id ?? null, maxPerHour }),
    prepareDraft: async (inputs): Promise<OrderDraft> => {
      try {
        const terms = requirePlaceable(catalogue, inputs, { body, area, now: ctx.now })
        const company = await keepCompany(ctx, inputs.company, body)
        return {
          customer: { id: userOf(ctx).id, phone: inputs.phone },
          ...terms,
          delivery: body,
          buyer: { ...body, ...company },
          area,
          paymentMethod: body.paymentMethod ?? 'cash',
          cartId: inputs.cartId,
          placedBy: null,
        }
      } catch (error) {
        throw await withCart(ctx, error, inputs)
      }
    },
  })
  if (!draft) return readPlaced(ctx, id)
  const { totals, vendor, slot } = draft
  return describePlaced({ id, total: totals.total, vendorId: vendor.id, ...promiseFields(slot), createdAt: ctx.now })
}

/** Adds the current cart to the errors after which the form shows it. */
async function withCart(ctx: Ctx, error: unknown, { vendor }: CheckoutInputs): Promise<unknown> {
  const showsCart = error instanceof AppError && ['PRODUCT_UNAVAILABLE', 'PRICE_CHANGED'].includes(error.code)
  if (!showsCart || vendor === null) return error
  return new AppError(error.code, { ...error.details, cart: await readCartUncached(ctx, vendor) })
}

/** What the page showed, and how the pin was set or confirmed, may differ between two equal requests. */
function requestOf({ addressParts = {}, paymentMethod = 'cash', ...body }: CheckoutBody): object {
  const {
    expectedTotal: _total,
    expectedDate: _date,
    pinSource: _pin,
    addressId: _address,
    isPinAsked: _asked,
    ...rest
  } = body
  return { ...rest, addressParts, paymentMethod }
}

interface PlacedRow {
  id: string
  total: Fils
  vendorId: number
  promisedDate: string
  createdAt: Date
}

const placedSql = statement(
  'order-placed',
  `select id, total, vendor_id as "vendorId", promised_date as "promisedDate", created_at as "createdAt"
   from orders where id = $1`,
)

async function readPlaced(ctx: Ctx, id: string): Promise<Placed> {
  const [row] = await run<PlacedRow>(ctx.db, placedSql, [id])
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  return describePlaced(row)
}

const describePlaced = ({ total, createdAt, ...order }: PlacedRow): Placed => ({
  ...order,
  total: toBhd(total),
  createdAt: createdAt.toISOString(),
  cancellableUntil: cancellableUntil(createdAt).toISOString(),
})

const lockUserSql = statement(
  'order-user-lock',
  `select phone, json_build_object('companyName', company_name, 'crNumber', cr_number, 'vatNumber', vat_number) as company
   from users where id = $1 and is_active for no key update`,
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
        'unitsPerInventoryUnit', p.units_per_inventory_unit, 'isActive', p.is_active and p.deleted_at is null,
        'bottle', ${offeredBottleSql('p')}, 'empties', i.empties)
        order by i.id)
      from cart_items i join products p on p.id = i.product_id where i.cart_id = c.id) as lines,
     ${freeBottlesSql('$1::integer')} as free
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
    run<Pick<CheckoutInputs, 'phone' | 'company'>>(ctx.db, lockUserSql, [id]),
    lockCartsOf(ctx, id),
    lockCalendar(ctx),
    run<Omit<CheckoutInputs, 'phone' | 'company'>>(ctx.db, inputsSql, [id, areaId, maxPerHour]),
  ])
  if (!user || !inputs) throw new AppError('SIGNED_OUT')
  return { ...user, ...inputs }
}
