import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@qatra/contract/outgoing-webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorsNetwork } from '../lib/safe-fetch.ts'
import { seal } from '../lib/secrets.ts'
import { startShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { hookKey, sendDue } from './jobs.ts'

/** 10,000 in full. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 500)
const PER_ORDER = 10
const shop = await startShop({ role: 'web' })
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Received {
  id: string
  order: string
  version: number
}
const accepted: Received[] = []
const wrong: string[] = []
let answers: (request: IncomingMessage, response: ServerResponse) => boolean = () => true
let inward = 0

/** A receiver that checks every signature on its own. */
const receiver = createServer(async (request, response) => {
  if (request.url === '/inward') inward += 1
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const [id, at] = [String(request.headers['webhook-id']), String(request.headers['webhook-timestamp'])]
  const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${at}.${body.toString()}`).digest('base64')
  if (request.headers['webhook-signature'] !== `v1,${mac}` || Math.abs(Date.now() / 1_000 - Number(at)) > 300)
    wrong.push(id)
  if (!answers(request, response)) return
  const { data } = JSON.parse(body.toString()) as { data: { orderId: string; version: number } }
  accepted.push({ id, order: data.orderId, version: data.version })
  response.end('ok')
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

async function makeHook(vendorId: number | null, url = `${origin}/hook`, events: readonly string[] = api.hookEvents) {
  const sealed = seal(hookKey(shop.app.config.secret), secret, url)
  const [row] = await shop.query<{ id: number }>(
    'insert into webhook_endpoints (vendor_id, url, events, secret) values ($1, $2, $3, $4) returning id',
    [vendorId, url, events, sealed],
  )
  return row?.id ?? 0
}
const openOf = async (id: number) =>
  (
    await shop.query<{ count: number }>(
      `select count(*)::int as count from webhook_deliveries where endpoint_id = $1 and status in ('pending', 'sending')`,
      [id],
    )
  )[0]?.count ?? 0
const deliveriesOf = (id: number) =>
  shop.query<{ type: string; status: string; last_error: string | null; attempts: number }>(
    'select type, status, last_error, attempts from webhook_deliveries where endpoint_id = $1 order by id',
    [id],
  )
const send = (id: number, options: Parameters<typeof sendDue>[2] = {}) =>
  sendDue(shop.app, id, { network: operatorsNetwork(new URL(origin)), waits: 0, timeoutMs: 250, ...options })

/** An order of a vendor with so many changes after it was placed. */
async function orderOf(vendorId: number, changes: number, isTest = false) {
  const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, isTest })
  for (let n = 0; n < changes; n += 1) await shop.query('update orders set version = version + 1 where id = $1', [id])
  return id
}

describe('outgoing webhooks', () => {
  it('reach a flapping receiver, none lost, each order’s in their order, all signed', {
    timeout: 900_000,
  }, async () => {
    const vendorId = await makeVendor(shop)
    const hook = await makeHook(vendorId)
    for (let n = 0; n < EVENTS / PER_ORDER; n += 1) await orderOf(vendorId, PER_ORDER - 1)
    let call = 0
    answers = (_, response) => {
      call += 1
      const how = call % 9
      if (how === 1) response.writeHead(500).end()
      else if (how === 3) response.destroy()
      else if (how === 5) response.writeHead(302, { location: `${origin}/inward` }).end()
      else if (how === 7 && call % 5 === 0)
        return false // hangs
      else return true
      return false
    }
    // Two workers at once, as two processes have.
    for (let turn = 0; turn < EVENTS && (await openOf(hook)) > 0; turn += 1) await Promise.all([send(hook), send(hook)])
    const seen = new Map(accepted.map((one) => [one.id, one]))
    const order = new Map<string, number[]>()
    for (const { order: id, version } of accepted) order.set(id, [...(order.get(id) ?? []), version])
    const disordered = [...order.values()].filter((versions) =>
      versions.some((one, at) => one < (versions[at - 1] ?? 0)),
    )
    expect({ lost: EVENTS - seen.size, disordered: disordered.length, unsigned: wrong.length, inward }).toEqual({
      lost: 0,
      disordered: 0,
      unsigned: 0,
      inward: 0,
    })
    expect((await deliveriesOf(hook)).filter(({ status }) => status !== 'delivered')).toEqual([])
    answers = () => true
  })

  it('are of the endpoint’s vendor and events, never of test orders; the market hears of all', async () => {
    const [own, other] = [await makeVendor(shop), await makeVendor(shop)]
    const [hook, all] = [await makeHook(own, undefined, ['order.delivered', 'order.cancelled']), await makeHook(null)]
    const orders = [await orderOf(own, 1), await orderOf(other, 0)]
    await orderOf(own, 0, true)
    for (const status of ['in-progress', 'delivered'])
      await shop.query('update orders set status = $2, version = version + 1 where id = $1', [orders[0], status])
    expect((await deliveriesOf(hook)).map(({ type }) => type)).toEqual(['order.delivered'])
    expect((await deliveriesOf(all)).map(({ type }) => type)).toEqual([
      'order.placed',
      'order.changed',
      'order.placed',
      'order.status_changed',
      'order.delivered',
    ])
    const jobs = `select count(*)::int as count from pgboss.job where name = 'outgoing-webhooks' and (data ->> 'endpointId')::int = $1`
    expect(await shop.query(jobs, [all])).toEqual([{ count: 1 }])
  })

  it('are not sent to private addresses, by plain http, or after a redirect', async () => {
    const vendorId = await makeVendor(shop)
    const inwardHooks = [
      'https://127.0.0.1/x',
      'https://169.254.169.254/latest',
      'https://[::ffff:10.0.0.1]/',
      `${origin}/x`,
    ]
    const before = accepted.length
    for (const url of inwardHooks) {
      const hook = await makeHook(vendorId, url)
      await orderOf(vendorId, 0)
      await sendDue(shop.app, hook, { waits: 1 })
      const [row] = await deliveriesOf(hook)
      expect([url, row?.status, row?.last_error]).toEqual([url, 'pending', 'address'])
      await shop.query('delete from webhook_endpoints where id = $1', [hook])
    }
    expect(accepted.length).toBe(before)
  })

  it('wait for a receiver that is away; after days the endpoint is disabled, and goes on when it is switched on', async () => {
    const vendorId = await makeVendor(shop)
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const hook = await makeHook(vendorId)
    const input = { params: { id: String(hook) } }
    await orderOf(vendorId, 0)
    answers = (_, response) => {
      response.writeHead(503).end()
      return false
    }
    await send(hook, { waits: 1 })
    expect((await admin.call(api.listHooks)).body).toMatchObject([
      { state: 'failing', lastError: 'status', waiting: 1 },
    ])
    await shop.query(`update webhook_endpoints set failing_since = now() - interval '4 days' where id = $1`, [hook])
    const worker = await startShop({ role: 'worker' }, { databaseUrl: shop.databaseUrl })
    await worker.app.queue.send('webhook-sweep', {})
    const state = async () => (await admin.call(api.listHooks)).body[0]?.state
    await expect.poll(state).toBe('stopped')
    await worker.stop()
    const log = await shop.query<{ action: string }>(
      `select action from audit_log where resource = 'webhook' and resource_id = $1 order by id`,
      [String(hook)],
    )
    expect(log.map(({ action }) => action)).toEqual(['stopped'])
    answers = () => true
    expect((await admin.call(api.switchHook, { ...input, body: { isEnabled: true } })).body.state).toBe('live')
    await shop.query('update webhook_deliveries set next_attempt_at = now() where endpoint_id = $1', [hook])
    await send(hook)
    expect(await openOf(hook)).toBe(0)
  })

  it('are tried and sent again from the page; the secret is shown once and stored sealed', async () => {
    const vendorId = await makeVendor(shop)
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const body = { url: 'https://erp.example/hook', events: ['order.placed' as const] }
    const { body: made } = await admin.call(api.createHook, { body })
    expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const [stored] = await shop.query<{ secret: string }>('select secret from webhook_endpoints where id = $1', [
      made.id,
    ])
    expect(stored?.secret).not.toContain(made.secret)
    expect(JSON.stringify((await admin.call(api.listHooks)).body)).not.toContain('whsec_')
    const hook = await makeHook(vendorId)
    const input = { params: { id: String(hook) } }
    await admin.call(api.pingHook, input)
    await send(hook)
    const listed = async () => (await admin.call(api.listHookDeliveries, input)).body.items
    const [ping] = await listed()
    expect(ping).toMatchObject({ type: 'ping', state: 'delivered', lastStatus: 200, attempts: 1 })
    await admin.call(api.resendHookDelivery, { params: { id: String(ping?.id) } })
    expect((await listed())[0]?.state).toBe('pending')
    await send(hook)
    expect(accepted.filter(({ id }) => id === `msg_${ping?.id}`)).toHaveLength(2)
    for (const url of ['http://erp.example/', 'https://', 'https://x y/', 'ftp://erp.example/'])
      expect((await admin.call(api.createHook, { body: { ...body, url } })).status).toBe(422)
  })
})
