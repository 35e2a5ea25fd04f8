import { desc, eq } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { endSessionsOf, eraseSignIns } from './sessions.commands.ts'
import { knownDevices, loginCodes, loginFailures, messageLogins, sessions } from './tables.ts'

export const authPersonalData: PersonalData = {
  tables: {
    sessions: { exported: 'sessions', erased: 'deleted' },
    known_devices: { exported: 'devices', erased: 'deleted' },
    login_codes: { exported: 'codes', erased: 'deleted' },
    login_failures: { exported: 'failedSignIns', erased: 'deleted' },
    message_logins: { exported: 'messageSignIns', erased: 'deleted' },
  },
  /**
   * Omits the network that requested a code, which can be another person's, and the browser, name and reason of an
   * admin who impersonated the person. The fact and time of an impersonation are included.
   */
  async export({ db }, { id, phone, maxRows }) {
    const own = await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, id))
      .orderBy(desc(sessions.createdAt))
      .limit(maxRows)
    const { createdAt, lastUsedAt } = knownDevices
    return {
      sessions: own.map(({ impersonatorId, userAgent, createdAt: since, lastSeenAt, expiresAt }) => ({
        by: impersonatorId === null ? 'person' : 'house',
        userAgent: impersonatorId === null ? userAgent : null,
        createdAt: since,
        lastSeenAt,
        expiresAt,
      })),
      devices: await db
        .select({ createdAt, lastUsedAt })
        .from(knownDevices)
        .where(eq(knownDevices.phone, phone))
        .limit(maxRows),
      codes: await db
        .select({
          phone: loginCodes.phone,
          language: loginCodes.language,
          attempts: loginCodes.attempts,
          createdAt: loginCodes.createdAt,
          usedAt: loginCodes.usedAt,
        })
        .from(loginCodes)
        .where(eq(loginCodes.phone, phone))
        .orderBy(desc(loginCodes.id))
        .limit(maxRows),
      failedSignIns: await db
        .select({ digits: loginFailures.digits, createdAt: loginFailures.createdAt })
        .from(loginFailures)
        .where(eq(loginFailures.phone, phone))
        .orderBy(desc(loginFailures.createdAt))
        .limit(maxRows),
      messageSignIns: await db
        .select({
          device: messageLogins.device,
          language: messageLogins.language,
          askedAt: messageLogins.askedAt,
          provedAt: messageLogins.provedAt,
          createdAt: messageLogins.createdAt,
        })
        .from(messageLogins)
        .where(eq(messageLogins.phone, phone))
        .orderBy(desc(messageLogins.createdAt))
        .limit(maxRows),
    }
  },
  async erase(ctx, { id, phone }) {
    await eraseSignIns(ctx, phone)
    await endSessionsOf(ctx, id)
  },
}
