import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { type BottleLine, bottleSums } from '@qatra/contract/orders/bottles'
import type { BottleEntry } from '../../server/bottles/commands.ts'
import type { ledgerEntries } from '../../server/ledger/tables.ts'
import { meansOf } from '../../server/orders/payment/rules.ts'
import type { orderItems } from '../../server/orders/tables.ts'
import type { SeedOrder } from './seed-order.ts'

/** What orders of the demo post to the ledgers. */

export type ItemRows = (typeof orderItems.$inferInsert & BottleLine)[]
export type LedgerRows = (typeof ledgerEntries.$inferInsert)[]

export interface Authors {
  customer: number
  agent: number | null
  staff: number | null
  driver: number | null
}

/** Handed over and given back. */
export function bottlesOf(
  items: ItemRows,
  about: Pick<BottleEntry, 'vendorId' | 'customerId' | 'happenedAt'> & { orderId: string },
): BottleEntry[] {
  return bottleSums(items, []).flatMap(({ typeId, delivered, returned, charged }) => {
    const moved: Pick<BottleEntry, 'kind' | 'count' | 'due'>[] = [
      { kind: 'delivered', count: delivered, due: charged },
      { kind: 'returned', count: 0 - returned, due: 0 },
    ]
    return moved.flatMap((move) => {
      const key = `${about.orderId}:1:${typeId}:${move.kind}`
      return move.count === 0 ? [] : [{ ...about, ...move, typeId, key, day: bahrainDate(about.happenedAt) }]
    })
  })
}

interface Booked {
  total: number
  who: Authors
  deliveredAt: Date | undefined
}

export const saleOf = (orderId: string, { vendorId }: SeedOrder, { total, who, deliveredAt }: Booked): LedgerRows =>
  deliveredAt
    ? [
        {
          ledger: 'sales',
          vendorId,
          holder: 'vendor',
          day: bahrainDate(deliveredAt),
          kind: 'delivered',
          amount: total,
          due: 0,
          orderId,
          key: orderId,
          createdBy: who.driver,
          happenedAt: deliveredAt,
          createdAt: deliveredAt,
        },
      ]
    : []

/** Cash of a delivered order: collected, and handed over if so. */
export function cashOf(
  orderId: string,
  { vendorId, paidBy, handedOverAt, assignedAt, placedAt }: SeedOrder,
  { total, who, deliveredAt }: Booked,
): LedgerRows {
  const { driver: driverId, staff } = who
  if (paidBy) {
    const at = deliveredAt ?? assignedAt ?? placedAt
    return [
      {
        vendorId,
        holder: 'office',
        holderId: staff,
        amount: total,
        due: total,
        day: bahrainDate(at),
        orderId,
        kind: 'payment',
        means: meansOf[paidBy],
        key: `paid:${orderId}`,
        createdBy: staff,
        happenedAt: at,
        createdAt: at,
      },
    ]
  }
  if (!deliveredAt || driverId === null) return []
  const line = { vendorId, holder: 'driver' as const, holderId: driverId, amount: total, day: bahrainDate(deliveredAt) }
  const collected = {
    ...line,
    orderId,
    due: total,
    kind: 'collected' as const,
    key: `delivered:${orderId}:1`,
    createdBy: driverId,
    happenedAt: deliveredAt,
    createdAt: deliveredAt,
  }
  if (!handedOverAt) return [collected]
  const handedOver = {
    ...line,
    kind: 'handed-over' as const,
    key: `handed-over:${orderId}`,
    createdBy: staff,
    happenedAt: handedOverAt,
    createdAt: handedOverAt,
  }
  return [collected, handedOver]
}
