import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { furnish, timedOrder } from './lib/ordering.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Two thousand open event streams: their memory, and their effect on orders. Two processes on one database take the
 * same orders in turn; only one has listeners. All listeners are staff of the ordered vendor, so every order reaches
 * all of them. `node bench/listeners.mjs [listeners] [rounds] [orders of a round]`, on Linux.
 */
const listeners = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 12)
const perRound = Number(process.argv[4] ?? 60)
const ports = { postgres: 3175, crowded: 3176, quiet: 3177 }
const MOST_MB = 150
/** Tolerated difference between two equal processes on a busy machine. */
const MOST_RATIO = 1.15
/** Pause between orders: about twenty orders a second from both processes. */
const BETWEEN_MS = 100

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]
const rssOf = ({ child }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const db = new pg.Client({ connectionString: database.url })
db.on('error', () => {})
const settings = { DATABASE_URL: database.url }
const crowded = startServer({ port: ports.crowded, dataDir: folder, settings })
let quiet = null
const open = []

/** Opens a stream and counts its events; resolves with the status. */
function listen(address, cookie) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const asked = request({
      hostname,
      port,
      path: '/api/admin/events',
      agent: false,
      headers: { cookie: `sid=${cookie}` },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const stream = { asked, heard: 0, at: [] }
      if (response.statusCode === 200) open.push(stream)
      response.setEncoding('utf8')
      response.on('data', (text) => {
        const events = text.split('event: orders').length - 1
        stream.heard += events
        for (let n = 0; n < events; n += 1) stream.at.push(performance.now())
      })
      response.on('error', () => {})
      resolve(response.statusCode)
    })
    asked.end()
  })
}

async function staffSessions(vendorId, count) {
  const cookies = Array.from({ length: count }, () => `u.${randomBytes(32).toString('base64url')}`)
  const hashes = cookies.map((cookie) => createHash('sha256').update(cookie).digest('hex'))
  await db.query(
    `with people as (
       insert into users (phone, role, vendor_id) select '+97337' || lpad(n::text, 6, '0'), 'vendor_staff', $1
       from generate_series(1, $2::int) n returning id),
     numbered as (select id, row_number() over (order by id) as n from people)
     insert into sessions (id, user_id, expires_at)
     select h.hash, p.id, now() + interval '1 day' from unnest($3::text[]) with ordinality as h (hash, n) join numbered p using (n)`,
    [vendorId, count, hashes],
  )
  return cookies
}

try {
  await ready(crowded.address)
  quiet = startServer({ port: ports.quiet, dataDir: folder, settings })
  await ready(quiet.address)
  await db.connect()
  const { vendorId, productId, cookies } = await furnish(db, 40)
  const staff = await staffSessions(vendorId, listeners)
  await sleep(1_500)

  async function round(server) {
    const latencies = []
    for (let n = 0; n < perRound; n += 1) {
      latencies.push(await timedOrder(server.address, cookies[n % cookies.length], productId))
      await sleep(BETWEEN_MS * Math.random())
    }
    return latencies
  }
  // Warm up both processes, so that their memory no longer grows.
  for (const server of [crowded, quiet, crowded, quiet]) await round(server)
  await sleep(3_000)
  const before = { crowded: rssOf(crowded), quiet: rssOf(quiet) }

  const begun = performance.now()
  const statuses = []
  for (let n = 0; n < staff.length; n += 100) {
    statuses.push(...(await Promise.all(staff.slice(n, n + 100).map((cookie) => listen(crowded.address, cookie)))))
  }
  const openSeconds = (performance.now() - begun) / 1000
  if (statuses.some((status) => status !== 200))
    throw new Error(`Not all may listen: ${statuses.find((one) => one !== 200)}`)
  // The limit of streams per process is two thousand.
  const oneMore = await listen(crowded.address, staff[0])
  await sleep(2_000)
  const withListeners = rssOf(crowded)

  const measured = { crowded: [], quiet: [] }
  // Alternating, so that other load on the machine affects both equally.
  for (let n = 0; n < rounds * perRound; n += 1) {
    for (const name of n % 2 ? ['crowded', 'quiet'] : ['quiet', 'crowded']) {
      const server = name === 'crowded' ? crowded : quiet
      measured[name].push(await timedOrder(server.address, cookies[n % cookies.length], productId))
    }
    await sleep(BETWEEN_MS * Math.random())
  }
  const placed = measured.crowded.length + measured.quiet.length
  await sleep(4_000)
  const atWork = rssOf(crowded)
  const quietNow = rssOf(quiet)
  const still = open.filter(({ asked }) => !asked.destroyed)
  const heard = still.map((stream) => stream.heard)
  for (const { asked } of open) asked.destroy()
  await sleep(6_000)
  const afterwards = rssOf(crowded)

  const p95 = { crowded: percentile(measured.crowded, 0.95), quiet: percentile(measured.quiet, 0.95) }
  const ratio = p95.crowded / p95.quiet
  const moreMb = Math.max(withListeners, atWork) - before.crowded
  const round2 = (value) => Math.round(value * 100) / 100
  console.log(
    JSON.stringify({
      bench: 'listeners',
      listeners: statuses.length,
      openSeconds: round2(openSeconds),
      moreMb: { open: Math.round(withListeners - before.crowded), atWork: Math.round(atWork - before.crowded) },
      quietGrewMb: Math.round(quietNow - before.quiet),
      afterClosingMb: Math.round(afterwards - before.crowded),
      perListenerKb: Math.round((moreMb * 1024) / listeners),
      orders: placed,
      p50: { with: round2(percentile(measured.crowded, 0.5)), without: round2(percentile(measured.quiet, 0.5)) },
      p95: { with: round2(p95.crowded), without: round2(p95.quiet) },
      ratio: round2(ratio),
      heardEach: { fewest: Math.min(...heard), most: Math.max(...heard), placed },
      statusOfOneMore: oneMore,
      isReached: moreMb <= MOST_MB && ratio <= MOST_RATIO && Math.min(...heard) >= placed,
    }),
  )
} finally {
  for (const { asked } of open) asked.destroy()
  await db.end().catch(() => {})
  for (const server of [crowded, quiet]) server?.child.kill('SIGTERM')
  await Promise.all([crowded.ended, quiet?.ended])
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
