/** Bottles of a delivery in the ledger: what was handed over and came back, and the opposite when it is taken back. */

import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type BottleCount, type BottleLine, bottleSums } from '@qatra/contract/orders/bottles'
import { beyondOrder, moreThanLeft, type VanGoods } from '@qatra/contract/van'
import { type BottleEntry, postBottles } from '../../bottles/commands.ts'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { firstOpenDay } from '../../ledger/commands.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { deliveryOf } from '../payment/door.commands.ts'
import type { OrderItemRow, OrderRow } from '../queries.ts'
import { moreThanVan, readVans } from '../run/van.queries.ts'

const typesSql = statement(
  'order-bottle-types',
  `select id from bottle_types where vendor_id = $1 and id = any($2::integer[])`,
)

/** @throws INVALID_BODY for a type that is neither the order's nor the vendor's */
export async function requireTypes(
  ctx: Ctx,
  { vendorId }: OrderRow,
  { rows, bottles }: { rows: readonly OrderItemRow[]; bottles: readonly BottleCount[] },
): Promise<void> {
  const own = new Set(rows.map(({ bottleTypeId }) => bottleTypeId))
  const others = bottles.flatMap(({ typeId }) => (own.has(typeId) ? [] : [typeId]))
  if (others.length === 0) return
  for (const { id } of await run<{ id: number }>(ctx.db, typesSql, [vendorId, others])) own.add(id)
  const wrong = bottles.findIndex(({ typeId }) => !own.has(typeId))
  if (wrong >= 0) throw invalidFields(ctx, { [`bottles.${wrong}.typeId`]: 'validation.invalid' })
}

/**
 * More than was ordered is handed over from what the driver's van has left, where its load was entered. The van stays as it
 * is until the transaction ends.
 * @throws MORE_THAN_VAN
 */
export async function requireInVan(
  ctx: Ctx,
  { vendorId, assignedDriverId: driverId }: OrderRow,
  { lines, rows, deliveredAt }: { lines: readonly VanGoods[]; rows: readonly OrderItemRow[]; deliveredAt: Date },
): Promise<void> {
  const door = { ordered: rows, handedOver: lines }
  if (driverId === null || beyondOrder(door).length === 0) return
  await takeNumberLock(ctx.db, 'van', driverId)
  const vans = await readVans(ctx, { vendorId, day: bahrainDate(deliveredAt), driverId })
  const line = moreThanLeft(vans, door)
  if (line) throw moreThanVan(line)
}

const movedSql = statement(
  'order-bottles-moved',
  `select vendor_id as "vendorId", holder_id as "customerId", bottle_type_id as "typeId", address_id as "addressId", kind,
     sum(amount)::int as count, sum(due)::float8 as due, min(key) as key from ledger_entries
   where ledger = 'bottles' and order_id = $1 and delivery = $2 and kind <> 'refunded' group by 1, 2, 3, 4, 5 order by min(id)`,
)

const readMoved = ({ db }: Pick<Ctx, 'db'>, orderId: string, delivery: number) =>
  run<Omit<BottleEntry, 'day' | 'happenedAt'>>(db, movedSql, [orderId, delivery])

/** Good empties that came back with the order's last delivery, by type. */
export async function readReturned(ctx: Pick<Ctx, 'db'>, orderId: string): Promise<Map<number, number>> {
  const moved = await readMoved(ctx, orderId, await deliveryOf(ctx, orderId))
  return new Map(moved.flatMap(({ kind, typeId, count }) => (kind === 'returned' ? [[typeId, -count]] : [])))
}

const addressSql = statement(
  'order-address-saved',
  `select id from addresses where user_id = $1 and address = $2 and lat = $3 and lng = $4 order by id limit 1`,
)

interface Delivered {
  /** Handed over, with the empties that the order counts. */
  lines: readonly BottleLine[]
  counts: readonly BottleCount[]
  deliveredAt: Date
  /** Deposits that were paid back. */
  refunded: readonly { typeId: number; amount: number }[]
}

/** The caller has locked the order, and written its delivery. */
export async function postDelivered(
  ctx: Ctx,
  order: OrderRow,
  { lines, counts, deliveredAt, refunded }: Delivered,
): Promise<void> {
  const { id: orderId, vendorId, userId: customerId } = order
  const sums = bottleSums(lines, counts)
  // The bottles of a customer without an account are nobody's.
  if (sums.length === 0 || customerId === null) return
  const delivery = await deliveryOf(ctx, orderId)
  const [saved] = await run<{ id: number }>(ctx.db, addressSql, [customerId, order.address, order.lat, order.lng])
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(deliveredAt))
  const moved = sums.flatMap(({ typeId, delivered, returned, charged }) => [
    { typeId, kind: 'delivered' as const, count: delivered, due: charged as number, notes: null },
    { typeId, kind: 'returned' as const, count: 0 - returned, due: 0, notes: uselessOf(counts, typeId) },
  ])
  const paidBack = refunded.map(({ typeId, amount }) => {
    return { typeId, kind: 'refunded' as const, count: 0, due: 0 - amount, notes: null }
  })
  await postBottles(
    ctx,
    [...moved, ...paidBack].flatMap((entry) => {
      if (entry.count === 0 && entry.due === 0 && entry.notes === null) return []
      const key = `${orderId}:${delivery}:${entry.typeId}:${entry.kind}`
      const addressId = saved?.id ?? null
      return [{ ...entry, key, vendorId, customerId, addressId, orderId, delivery, day, happenedAt: deliveredAt }]
    }),
  )
}

/** Bottles that give nothing back, as the notes of what came back; null without any. */
function uselessOf(counts: readonly BottleCount[], typeId: number): string | null {
  const { broken = 0, foreign = 0 } = counts.find((count) => count.typeId === typeId) ?? {}
  return broken + foreign === 0 ? null : `broken=${broken} foreign=${foreign}`
}

/** The opposite of what the last delivery moved. Deposits that were paid back stay with the customer, as payments do. */
export async function postTakenBack(ctx: Ctx, { id: orderId, vendorId }: OrderRow): Promise<void> {
  const delivery = await deliveryOf(ctx, orderId)
  const moved = await readMoved(ctx, orderId, delivery)
  if (moved.length === 0) return
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(ctx.now))
  await postBottles(
    ctx,
    moved.map((entry) => {
      const opposite = { count: 0 - entry.count, due: 0 - entry.due, key: `${entry.key}:taken-back` }
      return { ...entry, ...opposite, orderId, delivery, day, happenedAt: ctx.now }
    }),
  )
}
