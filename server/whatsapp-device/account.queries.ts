import type { Output } from '@qatra/contract/endpoint'
import type { getAccount } from '@qatra/contract/whatsapp-account'
import { desc, isNotNull } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { maskPhones } from '../webhooks/masking.ts'
import { whatsappAccountNotices as notices } from './tables.ts'

const MAX_NOTICES = 20

export async function readAccount({ db }: { db: Db }): Promise<Output<typeof getAccount>> {
  const newest = [desc(notices.at), desc(notices.id)]
  const [[tier], [quality], rows] = await Promise.all([
    db
      .select({ tier: notices.tier })
      .from(notices)
      .where(isNotNull(notices.tier))
      .orderBy(...newest)
      .limit(1),
    db
      .select({ isFlagged: notices.isFlagged })
      .from(notices)
      .where(isNotNull(notices.isFlagged))
      .orderBy(...newest)
      .limit(1),
    db
      .select()
      .from(notices)
      .orderBy(...newest)
      .limit(MAX_NOTICES),
  ])
  return {
    tier: tier?.tier ?? null,
    isFlagged: quality?.isFlagged ?? null,
    notices: rows.map(({ id, field, event, severity, text, tier: limit, at }) => ({
      id,
      field,
      event,
      severity,
      text: text === null ? null : String(maskPhones(text)),
      tier: limit,
      at: at.toISOString(),
    })),
  }
}
