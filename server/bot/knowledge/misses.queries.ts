import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { listBotMisses as list } from '@qatra/contract/whatsapp/bot'
import { and, desc, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { botMisses } from './tables.ts'

/** Texts that were not understood, most frequent first. */
export async function listMisses(
  { db }: Pick<Ctx, 'db'>,
  { page, limit, view }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const dismissed = db.select({ key: botMisses.key }).from(botMisses).where(eq(botMisses.closedAs, 'dismissed'))
  const shown =
    view === 'dismissed'
      ? inArray(botMisses.key, dismissed)
      : and(isNull(botMisses.closedAs), notInArray(botMisses.key, dismissed))
  const count = sql<number>`count(*)::int`
  const lastAt = sql<Date>`max(${botMisses.createdAt})`.mapWith(botMisses.createdAt)
  const rows = await db
    .select({
      key: botMisses.key,
      text: sql<string>`(array_agg(${botMisses.text} order by ${botMisses.id} desc))[1]`,
      count,
      people: sql<number>`count(distinct ${botMisses.contactId})::int`,
      lastAt,
      contactId: sql<number>`(array_agg(${botMisses.contactId} order by ${botMisses.id} desc))[1]`,
    })
    .from(botMisses)
    .where(shown)
    .groupBy(botMisses.key)
    .orderBy(desc(count), desc(lastAt), botMisses.key)
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await db
    .select({ total: sql<number>`count(distinct ${botMisses.key})::int` })
    .from(botMisses)
    .where(shown)
  const items = rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() }))
  return { items, page, limit, total: counted?.total ?? 0 }
}
