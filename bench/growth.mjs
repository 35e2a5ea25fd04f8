import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ways } from './growth-ways.mjs'
import { fillAdmin } from './lib/admin-fill.mjs'
import { fillInbox } from './lib/inbox-fill.mjs'
import { addArea, timedOrder } from './lib/ordering.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'
import { openSession, signIn } from './lib/sign-in.mjs'

/**
 * Every list, search and count of the admin area, a customer's pages and placing an order in a large market and in one
 * with a hundredth of the rows, alternating, one request at a time; then the statements that became slower.
 * The large market has ten times as many orders a day over ten times as many days.
 * `node bench/growth.mjs [orders] [rounds] [part of a name]`. With DATABASE_URL the databases `growth_few` and
 * `growth_many` of that server are used, filled if they are missing, and kept.
 */
const orders = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 60)
const onlyNamed = process.argv[4] ?? ''
const ports = { postgres: 3160, few: 3161, many: 3162 }
const WANTED_RATIO = 1.5
/** Time of a request that reads almost nothing; ratios of shorter times are not judged. */
const FLOOR_MS = 4
const DAYS = 730
const markets = {
  few: { orders: orders / 100, vendors: orders / 100_000, days: DAYS / 10 },
  many: { orders, vendors: orders / 10_000, days: DAYS },
}

const given = process.env.DATABASE_URL
const database = given
  ? { url: given, stop: () => {} }
  : await startPostgres(ports.postgres, ['shared_preload_libraries=pg_stat_statements', 'max_wal_size=8GB'])
const folders = []
const children = []
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
/** Connections that break when the server ends; the error is expected. */
const connected = async (url) => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function started(name, url) {
  const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
  folders.push(folder)
  const server = startServer({ port: ports[name], dataDir: folder, settings: { DATABASE_URL: url } })
  children.push(server)
  await ready(server.address)
  return server
}

async function fill(db, { orders: count, vendors, days }) {
  const perDay = Math.round(count / days)
  await fillAdmin(db, count, { perDay, vendors, customers: count / 5, rich: true })
  await fillInbox(db, { messages: count * 3, audits: count / 2, days, open: perDay })
  await addArea(db)
}

async function furnished(name) {
  const url = database.url.replace(/\/postgres\b/, `/growth_${name}`)
  const found = await admin.query('select from pg_database where datname = $1', [`growth_${name}`])
  if (found.rowCount === 0) {
    await admin.query(`create database growth_${name}`)
    const migrating = await started(name, url)
    migrating.child.kill('SIGTERM')
    await migrating.ended
    const db = await connected(url)
    const begun = performance.now()
    await fill(db, markets[name])
    await db.end()
    console.error(`${name}: ${markets[name].orders} orders in ${Math.round((performance.now() - begun) / 1000)} s`)
  }
  // A new process reads the reference data, since its rows were inserted without triggers.
  const server = await started(name, url)
  const db = await connected(url)
  await db.query('create extension if not exists pg_stat_statements')
  await db.query(`delete from users where phone like '+97339%'`)
  const read = async (text) => (await db.query({ text, rowMode: 'array' })).rows.flat()
  const someone = `select user_id from customer_totals where vendor_id = 1 and user_id % 5 > 0 order by md5(user_id::text) limit 200`
  const facts = {
    address: server.address,
    cookies: {
      super: [await signIn(db, ['+97339000001', 'super_admin', null])],
      vendor: [await signIn(db, ['+97339000002', 'vendor_admin', 1])],
      customer: [],
    },
    ids: await read('select id from orders where vendor_id = 1 order by md5(id) limit 300'),
    phones: await read('select phone from orders where vendor_id = 1 order by md5(id) limit 300'),
    drivers: await read(`select id from users where role = 'driver' and vendor_id = 1`),
    customers: await read(someone),
    contacts: await read(`select c.id from contacts c join users u on u.phone = c.phone where u.id in (${someone})`),
    words: await read('select upper(substr(md5((n * 5)::text), 1, 16)) from generate_series(1, 200) n'),
  }
  await db.query(`update users set permissions = '{whatsapp.read}' where phone = '+97339000002'`)
  for (const id of facts.customers.slice(0, 100)) facts.cookies.customer.push(await openSession(db, id))
  const { rows } = await db.query('select pg_database_size(current_database()) / 1e9 as gb')
  console.error(`${name}: ${Number(rows[0].gb).toFixed(1)} GB`)
  await db.query('vacuum analyze')
  await db.end()
  return facts
}

async function timed(facts, who, path) {
  const cookies = facts.cookies[who]
  const cookie = cookies[Math.floor(Math.random() * cookies.length)]
  if (!path) return timedOrder(facts.address, cookie, 1)
  const begun = performance.now()
  const answer = await fetch(facts.address + path(facts), { headers: { cookie: `sid=${cookie}` } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path(facts)}: ${answer.status} ${text.slice(0, 200)}`)
  return performance.now() - begun
}

const sorted = (values) => values.toSorted((a, b) => a - b)
const middle = (values) => sorted(values)[Math.floor(values.length / 2)]
const p95 = (values) => sorted(values)[Math.floor(values.length * 0.95)]

/** Statements of both databases, those with the largest growth of the mean first. */
async function grownStatements() {
  const { rows } = await admin.query(
    `with seen as (
       select d.datname, s.query, sum(s.calls) as calls, sum(s.total_exec_time) / sum(s.calls) as mean
       from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname like 'growth_%' group by 1, 2)
     select m.mean - f.mean as grown, f.mean as few, m.mean as many, m.calls::integer, left(regexp_replace(m.query, '\\s+', ' ', 'g'), 150) as query
     from seen m join seen f on f.query = m.query and f.datname = 'growth_few'
     where m.datname = 'growth_many' and m.calls >= 20 and m.mean > 1.5 * f.mean order by grown desc limit 15`,
  )
  return rows
}

try {
  const shops = { few: await furnished('few'), many: await furnished('many') }
  await admin.query('create extension if not exists pg_stat_statements')
  await admin.query('select pg_stat_statements_reset()')
  const figures = []
  const asked = [...ways, ['placing an order', 'customer', null]].filter(([name]) => name.includes(onlyNamed))
  for (const [name, who, path] of asked) {
    const took = { few: [], many: [] }
    for (let round = -3; round < rounds; round += 1)
      for (const size of round % 2 ? ['few', 'many'] : ['many', 'few']) {
        const ms = await timed(shops[size], who, path)
        if (round >= 0) took[size].push(ms)
      }
    const [small, large] = [p95(took.few), p95(took.many)]
    const ratio = large / Math.max(small, FLOOR_MS)
    figures.push({ large, ratio })
    console.log(
      `${name} · ${who}`.padEnd(42),
      `p95 ${small.toFixed(1)} → ${large.toFixed(1)} ms`.padEnd(26),
      `× ${ratio.toFixed(2)}`,
      `half below ${middle(took.few).toFixed(1)} → ${middle(took.many).toFixed(1)} ms`,
      ratio > WANTED_RATIO ? '  ←' : '',
    )
  }
  console.log('\nStatements that grew, mean ms:')
  for (const { few, many, calls, query } of await grownStatements())
    console.log(`${few.toFixed(2)} → ${many.toFixed(2)}`.padEnd(18), `${calls} ×`.padEnd(8), query)
  const round = (n) => Math.round(n * 100) / 100
  const above = figures.filter(({ ratio }) => ratio > WANTED_RATIO).length
  console.log(
    JSON.stringify({
      bench: 'growth',
      orders,
      ways: figures.length,
      above,
      worstP95: round(Math.max(...figures.map(({ large }) => large))),
      worstRatio: round(Math.max(...figures.map(({ ratio }) => ratio))),
      isReached: above === 0,
    }),
  )
  if (above > 0) process.exitCode = 1
} finally {
  for (const { child } of children) child.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await admin.end()
  await database.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
