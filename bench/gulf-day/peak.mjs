import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { arrive, quantile } from './client.mjs'
import { between, readCounters } from './costs.mjs'
import { dayOf, gulf, STOPS_OF_RUN } from './curves.mjs'

const CORES = 2
const RAMP_SECONDS = 4
/** Shares of the Gulf's peak; the first that needs too much of the machine is the last. */
const SCALES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.5]
const MOST_BUSY = 0.7
const MOST_P95_MS = 1_000
/** A process takes 2,000 streams. */
const MOST_STREAMS = 1_500
const PARTS = ['web', 'worker', 'database']

/** All acts in the proportions of the Gulf's peak, at rising rates, beside what the costs of single acts predict. */
export async function runPeak(world, kit, { costs, idle, seconds }) {
  const rows = []
  const day = dayOf(gulf)
  const streams = []
  const heard = () => streams.reduce((sum, stream) => sum + stream.heard, 0)
  for (const scale of SCALES) {
    const rateOf = (name) => day.acts.find((act) => act.name === name).peak * scale
    const rates = Object.fromEntries(Object.keys(kit.acts).map((name) => [name, rateOf(name)]))
    rates.ship /= STOPS_OF_RUN
    const most = (name) => Math.ceil(rates[name] * (RAMP_SECONDS + seconds) * 1.5) + 20
    await kit.stock({ ships: 4, deliveries: most('deliver') })
    await kit.prepare(Math.max(0, most('order') - kit.cartsFilled()))
    await listenTo(world, streams, Math.min(MOST_STREAMS, Math.round(day.streams * scale)))
    await world.drain()

    const running = arrive(kit.acts, rates, RAMP_SECONDS + seconds)
    await sleep(RAMP_SECONDS * 1000)
    const [from, before, heardBefore] = [performance.now(), await readCounters(world), heard()]
    const people = Math.round(rateOf('campaign') * 2)
    const campaigns = Math.floor(seconds / 2)
    for (let n = 0; n < campaigns; n += 1) {
      await kit.campaign(people)
      await sleep(Math.max(0, from + (n + 1) * 2_000 - performance.now()))
    }
    const used = between(before, await readCounters(world))
    const to = performance.now()
    const counts = {
      campaign: campaigns * people,
      stream: (streams.length * used.seconds) / 60,
      event: heard() - heardBefore,
    }
    const record = await running
    await world.drain()
    const drainSeconds = (performance.now() - to) / 1000

    for (const [name, { times }] of Object.entries(record))
      counts[name] = times.filter(({ due }) => due >= from && due < to).length * (kit.acts[name].units ?? 1)
    const coresOf = (key) =>
      Object.entries(counts).reduce((sum, [name, n]) => sum + n * costs[name][key], 0) / 1000 / used.seconds +
      idle[key] / idle.seconds
    const measured = Object.fromEntries(PARTS.map((key) => [key, used[key] / used.seconds]))
    const predicted = Object.fromEntries(PARTS.map((key) => [key, coresOf(key)]))
    const all = (parts) => PARTS.reduce((sum, key) => sum + parts[key], 0)
    const busy = (all(measured) * used.seconds) / (CORES * used.seconds - used.generator)
    const failures = [...Object.values(record).flatMap((one) => one.failures), ...world.failures.splice(0)]
    const p95 = Object.fromEntries(
      Object.entries(record).map(([name, { times }]) => [
        name,
        quantile(
          times.map(({ ms }) => ms),
          0.95,
        ),
      ]),
    )
    rows.push({
      scale,
      requests: Object.values(counts).reduce((sum, n) => sum + n, -counts.stream - counts.event) / used.seconds,
      orders: counts.order / used.seconds,
      streams: streams.length,
      failures: failures.length,
      failure: failures[0],
      busy,
      measured,
      predicted,
      ratio: all(measured) / all(predicted),
      drainSeconds,
      p95,
    })
    console.error(`× ${scale}: ${Math.round(busy * 100)} % busy, ${failures.length} failures`)
    if (failures.length > 0 || busy >= MOST_BUSY || Math.max(...Object.values(p95)) > MOST_P95_MS) break
  }
  for (const stream of streams) stream.close()
  return rows
}

/** Two desks of each vendor, its drivers, and customers. */
async function listenTo({ client, people: { vendors, customers } }, streams, count) {
  const desks = vendors.flatMap(({ staff }) => staff.slice(1, 3))
  const drivers = vendors.flatMap(({ drivers: all }) => all.slice(0, 5))
  const all = [
    ...[...desks, ...drivers].map(({ cookie }) => ['/api/admin/events', cookie]),
    ...customers.map(({ cookie }) => ['/api/auth/orders/events', cookie]),
  ]
  for (const [path, cookie] of all.slice(streams.length, count)) streams.push(await client.listen(path, cookie))
}

const PARALLEL = 32

/** Orders placed by 32 customers at once, each as soon as the last one's is answered, and what connections wait for. */
export async function measureOrders(world, kit, orders) {
  await kit.prepare(Math.max(0, orders - kit.cartsFilled()))
  await world.drain()
  const waits = new Map()
  let samples = 0
  let isAsking = false
  const sampling = setInterval(async () => {
    if (isAsking) return
    isAsking = true
    const { rows } = await world.db.query(
      `select coalesce(wait_event_type || ': ' || wait_event, 'running') as wait, count(*)::int as n
       from pg_stat_activity where backend_type = 'client backend' and usename = 'bench' and state = 'active' group by 1`,
    )
    isAsking = false
    samples += 1
    for (const { wait, n } of rows) waits.set(wait, (waits.get(wait) ?? 0) + n)
  }, 20)
  const begun = performance.now()
  let left = orders
  const customer = async () => {
    for (; left > 0; ) {
      left -= 1
      await kit.place()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, customer))
  clearInterval(sampling)
  const perSecond = (orders * 1000) / (performance.now() - begun)
  await world.drain()
  const most = [...waits].sort(([, a], [, b]) => b - a).slice(0, 5)
  return { perSecond, waits: most.map(([wait, n]) => `${wait} ${(n / samples).toFixed(2)}`).join(', ') }
}

/** Commits a second by 32 connections: into the table of events, which takes one lock for all, beside one without. */
export async function measureCommits({ database, db, people }, seconds) {
  await db.query('create table bench_plain as select kind, order_id, vendor_id, source from notifications limit 0')
  const {
    rows: [{ id }],
  } = await db.query('select order_id as id from notifications where order_id is not null limit 1')
  const result = {}
  for (const table of ['bench_plain', 'notifications']) {
    const pool = new pg.Pool({ connectionString: database.url.replace('bench@', 'observer@'), max: PARALLEL })
    const text = `insert into ${table} (kind, order_id, vendor_id, source)
      values ('order-placed', $1, $2::integer, 'bench:' || gen_random_uuid())`
    const end = performance.now() + seconds * 1000
    let commits = 0
    const writer = async () => {
      for (; performance.now() < end; commits += 1) await pool.query({ name: table, text }, [id, people.vendors[0].id])
    }
    await Promise.all(Array.from({ length: PARALLEL }, writer))
    await pool.end()
    result[table] = commits / seconds
  }
  return result
}
