import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startShop } from '../bench/lib/shop-process.mjs'

/**
 * Hundreds of connections with slow headers, slow bodies or slow reads (Debian's slowhttptest) while a visitor uses the
 * shop. The age of connections is read from the kernel's table: an attacker may still read buffered data long after the
 * shop has closed the connection. `node drills/slow-clients.mjs [connections] [heads|bodies|readers]`
 */
const [connections = '500', only] = process.argv.slice(2)
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
const TOO_LONG_S = 25
const listening = '0A'
const timeWait = '06'

/** Tracks the age of each connection to the shop, and the maximum. */
function watchConnections() {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const since = new Map()
  let longest = 0
  const look = () => {
    const now = performance.now()
    const present = new Set()
    for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
      const [, own = '', other, state] = line.trim().split(/\s+/)
      if (own.endsWith(local) && state !== listening && state !== timeWait) present.add(other)
    }
    for (const other of present) {
      if (!since.has(other)) since.set(other, now)
      longest = Math.max(longest, now - since.get(other))
    }
    for (const other of since.keys()) if (!present.has(other)) since.delete(other)
  }
  const timer = setInterval(look, 500)
  return () => {
    clearInterval(timer)
    return { longestS: Number((longest / 1_000).toFixed(1)), leftOver: since.size }
  }
}

const figures = {}
for (const [name, options] of Object.entries(attacks).filter(([name]) => !only || name === only)) {
  const url = `${shop.address}/${name === 'bodies' ? 'api/cart/add' : ''}`
  const args = [...options, '-c', connections, '-r', '200', '-l', '40', '-p', '3', '-u', url]
  const held = watchConnections()
  const attack = spawn('slowhttptest', args, { stdio: 'ignore' })
  const over = new Promise((resolve) => attack.once('exit', resolve))
  const slowest = []
  let failed = 0
  let isOver = false
  void over.then(() => (isOver = true))
  while (!isOver) {
    const begun = performance.now()
    const asked = { signal: AbortSignal.timeout(5_000), headers: { connection: 'close' } }
    const answer = await fetch(`${shop.address}/api/vendors`, asked).catch(() => null)
    await answer?.arrayBuffer()
    if (!answer?.ok) failed += 1
    slowest.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  figures[name] = { asked: slowest.length, failed, slowestMs: Math.round(Math.max(...slowest)), ...held() }
}
await shop.stop()
rmSync(dataDir, { recursive: true, force: true })
const isReached = Object.values(figures).every(
  ({ failed, slowestMs, longestS }) => failed === 0 && slowestMs < 2_000 && longestS <= TOO_LONG_S,
)
console.log(JSON.stringify({ bench: 'slow-clients', connections: Number(connections), ...figures, isReached }))
process.exitCode = isReached ? 0 : 1
