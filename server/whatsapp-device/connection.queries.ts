import type { Connection } from '@qatra/contract/whatsapp/connection/connection'
import { eq, sql } from 'drizzle-orm'
import { sessions } from '../auth/tables.ts'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { keyFor, unseal } from '../lib/secrets.ts'
import { maskPhones } from '../webhooks/masking.ts'
import { lastHeardAt } from '../webhooks/queries.ts'
import { readAccountCheck } from '../whatsapp-setup/queries.ts'
import { problemOfAccount } from '../whatsapp-setup/rules.ts'
import { whatsappConnection } from './tables.ts'

/** Key with which the linked device's process encrypts the QR code. */
export const qrKey = (secret: Buffer) => keyFor(secret, 'linked device')
export const QR_OWNER = 'qr'

type Settings = Pick<Config, 'simulator' | 'whatsapp' | 'sms' | 'secret' | 'publicUrl'>

/** The QR code gives full access to the shop's number, so it requires a sign-in within this time. */
const FRESH_MINUTES = 10
/** Without a heartbeat for this long the process counts as stopped. */
const SILENT_SECONDS = 90

const trafficSql = statement(
  'connection-traffic',
  `select count(*) filter (where direction = 'incoming')::int as incoming,
     count(*) filter (where direction = 'outgoing')::int as outgoing,
     count(*) filter (where status = 'queued')::int as waiting,
     count(*) filter (where status = 'failed')::int as failed
   from whatsapp_messages where created_at > now() - interval '24 hours'
     and id > (select coalesce(max(id), 0) - 50000 from whatsapp_messages)`,
)
const errorsSql = statement(
  'connection-errors',
  `select e ->> 'code' as code, max(e ->> 'text') as text, channel, count(*)::int as count,
     max(coalesce((e ->> 'at')::timestamptz, m.timestamp, m.created_at)) as last_at
   from whatsapp_messages m, jsonb_array_elements(m.errors) e
   where m.id > (select coalesce(max(id), 0) - 50000 from whatsapp_messages) and m.errors <> '[]'::jsonb
     and m.created_at > now() - interval '7 days'
   group by 1, 3 order by last_at desc limit 10`,
)
// Account problems after which no message was sent successfully.
const stoppedSql = statement(
  'connection-stopped',
  `select e ->> 'text' as text from whatsapp_messages m, jsonb_array_elements(m.errors) e
   where m.id > (select coalesce(max(id), 0) - 2000 from whatsapp_messages) and m.channel = 'whatsapp'
     and e ->> 'kind' = 'stopped'
     and (e ->> 'at')::timestamptz > coalesce((select max(s.sent_at) from whatsapp_messages s
       where s.id > (select coalesce(max(id), 0) - 2000 from whatsapp_messages) and s.channel = 'whatsapp'), '-infinity')
   order by (e ->> 'at')::timestamptz desc limit 1`,
)

async function isFresh({ db, client }: Ctx): Promise<boolean> {
  if (client.sessionId === null) return false
  const [row] = await db
    .select({ isFresh: sql<boolean>`${sessions.createdAt} > now() - ${FRESH_MINUTES} * interval '1 minute'` })
    .from(sessions)
    .where(eq(sessions.id, client.sessionId))
  return row?.isFresh ?? false
}

type State = Pick<
  Connection,
  'state' | 'qr' | 'qrExpiresAt' | 'needsSignIn' | 'phone' | 'error' | 'connectedAt' | 'heardAt'
>

const silent: State = {
  state: 'loading',
  qrExpiresAt: null,
  needsSignIn: false,
  phone: null,
  error: null,
  connectedAt: null,
  heardAt: null,
}

async function linkedState(ctx: Ctx, secret: Buffer): Promise<State> {
  const [row] = await ctx.db.select().from(whatsappConnection).where(eq(whatsappConnection.id, 1))
  const heardAt = row?.heartbeatAt ?? null
  const common = { ...silent, heardAt: heardAt?.toISOString() ?? null }
  if (!row || !heardAt || ctx.now.getTime() - heardAt.getTime() > SILENT_SECONDS * 1000) {
    return { ...common, state: 'error', error: 'NOT_RUNNING' }
  }
  const known = {
    ...common,
    phone: row.phone === null ? null : String(maskPhones(row.phone)),
    connectedAt: row.connectedAt?.toISOString() ?? null,
    error: row.error,
  }
  if (row.state !== 'qr') return { ...known, state: row.state }
  if (row.qrExpiresAt === null || row.qrExpiresAt <= ctx.now) return { ...known, state: 'qr_expired' }
  const qrExpiresAt = row.qrExpiresAt.toISOString()
  if (!(await isFresh(ctx))) return { ...known, state: 'qr', qrExpiresAt, needsSignIn: true }
  const qr = row.sealedQr === null ? null : unseal(qrKey(secret), row.sealedQr, QR_OWNER)
  return { ...known, state: 'qr', qrExpiresAt, ...(qr === null ? {} : { qr }) }
}

/** Meta groups the digits of a number. */
const digitsOf = (phone: string) => `+${phone.replace(/\D/g, '')}`

/** An answer of Meta that is older than this says nothing about now; the job asks every ten minutes. */
const ANSWER_HOURS = 2

/** Connected only if Meta confirmed the token and the number, stopped no message since, and its events arrive. */
async function cloudState(ctx: Ctx, config: Settings): Promise<State> {
  const { token, phoneNumberId } = config.whatsapp
  if (token === null || phoneNumberId === null) return { ...silent, state: 'error', error: 'NOT_CONFIGURED' }
  const check = await readAccountCheck(ctx.db, config)
  if (check === null) return silent
  const { number } = check.facts
  const heardAt = check.answeredAt?.toISOString() ?? null
  const known = { ...silent, heardAt, phone: number.kind === 'answered' ? digitsOf(number.value.phone) : null }
  const problem = problemOfAccount(check.facts)
  if (problem !== null) return { ...known, state: 'error', error: problem }
  const isOld = check.answeredAt === null || ctx.now.getTime() - check.answeredAt.getTime() > ANSWER_HOURS * 3_600_000
  if (isOld) return { ...known, state: 'error', error: 'META_SILENT' }
  const [stopped] = await run<{ text: string | null }>(ctx.db, stoppedSql)
  if (stopped) return { ...known, state: 'error', error: stopped.text ?? 'STOPPED' }
  return { ...known, state: (await lastHeardAt(ctx.db)) === null ? 'unheard' : 'connected' }
}

const providerOf = ({ simulator, whatsapp }: Settings): Connection['provider'] =>
  simulator ? 'simulator' : whatsapp.provider === 'cloud' ? 'cloud' : 'web'

function usesOf(config: Settings, provider: Connection['provider']): Connection['uses'] {
  const hasSms = config.simulator || config.sms.provider !== 'none'
  const sms = hasSms ? (['sms'] as const) : []
  return [
    { use: 'codes', channels: ['whatsapp', ...sms], isOn: true },
    { use: 'news', channels: ['whatsapp', ...sms], isOn: true },
    { use: 'conversations', channels: ['whatsapp'], isOn: true },
    // Campaigns through a linked device would get the number banned.
    { use: 'campaigns', channels: ['whatsapp'], isOn: provider !== 'web' },
  ]
}

export async function readConnection(ctx: Ctx, config: Settings): Promise<Connection> {
  const provider = providerOf(config)
  const state =
    provider === 'simulator'
      ? { ...silent, state: 'simulated' as const }
      : provider === 'cloud'
        ? await cloudState(ctx, config)
        : await linkedState(ctx, config.secret)
  const [traffic] = await run<Connection['traffic']>(ctx.db, trafficSql)
  const errors = await run<{ code: string | null; text: string | null; channel: string; count: number; last_at: Date }>(
    ctx.db,
    errorsSql,
  )
  ctx.setHeader('cache-control', 'no-store')
  return {
    ...state,
    provider,
    mayReset: provider !== 'cloud',
    uses: usesOf(config, provider),
    errors: errors.map(({ code, text, channel, count, last_at }) => ({
      code: code ?? '',
      text: String(maskPhones(text ?? '')),
      channel,
      count,
      lastAt: last_at.toISOString(),
    })),
    traffic: traffic ?? { incoming: 0, outgoing: 0, waiting: 0, failed: 0 },
    now: ctx.now.toISOString(),
  }
}
