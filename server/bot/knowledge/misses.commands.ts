import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import type { Db } from '../../database/db.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { isFree, type State } from '../dialogue/memory.ts'
import { maskPersonal, missKey } from './masking.ts'
import { botMisses } from './tables.ts'

/** Rows of one contact in 24 hours; further ones say nothing new. */
const MOST_A_DAY = 20

interface Missed {
  contactId: number
  messageId: number
  text: string
  state: State
}

/** Keeps what was not understood, once a message. Answers to questions for personal data are not kept. */
export async function recordMiss({ db }: { db: Db }, { contactId, messageId, text, state }: Missed): Promise<void> {
  const masked = maskPersonal(text)
  const key = missKey(masked)
  if (isFree(state) || state === 'phone' || state === 'code' || !/\p{L}/u.test(key)) return
  const ofToday = and(eq(botMisses.contactId, contactId), gt(botMisses.createdAt, sql`now() - interval '1 day'`))
  if ((await db.$count(botMisses, ofToday)) >= MOST_A_DAY) return
  await db.insert(botMisses).values({ contactId, messageId, key, text: masked }).onConflictDoNothing()
}

/** Notes that staff taught the bot a text. It comes back on the list if it is still not understood. */
export async function markUnderstood(ctx: Ctx, key: string): Promise<void> {
  await ctx.db
    .update(botMisses)
    .set({ closedAs: 'understood', closedBy: userOf(ctx).id })
    .where(and(eq(botMisses.key, key), isNull(botMisses.closedAs)))
}

/** @throws MISS_NOT_FOUND */
export async function dismissMiss(ctx: Ctx, key: string): Promise<{ success: true }> {
  return setDismissed(ctx, key, 'dismissed')
}

/** @throws MISS_NOT_FOUND */
export async function restoreMiss(ctx: Ctx, key: string): Promise<{ success: true }> {
  return setDismissed(ctx, key, null)
}

async function setDismissed(ctx: Ctx, key: string, closedAs: 'dismissed' | null): Promise<{ success: true }> {
  const rows = await ctx.db
    .update(botMisses)
    .set({ closedAs, closedBy: userOf(ctx).id })
    .where(and(eq(botMisses.key, key), sql`${botMisses.closedAs} is distinct from 'understood'`))
    .returning({ id: botMisses.id })
  if (rows.length === 0) throw new AppError('MISS_NOT_FOUND')
  const action = closedAs === null ? 'restored' : 'dismissed'
  // The id of a row, since the text is of a customer and the history stays.
  await emit(ctx, {
    name: `bot-miss.${action}`,
    action,
    resource: 'bot-miss',
    id: Math.max(...rows.map(({ id }) => id)),
  })
  return { success: true }
}
