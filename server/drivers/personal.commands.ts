import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { orders } from '../orders/tables.ts'
import { cashEntries, deliveryAttempts } from './tables.ts'

export const driverPersonalData: PersonalData = {
  tables: {
    delivery_attempts: { exported: 'deliveryAttempts', erased: 'no: reason as a code, time and ids' },
    cash_entries: {
      exported: 'cashEntries',
      erased: 'notes of entries that name an order of the person taken out; ids, amounts and times stay',
    },
    driver_runs: { exported: 'no: ids of orders in a row', erased: 'no: ids alone' },
  },
  export: async ({ db }, { id, maxRows }) => ({
    deliveryAttempts: await db
      .select({
        orderId: deliveryAttempts.orderId,
        reason: deliveryAttempts.reason,
        happenedAt: deliveryAttempts.happenedAt,
      })
      .from(deliveryAttempts)
      .innerJoin(orders, eq(orders.id, deliveryAttempts.orderId))
      .where(eq(orders.userId, id))
      .orderBy(desc(deliveryAttempts.id))
      .limit(maxRows),
    cashEntries: await db
      .select({
        orderId: cashEntries.orderId,
        kind: cashEntries.kind,
        amount: cashEntries.amount,
        moneyUnit: sql`'fils'`,
        notes: cashEntries.notes,
        happenedAt: cashEntries.happenedAt,
      })
      .from(cashEntries)
      .innerJoin(orders, eq(orders.id, cashEntries.orderId))
      .where(eq(orders.userId, id))
      .orderBy(desc(cashEntries.id))
      .limit(maxRows),
  }),
  /** Needs an erasing transaction (`qatra.erasing`), which may clear notes of append-only rows. */
  erase: async ({ db }, { id }) => {
    const own = db.select({ id: orders.id }).from(orders).where(eq(orders.userId, id))
    await db
      .update(cashEntries)
      .set({ notes: null })
      .where(and(inArray(cashEntries.orderId, own), isNotNull(cashEntries.notes)))
  },
}
