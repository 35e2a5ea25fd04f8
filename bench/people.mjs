import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fillAdmin } from './admin-fill.mjs'
import { startPostgres } from './postgres.mjs'
import { ready, startServer } from './server-process.mjs'
import { signIn } from './sign-in.mjs'

/**
 * Customers, users and the audit log with many orders: every filter and order, one request at a time.
 * `node bench/people.mjs [orders] [rounds]`
 */
const orders = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 40)
const ports = { postgres: 3187, shop: 3188 }
const WANTED_MS = 60
const arabic = encodeURIComponent
const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const sample = (values) => values[Math.floor(Math.random() * values.length)]

const questions = {
  'customers: newest orders': () => '/api/admin/customers?limit=50',
  'customers: page 100': () => '/api/admin/customers?limit=50&page=100',
  'customers: by spend': () => '/api/admin/customers?limit=50&sort=-spend',
  'customers: by orders': () => '/api/admin/customers?limit=50&sort=-orderCount',
  'customers: a common name': () => `/api/admin/customers?limit=50&search=${arabic('محمد')}`,
  'customers: two words': () => `/api/admin/customers?limit=50&search=${arabic('priya kumar')}`,
  'customers: half a phone': ({ phones }) => `/api/admin/customers?limit=50&search=${sample(phones).slice(-6)}`,
  'customers: two letters': () => '/api/admin/customers?limit=50&search=pr',
  'one customer': ({ ids }) => `/api/admin/customers/${sample(ids)}`,
  'users: last active': () => '/api/admin/users?limit=50',
  'users: a name': () => `/api/admin/users?limit=50&search=${arabic('driver 12')}`,
  'history: newest': () => '/api/admin/audit?limit=50',
  'history: page 20': () => '/api/admin/audit?limit=50&page=20',
  'history: a day': () => `/api/admin/audit?limit=50&from=${day(3)}&to=${day(3)}`,
  'history: orders': () => '/api/admin/audit?limit=50&resource=order',
  'history: one person': ({ ids }) => `/api/admin/audit?limit=50&userId=${sample(ids)}`,
  'history: a phone': ({ phones }) => `/api/admin/audit?limit=50&search=${sample(phones).slice(-6)}`,
}

const sorted = (values) => values.toSorted((a, b) => a - b)
const p95 = (values) => sorted(values)[Math.floor(values.length * 0.95)]
const middle = (values) => sorted(values)[Math.floor(values.length / 2)]

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const server = startServer({ port: ports.shop, dataDir: folder, settings: { DATABASE_URL: database.url } })
const db = new pg.Client({ connectionString: database.url })
db.on('error', () => {}) // the server's end is no news to it
try {
  await ready(server.address)
  await db.connect()
  await fillAdmin(db, orders)
  // The orders are imported without triggers, so the totals of customers are computed here.
  await db.query(
    `insert into customer_totals (user_id, vendor_id, order_count, cancelled_count, spend, last_order_at)
     select o.user_id, v.id, count(*), count(*) filter (where o.status = 'cancelled'),
       coalesce(sum(o.total) filter (where o.status <> 'cancelled'), 0), max(o.created_at)
     from orders o cross join lateral (values (0), (o.vendor_id)) v (id) group by o.user_id, v.id
     on conflict (user_id, vendor_id) do update set order_count = excluded.order_count,
       cancelled_count = excluded.cancelled_count, spend = excluded.spend, last_order_at = excluded.last_order_at`,
  )
  await db.query('vacuum analyze customer_totals')
  const cookies = {
    super: await signIn(db, ['+97339000001', 'super_admin', null]),
    vendor: await signIn(db, ['+97339000002', 'vendor_admin', 1]),
  }
  const read = async (text) => (await db.query({ text, rowMode: 'array' })).rows.flat()
  const someone = `select user_id from customer_totals where vendor_id = 1 order by md5(user_id::text) limit 300`
  const shop = {
    ids: await read(someone),
    phones: await read(`select phone from users where id in (${someone})`),
  }
  const figures = []
  for (const [name, question] of Object.entries(questions)) {
    for (const who of ['super', 'vendor']) {
      const took = []
      for (let round = -3; round < rounds; round += 1) {
        const begun = performance.now()
        const answer = await fetch(server.address + question(shop), { headers: { cookie: `sid=${cookies[who]}` } })
        const text = await answer.text()
        if (answer.status !== 200) throw new Error(`${name} · ${who}: ${answer.status} ${text.slice(0, 200)}`)
        if (round >= 0) took.push(performance.now() - begun)
      }
      figures.push(p95(took))
      console.log(
        `${name} · ${who}`.padEnd(36),
        `p95 ${p95(took).toFixed(1)} ms, half below ${middle(took).toFixed(1)} ms`,
        p95(took) > WANTED_MS ? '  ←' : '',
      )
    }
  }
  const worst = Math.round(Math.max(...figures) * 100) / 100
  const isReached = worst <= WANTED_MS
  console.log(JSON.stringify({ bench: 'people', orders, worstP95: worst, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  server.child.kill('SIGKILL')
  await server.ended
  await db.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
