import type { Ctx } from '../database/context.ts'
import type { EmitContext } from '../jobs/domain-events.ts'
import { postAll } from '../ledger/commands.ts'
import type { ledgerEntries } from '../ledger/tables.ts'

type Entry = typeof ledgerEntries.$inferInsert

export interface BottleEntry
  extends Pick<
    Entry,
    'vendorId' | 'day' | 'happenedAt' | 'key' | 'orderId' | 'visitId' | 'delivery' | 'notes' | 'addressId' | 'vat'
  > {
  customerId: number
  typeId: number
  kind: Extract<Entry['kind'], 'delivered' | 'returned' | 'lost' | 'correction' | 'opening' | 'refunded'>
  /** Bottles that the customer has more, or fewer. */
  count: number
  /** Fils of deposit that are charged with them, or paid back. */
  due: number
}

/**
 * Posts what customers hold more or fewer, up to 1,000 entries, each once; the balances follow (`bottles.sql`), in one order
 * of customers and types, since they are locked. @returns whether one was written now
 */
export const postBottles = (
  ctx: Pick<Ctx, 'db'> & Pick<EmitContext, 'actor' | 'authors'>,
  entries: readonly BottleEntry[],
): Promise<boolean> =>
  postAll(
    ctx,
    entries
      .toSorted((a, b) => a.customerId - b.customerId || a.typeId - b.typeId)
      .map(({ customerId, typeId, count, ...entry }) => ({
        ...entry,
        ledger: 'bottles',
        holder: 'customer',
        holderId: customerId,
        bottleTypeId: typeId,
        amount: count,
      })),
  )
