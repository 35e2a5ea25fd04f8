import { desc, eq } from 'drizzle-orm'
import { sessions } from '../auth/tables.ts'
import type { PersonalData } from '../database/personal-data.ts'
import { pushSubscriptions } from './tables.ts'

export const pushPersonalData: PersonalData = {
  tables: { push_subscriptions: { exported: 'notificationDevices', erased: 'deleted with the session' } },
  /** The push service alone: with the whole address and the keys others could write to the device. */
  export: async ({ db }, { id, maxRows }) => {
    const { endpoint, createdAt } = pushSubscriptions
    const devices = await db
      .select({ endpoint, createdAt })
      .from(pushSubscriptions)
      .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
      .where(eq(sessions.userId, id))
      .orderBy(desc(createdAt))
      .limit(maxRows)
    return {
      notificationDevices: devices.map((one) => ({ service: new URL(one.endpoint).host, createdAt: one.createdAt })),
    }
  },
}
