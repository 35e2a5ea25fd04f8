import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, turnsOf } from '../bench/lib/browsing.mjs'
import { furnish } from '../bench/lib/ordering.mjs'
import { startProxy } from '../bench/lib/proxy.mjs'
import { ready } from '../bench/lib/server-process.mjs'
import { openSandbox, startShops } from './sandbox.mjs'

/**
 * Restarts two processes behind HAProxy one after the other under load; clients do not retry. `node
 * drills/rolling-restart.mjs [restarts] [at-once]`: with `at-once` they are killed without draining, and requests must
 * fail.
 */
const restarts = Number(process.argv[2] ?? 6)
const isAbrupt = process.argv[3] === 'at-once'
const fewest = 10_000
const clients = 16
const ports = { postgres: 3148, proxy: 3140, shops: [3141, 3142] }

const sandbox = await openSandbox('rolling', ports.postgres)
let pair = null
let proxy = null

try {
  pair = await startShops(sandbox, ports.shops)
  const { shops, restart, servers } = pair
  const { productId, cookies } = await furnish(sandbox.db, clients)
  proxy = await startProxy({ port: ports.proxy, servers, folder: sandbox.folder })
  await ready(proxy.address, '/api/vendors')

  let isOver = false
  let requests = 0
  const failures = []
  const client = async (cookie, n) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const turns = turnsOf(n % 2 ? cookie : undefined, cookie, productId)
    while (!isOver) {
      for (const turn of turns) {
        const failure = await ask(agent, proxy.address, turn)
        requests += 1
        if (failure) failures.push(failure)
      }
    }
    agent.destroy()
  }
  const working = cookies.map(client)
  const begun = performance.now()
  for (let n = 0; n < restarts; n += 1) {
    await sleep(500)
    const place = n % 2
    shops[place].child.kill(isAbrupt ? 'SIGKILL' : 'SIGTERM')
    await shops[place].ended
    await restart(place)
    // The other process restarts only when the proxy sends requests to this one again.
    await proxy.seesBoth()
  }
  while (requests < fewest) await sleep(100)
  isOver = true
  await Promise.all(working)
  const seconds = Math.round((performance.now() - begun) / 1000)
  const isReached = isAbrupt ? failures.length > 0 : failures.length === 0
  const result = { bench: 'rolling', restarts, isAbrupt, clients, requests, seconds, failed: failures.length }
  console.log(JSON.stringify({ ...result, failures: [...new Set(failures)].slice(0, 5), isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  await proxy?.stop()
  await pair?.kill()
  await sandbox.close()
}
