import { randomInt } from 'node:crypto'
import type { BottleTerms } from '@qatra/contract/bottles'
import { type DeliverySlot, promiseFields } from '@qatra/contract/calendar/slot'
import { type Fils, fromBhd } from '@qatra/contract/lib/money'
import { type BuyerTexts, buyerNames } from '@qatra/contract/orders/buyer'
import { newOrderId } from '@qatra/contract/orders/order-id'
import type { PaymentMethod } from '@qatra/contract/orders/order-status'
import { mapKeys, type OrderTotals, totalsKeys } from '@qatra/contract/orders/totals'
import type { Coordinates } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import { getTableColumns } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgTable } from 'drizzle-orm/pg-core'
import { pinSourceAt } from '../../areas/queries.ts'
import type { CatalogueArea } from '../../areas/snapshot.ts'
import { emptyingCart } from '../../cart/commands.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder } from '../../database/transaction.ts'
import { emit, recordOrderText } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/secrets.ts'
import { savingDelivery } from '../../users/address-book.commands.ts'
import { orderItems, orders } from '../tables.ts'
import { countPlaced, type OrderChannel } from './metrics.ts'

/** What an order is made of: a customer's cart, or the lines of a sales agent. */
export interface OrderSource<Inputs> {
  channel: OrderChannel
  /** The parsed input without what may differ when a request is repeated: with one idempotency key the rest must be equal. */
  request: object
  /** Locks, then reads, everything that the rules depend on. */
  read: () => Promise<Inputs>
  /**
   * Checks the rules and makes the draft; may create or update the customer.
   * @throws the AppError of the first violated rule
   */
  prepareDraft: (inputs: Inputs) => Promise<OrderDraft>
}

/**
 * Places an order in the caller's transaction: locks and reads, prepares the draft, writes. Runs for `ctx.actor` and does not
 * authenticate. An idempotency key returns its first order, with `draft` null, and is bound only by a placed order: an
 * error rolls its row back.
 *
 * Lock order: user, the user's carts, calendar, idempotency key, new rows. Sign-in and erasure lock the user before the carts too.
 * Products and vendor are not locked: the order is placed at the terms of the moment when they were read, and a
 * concurrent change of them applies to the next order.
 */
export async function placeOrder<Inputs>(
  ctx: Ctx,
  { channel, request, read, prepareDraft }: OrderSource<Inputs>,
): Promise<{ id: string; draft: OrderDraft | null }> {
  const id = newOrderId(randomInt)
  const [inputs, known] = await allInOrder([read(), bindKey(ctx, id, fingerprintOf(channel, request))])
  if (known !== null) return { id: known, draft: null }
  const draft = await prepareDraft(inputs)
  await writeOrder(ctx, id, draft)
  ctx.afterCommit(() => countPlaced(channel, draft.totals.total))
  return { id, draft }
}

/** A fingerprint that an earlier version stored without it cannot be compared: its key gives back the order. */
const format = '3:'

/** Empty fields are as good as absent ones. */
const withoutEmpty = (_: string, value: unknown) => (value === null || value === '' ? undefined : value)

const fingerprintOf = (channel: OrderChannel, request: object) =>
  format + sha256(JSON.stringify([channel, request], withoutEmpty))

const bindKeySql = statement(
  'order-key-bind',
  `insert into order_keys (user_id, key, order_id, fingerprint) values ($1, $2, $3, $4)
   on conflict do nothing returning order_id as "orderId"`,
)
const boundKeySql = statement(
  'order-key-bound',
  'select order_id as "orderId", fingerprint from order_keys where user_id = $1 and key = $2',
)

/**
 * The order that the key already placed; null if the key is free or absent. Waits for a concurrent transaction with the
 * same key.
 */
async function bindKey(ctx: Ctx, orderId: string, fingerprint: string): Promise<string | null> {
  const { idempotencyKey } = ctx.client
  if (idempotencyKey === null) return null
  const owner = [userOf(ctx).id, sha256(idempotencyKey)]
  const bound = await run(ctx.db, bindKeySql, [...owner, orderId, fingerprint])
  if (bound.length > 0) return null
  const [known] = await run<{ orderId: string; fingerprint: string }>(ctx.db, boundKeySql, owner)
  if (!known) throw new AppError('UNAVAILABLE')
  if (known.fingerprint !== fingerprint && known.fingerprint.startsWith(format))
    throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return known.orderId
}

/** A product as it is ordered: name and price are copies. */
export interface OrderLine {
  productId: number
  name: string
  nameAr: string | null
  size: string
  imageUrl: string | null
  /** The charged price. */
  price: Fils
  vatPercentage: number
  quantity: number
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
  /** Null without a bottle. */
  bottleTypeId: number | null
  bottleTerms: BottleTerms | null
  /** These two of a bottle that comes back. */
  bottleDeposit: Fils | null
  empties: number | null
  /** The product's own price if sales agreed on another one, with the reason. */
  listPrice?: Fils | null
  priceReason?: string | null
}

/** An order that passed every rule. */
export interface OrderDraft {
  customer: { id: number; phone: string }
  vendor: { id: number; name: string; nameAr: string | null; logoUrl: string | null }
  delivery: {
    customerName: string
    address: string
    addressParts?: AddressParts | null | undefined
    mapCoordinates: Coordinates
    pinSource?: PinSource | null | undefined
    instructions?: string | null | undefined
    receiverName?: string | null | undefined
    receiverPhone?: string | null | undefined
    /** The saved address from which the customer ordered. */
    addressId?: number | null | undefined
    /** The customer was asked whether the pin of the saved address is at the door. */
    isPinAsked?: boolean | undefined
  }
  buyer: { [name in keyof BuyerTexts]?: string | null | undefined } & { payingWith?: number | null | undefined }
  /** Null if sales delivers outside of all areas. */
  area: Pick<CatalogueArea, 'id' | 'name' | 'nameAr' | 'centre'> | null
  lines: readonly OrderLine[]
  totals: OrderTotals
  paymentMethod: PaymentMethod
  slot: DeliverySlot
  /** The cart that the order empties. */
  cartId: number | null
  /** The sales agent. */
  placedBy: number | null
  /** An order of the set-up checklist, which can be deleted. */
  isTest?: boolean
}

const orderFields = [
  'id',
  'userId',
  'vendorId',
  'vendorName',
  'vendorNameAr',
  'vendorLogo',
  'customerName',
  'phone',
  'address',
  'addressParts',
  'lat',
  'lng',
  'pinSource',
  'areaId',
  'areaName',
  'areaNameAr',
  'instructions',
  'receiverName',
  'receiverPhone',
  ...buyerNames,
  'payingWith',
  'paymentMethod',
  ...totalsKeys,
  'placedBy',
  'isTest',
  'promisedDate',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof typeof orders.$inferInsert)[]
const lineFields = [
  'productId',
  'name',
  'nameAr',
  'size',
  'imageUrl',
  'price',
  'vatPercentage',
  'quantity',
  'inventoryUnit',
  'inventoryUnitAr',
  'unitsPerInventoryUnit',
  'bottleTypeId',
  'bottleTerms',
  'bottleDeposit',
  'empties',
  'listPrice',
  'priceReason',
] as const satisfies (keyof typeof orderItems.$inferInsert)[]

const columnsOf = (fields: readonly string[]) => fields.map(toSnakeCase).join(', ')
const quotedOf = (fields: readonly string[], of = '') => fields.map((field) => `${of}"${field}"`).join(', ')
/** The fields as columns of a JSON record, with the types of the table. */
function recordOf(table: PgTable, fields: readonly string[]): string {
  const columns = getTableColumns(table)
  return fields.map((field) => `"${field}" ${columns[field]?.getSQLType()}`).join(', ')
}

/** Records `order.placed`, writes a prepared order with its lines, empties the cart. Checks nothing. */
const placeSql = statement(
  'order-place',
  `${recordOrderText}, placed as (
    insert into orders (${columnsOf(orderFields)})
    select ${quotedOf(orderFields)} from json_to_record($3) as o (${recordOf(orders, orderFields)})
    returning *),
  items as (
    insert into order_items (order_id, ${columnsOf(lineFields)})
    select placed.id, ${quotedOf(lineFields, 'l.')}
    from placed, rows from (json_to_recordset($4) as (${recordOf(orderItems, lineFields)}))
      with ordinality as l (${quotedOf(lineFields)}, "position")
    order by l."position"),
  ${emptyingCart('$5::integer', 'placed')}${savingDelivery({ order: 'placed', isOwn: '$6::boolean', addressId: '$7::integer', isPinAsked: '$8::boolean' })}`,
)

export async function writeOrder(ctx: Ctx, id: string, draft: OrderDraft): Promise<void> {
  const { customer, vendor, delivery, buyer, area, totals } = draft
  const order: Pick<typeof orders.$inferInsert, (typeof orderFields)[number]> = {
    id,
    userId: customer.id,
    vendorId: vendor.id,
    vendorName: vendor.name,
    vendorNameAr: vendor.nameAr,
    vendorLogo: vendor.logoUrl,
    customerName: delivery.customerName,
    phone: customer.phone,
    address: delivery.address,
    addressParts: delivery.addressParts ?? null,
    lat: delivery.mapCoordinates.lat,
    lng: delivery.mapCoordinates.lng,
    pinSource: pinSourceAt(area, delivery.mapCoordinates, delivery.pinSource),
    areaId: area?.id ?? null,
    areaName: area?.name ?? null,
    areaNameAr: area?.nameAr ?? null,
    instructions: delivery.instructions || null,
    receiverName: delivery.receiverName ?? null,
    receiverPhone: delivery.receiverPhone ?? null,
    ...mapKeys(buyerNames, (name) => buyer[name] || null),
    payingWith: buyer.payingWith ? fromBhd(buyer.payingWith) : null,
    paymentMethod: draft.paymentMethod,
    ...totals,
    placedBy: draft.placedBy,
    isTest: draft.isTest ?? false,
    ...promiseFields(draft.slot),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const isByCustomer = draft.placedBy === null
  const values = [
    JSON.stringify(order),
    JSON.stringify(draft.lines),
    draft.cartId,
    isByCustomer && ctx.actor.impersonator === null,
    delivery.addressId ?? null,
    delivery.isPinAsked ?? false,
  ]
  const placed = {
    name: 'order.placed',
    action: 'created',
    resource: 'order',
    id,
    changes: [{ field: 'status', from: null, to: 'new' }],
    ...(!isByCustomer && { onBehalfOf: customer.id }),
    at: ctx.now,
    payload: { to: 'new', version: 1 },
  } as const
  await emit(ctx, placed, (recorded) => {
    const written = run(ctx.db, placeSql, [...recorded, ...values])
    return ctx.commitWith ? ctx.commitWith(written) : written
  })
}
