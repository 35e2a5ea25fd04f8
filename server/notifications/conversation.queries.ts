import { and, eq, inArray } from 'drizzle-orm'
import { whatsappMessages } from '../conversations/tables.ts'
import type { Db } from '../database/db.ts'

/** Ids of those messages that a campaign sent. */
export async function isOfCampaign(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: whatsappMessages.id })
    .from(whatsappMessages)
    .where(and(inArray(whatsappMessages.id, [...ids]), eq(whatsappMessages.sentByType, 'campaign')))
  return new Set(rows.map(({ id }) => id))
}
