import { randomInt } from 'node:crypto'
import { type Fils, toBhd } from '@qatra/contract/money'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { newOrderId } from '@qatra/contract/order-id'
import type { placeOrder as place } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { promisedDateFor } from '../../calendar/queries.ts'
import { emptyingCart } from '../../cart/commands.ts'
import { ownerOfUser } from '../../cart/policy.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../platform/context.ts'
import { isContention, isUniqueViolation, run, statement } from '../../platform/db.ts'
import { AppError, retryLater } from '../../platform/errors.ts'
import { authorsOf, enqueueing, queuesOf, wakeAfterCommit } from '../../platform/events.ts'
import { sha256 } from '../../platform/session.ts'
import { rememberingDelivery } from '../../users/last-delivery.ts'
import { cancellableUntil } from '../policy.ts'
import { keyOf, lookAgain } from './look.ts'
import { type Look, type Placeable, requirePlaceable } from './rules.ts'

type Placing = Parsed<typeof place>['body']
type Placed = Output<typeof place>

/** Looks that another change outran: more than a few mean that somebody changes the cart without end. */
const MOST_TRIES = 8

/** Orders that one customer places; a shop's party needs a few, a script many. */
export const MOST_AN_HOUR = 20

const placedSql = statement(
  'order-placed',
  'select total, vendor_id, promised_date, created_at from orders where id = $1',
)

/**
 * One statement, which is one transaction: takes the cart's lock, makes sure that the cart and every term are still those
 * that were priced, and writes all rows of the order and the news of it. Answers nothing, and wrote nothing, where
 * something changed since the look or the id is taken.
 */
const writeSql = statement(
  'order-write',
  `with locked as (
    select id from carts where id = $29 and version = $30 and owner = $31 and parked_at is null for update),
  offered as (
    select count(*) as lines
    from unnest($21::integer[], $23::bigint[], $24::numeric[]) as l (product_id, price, vat_percentage)
    join products p on p.id = l.product_id and p.price = l.price and p.vat_percentage = l.vat_percentage
      and p.is_active and p.deleted_at is null),
  placed as (
    insert into orders (id, user_id, vendor_id, vendor_name, vendor_name_ar, vendor_logo, customer_name, phone, address,
      address_parts, lat, lng, area_id, area_name, area_name_ar, instructions, payment_method, subtotal, delivery_fee,
      product_vat, total, promised_date, created_at, updated_at)
    select $1, $2, v.id, v.name, v.name_ar, v.logo_url, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19, $20, $20
    from locked, offered, vendors v
    where offered.lines = cardinality($21::integer[]) and v.id = $3 and v.is_active and v.delivery_fee = $16
      and v.min_delivery_amount = $32
      and exists (select from vendor_delivery_areas d where d.vendor_id = v.id and d.area_id = $10)
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
    queues: '$33',
    data: `jsonb_build_object('event', 'order.placed', 'id', placed.id, 'to', 'new', 'version', 1, 'by', $25::integer)`,
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
    isOwnHand: '$34',
    after: 'placed',
  })})
  select id from placed`,
)

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
 * Places the cart as an order: looked at, priced anew, and written in one statement that holds only if nothing changed
 * since the look; else it is looked at again. An idempotency key gives its first order again and is bound by a placed
 * order only.
 * @throws TOO_MANY_REQUESTS after `mostAnHour` orders; null counts nothing
 */
export async function placeOrder(
  ctx: Ctx,
  catalogue: Catalogue,
  body: Placing,
  { first, mostAnHour }: { first: Look | null; mostAnHour: number | null },
): Promise<Placed> {
  const key = keyOf(ctx.client)
  const fingerprint = fingerprintOf(body)
  const covering = areaAt(catalogue, body.mapCoordinates)
  let seen = first
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const look = seen ?? (await lookAgain(ctx, { catalogue, body, client: ctx.client, mostAnHour }))
    seen = null
    if (look.known_order_id !== null) {
      if (look.known_fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
      return readPlaced(ctx, look.known_order_id)
    }
    // Each order changes the cart, so orders at the same time are counted by the look after.
    if (look.wait_seconds !== null) throw retryLater('TOO_MANY_REQUESTS', Math.max(1, Math.ceil(look.wait_seconds)))
    const placeable = await requirePlaceable(ctx, catalogue, { body, look, covering })
    const placed = await write(ctx, catalogue, { body, placeable, key, fingerprint })
    if (placed) return placed
  }
  throw new AppError('UNAVAILABLE')
}

interface Writing {
  body: Placing
  placeable: Placeable
  key: string | null
  fingerprint: string
}

async function write(
  ctx: Ctx,
  catalogue: Catalogue,
  { body, placeable, key, fingerprint }: Writing,
): Promise<Placed | null> {
  const user = userOf(ctx)
  const { cart, vendorId, minimum, lines, totals, area } = placeable
  const promisedDate = promisedDateFor(catalogue, catalogue.vendors.get(vendorId) ?? null, ctx.now)
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  const queues = queuesOf('order.placed')
  const values = [
    newOrderId(randomInt),
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
    cart.id,
    cart.version,
    ownerOfUser(user.id),
    minimum,
    queues,
    ctx.actor.impersonator === null,
  ]
  const [row] = await run<{ id: string }>(ctx.db, writeSql, values).catch(unlessOutrun)
  if (!row) return null
  wakeAfterCommit(ctx, queues)
  return answer({ id: row.id, total: totals.total, vendorId, promisedDate, createdAt: ctx.now })
}

/**
 * The same key placed an order from another cart a moment ago, which the next look finds; or the statement lost against
 * somebody's sign-in, which changes the user before the cart, and is worth another try.
 */
function unlessOutrun(error: unknown): [] {
  if (isUniqueViolation(error) || isContention(error)) return []
  throw error
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
