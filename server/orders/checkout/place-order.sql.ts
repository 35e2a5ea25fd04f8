import { randomInt } from 'node:crypto'
import type { Parsed } from '@qatra/contract/endpoint'
import { isChosen } from '@qatra/contract/geo'
import type { Fils } from '@qatra/contract/money'
import { newOrderId } from '@qatra/contract/order-id'
import type { placeOrder } from '@qatra/contract/orders'
import { areaAt } from '../../areas/queries.ts'
import { emptyingCart } from '../../cart/commands.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { statement } from '../../database/db.ts'
import { sha256 } from '../../http/session-cookie.ts'
import { enqueueText, queuesOf } from '../../jobs/domain-events.ts'
import { rememberingDelivery } from '../../users/last-delivery.ts'
import { promisesAt } from '../../vendors/promised-dates.ts'
import { isOffered } from '../pricing.ts'

export type PlacingBody = Parsed<typeof placeOrder>['body']

export interface Placing {
  catalogue: Catalogue
  body: PlacingBody
  client: Ctx['client']
  /** Orders per customer and hour; null is no limit. */
  maxPerHour: number | null
}

export interface Written {
  placed_id: string
  placed_total: Fils
  placed_vendor_id: number
  placed_promised_date: string
  placed_at: Date
}

/**
 * Places an order of the account $1 in one statement, which is one transaction.
 * Prices the cart and checks every rule; then locks the cart, verifies that its version is unchanged, and writes the
 * order's rows and jobs. If a check fails it writes nothing, and `requirePlaceable` finds the reason. The version ties
 * the lock to what was read: the statement has one snapshot, and every change of items increments the version in its
 * transaction.
 */
export const placeSql = statement(
  'order-place',
  `with who as materialized (
    select u.id, u.phone, $22::integer as impersonator_id from users u where u.id = $1::integer and u.is_active),
  cart as materialized (
    select c.id, c.owner, c.version, c.vendor_id from who join carts c on c.owner = 'u' || who.id
    where c.parked_at is null),
  lines as materialized (
    select i.id, i.quantity, i.product_id, p.name, p.name_ar, p.size, p.image_url, p.price, p.vat_percentage,
      p.units_per_inventory_unit, p.is_active and p.deleted_at is null as is_offered
    from cart join cart_items i on i.cart_id = cart.id join products p on p.id = i.product_id),
  sums as materialized (
    select bool_and(is_offered) as are_offered, sum(price * quantity)::bigint as subtotal,
      sum(round(price * quantity * vat_percentage * 0.01))::bigint as vat
    from lines),
  agreed as materialized (
    select cart.id as cart_id, cart.owner, cart.version, v.id, v.name, v.name_ar, v.logo_url, v.delivery_fee,
      s.subtotal, s.vat, s.subtotal + s.vat + v.delivery_fee as total, date_trunc('milliseconds', now()) as at,
      coalesce($18::jsonb ->> v.id::text, $19)::date as promised_date
    from cart cross join sums s join vendors v on v.id = cart.vendor_id
    where v.is_active and s.are_offered and s.subtotal >= v.min_delivery_amount
      and ($4::bigint is null or s.subtotal + s.vat + v.delivery_fee <= $4)
      and date_trunc('milliseconds', now()) >= $20 and date_trunc('milliseconds', now()) < $21
      and exists (select from vendor_delivery_areas d where d.vendor_id = v.id and d.area_id = $3)
      and not exists (select from order_keys k, who where k.user_id = who.id and k.key = $14)
      and ($16::integer is null or not exists (
        select from orders o where o.user_id = (select id from who) and o.created_at > now() - interval '1 hour'
          and o.placed_by is null
        order by o.created_at desc offset $16::integer - 1 limit 1))),
  locked as materialized (
    select c.id from agreed join carts c on c.id = agreed.cart_id
    where c.version = agreed.version and c.owner = agreed.owner and c.parked_at is null for update of c),
  placed as (
    insert into orders (id, user_id, vendor_id, vendor_name, vendor_name_ar, vendor_logo, customer_name, phone, address,
      address_parts, lat, lng, area_id, area_name, area_name_ar, instructions, payment_method, subtotal, delivery_fee,
      product_vat, total, promised_date, created_at, updated_at)
    select $2, who.id, v.id, v.name, v.name_ar, v.logo_url, $5, who.phone, $6, $7::jsonb, $8, $9, $3, $11, $12, $10,
      $13, v.subtotal, v.delivery_fee, v.vat, v.total, v.promised_date, v.at, v.at
    from who, agreed v, locked
    on conflict (id) do nothing
    returning id, total, vendor_id, promised_date, created_at),
  items as (
    insert into order_items (order_id, product_id, name, name_ar, size, image_url, price, vat_percentage, quantity,
      units_per_inventory_unit)
    select placed.id, l.product_id, l.name, l.name_ar, l.size, l.image_url, l.price, l.vat_percentage, l.quantity,
      l.units_per_inventory_unit
    from placed, lines l
    order by l.id),
  history as (
    insert into order_audit_history (order_id, action, changed_by, on_behalf_of, changed_at, field_changed, new_value)
    select placed.id, 'created', coalesce(who.impersonator_id, who.id),
      case when who.impersonator_id is not null then who.id end, placed.created_at, 'status', 'new'
    from placed, who),
  key as (
    insert into order_keys (user_id, key, order_id, fingerprint)
    select who.id, $14, placed.id, $15 from placed, who where $14::text is not null),
  ${emptyingCart('(select id from locked)', 'placed')},
  news as (${enqueueText({
    queues: '$17',
    data: `jsonb_build_object('event', 'order.placed', 'id', placed.id, 'to', 'new', 'version', 1,
      'by', coalesce(who.impersonator_id, who.id))`,
    delay: '0',
    from: 'placed, who',
  })}),
  remembered as (${rememberingDelivery({
    userId: '(select id from who)',
    name: '$5',
    address: '$6',
    addressParts: '$7',
    lat: '$8',
    lng: '$9',
    instructions: '$10',
    isOwnHand: '(select impersonator_id is null from who)',
    after: 'placed',
  })})
  select placed.id as placed_id, placed.total as placed_total, placed.vendor_id as placed_vendor_id,
    placed.promised_date as placed_promised_date, placed.created_at as placed_at
  from placed`,
)

/** The statement's parameters after the account. */
export function placingValues({ catalogue, body, client, maxPerHour }: Placing, now: Date): unknown[] {
  const { customerName, address, addressParts, mapCoordinates, instructions, expectedTotal } = body
  const paymentMethod = body.paymentMethod ?? 'cash'
  // Without an area the statement writes nothing.
  const area = isOffered(paymentMethod) && isChosen(mapCoordinates) ? areaAt(catalogue, mapCoordinates) : null
  const promises = promisesAt(catalogue, now)
  return [
    newOrderId(randomInt),
    area?.id ?? null,
    expectedTotal === undefined ? null : Math.round(expectedTotal * 1000),
    customerName,
    address,
    addressParts ? JSON.stringify(addressParts) : null,
    mapCoordinates.lat,
    mapCoordinates.lng,
    instructions || null,
    area?.name ?? null,
    area?.nameAr ?? null,
    paymentMethod,
    keyOf(client),
    fingerprintOf(body),
    maxPerHour,
    queuesOf('order.placed'),
    promises.unusual,
    promises.usual,
    promises.from,
    promises.until,
  ]
}

export const keyOf = ({ idempotencyKey }: Ctx['client']) => (idempotencyKey === null ? null : sha256(idempotencyKey))

/** Requests with one key are equal if this is; the shown total may differ. */
export function fingerprintOf({ expectedTotal: _, ...body }: PlacingBody): string {
  const { customerName, address, addressParts = {}, mapCoordinates, instructions, paymentMethod = 'cash' } = body
  const { block, road, building, flat } = addressParts
  const { lat, lng } = mapCoordinates
  return sha256(
    JSON.stringify([customerName, address, block, road, building, flat, lat, lng, instructions || null, paymentMethod]),
  )
}
