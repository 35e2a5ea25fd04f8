import { exportAudit } from '@qatra/contract/audit'
import { readDashboard } from '@qatra/contract/dashboard/dashboard'
import { changeOrderStatus, exportOrders, listOrders } from '@qatra/contract/orders/admin'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { startPair } from '../test/processes/standby.ts'
import type { Visitor } from '../test/visitor.ts'
import { type Db, openDb, openPool } from './db.ts'
import { createReplica } from './replica.ts'

const { primary, standby } = await startPair()
const settings = { databaseReadUrl: standby.url }
const [one, two] = [
  await startShop(settings, { databaseUrl: primary.url }),
  await startShop(settings, { databaseUrl: primary.url }),
]
const there = new pg.Client({ connectionString: standby.url })
there.on('error', () => {}) // the last test stops the server
await there.connect()
afterAll(async () => {
  await there.end()
  await Promise.all([one.stop(), two.stop()])
  await standby.stop()
  await primary.stop()
})

const home = await makeHousehold(one)
const desk = await makeVisitor(one, { role: 'vendor_admin', vendorId: home.vendor })
/** The same session at the other process. */
const deskAtTwo = two.visitor()
for (const [name, value] of desk.cookies) deskAtTwo.cookies.set(name, value)

const statusIn = async (visitor: Visitor, id: string) => {
  const { status, body } = await visitor.call(listOrders, { query: {} })
  expect(status).toBe(200)
  return body.items.find((order) => order.id === id)?.status
}
const move = async (visitor: Visitor, id: string) =>
  expect((await visitor.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })).status).toBe(200)
/** The answer of the call that the shop read on the replica: while that is behind, the primary is read. */
const readThere = <T>(shop: TestShop, call: () => Promise<T>) =>
  until('a read on the replica', async () => {
    const before = shop.app.replica.figures().replica
    const answer = await call()
    return shop.app.replica.figures().replica > before && answer
  })
/** Until the replica has everything and the shop reads it. */
const isRead = (shop: TestShop, visitor: Visitor) => readThere(shop, () => visitor.call(listOrders, { query: {} }))
/** What a shop that always reads the replica would show. */
const statusThere = async (id: string) =>
  (await there.query<{ status: string }>('select status from orders where id = $1', [id])).rows[0]?.status

describe('lists, the dashboard and exports', () => {
  it('are read on the replica', async () => {
    const id = await home.order()
    expect(await readThere(one, () => statusIn(desk, id))).toBe('new')
    const file = await readThere(one, () => desk.call(exportOrders, { query: {} }))
    expect([file.status, String(file.body)]).toEqual([200, expect.stringContaining(id)])
    const dashboard = await readThere(one, () => desk.call(readDashboard, { query: { period: 'today' } }))
    expect(dashboard.status).toBe(200)
  })

  it('are read in a transaction for each part of a file, not on a connection that was given back', async () => {
    const boss = await makeVisitor(one, { role: 'super_admin' })
    const rows = 1_200
    await one.query(
      `insert into audit_log (action, resource, resource_id)
       select 'updated', 'area', n::text from generate_series(1, $1::integer) n`,
      [rows],
    )
    await isRead(one, desk)
    const before = one.app.replica.figures()
    const file = await boss.call(exportAudit, { query: { resource: 'area' } })
    expect([file.status, String(file.body).trim().split('\r\n').length]).toEqual([200, 1 + rows])
    const after = one.app.replica.figures()
    expect(after.replica + after.primary - before.replica - before.primary).toBe(3)
    expect(after.replica).toBeGreaterThan(before.replica)
  })

  it('show each change at once while changes stream to the replica', async () => {
    await isRead(one, desk)
    const before = one.app.replica.figures()
    for (let n = 0; n < 20; n += 1) {
      const id = await home.order()
      expect(await statusIn(desk, id)).toBe('new')
      await move(desk, id)
      expect(await statusIn(deskAtTwo, id)).toBe('in-progress')
    }
    expect(one.app.replica.figures()).not.toEqual(before)
  })
})

describe('while the replica does not replay', () => {
  let id: string
  beforeAll(async () => {
    id = await home.order()
    await isRead(one, desk)
    await isRead(two, deskAtTwo)
    await there.query('select pg_wal_replay_pause()')
    await until('the pause', async () => {
      const { rows } = await there.query<{ state: string }>('select pg_get_wal_replay_pause_state() as state')
      return rows[0]?.state === 'paused'
    })
  })

  it('a person sees their own change, at the process that made it and at the other one', async () => {
    await move(desk, id)
    expect(await statusThere(id)).toBe('new')
    expect(await statusIn(desk, id)).toBe('in-progress')
    expect(await statusIn(deskAtTwo, id)).toBe('in-progress')
    const fresh = await home.order()
    expect(await statusThere(fresh)).toBeUndefined()
    expect(await statusIn(deskAtTwo, fresh)).toBe('new')
    expect(String((await desk.call(exportOrders, { query: {} })).body)).toContain(fresh)
  })

  it('the replica is read again once it has caught up', async () => {
    await there.query('select pg_wal_replay_resume()')
    await isRead(one, desk)
    expect(await statusThere(id)).toBe('in-progress')
  })
})

describe('while the address of the primary leads to a standby, as during a failover', () => {
  it('that one answers', async () => {
    const pool = openPool(standby.url, () => {}, { max: 1 })
    const parts = { db: openDb(pool), preparedStatements: true, max: 10, log: pino({ level: 'silent' }) }
    const replica = await createReplica(standby.url, parts)
    const isStandby = async ({ db }: { db: Db }) => (await db.execute('select pg_is_in_recovery() as is')).rows
    expect(await replica.read(parts, isStandby)).toEqual([{ is: true }])
    expect(replica.figures()).toEqual({ replica: 0, primary: 1 })
    await replica.stop()
    await pool.end()
  })
})

describe('without the replica', () => {
  it('the primary answers, and the shop starts', async () => {
    await standby.stop()
    const id = await home.order()
    expect(await statusIn(desk, id)).toBe('new')
    const late = await startShop(settings, { databaseUrl: primary.url })
    const visitor = late.visitor()
    for (const [name, value] of desk.cookies) visitor.cookies.set(name, value)
    expect(await statusIn(visitor, id)).toBe('new')
    expect(late.app.replica.figures()).toEqual({ replica: 0, primary: 1 })
  })
})
