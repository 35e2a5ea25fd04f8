import type { Parsed } from '@qatra/contract/endpoint'
import {
  type AnswerKey,
  type BotAnswer,
  type changeBotAnswer,
  type createBotAnswer,
  factsIn,
  factsOf,
  ownAnswerId,
  topicOf,
} from '@qatra/contract/whatsapp/bot'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { takeLock, takeTextLock } from '../../database/advisory-lock.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import type { ActionOf } from '../../jobs/events.ts'
import { AppError } from '../../lib/errors.ts'
import { insertAlias } from './aliases.commands.ts'
import { factValues } from './facts.ts'
import { markUnderstood } from './misses.commands.ts'
import { requireAnswer } from './queries.ts'
import { type KnownShop, ownKey } from './snapshot.queries.ts'
import { botAnswers } from './tables.ts'

const MOST_OWN = 100

interface Texts {
  ar: string
  en: string
}

/** Facts in braces are offered for this answer and have a value now. @throws ANSWER_FACT */
function requireFacts(shop: KnownShop, key: AnswerKey, { ar, en }: Texts, now: Date): void {
  const offered = factsOf(key)
  const [vendor = null] = offered.includes('vendor') ? shop.vendors.values() : []
  const names = (
    [
      ['ar', ar],
      ['en', en],
    ] as const
  ).flatMap(([lang, text]) => {
    const values = factValues(shop, { lang, now, vendor })
    return factsIn(text).filter((name) => !offered.some((one) => one === name && values[one] !== null))
  })
  if (names.length > 0) throw new AppError('ANSWER_FACT', { names: [...new Set(names)] })
}

const emitChange = (ctx: Ctx, key: string, action: ActionOf<'bot-answer'>, changes: readonly Change[]) =>
  emit(ctx, { name: `bot-answer.${action}`, action, resource: 'bot-answer', id: key, changes })

const changesBetween = (before: BotAnswer, after: BotAnswer): Change[] =>
  (['title', 'ar', 'en', 'isDefault'] as const).flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, from: before[field], to: after[field] }],
  )

/** Adds an answer with its first phrase. @throws ANSWERS_FULL, ANSWER_FACT, ALIAS_REFUSED */
export async function createAnswer(
  ctx: Ctx,
  shop: KnownShop,
  { title, ar, en, phrase, miss }: Parsed<typeof createBotAnswer>['body'],
): Promise<BotAnswer> {
  requireFacts(shop, 'own:1', { ar, en }, ctx.now)
  await takeLock(ctx.db, 'bot-answers')
  if ((await ctx.db.$count(botAnswers, isNotNull(botAnswers.title))) >= MOST_OWN) throw new AppError('ANSWERS_FULL')
  const [row] = await ctx.db
    .insert(botAnswers)
    .values({ title, ar, en, updatedBy: userOf(ctx).id })
    .returning({ id: botAnswers.id })
  const key = ownKey(row?.id ?? 0)
  await insertAlias(ctx, shop, { text: phrase, type: 'answer', target: key })
  if (miss !== undefined) await markUnderstood(ctx, miss)
  await emitChange(ctx, key, 'created', [{ field: 'title', from: null, to: title }])
  return requireAnswer(ctx, shop, key)
}

const ofKey = (key: AnswerKey) => {
  const topic = topicOf(key)
  return topic ? eq(botAnswers.topic, topic) : eq(botAnswers.id, ownAnswerId(key) ?? 0)
}

/** The answer, locked until the end of the transaction. @throws ANSWER_NOT_FOUND, VERSION_CONFLICT if it is stale */
async function lockAnswer(ctx: Ctx, shop: KnownShop, key: AnswerKey, version: number): Promise<BotAnswer> {
  // A topic may have no row to lock.
  await takeTextLock(ctx.db, 'bot-answer', key)
  const before = await requireAnswer(ctx, shop, key)
  if (before.version !== version) throw new AppError('VERSION_CONFLICT', { version: before.version })
  return before
}

export async function changeAnswer(
  ctx: Ctx,
  shop: KnownShop,
  key: AnswerKey,
  { ar, en, title, version }: Parsed<typeof changeBotAnswer>['body'],
): Promise<BotAnswer> {
  requireFacts(shop, key, { ar, en }, ctx.now)
  const before = await lockAnswer(ctx, shop, key, version)
  const topic = topicOf(key)
  const values = { ar, en, updatedBy: userOf(ctx).id, updatedAt: ctx.now }
  if (topic)
    await ctx.db
      .insert(botAnswers)
      .values({ topic, ...values })
      .onConflictDoUpdate({
        target: botAnswers.topic,
        set: { ...values, version: sql`${botAnswers.version} + 1` },
      })
  else
    await ctx.db
      .update(botAnswers)
      .set({ ...values, title, version: version + 1 })
      .where(ofKey(key))
  const after = await requireAnswer(ctx, shop, key)
  await emitChange(ctx, key, 'updated', changesBetween(before, after))
  return after
}

/** Returns a topic to its default; deletes an added answer with its phrases. */
export async function resetAnswer(
  ctx: Ctx,
  shop: KnownShop,
  key: AnswerKey,
  version: number,
): Promise<{ success: true }> {
  const before = await lockAnswer(ctx, shop, key, version)
  if (before.isDefault) return { success: true }
  if (ownAnswerId(key) !== null) {
    await ctx.db.delete(botAnswers).where(ofKey(key))
    await emitChange(ctx, key, 'deleted', [{ field: 'title', from: before.title, to: null }])
    return { success: true }
  }
  await ctx.db
    .update(botAnswers)
    .set({ ar: null, en: null, version: version + 1, updatedBy: userOf(ctx).id, updatedAt: ctx.now })
    .where(and(ofKey(key), eq(botAnswers.version, version)))
  await emitChange(ctx, key, 'reset', changesBetween(before, await requireAnswer(ctx, shop, key)))
  return { success: true }
}
