import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { audit, call, furnish, isWhole, startOrdering } from '../bench/lib/ordering.mjs'
import { makeForgetful } from '../bench/lib/postgres.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * The database fails in three ways while customers order: it crashes and restarts, it closes all connections, it hangs.
 * The process must survive, answer cached reads meanwhile, and lose no order. `node drills/database-dies.mjs [crashes]
 * [forgetful]`: with `forgetful` the database acknowledges before it writes, and the same check must find lost orders.
 */
const crashes = Number(process.argv[2] ?? 5)
const isForgetful = process.argv[3] === 'forgetful'
const clients = 32
const hangMs = 20_000
const readWithinMs = 2_000
/** Longest wait for a query on a connection that hangs. */
const silenceMs = 6_500
const backWithinMs = 5_000
const ports = { postgres: 3148, shop: 3141 }

const { database, folder, db, close } = await openSandbox('database-dies', ports.postgres)
const shop = startServer({
  port: ports.shop,
  dataDir: folder,
  settings: { DATABASE_URL: database.url },
  stdio: ['ignore', 'inherit', 'inherit'],
})

/** Sends a read that needs the database ten times a second, without waiting for the previous one. */
function startReading(cookie) {
  const reads = []
  const timer = setInterval(async () => {
    const at = performance.now()
    const answer = await call(shop.address, 'GET', '/api/cart', cookie)
    reads.push({ at, status: answer?.status ?? 0, ms: performance.now() - at })
  }, 100)
  return { reads, stop: () => clearInterval(timer) }
}

try {
  await ready(shop.address)
  const { productId, cookies } = await furnish(db, clients)
  if (isForgetful) await makeForgetful(db)
  const ordering = startOrdering({ addressOf: () => shop.address, cookies, productId })
  const reading = startReading(cookies[0])
  const back = []
  /** Time from `now` until an order succeeds again. */
  const firstSuccess = async (what) => {
    const now = performance.now()
    const found = () => ordering.record.successes.find((at) => at > now)
    while (found() === undefined && performance.now() - now < 30_000) await sleep(20)
    back.push({ what, ms: Math.round((found() ?? Number.POSITIVE_INFINITY) - now) })
  }

  await sleep(1_500)
  for (let n = 0; n < crashes; n += 1) {
    await database.crash()
    await firstSuccess('crash')
    await sleep(2_000)
  }
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  for (let n = 0; n < 5; n += 1) {
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
      ['client backend'],
    )
    await firstSuccess('terminate')
    await sleep(1_000)
  }
  await admin.end()
  const hungAt = performance.now()
  database.signalAll('SIGSTOP')
  await sleep(hangMs)
  database.signalAll('SIGCONT')
  const thawedAt = performance.now()
  await firstSuccess('hang')
  await sleep(1_000)
  reading.stop()
  await ordering.stop()
  await sleep(500)

  const result = await audit(db, ordering.record)
  const { reads } = reading
  const slowest = (some) => Math.round(Math.max(0, ...some.map(({ ms }) => ms)))
  const during = reads.filter(({ at }) => at > hungAt && at < thawedAt - readWithinMs)
  const reading503 = {
    reads: reads.length,
    other: reads.filter(({ status }) => status !== 200 && status !== 503).length,
    slowestMs: slowest(reads),
    slowestWhileHungMs: slowest(during),
  }
  const slowestBackMs = Math.max(...back.map(({ ms }) => ms))
  const isAlive = shop.child.exitCode === null && shop.child.signalCode === null
  const isKept =
    isAlive &&
    isWhole(result) &&
    reading503.other === 0 &&
    reading503.slowestWhileHungMs <= readWithinMs &&
    reading503.slowestMs <= silenceMs &&
    slowestBackMs <= backWithinMs
  const isReached = isForgetful ? result.lost > 0 : isKept
  console.log(
    JSON.stringify({
      bench: 'database-dies',
      crashes,
      isForgetful,
      isAlive,
      ...result,
      ...reading503,
      slowestBackMs,
      back,
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  shop.child.kill('SIGKILL')
  await shop.ended
  await close()
}
