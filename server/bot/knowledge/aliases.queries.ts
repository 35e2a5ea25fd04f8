import type { Output, Parsed } from '@qatra/contract/endpoint'
import { compareSizes, formatSize, sizeKey } from '@qatra/contract/products/sizes'
import { type AliasTarget, type BotAlias, type listBotAliases as list, shopTopics } from '@qatra/contract/whatsapp/bot'
import { desc, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { landmarks } from '../../geocoding/landmarks.ts'
import { type KnownShop, ownKey, targetOf } from './snapshot.queries.ts'
import { botAliases, botAnswers } from './tables.ts'

export const describeAlias = (row: typeof botAliases.$inferSelect): BotAlias => ({
  id: row.id,
  text: row.text,
  ...targetOf(row),
  createdAt: row.createdAt.toISOString(),
})

export async function listAliases(
  { db }: Pick<Ctx, 'db'>,
  { page, limit }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
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
