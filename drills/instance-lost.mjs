import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, turnsOf } from '../bench/lib/browsing.mjs'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { startProxy } from '../bench/lib/proxy.mjs'
import { ready } from '../bench/lib/server-process.mjs'
import { openSandbox, startShops } from './sandbox.mjs'

/**
 * One of two processes is killed under load while both send messages: only requests in flight may fail, every retry
 * succeeds, and the other process finishes all jobs and sends all messages that were not in flight, none twice. `node drills/instance-lost.mjs`
 */
const clients = 16
/** Messages that one process sends at the same time. */
const sendersOfOne = 4
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

  // The lock blocks the simulated provider, so that both processes hold as many messages as they can send at a time.
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query('lock table simulated_messages in share mode')
  for (const cookie of cookies) {
    await call(proxy.address, 'POST', '/api/cart/add', cookie, { productId, quantity: 1 })
    await call(proxy.address, 'POST', '/api/orders', cookie, orderBody, { 'idempotency-key': randomUUID() })
  }
  const inFlight = async () =>
    (
      await db.query(
        `select count(*)::integer as n from whatsapp_messages
         where channel = 'whatsapp' and status = 'queued' and claimed_at is not null`,
      )
    ).rows[0].n
  const giveUpAt = performance.now() + 10_000
  while ((await inFlight()) <= sendersOfOne && performance.now() < giveUpAt) await sleep(20)

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
  await sleep(500)
  const atKill = await inFlight()
  pair.shops[0].child.kill('SIGKILL')
  const killedAt = performance.now()
  await holder.query('rollback')
  holder.release()
  await sleep(5_000)
  isOver = true
  await Promise.all(working)

  const one = async (text) => (await db.query(text)).rows[0]
  const openJobs = async () =>
    (
      await one(
        `select count(*)::integer as n from pgboss.job
         where name in ('order-messages', 'order-push', 'send-messages', 'news-fallback') and state not in ('completed', 'cancelled')`,
      )
    ).n
  while ((await openJobs()) > 0 && performance.now() - killedAt < 180_000) await sleep(100)
  const takenOverMs = Math.round(performance.now() - killedAt)
  const { sent, lost } = await one(
    `select count(*) filter (where status in ('sent', 'delivered', 'read'))::integer as sent,
       count(*) filter (where status = 'queued' and claimed_at is null or status = 'failed')::integer as lost
     from whatsapp_messages where channel = 'whatsapp'`,
  )
  const { twice } = await one(
    `select (count(*) - count(distinct phone))::integer as twice from simulated_messages where channel = 'whatsapp'`,
  )
  // A message in flight at the kill has an unknown result and is never sent again; the customer gets an SMS.
  const unknown = await inFlight()
  const isReached =
    count.failed <= clients &&
    count.failedTwice === 0 &&
    atKill > sendersOfOne &&
    unknown > 0 &&
    unknown <= sendersOfOne &&
    sent + unknown === clients &&
    lost === 0 &&
    twice === 0 &&
    takenOverMs <= takenOverWithinMs
  const messages = { atKill, sent, unknown, lost, twice }
  const figures = { ...count, failures: [...failures].slice(0, 5), takenOverMs, messages }
  console.log(JSON.stringify({ bench: 'instance-lost', clients, ...figures, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  await proxy?.stop()
  await pair?.kill()
  await sandbox.close()
}
