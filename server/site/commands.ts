import type { Parsed } from '@qatra/contract/endpoint'
import {
  type MessagePrices,
  priceCategories,
  priceCountryNames,
  type Settings,
  type saveSettings as save,
} from '@qatra/contract/settings/settings'
import { sql } from 'drizzle-orm'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { factKeys, PRICES, readSettings } from './queries.ts'
import { settings } from './tables.ts'

/** Replaces all facts. @throws VERSION_CONFLICT if `version` is stale */
export async function saveSettings(
  ctx: Ctx,
  { version, messagePrices, ...facts }: Parsed<typeof save>['body'],
): Promise<Settings> {
  // The table may be empty, so there may be no row to lock.
  await takeLock(ctx.db, 'settings')
  const before = await readSettings(ctx)
  if (version !== undefined && version !== before.version)
    throw new AppError('VERSION_CONFLICT', { version: before.version })
  const changes: { field: string; from: string | null; to: string | null }[] = factKeys.flatMap((key) => {
    const [from, to] = [factOf(before, key), factOf(facts, key)]
    return from === to ? [] : [{ field: key, from, to }]
  })
  const [from, to] = [before.messagePrices, messagePrices ?? before.messagePrices].map(inOrder)
  if (from !== undefined && to !== undefined && from !== to) changes.push({ field: PRICES, from, to })
  if (changes.length === 0) return before
  const written = { version: before.version + 1, updatedBy: userOf(ctx).id, updatedAt: ctx.now }
  await ctx.db
    .insert(settings)
    .values(changes.map(({ field, to }) => ({ key: field, value: to ?? '', ...written })))
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value`, ...written } })
  await emit(ctx, { name: 'settings.updated', action: 'updated', resource: 'settings', id: 'company', changes })
  return readSettings(ctx)
}

/** As JSON, in the order of the contract. */
const inOrder = (prices: MessagePrices) =>
  JSON.stringify(
    Object.fromEntries(
      priceCountryNames.map((country) => {
        const own = prices[country] ?? {}
        return [country, Object.fromEntries(priceCategories.map((category) => [category, own[category]]))]
      }),
    ),
  )

/** A blank text is null. */
function factOf(facts: object, key: string): string | null {
  const [group = '', name = ''] = key.split('.')
  const values = (facts as Partial<Record<string, Partial<Record<string, string | null>>>>)[group] // groups of facts
  return values?.[name] || null
}
