import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit, furnish, isWhole, startOrdering } from '../bench/lib/ordering.mjs'
import { entry, ready, startServer } from '../bench/lib/server-process.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * The server is killed repeatedly while customers order; afterwards the customers' record is compared with the
 * tables. `node drills/kill.mjs [kills] [no-key|early]`: with `no-key` the customers retry without an Idempotency-Key,
 * and the same check must find duplicates; with `early` the shop answers before the commit, and it must find losses.
 */
const kills = Number(process.argv[2] ?? 20)
const mutant = process.argv[3] ?? null
const hasKey = mutant !== 'no-key'
const program = mutant === 'early' ? join(import.meta.dirname, 'early-answers.mjs') : entry
const clients = 32
const ports = { postgres: 4236, shop: 4235 }
const address = `http://127.0.0.1:${ports.shop}`

const { database, folder, db, close } = await openSandbox('kill', ports.postgres, 4)
let server = null
let isOver = false

function start() {
  server = startServer({ port: ports.shop, dataDir: folder, settings: { DATABASE_URL: database.url }, program })
  void server.ended.then(() => !isOver && start())
}

try {
  start()
  await ready(address)
  const ordering = startOrdering({ addressOf: () => address, hasKey, ...(await furnish(db, clients)) })
  for (let n = 0; n < kills; n += 1) {
    // Each customer has ordered, however slow the machine is, so that the kill finds orders under way.
    const wanted = ordering.record.acknowledged.length + clients
    while (ordering.record.acknowledged.length < wanted) await sleep(20)
    await sleep(Math.random() * 500)
    server.child.kill('SIGKILL')
    await sleep(50)
  }
  await ready(address)
  await ordering.stop()
  isOver = true
  const result = await audit(db, ordering.record)
  const isReached = { 'no-key': result.twice > 0, early: result.lost > 0 }[mutant] ?? isWhole(result)
  console.log(JSON.stringify({ bench: 'kill', kills, mutant, ...result, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  isOver = true
  server?.child.kill('SIGKILL')
  await close()
}
