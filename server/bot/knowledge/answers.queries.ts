import type { Output } from '@qatra/contract/endpoint'
import {
  type AnswerKey,
  type BotAnswer,
  type listBotAnswers,
  type ShopTopic,
  shopTopics,
} from '@qatra/contract/whatsapp/bot'
import { asc, eq } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { defaultText, listFacts } from './facts.ts'
import { type KnownShop, ownKey } from './snapshot.queries.ts'
import { botAnswers } from './tables.ts'

/** Defaults name what is entered there. */
type Settings = Pick<KnownShop, 'settings'>

interface Row {
  answer: typeof botAnswers.$inferSelect
  changedBy: string | null
}

const describe = (shop: Settings, { answer, changedBy }: Row): BotAnswer => {
  const { id, topic, title, ar, en, version, updatedAt } = answer
  return {
    key: topic ?? ownKey(id),
    title,
    ar: ar ?? (topic ? defaultText(shop, topic, 'ar') : ''),
    en: en ?? (topic ? defaultText(shop, topic, 'en') : ''),
    isDefault: ar === null,
    version,
    changedAt: updatedAt.toISOString(),
    changedBy,
  }
}

const untouched = (shop: Settings, topic: ShopTopic): BotAnswer => ({
  key: topic,
  title: null,
  ar: defaultText(shop, topic, 'ar'),
  en: defaultText(shop, topic, 'en'),
  isDefault: true,
  version: 0,
  changedAt: null,
  changedBy: null,
})

/** All answers as written now: the topics in their order, then those staff added. */
async function readAnswers({ db }: Pick<Ctx, 'db'>, shop: Settings): Promise<BotAnswer[]> {
  const rows = await db
    .select({ answer: botAnswers, changedBy: users.name })
    .from(botAnswers)
    .leftJoin(users, eq(users.id, botAnswers.updatedBy))
    .orderBy(asc(botAnswers.id))
  const byTopic = new Map(rows.map((row) => [row.answer.topic, row]))
  const ofTopics = shopTopics.map((topic) => {
    const row = byTopic.get(topic)
    return row ? describe(shop, row) : untouched(shop, topic)
  })
  return [...ofTopics, ...rows.filter(({ answer }) => answer.topic === null).map((row) => describe(shop, row))]
}

/** @throws ANSWER_NOT_FOUND */
export async function requireAnswer(ctx: Pick<Ctx, 'db'>, shop: Settings, key: AnswerKey): Promise<BotAnswer> {
  const found = (await readAnswers(ctx, shop)).find((answer) => answer.key === key)
  if (!found) throw new AppError('ANSWER_NOT_FOUND')
  return found
}

export async function listAnswers(
  ctx: Pick<Ctx, 'db' | 'now'>,
  shop: KnownShop,
): Promise<Output<typeof listBotAnswers>> {
  const example = [...shop.vendors.values()].find(({ isActive }) => isActive) ?? null
  return {
    answers: await readAnswers(ctx, shop),
    facts: listFacts(shop, null, ctx.now),
    vendorFacts: listFacts(shop, example, ctx.now),
  }
}
