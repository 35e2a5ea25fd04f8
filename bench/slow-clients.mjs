import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startShop } from './shop-process.mjs'

/**
 * Slow heads, slow bodies and slow readers by the hundred (Debian's slowhttptest), while somebody else uses the shop.
 * `node bench/slow-clients.mjs [connections]`
 */
const connections = process.argv[2] ?? '500'
if (spawnSync('which', ['slowhttptest']).status !== 0) {
  console.error('slowhttptest is not installed (on Debian: apt install slowhttptest)')
  process.exit(1)
}
const port = Number(process.env.BENCH_PORT ?? 4252)
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-slow-'))
const shop = await startShop({ port, dataDir })

const attacks = {
  heads: ['-H', '-i', '2'],
  bodies: ['-B', '-i', '2', '-s', '90000', '-t', 'POST', '-f', 'application/json'],
  readers: ['-X', '-w', '1', '-y', '8', '-n', '2', '-z', '8', '-k', '3'],
}
const figures = {}
for (const [name, options] of Object.entries(attacks)) {
  const url = `${shop.address}/${name === 'bodies' ? 'api/cart/add' : ''}`
  const args = [...options, '-c', connections, '-r', '200', '-l', '40', '-p', '3', '-u', url]
  const attack = spawn('slowhttptest', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  attack.stdout.on('data', (bytes) => (said += bytes))
  const over = new Promise((resolve) => attack.once('exit', resolve))
  const slowest = []
  let failed = 0
  let isOver = false
  void over.then(() => (isOver = true))
  while (!isOver) {
    const begun = performance.now()
    const answer = await fetch(`${shop.address}/api/vendors`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    if (!answer?.ok) failed += 1
    slowest.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const ended = /ended on (\d+)\w* second/.exec(said.replace(/\x1b\[[0-9;]*m/g, ''))?.[1]
  figures[name] = {
    asked: slowest.length,
    failed,
    slowestMs: Math.round(Math.max(...slowest)),
    closedAfterS: Number(ended),
  }
}
await shop.stop()
rmSync(dataDir, { recursive: true, force: true })
const isReached = Object.values(figures).every(({ failed, slowestMs }) => failed === 0 && slowestMs < 2_000)
console.log(JSON.stringify({ bench: 'slow-clients', connections: Number(connections), ...figures, isReached }))
