import { createHash, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { analyticsIds, folder, freePort, outsideSettings, type Server } from '../settings.ts'
import { query } from './database.ts'
import { startOwnServer, stopOwnServer } from './own-server.ts'
import { divertedProvider, routedProvider, startProvider } from './provider.ts'

/** External services called by the server and by pages. */
export type Outside = Awaited<ReturnType<typeof startOutside>>

const analytics = /^https:\/\/(www\.googletagmanager\.com|connect\.facebook\.net|sc-static\.net)\//
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const appSecret = 'the-secret-of-the-application-9d52'
const POLL_MS = 1_000

/** All providers healthy. A phone that ends in 9990 has no WhatsApp. */
export async function startOutside() {
  let sent = 0
  const saying = (body: unknown) => JSON.stringify(body)
  return {
    whatsapp: await startProvider((_, body, response) => {
      sent += 1
      const isUnreached = /"to":"\+?\d+9990"/.test(body)
      if (isUnreached) response.writeHead(400).end(saying({ error: { code: 131_026, message: 'Undeliverable' } }))
      else response.end(saying({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${sent}` }] }))
    }),
    sms: await startProvider((_, __, response) => {
      sent += 1
      response.end(saying({ id: sent }))
    }),
    telegram: await startProvider(({ url = '' }, _, response) => {
      sent += 1
      const isPoll = url.endsWith('/getUpdates')
      const result = isPoll ? [] : url.endsWith('/getMe') ? { username: 'qatra_bot' } : { message_id: sent }
      setTimeout(() => response.end(saying({ ok: true, result })), isPoll ? POLL_MS : 0)
    }),
    legacy: await startProvider((_, __, response) => {
      sent += 1
      response.end(saying({ legacyBagId: `B${sent}` }))
    }),
    geocoder: await startProvider((_, __, response) => response.end('[]')),
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
  WHATSAPP_PROVIDER: 'cloud',
  WHATSAPP_TOKEN: 'a-token-of-the-provider-5e70',
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_APP_SECRET: appSecret,
  WHATSAPP_GRAPH_URL: `${outside.whatsapp.address}/v23.0`,
  SMS_PROVIDER: 'http',
  SMS_URL: outside.sms.address,
  TELEGRAM_BOT_TOKEN: '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  TELEGRAM_GROUP_ID: '-1001234567890',
  TELEGRAM_API_URL: outside.telegram.address,
  LEGACY_SYNC_URL: outside.legacy.address,
  GEOCODER_URL: outside.geocoder.address,
  TILE_URL: outsideSettings.TILE_URL,
  ...analyticsIds,
})

/** A status webhook, signed like the provider's. */
async function callAsMeta(origin: string, phone: string, text: string) {
  const id = phone.slice(1)
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '97317000000', phone_number_id: '1' },
    contacts: [{ profile: { name: 'مريم' }, wa_id: id }],
    messages: [
      {
        id: `wamid.in.${id}`,
        from: id,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: text },
      },
    ],
  }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  })
  const signature = createHmac('sha256', appSecret).update(body).digest('hex')
  const answer = await fetch(`${origin}/api/webhooks/whatsapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  })
  expect(answer.status).toBe(200)
}
