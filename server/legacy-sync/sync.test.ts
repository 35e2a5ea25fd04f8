import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeOrder, makeUser } from '../test/fixtures/make.ts'
import { type Mood, type OldSystem, startOldSystem } from '../test/processes/old-system.ts'
import { repeated } from '../test/sample.ts'
import { addToOutbox, claimNext, eraseRequestsOf } from './commands.ts'
import { sweep, syncOrder } from './jobs.ts'
import { type LegacyGateway, legacyGateway } from './legacy.gateway.ts'
import { readOrderBody } from './order-body.queries.ts'

let shop: TestShop
let old: OldSystem
let gateway: LegacyGateway
/** Patient, since a busy machine is not a silent system. */
const TIMEOUT_MS = 20_000
const SHORT_MS = 250

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  old = await startOldSystem()
  gateway = legacyGateway({ url: old.url, token: 'a-token' }, TIMEOUT_MS)
})
afterAll(() => old.stop())
beforeEach(() => old.be('well'))

const due = (id: string, event = 'order.placed') => inTransaction(shop.app.pool, (db) => addToOutbox({ db }, id, event))
const versionIn = (key: string) => key.split(':')[1]
const sync = (id: string) => syncOrder(shop.app, gateway, id)
async function newOrder(userId?: number) {
  const id = await makeOrder(shop, { userId: userId ?? (await makeUser(shop)).id, vendorId: 1 })
  await due(id)
  return id
}
/** Changes the status of the order. */
async function change(id: string, status: string) {
  await shop.query('update orders set status = $2, version = version + 1 where id = $1', [id, status])
  await due(id, 'order.status-changed')
}
const timePasses = (id: string, seconds = 7_200) =>
  shop.query(
    `update legacy_outbox set next_attempt_at = next_attempt_at - $2 * interval '1 second',
       claimed_at = claimed_at - $2 * interval '1 second' where order_id = $1`,
    [id, seconds],
  )
interface State {
  sync_status: string
  legacy_bag_id: string | null
  legacy_transaction_id: string | null
  last_sync_at: Date | null
  sync_errors: string | null
  version: number
}
async function stateOf(id: string): Promise<State & { errors: { status: number | null; message: string }[] }> {
  const [row] = await shop.query<State>('select * from orders where id = $1', [id])
  if (!row) throw new Error('No order')
  return { ...row, errors: JSON.parse(row.sync_errors ?? '[]') }
}
const rowsOf = (id: string) =>
  shop.query<{ status: string; attempts: number; body: unknown; order_version: number; wait: number }>(
    `select status, attempts, body, order_version, extract(epoch from next_attempt_at - now())::float8 as wait
     from legacy_outbox where order_id = $1 order by order_version`,
    [id],
  )

describe('sending an order to the older system', () => {
  it('sends all data with token and key, and stores the returned ids', async () => {
    const id = await newOrder()
    expect(await stateOf(id)).toMatchObject({ sync_status: 'pending', legacy_bag_id: null })
    expect(await sync(id)).toBe('synced')
    const [call] = old.callsOf(id)
    expect([call?.key, call?.authorization, call?.body.event]).toEqual([
      expect.stringMatching(`^${id}:1:`),
      'Bearer a-token',
      'order.placed',
    ])
    expect(call?.body).toMatchObject({ orderId: id, version: 1, status: 'new', legacyBagId: null, currency: 'BHD' })
    const [bag] = old.bagsOf(id)
    expect(await stateOf(id)).toMatchObject({
      sync_status: 'synced',
      legacy_bag_id: bag?.id,
      legacy_transaction_id: `T-${bag?.id}`,
      last_sync_at: expect.any(Date),
      errors: [],
      version: 1,
    })
    expect(await rowsOf(id)).toMatchObject([{ status: 'done', body: null }])
  })

  it('sends once, even if the same event arrives several times', async () => {
    const id = await newOrder()
    for (let n = 0; n < 5; n += 1) {
      await Promise.all([due(id), due(id), sync(id), sync(id)])
    }
    expect(old.callsOf(id)).toHaveLength(1)
    expect(await rowsOf(id)).toHaveLength(1)
  })

  it('sends the known ids with a change, and only the newest of several unsent changes', async () => {
    const id = await newOrder()
    await sync(id)
    for (const status of ['in-progress', 'shipped', 'delivered']) await change(id, status)
    expect(await stateOf(id)).toMatchObject({ sync_status: 'pending' })
    await sync(id)
    const calls = old.callsOf(id)
    expect(calls.map(({ key }) => versionIn(key))).toEqual(['1', '4'])
    expect(calls[1]?.body).toMatchObject({ status: 'delivered', legacyBagId: old.bagsOf(id)[0]?.id })
    expect(old.bagsOf(id)).toMatchObject([{ status: 'delivered' }])
    expect(await stateOf(id)).toMatchObject({ sync_status: 'synced', version: 4 })
  })
})

/** Stored result by behaviour of the older system; all except rejections are retried. */
const moods: [Mood, { sync: 'pending' | 'failed'; error: RegExp; status: number | null; isKept: boolean }][] = [
  ['hangs', { sync: 'pending', error: /^No answer within 0.25 s$/, status: null, isKept: true }],
  ['late', { sync: 'pending', error: /^No answer within/, status: null, isKept: true }],
  ['mute', { sync: 'pending', error: /^No answer within/, status: null, isKept: true }],
  ['lost', { sync: 'pending', error: /^(UND_ERR_SOCKET|ECONNRESET)$/, status: null, isKept: true }],
  ['dies', { sync: 'pending', error: /^(UND_ERR_SOCKET|ECONNRESET)$/, status: null, isKept: true }],
  ['rubbish', { sync: 'pending', error: /no number of a bag/, status: 200, isKept: true }],
  ['empty', { sync: 'pending', error: /no number of a bag/, status: 200, isKept: true }],
  ['endless', { sync: 'pending', error: /no number of a bag/, status: 200, isKept: true }],
  [500, { sync: 'pending', error: /^HTTP 500: no, \+973\*{4}5566 \(500\)$/, status: 500, isKept: true }],
  [503, { sync: 'pending', error: /^HTTP 503/, status: 503, isKept: true }],
  [429, { sync: 'pending', error: /^HTTP 429/, status: 429, isKept: false }],
  [401, { sync: 'failed', error: /^HTTP 401/, status: 401, isKept: false }],
  [404, { sync: 'failed', error: /^HTTP 404/, status: 404, isKept: false }],
  ['redirects', { sync: 'failed', error: /not followed/, status: 307, isKept: false }],
  [400, { sync: 'failed', error: /^HTTP 400/, status: 400, isKept: false }],
  [409, { sync: 'failed', error: /^HTTP 409/, status: 409, isKept: false }],
  [422, { sync: 'failed', error: /^HTTP 422/, status: 422, isKept: false }],
]

describe('an older system that', () => {
  it.each(moods)('%s: the error is stored, and the order exists once after recovery', async (mood, wanted) => {
    const id = await newOrder()
    old.be(mood)
    const isSilent = wanted.error.source.startsWith('^No answer')
    const impatient = legacyGateway({ url: old.url, token: 'a-token' }, SHORT_MS)
    const result = await syncOrder(shop.app, isSilent ? impatient : gateway, id)
    expect(result).toBe(wanted.status !== null && [400, 409, 422].includes(wanted.status) ? 'refused' : 'silent')
    const after = await stateOf(id)
    expect(after).toMatchObject({ sync_status: wanted.sync, legacy_bag_id: null, last_sync_at: null })
    expect(after.errors).toMatchObject([{ status: wanted.status, message: expect.stringMatching(wanted.error) }])
    const [row] = await rowsOf(id)
    expect([row?.attempts, row?.body !== null]).toEqual([1, wanted.isKept])
    expect(old.followed()).toBe(0)

    // Not before the next attempt is due.
    old.be('well')
    expect(await sync(id)).toBe('idle')
    await timePasses(id)
    if (wanted.sync === 'failed') {
      expect(await sync(id)).toBe('idle')
      await change(id, 'in-progress')
    }
    expect(await sync(id)).toBe('synced')
    expect(old.bagsOf(id)).toHaveLength(1)
    expect(await stateOf(id)).toMatchObject({ sync_status: 'synced', legacy_bag_id: old.bagsOf(id)[0]?.id })
    if (wanted.isKept) {
      const [first, again] = old.callsOf(id)
      expect([again?.key, again?.raw]).toEqual([first?.key, first?.raw])
    }
  })

  it('is unreachable: delays grow, the order fails after the last attempt, and later calls do nothing', async () => {
    const nobody = legacyGateway({ url: 'http://127.0.0.1:2', token: null }, TIMEOUT_MS)
    const id = await newOrder()
    const waits: number[] = []
    for (let n = 1; n <= 20; n += 1) {
      expect(await syncOrder(shop.app, nobody, id)).toBe('silent')
      const [row] = await rowsOf(id)
      waits.push(row?.wait ?? 0)
      expect(row?.status).toBe(n < 20 ? 'pending' : 'failed')
      await timePasses(id)
    }
    expect(waits[0]).toBeGreaterThan(20)
    expect(waits[3]).toBeGreaterThan(waits[0] ?? 0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600 * 1.2)
    const given = await stateOf(id)
    expect(given.sync_status).toBe('failed')
    // The newest ten.
    expect(given.errors).toHaveLength(10)
    expect(given.errors[9]).toMatchObject({ status: null, message: 'ECONNREFUSED' })
    expect(await syncOrder(shop.app, nobody, id)).toBe('idle')
  })

  it('requests a delay is retried after it', async () => {
    const id = await newOrder()
    old.be(429)
    await sync(id)
    const [row] = await rowsOf(id)
    expect(row?.wait).toBeGreaterThan(0)
    expect(row?.wait).toBeLessThanOrEqual(7)
  })

  it('responds with another id: the first is kept', async () => {
    const id = await newOrder()
    await sync(id)
    const { legacy_bag_id } = await stateOf(id)
    await change(id, 'shipped')
    old.be('elsewhere')
    await sync(id)
    expect(await stateOf(id)).toMatchObject({
      sync_status: 'failed',
      legacy_bag_id,
      errors: [{ status: 200, message: 'It answers with another number than before' }],
    })
  })
})

/** Sends the order's current version under a new key, without the stored request. */
async function tellNaively(id: string, key: string) {
  const words = await readOrderBody(shop.app, id, 'order.placed')
  await gateway.send({ key, words, known: null })
}

describe('an order exists once in the older system', () => {
  it('if it changes while the arrival is unknown', async () => {
    const id = await newOrder()
    old.be('lost')
    await sync(id)
    await change(id, 'in-progress')
    await change(id, 'shipped')
    old.be('well')
    // The change waits for the earlier one, which waits for its next attempt.
    expect(await sync(id)).toBe('idle')
    await timePasses(id)
    expect(await sync(id)).toBe('synced')
    expect(old.callsOf(id).map(({ key }) => versionIn(key))).toEqual(['1', '1', '3'])
    expect(old.bagsOf(id)).toMatchObject([{ status: 'shipped' }])
    expect(await stateOf(id)).toMatchObject({ sync_status: 'synced' })

    // Control: sending the change at once creates a duplicate.
    const other = await newOrder()
    old.be('lost')
    await tellNaively(other, `${other}:1`)
    old.be('well')
    await tellNaively(other, `${other}:2`)
    expect(old.bagsOf(other)).toHaveLength(2)
  })

  it('if it failed with unknown arrival and changes later', async () => {
    const id = await newOrder()
    old.be('lost')
    await shop.query(`update legacy_outbox set attempts = $2 where order_id = $1`, [id, 20 - 1])
    await sync(id)
    expect(await stateOf(id)).toMatchObject({ sync_status: 'failed' })
    await change(id, 'shipped')
    old.be('well')
    expect(await sync(id)).toBe('synced')
    expect(old.bagsOf(id)).toMatchObject([{ status: 'shipped' }])
  })

  it('if many workers send it: one call at a time', async () => {
    const id = await newOrder()
    old.be('late')
    const results = await Promise.all(Array.from({ length: 12 }, () => sync(id)))
    expect(results.filter((result) => result === 'synced')).toHaveLength(1)
    expect(results.filter((result) => result === 'idle')).toHaveLength(11)
    expect(old.callsOf(id)).toHaveLength(1)

    // Control: without a claim and with a key per attempt, every call creates a bag.
    old.be('well')
    const other = await newOrder()
    await Promise.all(Array.from({ length: 4 }, () => tellNaively(other, `${other}:${randomUUID()}`)))
    expect(old.bagsOf(other)).toHaveLength(4)
  })

  it('if a worker stops at any point, and another takes over after the lease', async () => {
    const id = await newOrder()
    // Claims only.
    await inTransaction(shop.app.pool, (db) => claimNext({ db }, id))
    expect(await sync(id)).toBe('idle')
    await timePasses(id, 61)
    // Sends and stops before the response is stored.
    const claim = await inTransaction(shop.app.pool, (db) => claimNext({ db }, id))
    if (!claim) throw new Error('Nobody held it any more')
    await gateway.send({ ...claim.request, known: claim.known })
    expect(old.bagsOf(id)).toHaveLength(1)
    expect(await sync(id)).toBe('idle')
    await timePasses(id, 61)
    await sweep(shop.app, gateway)
    expect(old.bagsOf(id)).toHaveLength(1)
    expect(await stateOf(id)).toMatchObject({ sync_status: 'synced', legacy_bag_id: old.bagsOf(id)[0]?.id })
  })

  it('after random failures, changes and stopped workers; all orders are equal in the end', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => newOrder()))
    const weather: Mood[] = ['well', 'lost', 'dies', 500, 429, 'rubbish', 'well', 'mute']
    old.be(() => weather[Math.floor(Math.random() * weather.length)] ?? 'well')
    const hasty = legacyGateway({ url: old.url, token: null }, 60)
    const statuses = ['in-progress', 'shipped', 'delivered']
    for (let round = 0; round < repeated(6, 3); round += 1) {
      await Promise.all([
        ...[1, 2, 3].map(() => sweep(shop.app, hasty)),
        ...ids.map((id) => syncOrder(shop.app, hasty, id)),
        ...ids.filter(() => Math.random() < 0.3).map((id) => change(id, statuses[round % 3] ?? 'shipped')),
        // The worker stops with a claim.
        ...ids
          .filter(() => Math.random() < 0.2)
          .map((id) => inTransaction(shop.app.pool, (db) => claimNext({ db }, id))),
      ])
      await Promise.all(ids.map((id) => timePasses(id)))
    }
    old.be('well')
    for (let round = 0; round < repeated(4, 2); round += 1) {
      await Promise.all(ids.map((id) => sync(id)))
      await Promise.all(ids.map((id) => timePasses(id)))
    }
    for (const id of ids) {
      const [order] = await shop.query<{ status: string }>('select status from orders where id = $1', [id])
      expect(old.bagsOf(id)).toMatchObject([{ status: order?.status }])
      expect(await stateOf(id)).toMatchObject({ sync_status: 'synced', legacy_bag_id: old.bagsOf(id)[0]?.id })
    }
  })
})

describe('a run over all due orders', () => {
  it('stops if the older system does not respond, so that other orders keep their attempts', async () => {
    await shop.query(`update legacy_outbox set status = 'done', body = null where status <> 'done'`)
    const ids = await Promise.all(Array.from({ length: 8 }, () => newOrder()))
    old.be(503)
    await sweep(shop.app, gateway)
    const tried = (await Promise.all(ids.map(rowsOf))).flat().filter(({ attempts }) => attempts > 0)
    expect(tried).toHaveLength(3)
    old.be('well')
    await Promise.all(ids.map((id) => timePasses(id)))
    await sweep(shop.app, gateway)
    for (const id of ids) expect(await stateOf(id)).toMatchObject({ sync_status: 'synced' })
  })
})

it('pending requests of an erased person contain no personal data', async () => {
  const { id: userId } = await makeUser(shop)
  const id = await newOrder(userId)
  old.be('lost')
  await sync(id)
  const kept = async () => JSON.stringify((await rowsOf(id))[0]?.body)
  expect(await kept()).toContain('Noura')
  await inTransaction(shop.app.pool, (db) => eraseRequestsOf({ db }, userId))
  expect(await kept()).not.toMatch(/Noura|36000006|Seef|50\.54/)
  // An order that may exist already is not created again.
  old.be('well')
  await timePasses(id)
  await sync(id)
  expect(old.bagsOf(id)).toHaveLength(1)
})
