import { pbkdf2Sync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ready, startServer } from '../bench/lib/server-process.mjs'

/**
 * Whether response times reveal if a phone has an account: requests codes for known and unknown phones in turn. `node
 * drills/enumeration.mjs [pairs]`. Pass: medians less than 2 ms apart, Kolmogorov-Smirnov p above 0.01; and the same
 * measure detects a faulty server that computes a hash only for known phones.
 */
const pairs = Number(process.argv[2] ?? 500)
const port = 4210
const folder = mkdtempSync(join(tmpdir(), 'qatra-enumeration-'))
const server = startServer({ port, dataDir: folder, settings: { SEED_DEMO: 'true' } })

async function post(path, body, at = port) {
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${at}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return performance.now() - begun
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]

/** Two-sample Kolmogorov-Smirnov test: the largest distance of the distributions, and its p-value. */
function kolmogorovSmirnov(one, other) {
  const share = (times, limit) => times.filter((time) => time <= limit).length / times.length
  const distance = Math.max(...[...one, ...other].map((time) => Math.abs(share(one, time) - share(other, time))))
  const size = Math.sqrt((one.length * other.length) / (one.length + other.length))
  const lambda = (size + 0.12 + 0.11 / size) * distance
  let p = 0
  for (let k = 1; k <= 100; k += 1) p += 2 * (-1) ** (k - 1) * Math.exp(-2 * k * k * lambda * lambda)
  return { distance, p: Math.min(1, Math.max(0, p)) }
}

const staff = [1, 2, 3, 4, 5, 6].map((n) => `+9733600000${n}`)

const careless = createServer((request, response) => {
  let text = ''
  request.on('data', (bytes) => {
    text += bytes
  })
  request.on('end', () => {
    if (staff.includes(JSON.parse(text).phone)) pbkdf2Sync(text, 'salt', 4_000, 32, 'sha256')
    response.end('{}')
  })
})

async function compare(count, at, restMs) {
  const times = { known: [], unknown: [] }
  for (let n = -50; n < count; n += 1) {
    // Each kind is first equally often, and each phone is requested equally often.
    const turns = [
      ['known', staff[(n + 60) % 6]],
      ['unknown', `+9733700000${((n + 60) % 6) + 1}`],
    ]
    for (const [kind, phone] of n % 2 ? turns : turns.toReversed()) {
      const ms = await post('/api/auth/verify/phone', { phone }, at)
      if (n >= 0) times[kind].push(ms)
      // The code is sent after the answer; the next measurement waits for it.
      await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  const { distance, p } = kolmogorovSmirnov(times.known, times.unknown)
  const round = (figure) => Number(figure.toFixed(3))
  return {
    figures: { knownMs: round(known), unknownMs: round(unknown), distance: round(distance), p: round(p) },
    isAlike: Math.abs(known - unknown) < 2 && p > 0.01,
  }
}

try {
  await ready(server.address)
  const shop = await compare(pairs, port, 25)
  await new Promise((done) => careless.listen(port + 1, '127.0.0.1', done))
  const naive = await compare(pairs, port + 1, 0)
  const isGood = shop.isAlike && !naive.isAlike
  const line = { bench: 'enumeration', pairs, ...shop.figures, careless: naive.figures, isGood }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  process.exitCode = isGood ? 0 : 1
} finally {
  careless.close()
  careless.closeAllConnections()
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}
