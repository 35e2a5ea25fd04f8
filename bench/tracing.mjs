import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call, furnish, orderBody } from './lib/ordering.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * What traces cost: processes on one database, without traces, with those of one request in twenty and with all, do
 * the same work by turns: customers read their cart, add to it and order. Compared is the processor time of the
 * process, which a busy machine changes least. As one process in some is slower from its start, there are several sets of
 * new processes, and the median counts; a second process without traces shows how much chance there is.
 * `node bench/tracing.mjs [sets]`
 */
const sets = Number(process.argv[2] ?? 9)
const WARM_TURNS = 5
const TURNS = 8
const MOST = 1.03
const ports = { postgres: 3261, off: 3262, again: 3263, twentieth: 3264, all: 3265 }
const CUSTOMERS = 16
const TIMES = 6

let received = 0
const collector = createServer((request, response) => {
  request.on('data', (chunk) => {
    received += chunk.length
  })
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
await new Promise((done) => collector.listen(0, '127.0.0.1', done))
const endpoint = `http://127.0.0.1:${collector.address().port}`

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const db = new pg.Client({ connectionString: database.url })
const traced = (ratio) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio })
const settings = { off: {}, again: {}, twentieth: traced('0.05'), all: traced('1') }
const kinds = Object.keys(settings)
let shops = {}

const ticksOf = ({ child }) => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function turn({ address }, { cookies, productId }) {
  const customer = async (cookie) => {
    for (let n = 0; n < TIMES; n += 1) {
      for (let reads = 0; reads < 8; reads += 1) await call(address, 'GET', '/api/cart', cookie)
      await call(address, 'POST', '/api/cart/add', cookie, { productId, quantity: 3 })
      const placed = await call(address, 'POST', '/api/orders', cookie, orderBody)
      if (placed?.status !== 200) throw new Error(`Not placed: ${JSON.stringify(placed)}`)
    }
  }
  await Promise.all(cookies.map(customer))
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const rounded = (value) => Math.round(value * 1000) / 1000

async function stopShops() {
  for (const { child } of Object.values(shops)) child.kill('SIGTERM')
  await Promise.all(Object.values(shops).map(({ ended }) => ended))
  shops = {}
}

/** Processor time of a new process of each kind, in hundredths of a second. */
async function measureSet(furnished, set) {
  const used = Object.fromEntries(kinds.map((kind) => [kind, 0]))
  for (const kind of kinds) {
    const secret = { SECRET_KEY: 'x9Kd72mQpL0vRt5sWz81YbNcHf3JgUe6' }
    const own = { DATABASE_URL: database.url, ...secret, ...settings[kind] }
    shops[kind] = startServer({ port: ports[kind], dataDir: folder, settings: own })
    await ready(shops[kind].address)
  }
  // The compiler works in the first turns.
  for (let n = 0; n < WARM_TURNS; n += 1) for (const kind of kinds) await turn(shops[kind], furnished)
  for (let n = 0; n < TURNS; n += 1) {
    for (const kind of (n + set) % 2 ? kinds : kinds.toReversed()) {
      const before = ticksOf(shops[kind])
      await turn(shops[kind], furnished)
      used[kind] += ticksOf(shops[kind]) - before
    }
  }
  await stopShops()
  return used
}

try {
  await db.connect()
  // The first start makes the tables.
  const first = startServer({ port: ports.off, dataDir: folder, settings: { DATABASE_URL: database.url } })
  shops = { first }
  await ready(first.address)
  const furnished = await furnish(db, CUSTOMERS)
  await stopShops()
  const measured = []
  for (let set = 0; set < sets; set += 1) measured.push(await measureSet(furnished, set))
  const ratiosOf = (kind) => measured.map((used) => rounded(used[kind] / used.off))
  const requests = CUSTOMERS * TIMES * 10 * TURNS
  const ratio = Object.fromEntries(kinds.slice(1).map((kind) => [kind, median(ratiosOf(kind))]))
  const isReached = ratio.twentieth <= MOST && received > 0
  const ratios = Object.fromEntries(kinds.slice(1).map((kind) => [kind, ratiosOf(kind)]))
  const msPerRequest = rounded((median(measured.map(({ off }) => off)) * 10) / requests)
  console.log(JSON.stringify({ bench: 'tracing', sets, msPerRequest, ratio, ratios, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  await stopShops()
  await db.end().catch(() => {})
  await database.stop()
  collector.close()
  rmSync(folder, { recursive: true, force: true })
}
