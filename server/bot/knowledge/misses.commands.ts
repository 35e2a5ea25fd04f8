import { westernDigits } from '@qatra/contract/lib/digits'
import { fold, wellFormed } from '@qatra/contract/lib/text'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import type { Db } from '../../database/db.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { isFree, type State } from '../dialogue/memory.ts'
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

/** Takes a text off the list, or puts it back. @throws MISS_NOT_FOUND */
export async function dismissMiss(ctx: Ctx, key: string, closedAs: 'dismissed' | null): Promise<{ success: true }> {
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

const MASK = '•••'
const LONGEST_TEXT = 200

const parts =
  'مجمع|طريق|شارع|مبنى|مبني|بناية|عمارة|بيت|منزل|فيلا|شقة|شقه|block|blk|road|rd|street|st|building|bldg|house|villa|flat|apt|apartment'
const masks: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\S{1,200}@\S{1,200}/gu, MASK],
  [/(?:https?:\/\/|www\.)\S{1,400}/giu, MASK],
  // `block 340`, `شقة رقم ٣`
  [
    new RegExp(`(?<!\\p{L})(${parts})([\\s.:#]{1,3}(?:no|number|رقم)?[\\s.:#]{0,2})\\d{1,6}\\p{L}?(?!\\p{L})`, 'giu'),
    `$1$2${MASK}`,
  ],
  // Phone numbers with spaces and dashes
  [new RegExp(`\\+?\\d(?:[\\s()-]?\\d){6,16}`, 'gu'), MASK],
  // Codes and numbers of addresses, but no sizes
  [new RegExp(`(?<!\\d)(?!(?:200|250|330|500|600|1000|1500)(?!\\d))\\d{3,20}(?! ?(?:ml|مل|ملي))`, 'giu'), MASK],
  [/((?<!\p{L})(?:اسمي|my name is|name:|i am called|i'm called))\s.{1,200}$/giu, `$1 ${MASK}`],
]

/** A message without phone numbers, addresses, names after `my name is`, links and codes; one line of limited length. */
export function maskPersonal(text: string): string {
  let masked = westernDigits(wellFormed(text))
    .slice(0, 2 * LONGEST_TEXT)
    .replace(/\s+/g, ' ')
    .trim()
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement)
  return [...masked].slice(0, LONGEST_TEXT).join('')
}

/** The same for texts that differ only in spelling marks, punctuation and numbers. */
export const missKey = (text: string): string =>
  fold(text)
    .replace(/\p{N}+/gu, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TEXT)
