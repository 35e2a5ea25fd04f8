import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit, call, furnish, isWhole, startOrdering } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { openPool } from './sandbox.mjs'

/**
 * The shop with its own database on a disk that fills up while customers order, is restarted while it is full, and gets
 * space again. Needs root for a small tmpfs. `node drills/disk-full.mjs [MB of the disk]`
 */
const megabytes = Number(process.argv[2] ?? 160)
const clients = 8
const backWithinMs = 5_000
const port = 3141
const disk = mkdtempSync(join(tmpdir(), 'qatra-disk-'))
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk])
const folder = join(disk, 'data')
const ballast = join(disk, 'ballast')
mkdirSync(folder)
const url = `postgres://qatra@localhost/qatra?host=${encodeURIComponent(join(folder, 'postgres'))}`
const db = openPool(url)

/** Fills the disk with zeroes to the last byte. */
function fill() {
  const file = openSync(ballast, 'a')
  for (const size of [1_000_000, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}

const stdio = ['ignore', process.env.LOG_LEVEL ? 'inherit' : 'ignore', 'inherit']
let server = startServer({ port, dataDir: folder, stdio, settings: { LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal' } })
const { address } = server
try {
  await ready(address)
  const { productId, cookies } = await furnish(db, clients)
  const ordering = startOrdering({ addressOf: () => address, cookies, productId })
  await sleep(2_000)
  const { record } = ordering
  const before = record.acknowledged.length
  record.refusals = {}
  fill()
  const reads = { ok: 0, other: 0 }
  const until = performance.now() + 8_000
  while (performance.now() < until) {
    for (const path of ['/api/products', '/', '/api/cart']) {
      const response = await fetch(address + path, { headers: { cookie: `sid=${cookies[0]}` } }).catch(() => null)
      await response?.arrayBuffer()
      reads[response?.status === 200 ? 'ok' : 'other'] += 1
    }
    fill() // the database may have freed space
    await sleep(100)
  }
  const { refusals } = record
  const whileFull = record.acknowledged.length - before
  rmSync(ballast)
  const freedAt = performance.now()
  const backMs = async () => {
    while (!record.successes.some((at) => at > freedAt) && performance.now() - freedAt < 30_000) await sleep(20)
    return Math.round((record.successes.find((at) => at > freedAt) ?? Number.POSITIVE_INFINITY) - freedAt)
  }
  const back = await backMs()
  await sleep(500)
  await ordering.stop()
  const result = await audit(db, record)
  await db.end()

  server.child.kill('SIGTERM')
  await server.ended
  fill()
  server = startServer({ port, dataDir: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  server.child.stderr.on('data', (bytes) => {
    words += bytes
  })
  const restart = await Promise.race([server.ended, ready(address).then(() => 'started')])
  // 75: systemd starts it again, and the shop is back when there is room.
  const namesCause =
    restart === 'started' ||
    (server.child.exitCode === 75 && words.trim() === `The disk is full; make room where ${folder} is.`)
  rmSync(ballast)
  if (restart !== 'started') server = startServer({ port, dataDir: folder })
  await ready(address)
  const again = await call(address, 'POST', '/api/cart/add', cookies[0], { productId, quantity: 1 })

  const isReached =
    isWhole(result) &&
    reads.other === 0 &&
    (refusals.DISK_FULL ?? 0) > 0 &&
    back <= backWithinMs &&
    namesCause &&
    again?.status === 200
  const figures = { ...result, reads, refusals, whileFull, backMs: back, restart, words: words.trim().slice(0, 300) }
  console.log(JSON.stringify({ bench: 'disk-full', megabytes, ...figures, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  execFileSync('umount', ['-l', disk])
  rmdirSync(disk)
}
