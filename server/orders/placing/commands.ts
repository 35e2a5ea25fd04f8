import { createHash, randomInt } from 'node:crypto'
import { type Fils, toBhd } from '@qatra/contract/money'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { newOrderId } from '@qatra/contract/order-id'
import type { placeOrder as place } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { promisedDateFor } from '../../calendar/queries.ts'
import { emptyingCart } from '../../cart/commands.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../platform/context.ts'
import { run, statement } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { authorsOf, enqueueing, queuesOf, wakeAfterCommit } from '../../platform/events.ts'
import { rememberingDelivery } from '../../users/last-delivery.ts'
import { cancellableUntil } from '../policy.ts'
import { type Begun, requirePlaceable } from './rules.ts'

type Placing = Parsed<typeof place>['body']
type Placed = Output<typeof place>

const beginSql = statement('order-begin', 'select * from order_begin($1, $2, $3)')
const placedSql = statement(
  'order-placed',
  'select total, vendor_id, promised_date, created_at from orders where id = $1',
)

/** All rows of a placed order and the news of it; answers nothing where the id is taken. */
const writeSql = statement(
  'order-write',
  `with placed as (
    insert into orders (id, user_id, vendor_id, vendor_name, vendor_name_ar, vendor_logo, customer_name, phone, address,
      address_parts, lat, lng, area_id, area_name, area_name_ar, instructions, payment_method, subtotal, delivery_fee,
      product_vat, total, promised_date, created_at, updated_at)
    select $1, $2, v.id, v.name, v.name_ar, v.logo_url, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
      $18, $19, $20, $20
    from vendors v where v.id = $3
    on conflict (id) do nothing
    returning id),
  items as (
    insert into order_items (order_id, product_id, name, name_ar, size, image_url, price, vat_percentage, quantity,
      units_per_inventory_unit)
    select placed.id, p.id, p.name, p.name_ar, p.size, p.image_url, l.price, l.vat_percentage, l.quantity,
      p.units_per_inventory_unit
    from placed, unnest($21::integer[], $22::integer[], $23::bigint[], $24::numeric[])
      with ordinality as l (product_id, quantity, price, vat_percentage, number)
    join products p on p.id = l.product_id
    order by l.number),
  history as (
    insert into order_audit_history (order_id, action, changed_by, on_behalf_of, changed_at, field_changed, new_value)
    select id, 'created', $25, $26, $20, 'status', 'new' from placed),
  key as (
    insert into order_keys (user_id, key, order_id, fingerprint)
    select $2, $27, id, $28 from placed where $27::text is not null),
  ${emptyingCart('$29', 'placed')},
  news as (${enqueueing({
    queues: '$30',
    data: `jsonb_build_object('event', 'order.placed', 'id', placed.id, 'to', 'new', 'version', 1)`,
    delay: '0',
    from: 'placed',
  })}),
  remembered as (${rememberingDelivery({
    userId: '$2',
    name: '$4',
    address: '$6',
    addressParts: '$7',
    lat: '$8',
    lng: '$9',
    instructions: '$13',
    isOwnHand: '$31',
  })})
  select id from placed`,
)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What makes two requests with one key the same request; the total that was shown may differ. */
function fingerprintOf({ expectedTotal: _, ...body }: Placing): string {
  const { customerName, address, addressParts = {}, mapCoordinates, instructions, paymentMethod = 'cash' } = body
  const { block, road, building, flat } = addressParts
  const { lat, lng } = mapCoordinates
  return sha256(
    JSON.stringify([customerName, address, block, road, building, flat, lat, lng, instructions || null, paymentMethod]),
  )
}

/**
 * Places the cart as an order: read under the cart's lock, priced anew, written in one statement. An idempotency key
 * gives its first order again and is bound by a placed order only.
 */
export async function placeOrder(ctx: Ctx, catalogue: Catalogue, body: Placing): Promise<Placed> {
  const user = userOf(ctx)
  const key = ctx.client.idempotencyKey === null ? null : sha256(ctx.client.idempotencyKey)
  const fingerprint = fingerprintOf(body)
  const covering = areaAt(catalogue, body.mapCoordinates)
  const [begun] = await run<Begun>(ctx.db, beginSql, [user.id, key, covering?.id ?? null])
  if (!begun) throw new Error('The lock answers one row')

  if (begun.known_order_id !== null) {
    if (begun.known_fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    return readPlaced(ctx, begun.known_order_id)
  }
  const { vendorId, lines, totals, area } = await requirePlaceable(ctx, catalogue, { body, begun, covering })

  const vendor = catalogue.vendors.get(vendorId) ?? null
  const promisedDate = promisedDateFor(catalogue, vendor, ctx.now)
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  const queues = queuesOf('order.placed')
  const id = await write(ctx, (orderId) => [
    orderId,
    user.id,
    vendorId,
    body.customerName,
    user.phone,
    body.address,
    body.addressParts ? JSON.stringify(body.addressParts) : null,
    body.mapCoordinates.lat,
    body.mapCoordinates.lng,
    area.id,
    area.name,
    area.nameAr,
    body.instructions || null,
    body.paymentMethod ?? 'cash',
    totals.subtotal,
    totals.deliveryFee,
    totals.productVAT,
    totals.total,
    promisedDate,
    ctx.now,
    lines.map((line) => line.productId),
    lines.map((line) => line.quantity),
    lines.map((line) => line.price),
    lines.map((line) => line.vatPercentage),
    changedBy,
    onBehalfOf,
    key,
    fingerprint,
    begun.cart_id,
    queues,
    ctx.actor.impersonator === null,
  ])
  wakeAfterCommit(ctx, queues)
  return answer({ id, total: totals.total, vendorId: vendorId, promisedDate, createdAt: ctx.now })
}

/** A clash of ids is a matter of luck that nobody has: 79 bits. */
async function write(ctx: Ctx, valuesWith: (id: string) => unknown[]): Promise<string> {
  for (let tries = 0; tries < 3; tries += 1) {
    const [placed] = await run<{ id: string }>(ctx.db, writeSql, valuesWith(newOrderId(randomInt)))
    if (placed) return placed.id
  }
  throw new Error('No free order id was found')
}

async function readPlaced(ctx: Ctx, id: string): Promise<Placed> {
  const [row] = await run<{ total: Fils; vendor_id: number; promised_date: string; created_at: Date }>(
    ctx.db,
    placedSql,
    [id],
  )
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  const { total, vendor_id: vendorId, promised_date: promisedDate, created_at: createdAt } = row
  return answer({ id, total, vendorId, promisedDate, createdAt })
}

const answer = (order: {
  id: string
  total: Fils
  vendorId: number
  promisedDate: string
  createdAt: Date
}): Placed => ({
  ...order,
  total: toBhd(order.total),
  createdAt: order.createdAt.toISOString(),
  cancellableUntil: cancellableUntil(order.createdAt).toISOString(),
})
