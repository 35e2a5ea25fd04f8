import { readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, turnsOf } from '../bench/lib/browsing.mjs'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * Runs a shop under steady, moderate load: whether memory, open files, connections and the time of answers grow. Some
 * clients disconnect during a response. `node drills/soak.mjs [minutes] [leak]`, on Linux: the slope of memory is only
 * judged in runs of two hours or more; with `leak` the drill itself keeps sockets open, and the check of open files
 * must detect it.
 * The long form is `node drills/soak.mjs 240`.
 */
const minutes = Number(process.argv[2] ?? 1.5)
const isLeaking = process.argv[3] === 'leak'
const clients = 8
/** Pause between two requests of a client: about 30 % of the shop's capacity on two cores. */
const pauseMs = 60
const MOST_MB_PER_HOUR = 1
const MOST_DRIFT = 1.1
const MOST_FILES = 20
/** The process keeps the last 5,000 notifications in memory, one for each order here: until then its memory grows. */
const WARM_UP_ORDERS = 5_500
const ports = { postgres: 4248, shop: 4247 }

const { database, folder, db, close } = await openSandbox('soak', ports.postgres, 1)
const shop = startServer({ port: ports.shop, dataDir: folder, settings: { DATABASE_URL: database.url } })
const kept = []

/** One more connection than before, all in use. */
function keepOneMore() {
  kept.push(
    connect(ports.shop, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  )
  for (const socket of kept) socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
}

const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0

async function sample(times) {
  const status = readFileSync(`/proc/${shop.child.pid}/status`, 'utf8')
  const { rows } = await db.query(
    `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return {
    hours: performance.now() / 3_600_000,
    rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    files: readdirSync(`/proc/${shop.child.pid}/fd`).length,
    connections: rows[0].n,
    p99: quantile(times.splice(0), 0.99),
  }
}

/** Slope in megabytes per hour, by least squares. */
function slopeOf(samples) {
  const mean = (key) => samples.reduce((sum, one) => sum + one[key], 0) / samples.length
  const [x, y] = [mean('hours'), mean('rss')]
  const above = samples.reduce((sum, one) => sum + (one.hours - x) * (one.rss - y), 0)
  return above / samples.reduce((sum, one) => sum + (one.hours - x) ** 2, 0)
}

try {
  await ready(shop.address)
  const { productId, cookies } = await furnish(db, clients)
  const times = []
  const failures = []
  const count = { requests: 0, orders: 0, hangUps: 0 }
  let isOver = false
  const working = cookies.map(async (cookie, n) => {
    let agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let round = 0; !isOver; round += 1) {
      for (const turn of turnsOf(n % 2 ? cookie : undefined, cookie, productId)) {
        const begun = performance.now()
        const failure = await ask(agent, shop.address, turn)
        times.push(performance.now() - begun)
        count.requests += 1
        if (failure) failures.push(failure)
        await sleep(pauseMs)
      }
      if (round % 10 === 7) {
        await call(shop.address, 'POST', '/api/cart/add', cookie, { productId, quantity: 1 })
        const placed = await call(shop.address, 'POST', '/api/orders', cookie, orderBody)
        if (placed?.status === 200) count.orders += 1
        else failures.push(`order ${placed?.status}`)
      }
      if (round % 10 === 3) {
        // A client disconnects during a response.
        const goes = ask(agent, shop.address, { path: '/api/products' })
        agent.destroy()
        await goes
        count.hangUps += 1
        agent = new Agent({ keepAlive: true, maxSockets: 1 })
      }
      if (isLeaking) keepOneMore()
    }
    agent.destroy()
  })
  const samples = []
  const end = performance.now() + minutes * 60_000
  const every = Math.min(60_000, (minutes * 60_000) / 12)
  while (performance.now() < end) {
    await sleep(every)
    samples.push({ ...(await sample(times)), orders: count.orders })
  }
  isOver = true
  await Promise.all(working)
  const isWarm = ({ orders }, n) => n >= samples.length / 4 && (minutes < 120 || orders >= WARM_UP_ORDERS)
  const rest = samples.filter(isWarm)
  const half = Math.floor(rest.length / 2)
  const p99Of = (some) =>
    quantile(
      some.map(({ p99 }) => p99),
      0.5,
    )
  const drift = p99Of(rest.slice(half)) / p99Of(rest.slice(0, half))
  const files = rest.at(-1).files - rest[0].files
  const slope = slopeOf(rest)
  const isLong = minutes >= 120
  const isSteady =
    failures.length === 0 &&
    files <= MOST_FILES &&
    Math.max(...samples.map(({ connections }) => connections)) <= 40 &&
    (!isLong || (slope < MOST_MB_PER_HOUR && drift < MOST_DRIFT))
  const isReached = isLeaking ? files > MOST_FILES : isSteady
  const round = (figure) => Math.round(figure * 100) / 100
  const figures = {
    mbPerHour: isLong ? round(slope) : null,
    drift: round(drift),
    moreFiles: files,
    rss: round(rest.at(-1).rss),
  }
  const connections = Math.max(...samples.map((one) => one.connections))
  const result = {
    ...count,
    ...figures,
    connections,
    failed: failures.length,
    failures: [...new Set(failures)].slice(0, 3),
  }
  console.log(JSON.stringify({ bench: 'soak', minutes, isLeaking, ...result, isLong, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  for (const socket of kept) socket.destroy()
  shop.child.kill('SIGTERM')
  await shop.ended
  await close()
}
