import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type MessagePrices,
  priceCategories,
  priceCountryNames,
  type Settings,
  type saveSettings as save,
} from '@qatra/contract/settings/settings'
import {
  INBOX_SETTINGS,
  inboxSettingsIn,
  type saveInboxSettings as saveInbox,
} from '@qatra/contract/whatsapp/inbox/settings'
import { sql } from 'drizzle-orm'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { factKeys, PRICES, readInboxSettings, readSettings, readStored, settingsIn } from './queries.ts'
import { settings } from './tables.ts'

interface SettingChange {
  field: string
  from: string | null
  to: string | null
}

/**
 * Locks the settings, of which there may be no row, and reads them. @throws VERSION_CONFLICT if `version` is stale
 */
async function lockSettings(ctx: Ctx, version: number | undefined): Promise<ReadonlyMap<string, string>> {
  await takeLock(ctx.db, 'settings')
  const { stored, version: before } = await readStored(ctx)
  if (version !== undefined && version !== before) throw new AppError('VERSION_CONFLICT', { version: before })
  return stored
}

/** Writes values by key as one version, with the changes for the history. */
async function write(
  ctx: Ctx,
  id: 'company' | 'inbox',
  changes: readonly SettingChange[],
  values: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  if (changes.length === 0) return
  const { version } = await readStored(ctx)
  const written = { version: version + 1, updatedBy: userOf(ctx).id, updatedAt: ctx.now }
  await ctx.db
    .insert(settings)
    .values(values.map(([key, value]) => ({ key, value, ...written })))
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value`, ...written } })
  await emit(ctx, { name: 'settings.updated', action: 'updated', resource: 'settings', id, changes })
}

/** Replaces all facts. @throws VERSION_CONFLICT if `version` is stale */
export async function saveSettings(
  ctx: Ctx,
  { version, messagePrices, ...facts }: Parsed<typeof save>['body'],
): Promise<Settings> {
  const before = settingsIn(await lockSettings(ctx, version))
  const changes: SettingChange[] = factKeys.flatMap((key) => {
    const [from, to] = [factOf(before, key), factOf(facts, key)]
    return from === to ? [] : [{ field: key, from, to }]
  })
  const [from, to] = [before.messagePrices, messagePrices ?? before.messagePrices].map(inOrder)
  if (from !== undefined && to !== undefined && from !== to) changes.push({ field: PRICES, from, to })
  const values = changes.map(({ field, to }) => [field, to ?? ''] as const)
  await write(ctx, 'company', changes, values)
  return readSettings(ctx)
}

const inboxFields = ['waitMinutes', 'rules', 'hours', 'closedText', 'closedTextAr', 'asksRating'] as const

/** @throws VERSION_CONFLICT if `version` is stale */
export async function saveInboxSettings(
  ctx: Ctx,
  { version, ...to }: Parsed<typeof saveInbox>['body'],
): Promise<Output<typeof saveInbox>> {
  const from = inboxSettingsIn(await lockSettings(ctx, version))
  const changes = inboxFields.flatMap((name) => {
    const [was, is] = [from, to].map((one) => JSON.stringify(one[name]))
    return was === undefined || is === undefined || was === is ? [] : [{ field: `inbox.${name}`, from: was, to: is }]
  })
  await write(ctx, 'inbox', changes, [[INBOX_SETTINGS, JSON.stringify(to)]])
  return readInboxSettings(ctx)
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
