import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { shopkeepers } from '../bench/lib/admin-people.mjs'
import { node, ready, startServer } from '../bench/lib/server-process.mjs'

/**
 * Ten people repeatedly upload decompression bombs at once: waiting time of others, and memory. The same against a
 * server that reads each file whole must exceed both limits. `node drills/upload-bombs.mjs [seconds]`, on Linux.
 */
const seconds = Number(process.argv[2] ?? 10)
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-bombs-'))
const MB = 1_000_000
const size = 3.9 * MB
const GIVEN_UP_MS = 20_000

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
  .png()
  .toBuffer()
png.writeUInt32BE(30_000, 16)
png.writeUInt32BE(30_000, 20)
const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251))
const photo = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
  .resize(6000, 6000)
  .jpeg({ quality: 40 })
  .toBuffer()
const heading = 'vendorId,name,price,size,imageUrl\n'
const filled = (piece) => piece.repeat(Math.floor(size / piece.length))
const bombs = [
  ['csv', heading + filled(',')],
  ['csv', heading + filled('"')],
  ['csv', filled('a,')],
  ['csv', heading + filled('\n')],
  ['csv', heading + filled('1,"Open')],
  ['csv', heading + `${'1,Water,1,1L,'.padEnd(3_900, 'x')}\n`.repeat(1_000)],
  ['json', filled('[')],
  ['json', `{"products":[${filled('0,')}0]}`],
  [
    'json',
    JSON.stringify({ products: Array.from({ length: 1_000 }, () => ({ vendorId: 1, name: 'x'.repeat(3_800) })) }),
  ],
  ['json', `{"products":[${filled('{"__proto__":{}},')}{}]}`],
  ['picture', png],
  ['picture', photo],
]

const bodyOf = (kind, contents) => {
  if (kind === 'json') return { body: contents, headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  form.set(kind === 'csv' ? 'file' : 'picture', new Blob([contents]), kind === 'csv' ? 'a.csv' : 'a.jpg')
  return { body: form, headers: {} }
}

async function attack({ address, cookies, pid, lag, probe, isPlain }) {
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  await lag()
  const before = rss()
  let [peak, sent, isOver] = [before, 0, false]
  const waits = []
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, rss())
      await sleep(20)
    }
  })()
  const probing = (async () => {
    while (!isOver) {
      const started = performance.now()
      await probe()
      waits.push(performance.now() - started)
      await sleep(20)
    }
  })()
  const until = performance.now() + seconds * 1000
  await Promise.all(
    cookies.map(async (cookie, who) => {
      for (let n = who; performance.now() < until; n += 1) {
        const [kind, contents] = bombs[n % bombs.length]
        const { body, headers } = isPlain
          ? { body: contents, headers: { 'content-type': kind === 'json' ? 'application/json' : 'text/csv' } }
          : bodyOf(kind, contents)
        const path = kind === 'picture' ? '/api/admin/media' : '/api/admin/products/bulk?dryRun=true'
        const answer = await fetch(`${address}${path}`, {
          method: 'POST',
          headers: { ...headers, cookie },
          body,
          signal: AbortSignal.timeout(GIVEN_UP_MS),
        }).catch(() => null)
        await answer?.arrayBuffer().catch(() => null)
        if (answer && answer.status >= 500 && answer.status !== 503)
          throw new Error(`${kind} ${n % bombs.length}: ${answer.status}`)
        sent += 1
      }
    }),
  )
  const lagMs = await lag()
  isOver = true
  await Promise.all([watching, probing])
  const sorted = waits.toSorted((a, b) => a - b)
  return {
    sent,
    lagP99Ms: Math.round(lagMs),
    othersP99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
    rssGrowthMb: Math.round(peak - before),
  }
}

const server = startServer({ port: 3175, dataDir, settings: { SEED_DEMO: 'true' } })
process.once('exit', () => server.child.kill('SIGKILL'))
await ready(server.address)
const cookies = await shopkeepers(server.address, 10)
// Baseline memory of a working shop: the picture library, compiled code, warm pools.
const warm = async (kind, contents) => {
  const { body, headers } = bodyOf(kind, contents)
  await (
    await fetch(`${server.address}/api/admin/${kind === 'picture' ? 'media' : 'products/bulk?dryRun=true'}`, {
      method: 'POST',
      headers: { ...headers, cookie: cookies[0] },
      body,
    })
  ).arrayBuffer()
}
const small = await sharp(photo).resize(1200).jpeg().toBuffer()
for (let n = 0; n < 5; n += 1) {
  await warm('picture', small)
  await warm('csv', heading + '1,Water,1,1L,https://x.example\n'.repeat(500))
}
await sleep(1_000)
const shop = await attack({
  address: server.address,
  cookies,
  pid: server.child.pid,
  lag: async () => {
    const text = await (await fetch(`${server.address}/metrics`)).text()
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
  },
  probe: () => fetch(`${server.address}/api/delivery-date`).then((answer) => answer.arrayBuffer()),
})
server.child.kill('SIGTERM')
await server.ended
rmSync(dataDir, { recursive: true, force: true })

console.error(JSON.stringify({ shop }))
const mutant = spawn(node, ['--max-old-space-size=4096', join(import.meta.dirname, 'naive-upload.mjs')], {
  env: { ...process.env, PORT: '3176' },
  stdio: 'inherit',
})
process.once('exit', () => mutant.kill('SIGKILL'))
await ready('http://127.0.0.1:3176', '/lag')
const naive = await attack({
  address: 'http://127.0.0.1:3176',
  cookies: cookies.map(() => ''),
  pid: mutant.pid,
  isPlain: true,
  // Without an answer in this time, the time limit is the figure.
  lag: () =>
    fetch('http://127.0.0.1:3176/lag', { signal: AbortSignal.timeout(GIVEN_UP_MS) })
      .then((answer) => answer.text())
      .then(Number, () => GIVEN_UP_MS),
  probe: () =>
    fetch('http://127.0.0.1:3176/none', { signal: AbortSignal.timeout(GIVEN_UP_MS) })
      .then((answer) => answer.arrayBuffer())
      .catch(() => null),
})
mutant.kill('SIGKILL')

const isWithin = ({ lagP99Ms, othersP99Ms, rssGrowthMb }) => lagP99Ms < 100 && othersP99Ms < 300 && rssGrowthMb < 100
const isReached = isWithin(shop) && !isWithin(naive)
console.log(JSON.stringify({ bench: 'upload-bombs', seconds, shop, naive, isReached }))
if (!isReached) process.exitCode = 1
