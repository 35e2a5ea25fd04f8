import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'
import { signIn } from './lib/sign-in.mjs'

/**
 * The page of bottles of a vendor with 500 customers and of one with 50,000, in turns, each call after the other: nothing of
 * an answer is kept. A third of the customers has two addresses, a third has not ordered for 60 days.
 * `node bench/bottles.mjs [rounds]`
 */
const rounds = Number(process.argv[2] ?? 30)
const sizes = { few: 500, many: 50_000 }
const WANTED_TIMES = 3
const database = await startPostgres(3181)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bottles-'))
const server = startServer({ port: 3182, dataDir: folder, settings: { DATABASE_URL: database.url } })
process.once('exit', () => server.child.kill('SIGKILL'))
const fillSql = `
  with v as (insert into vendors (name) values ($1) returning id),
  b as (insert into vendor_business (vendor_id, bottles, version, updated_at) select id, true, 1, now() from v),
  t as (insert into bottle_types (vendor_id, name, deposit) select id, 'Gallon', 2000 from v returning id),
  u as (insert into users (phone, name) select '+9733' || lpad(($3 + n)::text, 7, '0'), 'Customer ' || n
    from generate_series(1, $2::int) n returning id),
  c as (insert into customer_totals (user_id, vendor_id, order_count, own_count, last_order_at)
    select u.id, v.id, 3, 3, now() - (u.id % 90) * interval '1 day' from u, v),
  entered as (insert into ledger_entries
      (ledger, vendor_id, holder, holder_id, day, kind, amount, due, bottle_type_id, address_id, key, happened_at)
    select 'bottles', v.id, 'customer', u.id, current_date, 'opening', 1 + (u.id + a) % 12, (u.id % 3) * 2000, t.id,
      case a when 1 then null else u.id end, u.id || '-' || a, now()
    from u, v, t, generate_series(1, 2) a where a = 1 or u.id % 3 = 0)
  select id from v`

async function timed(cookie, query) {
  const begun = performance.now()
  const answer = await fetch(`${server.address}/api/admin/bottles?${query}`, { headers: { cookie: `sid=${cookie}` } })
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(JSON.stringify(body))
  return { ms: performance.now() - begun, total: body.total }
}
const half = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]

try {
  await ready(server.address)
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  const people = {}
  for (const [i, [name, size]] of Object.entries(sizes).entries()) {
    const { rows } = await db.query(fillSql, [name, size, i * 1_000_000])
    people[name] = await signIn(db, [`+9733900000${i}`, 'vendor_admin', rows[0].id])
  }
  await db.query('vacuum analyze')
  await db.end()
  let worst = 0
  for (const query of [
    'limit=50',
    'limit=50&minCount=5&idleDays=60',
    'limit=50&unsecured=true',
    'limit=50&search=Customer 49',
    'limit=1&figures=true',
  ]) {
    const took = { few: [], many: [] }
    const totals = {}
    for (let n = -3; n < rounds; n += 1)
      for (const name of Object.keys(sizes)) {
        const { ms, total } = await timed(people[name], query)
        totals[name] = total
        if (n >= 0) took[name].push(ms)
      }
    const times = half(took.many) / half(took.few)
    worst = Math.max(worst, times)
    console.log(
      query.padEnd(36),
      `${half(took.few).toFixed(1)} ms for ${totals.few} rows, ${half(took.many).toFixed(1)} ms for ${totals.many}: ${times.toFixed(1)} times`,
    )
  }
  console.log(
    JSON.stringify({
      bench: 'bottles',
      sizes,
      rounds,
      worst: Math.round(worst * 10) / 10,
      isReached: worst <= WANTED_TIMES,
    }),
  )
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
