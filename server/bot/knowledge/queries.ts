import type { Output, Parsed } from '@qatra/contract/endpoint'
import { compareSizes, formatSize, sizeKey } from '@qatra/contract/products/sizes'
import {
  type AliasTarget,
  type AnswerKey,
  type BotAlias,
  type BotAnswer,
  type listBotAliases,
  type listBotAnswers,
  type listBotMisses,
  type ShopTopic,
  shopTopics,
} from '@qatra/contract/whatsapp/bot'
import { and, asc, desc, eq, inArray, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { landmarks } from '../../geocoding/landmarks.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { defaultText, listFacts } from './facts.ts'
import { type KnownShop, ownKey, targetOf } from './snapshot.queries.ts'
import { botAliases, botAnswers, botMisses } from './tables.ts'

export const describeAlias = (row: typeof botAliases.$inferSelect): BotAlias => ({
  id: row.id,
  text: row.text,
  ...targetOf(row),
  createdAt: row.createdAt.toISOString(),
})

export async function listAliases(
  { db }: Pick<Ctx, 'db'>,
  { page, limit }: Parsed<typeof listBotAliases>['query'],
): Promise<Output<typeof listBotAliases>> {
  const rows = await db
    .select()
    .from(botAliases)
    .orderBy(desc(botAliases.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { items: rows.map(describeAlias), page, limit, total: await db.$count(botAliases) }
}

/** Everything that a further name can mean. Topics have no name here; the pages name them. */
export async function listTargets({ db }: Pick<Ctx, 'db'>, shop: KnownShop): Promise<AliasTarget[]> {
  const vendors = [...shop.vendors.values()].filter(({ isActive }) => isActive)
  const products = [...shop.products.values()].filter(({ isActive }) => isActive)
  const sizes = [...new Map(products.map(({ size }) => [sizeKey(size), size]))].sort(([, a], [, b]) =>
    compareSizes(a, b),
  )
  const own = await db
    .select({ id: botAnswers.id, title: botAnswers.title })
    .from(botAnswers)
    .where(isNotNull(botAnswers.title))
    .orderBy(botAnswers.id)
  return [
    ...vendors.map(({ id, name, nameAr }) => ({ type: 'vendor' as const, target: String(id), name, nameAr })),
    ...products.map(({ id, name, nameAr, vendorId, size }) => {
      const vendor = shop.vendors.get(vendorId)
      return {
        type: 'product' as const,
        target: String(id),
        name: `${vendor?.name ?? ''} · ${name} · ${formatSize(size, 'en')}`,
        nameAr: `${vendor?.nameAr ?? vendor?.name ?? ''} · ${nameAr ?? name} · ${formatSize(size, 'ar')}`,
      }
    }),
    ...sizes.map(([target, size]) => ({
      type: 'size' as const,
      target,
      name: formatSize(size, 'en'),
      nameAr: formatSize(size, 'ar'),
    })),
    ...[...shop.areas.values()].map(({ id, name, nameAr }) => ({
      type: 'area' as const,
      target: String(id),
      name,
      nameAr,
    })),
    ...landmarks.map(({ name, nameAr }) => ({ type: 'landmark' as const, target: name, name, nameAr })),
    ...shopTopics.map((topic) => ({ type: 'answer' as const, target: topic, name: topic, nameAr: null })),
    ...own.map(({ id, title }) => ({ type: 'answer' as const, target: ownKey(id), name: title ?? '', nameAr: title })),
  ]
}

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
): Promise<Omit<Output<typeof listBotAnswers>, 'models'>> {
  const example = [...shop.vendors.values()].find(({ isActive }) => isActive) ?? null
  return {
    answers: await readAnswers(ctx, shop),
    facts: listFacts(shop, null, ctx.now),
    vendorFacts: listFacts(shop, example, ctx.now),
  }
}

/** Texts that were not understood, most frequent first. */
export async function listMisses(
  { db }: Pick<Ctx, 'db'>,
  { page, limit, view }: Parsed<typeof listBotMisses>['query'],
): Promise<Output<typeof listBotMisses>> {
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
