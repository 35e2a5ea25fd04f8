import { desc, eq } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { orders } from '../orders/tables.ts'
import { eraseRequestsOf } from './commands.ts'
import { legacyOutbox } from './tables.ts'

export const legacyPersonalData: PersonalData = {
  tables: {
    legacy_outbox: {
      exported: 'olderSystem',
      erased: 'name, phone, address, place and notes removed from requests not yet sent; answers and errors deleted',
    },
  },
  // The request bodies repeat the orders, so the export contains only order, event and time.
  export: async ({ db }, { id, maxRows }) => ({
    olderSystem: await db
      .select({
        orderId: legacyOutbox.orderId,
        event: legacyOutbox.event,
        status: legacyOutbox.status,
        doneAt: legacyOutbox.doneAt,
        createdAt: legacyOutbox.createdAt,
      })
      .from(legacyOutbox)
      .innerJoin(orders, eq(orders.id, legacyOutbox.orderId))
      .where(eq(orders.userId, id))
      .orderBy(desc(legacyOutbox.id))
      .limit(maxRows),
  }),
  erase: (ctx, { id }) => eraseRequestsOf(ctx, id),
}
