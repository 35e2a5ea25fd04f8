import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { until } from '../test/fixtures/codes.ts'
import { type Db, isUnavailable, openDb, openPool } from './db.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded/embedded-database.ts'
import { createReplica } from './replica.ts'

const folderOf = (name: string) => mkdtempSync(join(tmpdir(), `qatra-${name}-`))
const running = new Set<EmbeddedDatabase>()
async function start(dataDir: string, settings: Record<string, string> = {}) {
  const server = await startEmbeddedDatabase({ dataDir, log: () => {}, settings: { fsync: 'off', ...settings } })
  running.add(server)
  return server
}
async function stop(server: EmbeddedDatabase) {
  if (running.delete(server)) await server.stop()
}
/** A standby with the files of a server that was stopped. */
function copyOf(folder: string) {
  const copy = folderOf('standby')
  execFileSync('cp', ['-a', join(folder, 'postgres'), copy])
  writeFileSync(join(copy, 'postgres/standby.signal'), '')
  return copy
}
async function ask({ url }: EmbeddedDatabase, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const folder = folderOf('primary')
const empty = await start(folder)
await ask(empty, 'create table orders (id integer)')
await ask(empty, 'create role plain login')
await ask(empty, 'grant select on orders to plain')
await stop(empty)
const behind = copyOf(folder)
const follower = copyOf(folder)
const primary = await start(folder)
const conninfo = `host=${new URL(primary.url).searchParams.get('host')} user=qatra`
const standby = await start(follower, { primary_conninfo: conninfo })
await ask(primary, 'insert into orders select n from generate_series(1, 50000) n')
const count = 'select count(*)::integer as orders from orders'
const hasAll = async () => (await ask(standby, count))[0]?.orders === 50_000
await until('the rows', hasAll)

const pools = new Set<pg.Pool>()
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of stops) await end()
  for (const pool of pools) await pool.end()
  for (const server of running) await server.stop()
})

const orders = async (db: Db) => (await db.execute<{ orders: number }>(count)).rows[0]?.orders
/** What a shop with these two addresses reads. */
async function pairOf(url: string, readUrl: string) {
  const pool = openPool(url, () => {}, { max: 1 })
  pools.add(pool)
  const parts = { db: openDb(pool), preparedStatements: true, max: 10, log: pino({ level: 'silent' }) }
  const replica = await createReplica(readUrl, parts)
  stops.push(replica.stop)
  return { ...replica, orders: () => replica.read(parts, ({ db }) => orders(db)) }
}

it('a role without rights to monitor reads on the replica', async () => {
  const url = new URL(standby.url)
  url.username = 'plain'
  const pair = await pairOf(primary.url, url.href)
  await until('a read on the replica', async () => {
    expect(await pair.orders()).toBe(50_000)
    return pair.figures().replica > 0
  })
})

it('a standby of another cluster is never read, also while the primary is away', async () => {
  const other = await start(folderOf('other'))
  await ask(other, 'create table orders (id integer)')
  // At an earlier position of the same number of timeline.
  const pair = await pairOf(other.url, standby.url)
  expect([await pair.orders(), pair.figures()]).toEqual([0, { replica: 0, primary: 1 }])
  await stop(other)
  const error = await pair.readAvailable(orders).catch((reason: unknown) => reason)
  expect([isUnavailable(error), pair.figures().replica]).toEqual([true, 0])
})

it('after a failover a standby ahead of the new primary on the former timeline is not read', async () => {
  await stop(primary)
  const promoted = await start(behind)
  await ask(promoted, 'select pg_promote()')
  await ask(promoted, 'insert into orders values (0)')
  const pair = await pairOf(promoted.url, standby.url)
  expect([await pair.orders(), pair.figures()]).toEqual([1, { replica: 0, primary: 1 }])
  expect(await hasAll()).toBe(true)
})

it('a promoted standby follows no more, and is not read for its former primary', async () => {
  const [promoted, former] = [standby, await start(folder)]
  await ask(promoted, 'select pg_promote()')
  const pair = await pairOf(former.url, promoted.url)
  expect([await pair.orders(), pair.figures()]).toEqual([50_000, { replica: 0, primary: 1 }])
})
