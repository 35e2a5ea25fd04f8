import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { call } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, status, textCall } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import { queueNews } from './commands.ts'

let meta: MetaServer
let shop: TestShop
beforeAll(async () => {
  meta = await startMeta()
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  shop = await startShop({
    simulator: false,
    hasBot: false,
    whatsapp: { ...whatsapp, ...cloud, appSecret: APP_SECRET },
  })
})
afterAll(() => meta.stop())
beforeEach(() => meta.reset())

let writes = 0
/** News as free text to a customer who has just written. */
async function newsTo(phone: string) {
  await callAsMeta(shop, textCall(phone, `wamid.window.${(writes += 1)}`, 'hi'))
  await until('the window', async () => {
    const rows = await shop.query('select from whatsapp_conversation_threads where phone_number = $1', [phone])
    return rows.length > 0
  })
  const message = {
    type: 'template',
    name: 'order_shipped',
    language: 'ar',
    body: ['A', 'B'],
    text: 'On its way',
  } as const
  const news = { phone, message, dedupeKey: `order:W${writes}:2`, hasFallback: true }
  await runJobTransaction(shop.app.pool, (ctx) => queueNews(ctx, news))
}
const typesTo = (phone: string) =>
  meta.received.filter(({ body }) => body['to'] === phone.slice(1)).map(({ body }) => body['type'])

it('news that is refused because the window is closed is repeated once as its template', async () => {
  const phone = newPhone()
  meta.decide((body) => (body['type'] === 'text' ? { status: 400, code: 131047 } : null))
  await newsTo(phone)
  await until('the template', async () => typesTo(phone).includes('template'))
  const [failed] = await shop.query<{ id: number }>(
    `select id from whatsapp_messages where to_number = $1 and status = 'failed'`,
    [phone],
  )
  await shop.app.queue.send('news-fallback', { messageId: failed?.id ?? 0 })
  await until('the second job', async () => {
    const jobs = await shop.query(`select from pgboss.job where name = 'news-fallback' and state = 'completed'`)
    return jobs.length >= 2
  })
  expect(typesTo(phone)).toEqual(['text', 'template'])
})

it('news whose receipt says that the window is closed is repeated as its template', async () => {
  const phone = newPhone()
  await newsTo(phone)
  const wamid = await until('the message', async () => {
    const [row] = await shop.query<{ message_id: string | null }>(
      `select message_id from whatsapp_messages where to_number = $1 and direction = 'outgoing'`,
      [phone],
    )
    return row?.message_id
  })
  const error = { code: 131047, title: 'Re-engagement message', message: 'Re-engagement message' }
  const statuses = [status(wamid, 'failed', { recipient_id: phone.slice(1), errors: [error] })]
  await callAsMeta(shop, call({ field: 'messages', value: { statuses } }))
  await until('the template', async () => typesTo(phone).includes('template'))
  expect(typesTo(phone)).toEqual(['text', 'template'])
})
