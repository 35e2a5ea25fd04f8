import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, turnsOf } from '../bench/browsing.mjs'
import { call, furnish, orderBody } from '../bench/ordering.mjs'
import { startProxy } from '../bench/proxy.mjs'
import { ready } from '../bench/server-process.mjs'
import { openSandbox, startShops } from './sandbox.mjs'

/**
 * One of two processes is killed under load: only requests in flight may fail, every retry succeeds, and the
 * active jobs of the killed process are taken over. `node drills/instance-lost.mjs`
 */
const clients = 16
const takenOverWithinMs = 60_000
const ports = { postgres: 3148, proxy: 3140, shops: [3141, 3142] }

const sandbox = await openSandbox('lost', ports.postgres, 4)
const { db } = sandbox
let pair = null
let proxy = null

try {
  pair = await startShops(sandbox, ports.shops)
  const { productId, cookies } = await furnish(db, clients)
  await db.query('update users set is_verified = true')
  proxy = await startProxy({ port: ports.proxy, servers: pair.servers, folder: sandbox.folder, mayRetry: true })
  await ready(proxy.address, '/api/vendors')

  // The table lock blocks all messages, so the jobs of these orders are active in both processes.
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query('lock table simulated_messages in share mode')
  for (const cookie of cookies) {
    await call(proxy.address, 'POST', '/api/cart/add', cookie, { productId, quantity: 1 })
    await call(proxy.address, 'POST', '/api/orders', cookie, orderBody, { 'idempotency-key': randomUUID() })
  }
  const active = async () =>
    (await db.query(`select count(*)::integer as n from pgboss.job where name = 'order-news' and state = 'active'`))
      .rows[0].n
  const giveUpAt = performance.now() + 10_000
  while ((await active()) === 0 && performance.now() < giveUpAt) await sleep(50)

  let isOver = false
  const count = { requests: 0, failed: 0, failedTwice: 0 }
  const failures = new Set()
  const working = cookies.map(async (cookie) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const turns = turnsOf(cookie, cookie, productId)
    while (!isOver) {
      for (const turn of turns) {
        count.requests += 1
        const failure = await ask(agent, proxy.address, turn)
        if (!failure) continue
        count.failed += 1
        failures.add(failure)
        if (await ask(agent, proxy.address, turn)) count.failedTwice += 1
      }
    }
    agent.destroy()
  })
  await sleep(1_000)
  const underWay = await active()
  pair.shops[0].child.kill('SIGKILL')
  const killedAt = performance.now()
  await holder.query('rollback')
  holder.release()
  await sleep(5_000)
  isOver = true
  await Promise.all(working)

  const done = async () =>
    (await db.query(`select count(*)::integer as n from pgboss.job where name = 'order-news' and state = 'completed'`))
      .rows[0].n
  while ((await done()) < clients && performance.now() - killedAt < 180_000) await sleep(100)
  const takenOverMs = Math.round(performance.now() - killedAt)
  const messages = (await db.query('select count(*)::integer as n from simulated_messages')).rows[0].n
  const isReached =
    count.failed <= clients &&
    count.failedTwice === 0 &&
    underWay > 0 &&
    takenOverMs <= takenOverWithinMs &&
    // A message in flight at the kill has an unknown result and is never sent again.
    messages >= clients - 1
  console.log(
    JSON.stringify({
      bench: 'instance-lost',
      clients,
      ...count,
      failures: [...failures].slice(0, 5),
      jobsUnderWay: underWay,
      jobs: await done(),
      takenOverMs,
      messages,
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  await proxy?.stop()
  await pair?.kill()
  await sandbox.close()
}
