import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from '../lib/processor.mjs'
import { arrive, quantile } from './client.mjs'

/** Acts a second while one kind is measured: far below what the machine can do. */
const ratesAlone = {
  home: 80,
  product: 60,
  catalogue: 80,
  files: 8,
  cart: 40,
  order: 12,
  look: 50,
  message: 10,
  ship: 0.5,
  run: 20,
  deliver: 12,
  desk: 12,
}
/** Write no rows: while they are measured, tables grow by what vacuum adds to earlier acts. */
const reading = ['home', 'product', 'catalogue', 'files', 'look', 'run', 'desk', 'stream']
const STREAMS = 400
const EVENTS_PER_SECOND = 20
const RECIPIENTS_PER_SECOND = 40
/** Rows of these tables are deleted after some days; all other tables keep them. */
const purgedTables = [
  'notifications',
  'order_keys',
  'whatsapp_webhook_events',
  'whatsapp_webhook_keys',
  'bot_message_history',
  'bot_sessions',
  'rate_limits',
  'pgboss',
]
const USED = ['web', 'worker', 'database', 'generator', 'wal', 'toClient', 'grown', 'kept']

/** What all processes have used so far: processor seconds, bytes. The observer's own statements are left out. */
export async function readCounters({ pids, db, observerPid, client }) {
  const { rows } = await db.query(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal, sum(bytes) as grown,
       sum(bytes) filter (where name <> all ($1)) as kept
     from (select case n.nspname when 'pgboss' then 'pgboss' else coalesce(p.relname, c.relname) end as name,
         pg_total_relation_size(c.oid)::float8 as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
       where n.nspname in ('public', 'pgboss') and c.relkind = 'r') t`,
    [purgedTables],
  )
  return {
    seconds: performance.now() / 1000,
    web: cpuSeconds(pids.web),
    worker: cpuSeconds(pids.worker),
    database: cpuSeconds(pids.database()) - cpuSeconds(observerPid),
    generator: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    toClient: client.received(),
    ...rows[0],
  }
}

/** The difference of two readings. */
export const between = (before, after) =>
  Object.fromEntries(['seconds', ...USED].map((key) => [key, after[key] - before[key]]))

/** Milliseconds and bytes of one act: what was used beyond the same time of idling, divided by the number of acts. */
function costOf(used, idle, count) {
  const each = (key, unit) => Math.max(0, ((used[key] - (idle[key] / idle.seconds) * used.seconds) * unit) / count)
  const milliseconds = ['web', 'worker', 'database'].map((key) => [key, each(key, 1000)])
  return Object.fromEntries([...milliseconds, ...USED.slice(4).map((key) => [key, each(key, 1)])])
}

/** What the processes use while nothing happens. */
export async function measureIdle(world, seconds) {
  await world.drain()
  const before = await readCounters(world)
  await sleep(seconds * 1000)
  return between(before, await readCounters(world))
}

/** Performs acts of one kind for some seconds, and throws if one fails. */
async function perform(name, act, rate, seconds) {
  const { [name]: done } = await arrive({ [name]: act }, { [name]: rate }, seconds)
  if (done.failures.length > 0) throw new Error(`${done.failures.length} × ${name}: ${done.failures[0]}`)
  const p95 = quantile(
    done.times.map(({ ms }) => ms),
    0.95,
  )
  return { count: done.times.length * (act.units ?? 1), p95 }
}

/** The cost of each kind of act, one kind after the other. */
export async function measureActs(world, kit, idle, seconds) {
  const costs = {}
  const rows = []
  async function measure(name, act) {
    await world.drain()
    const before = await readCounters(world)
    const { count, p95 = 0 } = await act()
    await world.drain()
    const used = between(before, await readCounters(world))
    costs[name] = costOf(used, idle, count)
    if (reading.includes(name)) Object.assign(costs[name], { grown: 0, kept: 0 })
    rows.push({ act: name, count, ...costs[name], p95 })
    console.error(`${name}: ${count} in ${Math.round(used.seconds)} s`)
  }
  for (const [name, rate] of Object.entries(ratesAlone)) {
    const most = (time) => Math.ceil(rate * time * 1.5) + 3
    const alone = (time) => perform(name, kit.acts[name], rate, time)
    if (name === 'order') await kit.prepare(most(seconds * 2))
    if (name === 'ship') await kit.stock({ ships: most(seconds), deliveries: 0 })
    if (name === 'deliver') await kit.stock({ ships: 0, deliveries: most(seconds * 2) })
    // The compiler works in the first acts.
    if (name !== 'ship') await alone(seconds * 0.3)
    await measure(name, () => alone(seconds))
  }
  await measure('campaign', async () => {
    const count = Math.ceil(seconds * RECIPIENTS_PER_SECOND)
    await kit.campaign(count)
    return { count }
  })
  const streams = []
  for (const { cookie } of world.people.vendors[0].staff.slice(0, STREAMS))
    streams.push(await world.client.listen('/api/admin/events', cookie))
  await measure('stream', async () => {
    await sleep(seconds * 1000)
    return { count: (STREAMS * seconds) / 60 }
  })
  await measure('event', async () => {
    const heard = () => streams.reduce((sum, stream) => sum + stream.heard, 0)
    const before = heard()
    await perform('event', { perform: kit.tell }, EVENTS_PER_SECOND, seconds)
    await sleep(500)
    return { count: heard() - before }
  })
  for (const stream of streams) stream.close()
  return { costs, rows }
}
