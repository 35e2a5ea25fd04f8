import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit, furnish, isWhole, startOrdering } from '../bench/lib/ordering.mjs'
import { makeForgetful } from '../bench/lib/postgres.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { makeFolder, openPool } from './sandbox.mjs'

/**
 * The shop with its embedded database: both are killed, or the shop alone, while customers order; and a second
 * process starts on the same folder. `node drills/embedded-dies.mjs [kills] [forgetful]`: with `forgetful` the database
 * acknowledges before it writes, and the same check must find lost orders.
 */
const kills = Number(process.argv[2] ?? 25)
const isForgetful = process.argv[3] === 'forgetful'
const clients = 16
/** A start that waits for its database takes 30 s; under the load of the customers Node alone takes seconds. */
const refusedWithinMs = 10_000
const port = 3141
const { folder, removeFolder } = makeFolder('embedded')
const url = `postgres://qatra@localhost/qatra?host=${encodeURIComponent(join(folder, 'postgres'))}`
const db = openPool(url)
let server = null
let isOver = false

function start() {
  server = startServer({ port, dataDir: folder })
  void server.ended.then(() => !isOver && start())
}
const postmaster = () => Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)

async function second() {
  const begun = performance.now()
  const other = startServer({ port: port + 1, dataDir: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  other.child.stderr.on('data', (bytes) => {
    words += bytes
  })
  const code = await other.ended
  return { code, ms: Math.round(performance.now() - begun), isClear: words.includes(`process ${server.child.pid}`) }
}

try {
  start()
  await ready(server.address)
  const { address } = server
  if (isForgetful) await makeForgetful(db)
  const ordering = startOrdering({ addressOf: () => address, ...(await furnish(db, clients)) })
  await sleep(1_000)
  const refused = await second()
  for (let n = 0; n < kills; n += 1) {
    await ready(address)
    await sleep(300 + Math.random() * 500)
    const database = postmaster()
    server.child.kill('SIGKILL')
    if (n % 3 !== 2) process.kill(database, 'SIGKILL')
    await sleep(50)
  }
  await ready(address)
  await ordering.stop()
  isOver = true
  const result = await audit(db, ordering.record)
  await db.end()
  server.child.kill('SIGTERM')
  await server.ended
  const isKept = isWhole(result) && refused.code === 1 && refused.isClear && refused.ms <= refusedWithinMs
  const isReached = isForgetful ? result.lost > 0 : isKept
  console.log(JSON.stringify({ bench: 'embedded-dies', kills, isForgetful, ...result, refused, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  isOver = true
  server?.child.kill('SIGTERM')
  await server?.ended
  removeFolder()
}
