import type { Output } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { placeOrder as place } from '@qatra/contract/orders/orders'
import { areaAt } from '../../areas/queries.ts'
import { readCartUncached } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/secrets.ts'
import { placeOrder } from '../placing/commands.ts'
import type { OrderChannel } from '../placing/metrics.ts'
import type { OrderDraft } from '../placing/write.commands.ts'
import { cancellableUntil } from '../policy.ts'
import { readCheckoutInputs } from './inputs.commands.ts'
import { type CheckoutBody, type CheckoutInputs, requirePlaceable } from './rules.ts'

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
    fingerprint: fingerprintOf(body),
    read: () => readCheckoutInputs(ctx, { areaId: area?.id ?? null, maxPerHour }),
    prepareDraft: async (inputs): Promise<OrderDraft> => {
      try {
        const terms = requirePlaceable(catalogue, inputs, { body, area, now: ctx.now })
        return {
          customer: { id: userOf(ctx).id, phone: inputs.phone },
          ...terms,
          delivery: body,
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
  const { totals, vendor, promisedDate } = draft
  return describePlaced({ id, total: totals.total, vendorId: vendor.id, promisedDate, createdAt: ctx.now })
}

/** Adds the current cart to the errors after which the form shows it. */
async function withCart(ctx: Ctx, error: unknown, { vendor }: CheckoutInputs): Promise<unknown> {
  const showsCart = error instanceof AppError && ['PRODUCT_UNAVAILABLE', 'PRICE_CHANGED'].includes(error.code)
  if (!showsCart || vendor === null) return error
  return new AppError(error.code, { ...error.details, cart: await readCartUncached(ctx, vendor.deliveryFee) })
}

/** The shown total and day may differ between two equal requests. */
function fingerprintOf(body: CheckoutBody): string {
  const { customerName, address, addressParts = {}, mapCoordinates, instructions, paymentMethod = 'cash' } = body
  const { receiverName, receiverPhone, deliveryDate } = body
  const { block, road, building, flat } = addressParts
  const { lat, lng } = mapCoordinates
  return sha256(
    JSON.stringify([
      ...[customerName, address, block, road, building, flat, lat, lng, instructions || null, paymentMethod],
      ...(deliveryDate ? [deliveryDate] : []),
      ...(receiverName || receiverPhone ? [{ receiverName, receiverPhone }] : []),
    ]),
  )
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
