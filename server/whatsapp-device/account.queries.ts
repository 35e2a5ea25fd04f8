import type { Output } from '@qatra/contract/endpoint'
import type { getAccount } from '@qatra/contract/whatsapp/connection/account'
import { desc, isNotNull } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Db } from '../database/db.ts'
import { maskPhones } from '../webhooks/masking.ts'
import { readAccountCheck } from '../whatsapp-setup/queries.ts'
import { whatsappAccountNotices as notices } from './tables.ts'

const MAX_NOTICES = 20

/** Meta's qualities; others, as UNKNOWN, say nothing. */
const flagged: Readonly<Record<string, boolean>> = { GREEN: false, YELLOW: false, RED: true }

/** What Meta answered about the number; nulls without an answer. */
async function readRating(db: Db, config: Config) {
  const check = await readAccountCheck(db, config)
  const rating = check?.facts.rating
  const { quality, tier } = rating?.kind === 'answered' ? rating.value : { quality: null, tier: null }
  return { at: check?.answeredAt ?? null, tier, isFlagged: flagged[quality ?? ''] ?? null }
}

/** Quality and limit of the number are Meta's answer, until it reports a newer one. */
export async function readAccount({ db }: { db: Db }, config: Config): Promise<Output<typeof getAccount>> {
  const newest = [desc(notices.at), desc(notices.id)]
  const [rating, [tier], [quality], rows] = await Promise.all([
    readRating(db, config),
    db
      .select({ tier: notices.tier, at: notices.at })
      .from(notices)
      .where(isNotNull(notices.tier))
      .orderBy(...newest)
      .limit(1),
    db
      .select({ isFlagged: notices.isFlagged, at: notices.at })
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
  const isNewer = (notice: { at: Date } | undefined) =>
    notice !== undefined && (rating.at === null || notice.at > rating.at)
  return {
    tier: isNewer(tier) ? (tier?.tier ?? null) : (rating.tier ?? tier?.tier ?? null),
    isFlagged: isNewer(quality) ? (quality?.isFlagged ?? null) : (rating.isFlagged ?? quality?.isFlagged ?? null),
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
