import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { promiseFields } from '@qatra/contract/calendar/slot'
import type { MessagePrices, Settings } from '@qatra/contract/settings/settings'
import { companyFacts, type Site } from '@qatra/contract/settings/site'
import { type InboxSettings, inboxSettingsIn } from '@qatra/contract/whatsapp/inbox/settings'
import { eq } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { promisedSlotFor } from '../vendors/promised-dates.ts'
import type { VendorSnapshot } from '../vendors/snapshot.ts'
import { settings } from './tables.ts'

export type CompanyFacts = Omit<Settings, 'version' | 'messagePrices'>
type Stored = ReadonlyMap<string, string>
interface SiteSnapshot extends Pick<VendorSnapshot, 'holidays'> {
  settings: Stored
}
type Facts = Pick<Config, 'publicUrl' | 'tileUrl' | 'simulator' | 'analytics'>

/** `group.name` of every fact, as in `company.vatNumber`. */
export const factKeys: readonly string[] = Object.entries(companyFacts).flatMap(([group, { shape }]) =>
  Object.keys(shape).map((name) => `${group}.${name}`),
)

const isLink = (key: string) => key.startsWith('social.') || key.startsWith('apps.')

/** Blank values are null. */
function factIn(stored: Stored, key: string): string | null {
  const text = stored.get(key)?.trim() ?? ''
  if (text === '') return null
  // Used as href: only https links are accepted.
  return isLink(key) && !(text.startsWith('https://') && URL.canParse(text)) ? null : text
}

export function readFacts({ settings: stored }: { settings: Stored }): CompanyFacts {
  const groups = Object.entries(companyFacts).map(([group, { shape }]) => {
    const names = Object.keys(shape)
    return [group, Object.fromEntries(names.map((name) => [name, factIn(stored, `${group}.${name}`)]))]
  })
  return Object.fromEntries(groups) as CompanyFacts // the groups and names of the contract
}

export function readSite(catalogue: SiteSnapshot, config: Facts, at: Date): Site {
  return {
    origin: config.publicUrl,
    ...readFacts(catalogue),
    tileUrl: config.tileUrl,
    simulator: config.simulator,
    analytics: config.analytics,
    today: bahrainDate(at),
    ...promiseFields(promisedSlotFor(catalogue, null, at)),
  }
}

/** Key of the prices, as JSON; no fact has one without a dot. */
export const PRICES = 'messagePrices'

const pricesIn = (stored: Stored): MessagePrices => JSON.parse(stored.get(PRICES) ?? '{}') as MessagePrices // as written by saveSettings

/** Prices of WhatsApp messages, for estimates. */
export async function readMessagePrices({ db }: Pick<Ctx, 'db'>): Promise<MessagePrices> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, PRICES))
  return pricesIn(new Map(row ? [[PRICES, row.value]] : []))
}

/** As stored now, not as in the snapshot. */
export async function readStored({ db }: Pick<Ctx, 'db'>) {
  const rows = await db.select({ key: settings.key, value: settings.value, version: settings.version }).from(settings)
  return {
    stored: new Map(rows.map(({ key, value }) => [key, value])),
    version: Math.max(0, ...rows.map(({ version }) => version)),
  }
}

export const settingsIn = (stored: Stored): Omit<Settings, 'version'> => ({
  ...readFacts({ settings: stored }),
  messagePrices: pricesIn(stored),
})

export async function readSettings(ctx: Pick<Ctx, 'db'>): Promise<Settings> {
  const { stored, version } = await readStored(ctx)
  return { ...settingsIn(stored), version }
}

export async function readInboxSettings(ctx: Pick<Ctx, 'db'>): Promise<InboxSettings & { version: number }> {
  const { stored, version } = await readStored(ctx)
  return { ...inboxSettingsIn(stored), version }
}
