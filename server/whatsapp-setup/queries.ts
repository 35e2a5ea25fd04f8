import {
  type NeededTemplate,
  type WhatsappKeyState,
  type WhatsappSetup,
  whatsappKeys,
} from '@qatra/contract/whatsapp/connection/setup'
import { eq, inArray, ne } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import type { Db } from '../database/db.ts'
import { hmac, keyFor } from '../lib/secrets.ts'
import { neededTemplates } from '../order-messages/needed-templates.ts'
import { providerSettings } from '../providers/settings.ts'
import { readEnteredKeys } from '../providers/whatsapp-cloud/keys.queries.ts'
import { whatsappTemplates } from '../templates/tables.ts'
import { webhookFields } from '../webhooks/fields.ts'
import { users } from '../users/tables.ts'
import { lastHeardAt, WEBHOOK_PATH } from '../webhooks/queries.ts'
import { type SetupFacts, stepsOf } from './rules.ts'
import { templateSubmissions, whatsappAccount } from './tables.ts'

type Settings = Pick<Config, 'simulator' | 'whatsapp' | 'sms' | 'secret' | 'publicUrl'>

/** Whether messages go through Meta's API, or its simulator. */
export const usesCloudApi = ({ simulator, whatsapp }: Pick<Config, 'simulator' | 'whatsapp'>): boolean =>
  simulator || whatsapp.provider === 'cloud'

export const webhookAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>) => `${publicUrl}${WEBHOOK_PATH}`

/** Changes with the settings that Meta's answers depend on. */
export function fingerprintOf(config: Settings): string {
  const { token, phoneNumberId, businessAccountId, appSecret, graphUrl } = providerSettings(config).whatsapp
  const all = [token, phoneNumberId, businessAccountId, appSecret, graphUrl]
  return hmac(keyFor(config.secret, 'whatsapp settings'), JSON.stringify(all))
}

/** Meta's last answers with the present settings; null if it was not asked yet. */
export async function readAccountCheck(db: Db, config: Settings) {
  const [row] = await db.select().from(whatsappAccount).where(eq(whatsappAccount.id, 1))
  return row?.settings === fingerprintOf(config) ? row : null
}

export const neededBy = (config: Settings) =>
  neededTemplates({ publicUrl: config.publicUrl, codeTemplate: config.whatsapp.codeTemplate })

/** The needed templates with what is known about them. A template that the provider no longer lists is missing. */
export async function listNeeded(db: Db, config: Settings): Promise<NeededTemplate[]> {
  const rows = await db
    .select({
      name: whatsappTemplates.name,
      language: whatsappTemplates.language,
      status: whatsappTemplates.status,
      rejectedReason: whatsappTemplates.rejectedReason,
    })
    .from(whatsappTemplates)
    .where(ne(whatsappTemplates.status, 'DELETED'))
  const submitted = await db.select().from(templateSubmissions)
  return neededBy(config).map(({ name, language, category }) => {
    const isIt = (one: { name: string; language: string }) => one.name === name && one.language === language
    const row = rows.find(isIt)
    const asked = row ? undefined : submitted.find(isIt)
    return {
      name,
      language,
      category,
      status: row?.status ?? null,
      rejectedReason: row?.rejectedReason ?? null,
      submission: asked === undefined || asked.state === 'done' ? null : asked.state,
      error: asked?.state === 'failed' ? asked.error : null,
    }
  })
}

/** Of shorter values no last characters are shown. */
const SHORTEST_WITH_ENDING = 12
const endingOf = (value: string | null) =>
  value !== null && value.length >= SHORTEST_WITH_ENDING ? value.slice(-4) : null

/** What is known about each key besides its value. */
async function readKeyStates({ db }: Pick<Ctx, 'db'>, { whatsapp, secret }: Settings): Promise<WhatsappKeyState[]> {
  const entered = await readEnteredKeys(db, secret)
  const ids = entered.flatMap(({ updatedBy }) => updatedBy ?? [])
  const people = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
  return whatsappKeys.map((name) => {
    const row = entered.find((one) => one.name === name)
    const value = whatsapp[name]
    if (value !== null && !whatsapp.entered?.includes(name))
      return { name, source: 'server', ending: endingOf(value), isUnreadable: false, by: null, at: null }
    return {
      name,
      source: row ? 'page' : null,
      ending: endingOf(row?.value ?? null),
      isUnreadable: row !== undefined && row.value === null,
      by: people.find(({ id }) => id === row?.updatedBy)?.name ?? null,
      at: row?.updatedAt.toISOString() ?? null,
    }
  })
}

/** Null with a linked device, which needs no set-up at Meta. */
export async function readWhatsappSetup(ctx: Ctx, config: Settings): Promise<WhatsappSetup | null> {
  ctx.setHeader('cache-control', 'no-store')
  if (!usesCloudApi(config)) return null
  const { token, phoneNumberId, businessAccountId, verifyToken } = providerSettings(config).whatsapp
  const isEntered = config.whatsapp.entered?.includes('verifyToken') === true
  const check = await readAccountCheck(ctx.db, config)
  const heardAt = await lastHeardAt(ctx.db)
  const templates = await listNeeded(ctx.db, config)
  const address = webhookAddress(config)
  const facts: SetupFacts = {
    has: {
      token: token !== null,
      number: phoneNumberId !== null,
      account: businessAccountId !== null,
      verifyToken: verifyToken !== null,
    },
    facts: check?.facts ?? null,
    address,
    heardAt,
    templates,
    now: ctx.now,
  }
  return {
    provider: config.simulator ? 'simulator' : 'cloud',
    checkedAt: check?.checkedAt.toISOString() ?? null,
    answeredAt: check?.answeredAt?.toISOString() ?? null,
    webhook: {
      address,
      verifyToken: isEntered ? null : verifyToken,
      heardAt: heardAt?.toISOString() ?? null,
      fields: [...webhookFields],
    },
    keys: await readKeyStates(ctx, config),
    steps: stepsOf(facts, config.simulator),
    templates,
    now: ctx.now.toISOString(),
  }
}
