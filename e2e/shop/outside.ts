import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { messageCall, signedCall, WEBHOOK } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { serveProvider } from '../../server/test/simulators/server.ts'
import { startSms } from '../../server/test/simulators/sms.ts'
import { startTelegram } from '../../server/test/simulators/telegram.ts'
import { startMeta } from '../../server/test/simulators/whatsapp-cloud.ts'
import { analyticsIds, folder, freePort, outsideSettings, type Server } from '../settings.ts'
import { query } from './database.ts'
import { startOwnServer, stopOwnServer } from './own-server.ts'
import { divertedProvider, routedProvider, serving } from './provider.ts'

/** External services called by the server and by pages. */
export type Outside = Awaited<ReturnType<typeof startOutside>>

const analytics = /^https:\/\/(www\.googletagmanager\.com|connect\.facebook\.net|sc-static\.net)\//
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const appSecret = 'the-secret-of-the-application-9d52'

/** All providers healthy. A phone that ends in 9990 has no WhatsApp. */
export async function startOutside() {
  const [meta, sms, telegram] = await Promise.all([startMeta(), startSms(), startTelegram({ maxPollSeconds: 1 })])
  let orders = 0
  return {
    whatsapp: {
      ...serving(meta),
      settings: {
        WHATSAPP_PROVIDER: 'cloud',
        WHATSAPP_TOKEN: meta.token,
        WHATSAPP_PHONE_NUMBER_ID: meta.phoneNumberId,
        WHATSAPP_APP_SECRET: appSecret,
        WHATSAPP_GRAPH_URL: meta.graphUrl,
      },
    },
    sms: { ...serving(sms), settings: { SMS_PROVIDER: 'http', SMS_URL: sms.origin, SMS_TOKEN: sms.token } },
    telegram: {
      ...serving(telegram),
      settings: {
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_GROUP_ID: telegram.groupId,
        TELEGRAM_API_URL: telegram.apiUrl,
      },
    },
    legacy: serving(await serveProvider(async () => ({ status: 200, body: { legacyBagId: `B${(orders += 1)}` } }))),
    geocoder: serving(await serveProvider(async () => ({ status: 200, body: [] }))),
    tiles: routedProvider(/^https:\/\/tiles\.test\//, (route) =>
      route.fulfill({ contentType: 'image/png', body: dot }),
    ),
    analytics: routedProvider(analytics, (route) => route.fulfill({ contentType: 'text/javascript', body: '' })),
    stream: await divertedProvider(/\/api\/admin\/events/),
  }
}

export interface OwnShop extends Server {
  /** Creates a session and returns its cookie value. */
  sessionOf(phone: string): Promise<string>
  /** Sends a WhatsApp webhook for a customer's message. Returns the contact's id. */
  hears(phone: string, text: string): Promise<number>
  stop(): Promise<void>
}

/** The built shop with demo data and real providers: those of `outside`. */
export async function startShop(outside: Outside): Promise<OwnShop> {
  const port = await freePort()
  const server = {
    port,
    origin: `http://localhost:${port}`,
    dataDir: join(folder, `resilience-${process.pid}`),
  }
  const child = await startOwnServer(server, settingsOf(outside))
  return {
    ...server,
    async sessionOf(phone) {
      const cookie = `u.${randomBytes(32).toString('base64url')}`
      await query(
        `with person as (
           insert into users (phone, is_verified) values ($1, true)
           on conflict (phone) do update set is_verified = true returning id)
         insert into sessions (id, user_id, expires_at) select $2, id, now() + interval '1 day' from person`,
        [phone, createHash('sha256').update(cookie).digest('hex')],
        server,
      )
      return cookie
    },
    async hears(phone, text) {
      await callAsMeta(server.origin, phone, text)
      let id = 0
      await expect
        .poll(async () => {
          const sql = `select contact_id as id from whatsapp_messages where direction = 'incoming' and content = $1`
          id = (await query<{ id: number }>(sql, [text], server))[0]?.id ?? 0
          return id
        })
        .toBeGreaterThan(0)
      return id
    },
    stop: () => stopOwnServer(child),
  }
}

const settingsOf = (outside: Outside): Record<string, string> => ({
  TRUSTED_PROXIES: '127.0.0.1',
  ...outside.whatsapp.settings,
  ...outside.sms.settings,
  ...outside.telegram.settings,
  LEGACY_SYNC_URL: outside.legacy.address,
  GEOCODER_URL: outside.geocoder.address,
  TILE_URL: outsideSettings.TILE_URL,
  ...analyticsIds,
})

/** A customer's message, signed like the provider's. */
async function callAsMeta(origin: string, phone: string, text: string) {
  const message = { id: `wamid.in.${phone.slice(1)}`, at: new Date() }
  const body = messageCall({ phone, name: 'مريم' }, message, { type: 'text', text: { body: text } })
  const { bytes, headers } = signedCall(appSecret, body)
  const answer = await fetch(`${origin}${WEBHOOK}`, { method: 'POST', headers, body: bytes })
  expect(answer.status).toBe(200)
}
