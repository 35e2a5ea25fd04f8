import { desc, eq } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { orders } from '../orders/tables.ts'
import { deliveryAttempts } from './tables.ts'

export const driverPersonalData: PersonalData = {
  tables: {
    delivery_attempts: { exported: 'deliveryAttempts', erased: 'no: reason as a code, time and ids' },
    cash_entries: {
      exported: 'no: the books of a driver; the amount is that of the order',
      erased: 'no: append-only books: ids, amounts, times, and notes about a day of a driver',
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
  }),
}
