import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { addToCart } from '@qatra/contract/cart/cart'
import { getLegacySummary, listLegacyOrders, retryLegacyOrder, retryLegacyOrders } from '@qatra/contract/legacy'
import { changeOrderStatus, getAdminOrder } from '@qatra/contract/orders/admin'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { productOf } from '../test/fixtures/identities.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { type OldSystem, startOldSystem } from '../test/processes/old-system.ts'
import type { Visitor } from '../test/visitor.ts'

let off: TestShop
let shop: TestShop
let old: OldSystem
let admin: Visitor

beforeAll(async () => {
  // The shop without an older system starts first, because event subscriptions apply to the whole process.
  off = await startShop()
  await place(off)
  old = await startOldSystem()
  shop = await startShop({ legacy: { url: old.url, token: 'a-token' } })
  admin = await shop.visitor().signInAs('+97336000001')
})
afterAll(() => old.stop())
beforeEach(() => old.be('well'))

async function place(at: TestShop) {
  const customer = await makeVisitor(at)
  await customer.call(addToCart, { body: { productId: await productOf(at, 1), quantity: 20 } })
  const placed = await customer.call(placeOrder, {
    body: {
      customerName: 'Noura',
      address: 'Building 1172, Seef',
      mapCoordinates: { lat: 26.2371, lng: 50.5417 },
    },
  })
  return { customer, placed, id: placed.body.id }
}
const lineOf = async (id: string) => (await admin.call(listLegacyOrders, { query: { search: id } })).body.items[0]
const is = (id: string, syncStatus: string) =>
  until(`order ${id} to be ${syncStatus}`, async () => {
    const line = await lineOf(id)
    return line?.syncStatus === syncStatus && line
  })
const timePasses = () =>
  shop.query(`update legacy_outbox set next_attempt_at = now() - interval '1 hour',
    claimed_at = claimed_at - interval '61 seconds' where status in ('pending', 'sending')`)

/** Sends what earlier tests left, so that no order changes its state while a test counts. */
const allSent = () =>
  until('all orders to be sent', async () => {
    await timePasses()
    await admin.call(retryLegacyOrders, { body: { scope: 'all' } })
    const { counts, waiting } = (await admin.call(getLegacySummary)).body
    return counts.pending + counts.failed + waiting === 0
  })

describe('without an older system', () => {
  it('nothing is recorded, queued or retried', async () => {
    expect(await off.query('select * from legacy_outbox')).toEqual([])
    expect(await off.query(`select * from pgboss.job where name = 'legacy-sync'`)).toEqual([])
    const visitor = await off.visitor().signInAs('+97336000001')
    expect((await visitor.call(getLegacySummary)).body).toMatchObject({ isOn: false, host: null, waiting: 0 })
    for (const answer of [
      await visitor.call(retryLegacyOrders, { body: { scope: 'all' } }),
      await visitor.call(retryLegacyOrder, {
        params: { id: await makeOrder(off, { userId: (await makeUser(off)).id, vendorId: 1 }) },
      }),
    ])
      expect([answer.status, answer.refusal.code]).toEqual([409, 'LEGACY_OFF'])
  })
})

describe('an order', () => {
  it('is sent when it is placed and changed, without delaying it', async () => {
    const { id } = await place(shop)
    const synced = await is(id, 'synced')
    expect(synced).toMatchObject({ legacyBagId: old.bagsOf(id)[0]?.id, attempts: 0, syncErrors: [] })
    await admin.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    await until('the change', async () => old.bagsOf(id)[0]?.status === 'in-progress')
    await is(id, 'synced')
    expect(old.bagsOf(id)).toHaveLength(1)

    old.be('hangs')
    const { placed } = await place(shop)
    expect(placed.status).toBe(200)
    expect(await lineOf(placed.body.id)).toMatchObject({ syncStatus: 'pending' })
    old.be('well')
  })

  it('shows its state to staff and not to the customer', async () => {
    old.be(422)
    const { id, customer } = await place(shop)
    await is(id, 'failed')
    const { body } = await admin.call(getAdminOrder, { params: { id } })
    expect(body).toMatchObject({ syncStatus: 'failed', syncErrors: [{ status: 422 }] })
    expect(body.version).toBe(1)
    expect((await customer.call(getOrder, { params: { id } })).body.syncErrors).toBeNull()
  })

  it('that was rejected is sent again on request, and the request is logged', async () => {
    old.be(404)
    const { id } = await place(shop)
    const failed = await is(id, 'failed')
    expect(failed.syncErrors[0]?.message).toBe('HTTP 404: no, +973****5566 (404)')
    old.be('well')
    const { status, body } = await admin.call(retryLegacyOrder, { params: { id } })
    expect([status, body.syncStatus]).toEqual([200, 'pending'])
    const synced = await is(id, 'synced')
    // The error stays visible.
    expect(synced.syncErrors).toHaveLength(1)
    const [line] = await shop.query(
      `select action, new_values from audit_log where resource = 'legacy' and resource_id = $1`,
      [id],
    )
    expect(line).toEqual({ action: 'sync-retried', new_values: { syncStatus: 'pending' } })
    // A second retry sends the known id, so no duplicate is created.
    await admin.call(retryLegacyOrder, { params: { id } })
    await is(id, 'synced')
    expect(old.bagsOf(id)).toHaveLength(1)
  })

  it('from before the older system was configured is sent when all are retried', async () => {
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    expect(await lineOf(id)).toMatchObject({ syncStatus: 'pending', attempts: 0 })
    const { body } = await admin.call(retryLegacyOrders, { body: { scope: 'all' } })
    expect(body.changed).toBeGreaterThan(0)
    await is(id, 'synced')
  })

  it('is sent by another worker if the first is killed during the call', async () => {
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    await shop.query(`insert into legacy_outbox (order_id, order_version, event) values ($1, 1, 'order.placed')`, [id])
    // The older system processes the call and does not respond.
    old.be('mute')
    const worker = spawn(
      process.execPath,
      [join(import.meta.dirname, '../test/processes/legacy-worker.ts'), shop.databaseUrl, old.url, id],
      { stdio: 'inherit' },
    )
    await until('the call', async () => old.bagsOf(id).length === 1)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    old.be('well')
    expect(await lineOf(id)).toMatchObject({ syncStatus: 'pending', isSending: true, attempts: 1 })
    await timePasses()
    await admin.call(retryLegacyOrder, { params: { id } })
    await is(id, 'synced')
    expect(old.bagsOf(id)).toHaveLength(1)
    const calls = old.callsOf(id)
    expect(new Set(calls.map(({ key, raw }) => `${key} ${raw}`)).size).toBe(1)
  })
})

describe('the list', () => {
  it('filters orders by state with counts, and finds one by any of its ids', async () => {
    const { body: before } = await admin.call(getLegacySummary)
    expect(before).toMatchObject({ isOn: true, host: new URL(old.url).host, lastSyncAt: expect.any(String) })
    await allSent()
    old.be(422)
    const ids = [(await place(shop)).id, (await place(shop)).id]
    for (const id of ids) await is(id, 'failed')
    expect((await admin.call(getLegacySummary)).body.counts.failed).toBe(2)
    const { body } = await admin.call(listLegacyOrders, { query: { state: 'failed', limit: 100 } })
    expect(body.items.map(({ id, syncStatus }) => [id, syncStatus])).toEqual(ids.reverse().map((id) => [id, 'failed']))
    expect(body.total).toBe(2)
    const synced = (await admin.call(listLegacyOrders, { query: { state: 'synced', limit: 1 } })).body.items[0]
    for (const search of [synced?.id, synced?.legacyBagId, synced?.legacyTransactionId, ` ${synced?.id} `]) {
      const found = await admin.call(listLegacyOrders, { query: { search: search ?? '' } })
      expect(found.body.items.map(({ id }) => id)).toEqual([synced?.id])
    }
  })

  it('retries all failed orders once, even in parallel requests', async () => {
    old.be('well')
    const failed = (await admin.call(getLegacySummary)).body.counts.failed
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => admin.call(retryLegacyOrders, { body: { scope: 'failed' } })),
    )
    expect(answers.reduce((sum, { body }) => sum + body.changed, 0)).toBe(failed)
    await until('all', async () => {
      const { counts } = (await admin.call(getLegacySummary)).body
      return counts.failed === 0
    })
    for (const { orderId } of old.bags) expect(old.bagsOf(orderId)).toHaveLength(1)
  })
})
