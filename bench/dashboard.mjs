import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { storePastDays } from '../server/dashboard/jobs.ts'
import { fillAdmin } from './lib/admin-fill.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'
import { signIn } from './lib/sign-in.mjs'

/**
 * The dashboard with many orders on the last evening of a month, its largest period: without load, and while
 * orders are placed and recent ones change, so that these days are counted from the orders each time. Also
 * measures the lists that the largest numbers link to.
 * `node bench/dashboard.mjs [orders] [rounds]`
 */
const orders = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 60)
const ports = { postgres: 3163, server: 3164 }
const WANTED_MS = 150

const periods = ['month', 'week', 'yesterday', 'today']
const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const admin = new pg.Client({ connectionString: database.url })
admin.on('error', () => {})
await admin.connect()
const url = database.url.replace(/\/postgres$/, '/dashboard')
let server
let pool

/** Sets the database's clock to 20:00 on the last day of the month in Bahrain, from where it continues. */
async function moveClock(db) {
  await db.query('create schema clock')
  await db.query(
    `do $$ begin execute format('create function clock.now() returns timestamptz language sql stable as %L',
       format('select pg_catalog.now() + interval %L', (date_trunc('month', pg_catalog.now() at time zone 'Asia/Bahrain')
         + interval '1 month - 4 hours') at time zone 'Asia/Bahrain' - pg_catalog.now())); end $$`,
  )
  await db.query('alter database dashboard set search_path = clock, pg_catalog, public')
}

async function timed(cookie, path) {
  const begun = performance.now()
  const answer = await fetch(server.address + path, { headers: { cookie: `sid=${cookie}` } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return { ms: performance.now() - begun, body: JSON.parse(text) }
}

/** Places one order and changes one of the last three days, repeatedly until stopped. */
async function write(signal) {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  let written = 0
  while (!signal.aborted) {
    const id = `W${String(written).padStart(15, '0')}`
    await db.query(
      `with placed as (insert into orders (id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, area_id,
           subtotal, delivery_fee, product_vat, total, promised_date)
         values ($1, $2, 'Vendor', 'Noura', '+97336000006', 'Seef', 26.2, 50.5, 7, 1000, 0, 0, 1000, current_date) returning id)
       insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
       select id, 1, 'Water', '500ml', 1000, 0, 1 from placed`,
      [id, 1 + (written % 8)],
    )
    await db.query(
      `update orders set status = case status when 'delivered' then 'shipped' else 'delivered' end where id in (
         select id from orders where created_at > now() - ($1 || ' hours')::interval and status <> 'cancelled'
         order by created_at limit 1)`,
      [24 + (written % 3) * 24],
    )
    written += 1
    await sleep(20)
  }
  await db.end()
  return written
}

const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]
const half = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const round = (n) => Math.round(n * 10) / 10

try {
  await admin.query('create database dashboard')
  server = startServer({ port: ports.server, dataDir: folder, settings: { DATABASE_URL: url } })
  await ready(server.address)
  pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  const db = await pool.connect()
  await moveClock(db)
  db.release(true)
  const filler = new pg.Client({ connectionString: url })
  await filler.connect()
  const begun = performance.now()
  await fillAdmin(filler, orders)
  await filler.query('delete from order_days')
  await filler.query('vacuum analyze')
  console.error(`${orders} orders in ${Math.round((performance.now() - begun) / 1000)} s`)
  const keeping = performance.now()
  await storePastDays({ pool })
  console.error(`past days kept in ${Math.round(performance.now() - keeping)} ms`)
  await filler.query('vacuum analyze order_days, order_day_figures')
  const people = {
    market: await signIn(filler, ['+97339000001', 'super_admin', null]),
    vendor: await signIn(filler, ['+97339000002', 'vendor_admin', 1]),
  }
  await filler.end()
  // Closes connections that were opened before the clock was changed.
  server.child.kill('SIGTERM')
  await server.ended
  server = startServer({ port: ports.server, dataDir: folder, settings: { DATABASE_URL: url } })
  await ready(server.address)

  const figures = []
  for (const state of ['quiet', 'while orders are written']) {
    const writing = new AbortController()
    const writer = state === 'quiet' ? null : write(writing.signal)
    const begins = performance.now()
    for (const [who, cookie] of Object.entries(people)) {
      for (const period of periods) {
        const took = []
        let seen
        for (let n = -5; n < rounds; n += 1) {
          const { ms, body } = await timed(cookie, `/api/admin/dashboard?period=${period}`)
          seen = body
          if (n >= 0) took.push(ms)
        }
        const { span, figures: found } = seen
        figures.push({ state, who, period, p95: p95(took) })
        console.log(
          `${period} · ${who} · ${state}`.padEnd(44),
          `p95 ${p95(took).toFixed(1)} ms`.padEnd(16),
          `half below ${half(took).toFixed(1)} ms`.padEnd(22),
          `${found.orders} orders`,
          p95(took) > WANTED_MS ? '  ←' : '',
        )
        if (period !== 'month' || writer) continue
        const list = `/api/admin/orders?limit=50&from=${span.from}&to=${span.to}&status=new,in-progress,shipped,delivered`
        for (const more of ['', '&productId=1', '&hour=10', '&areaId=7']) {
          const lists = []
          let total
          for (let n = -2; n < rounds / 3; n += 1) {
            const { ms, body } = await timed(cookie, list + more)
            total = body.total
            if (n >= 0) lists.push(ms)
          }
          if (more === '' && total !== found.orders) throw new Error(`The list has ${total}, not ${found.orders}`)
          console.log(
            `  its list${more} · ${who}`.padEnd(44),
            `p95 ${p95(lists).toFixed(1)} ms`.padEnd(16),
            `${total} orders`,
          )
        }
      }
    }
    writing.abort()
    const written = await writer
    if (written)
      console.log(`${Math.round((written / (performance.now() - begins)) * 1000)} placed and changed a second`)
  }
  const month = Math.max(...figures.filter(({ period }) => period === 'month').map((one) => one.p95))
  const worst = Math.max(...figures.map((one) => one.p95))
  const isReached = worst <= WANTED_MS
  console.log(JSON.stringify({ bench: 'dashboard', orders, monthP95: round(month), worstP95: round(worst), isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  server?.child.kill('SIGKILL')
  await server?.ended
  await pool?.end()
  await admin.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
