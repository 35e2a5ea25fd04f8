import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { CannedReply, listCannedReplies as list } from '@qatra/contract/whatsapp/inbox/canned-replies'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { cannedReplies } from './tables.ts'

type Row = typeof cannedReplies.$inferSelect

const describe = ({ id, shortcut, title, titleAr, body, bodyAr, isActive, updatedAt }: Row): CannedReply => ({
  id,
  shortcut,
  title,
  titleAr,
  body,
  bodyAr,
  isActive,
  updatedAt: updatedAt.toISOString(),
})

export async function listCanned(
  { db }: Pick<Ctx, 'db'>,
  { page, limit }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const rows = await db
    .select()
    .from(cannedReplies)
    .orderBy(cannedReplies.shortcut)
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await db.select({ total: sql<number>`count(*)::int` }).from(cannedReplies)
  return { items: rows.map(describe), page, limit, total: counted?.total ?? 0 }
}

/** Those with one of the shortcuts, by shortcut. */
export async function listKnown(
  { db }: Pick<Ctx, 'db'>,
  shortcuts: readonly string[],
): Promise<ReadonlyMap<string, CannedReply>> {
  const rows = await db
    .select()
    .from(cannedReplies)
    .where(inArray(cannedReplies.shortcut, [...shortcuts]))
  return new Map(rows.map((row) => [row.shortcut, describe(row)]))
}

/** @throws CANNED_REPLY_NOT_FOUND */
export async function requireCanned({ db }: Pick<Ctx, 'db'>, id: number): Promise<CannedReply> {
  const [row] = await db.select().from(cannedReplies).where(eq(cannedReplies.id, id))
  if (!row) throw new AppError('CANNED_REPLY_NOT_FOUND')
  return describe(row)
}
