import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fillAdmin } from './admin-fill.mjs'
import { startPostgres } from './postgres.mjs'
import { ready, startServer } from './server-process.mjs'
import { signIn } from './sign-in.mjs'

/**
 * The order list with many orders and with few: every filter and order, alternating, one request at a time.
 * `node bench/admin.mjs [orders] [rounds]`
 */
const many = Number(process.argv[2] ?? 1_000_000)
const few = 10_000
const rounds = Number(process.argv[3] ?? 40)
const ports = { postgres: 3160, few: 3161, many: 3162 }
const WANTED_MS = 60
const WANTED_RATIO = 1.5
/** Time of a request that reads almost nothing; ratios of shorter times are not judged. */
const FLOOR_MS = 4

const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const list = (query) => () => `/api/admin/orders?limit=50&${query}`
const counts = (query) => () => `/api/admin/orders/counts?${query}`
const sample = (values) => values[Math.floor(Math.random() * values.length)]

/** The measured requests; `shop` has ids of existing rows. */
const questions = {
  newest: list(''),
  'page 20': list('page=20'),
  'oldest first': list('sort=createdAt'),
  'status new': list('status=new'),
  'status delivered': list('status=delivered'),
  'three statuses': list('status=new,in-progress,shipped'),
  'day of delivery': list(`by=promised&from=${day(-1)}&to=${day(-1)}`),
  'a week of deliveries': list(`by=promised&from=${day(6)}&to=${day(0)}`),
  'a week by placing': list(`from=${day(6)}&to=${day(0)}`),
  area: list('areaId=7'),
  'three areas and a status': list('areaId=7,8,9&status=delivered'),
  driver: (shop) => `/api/admin/orders?limit=50&driverId=${sample(shop.drivers)}`,
  'nobody drives': list('driverId=none'),
  unpaid: list('paymentStatus=unpaid'),
  'by total': list('sort=-total'),
  'by customer': list('sort=customer'),
  'text: a common name': list(`search=${encodeURIComponent('محمد')}`),
  'text: two words': list(`search=${encodeURIComponent('priya kumar')}`),
  'text: a rare phone': (shop) => `/api/admin/orders?limit=50&search=${encodeURIComponent(sample(shop.phones))}`,
  'text: half a phone': (shop) => `/api/admin/orders?limit=50&search=${sample(shop.phones).slice(-6)}`,
  'text: an id': (shop) => `/api/admin/orders?limit=50&search=${sample(shop.ids)}`,
  'text: four of an id': (shop) => `/api/admin/orders?limit=50&search=${sample(shop.ids).slice(0, 4)}`,
  'text: nothing': list('search=zzzzqqq'),
  'text: two letters': list('search=pr'),
  'text and status': list(`search=${encodeURIComponent('علي')}&status=cancelled`),
  'counts: all': counts(''),
  'counts: day of delivery': counts(`by=promised&from=${day(-1)}&to=${day(-1)}`),
  'counts: area': counts('areaId=7'),
  'counts: driver': (shop) => `/api/admin/orders/counts?driverId=${sample(shop.drivers)}`,
  'counts: text': counts(`search=${encodeURIComponent('محمد')}`),
  'one order': (shop) => `/api/admin/orders/${sample(shop.ids)}`,
  'its timeline': (shop) => `/api/admin/orders/${sample(shop.ids)}/timeline`,
}

const database = await startPostgres(ports.postgres)
const folders = []
const children = []
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
/** Pools whose connections break when the server ends; the error is expected. */
const connected = async (url) => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function furnished(name, orders) {
  await admin.query(`create database ${name}`)
  const url = database.url.replace(/\/postgres$/, `/${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
  folders.push(folder)
  const server = startServer({ port: ports[name], dataDir: folder, settings: { DATABASE_URL: url } })
  children.push(server)
  await ready(server.address)
  const db = await connected(url)
  const begun = performance.now()
  await fillAdmin(db, orders)
  console.error(`${orders} orders in ${Math.round((performance.now() - begun) / 1000)} s`)
  const cookies = {
    super: await signIn(db, ['+97339000001', 'super_admin', null]),
    vendor: await signIn(db, ['+97339000002', 'vendor_admin', 1]),
  }
  const read = async (text) => (await db.query({ text, rowMode: 'array' })).rows.flat()
  const shop = {
    address: server.address,
    cookies,
    ids: await read('select id from orders where vendor_id = 1 order by md5(id) limit 500'),
    phones: await read('select phone from orders where vendor_id = 1 order by md5(id) limit 500'),
    drivers: await read(`select id from users where role = 'driver' and vendor_id = 1`),
  }
  await db.end()
  return shop
}

async function timed(shop, who, question) {
  const begun = performance.now()
  const answer = await fetch(shop.address + question(shop), { headers: { cookie: `sid=${shop.cookies[who]}` } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return performance.now() - begun
}

const sorted = (values) => values.toSorted((a, b) => a - b)
const middle = (values) => sorted(values)[Math.floor(values.length / 2)]
const p95 = (values) => sorted(values)[Math.floor(values.length * 0.95)]

try {
  const shops = { few: await furnished('few', few), many: await furnished('many', many) }
  const figures = []
  for (const [name, question] of Object.entries(questions)) {
    for (const who of ['super', 'vendor']) {
      const took = { few: [], many: [] }
      for (let round = -3; round < rounds; round += 1)
        for (const size of round % 2 ? ['few', 'many'] : ['many', 'few']) {
          const ms = await timed(shops[size], who, question)
          if (round >= 0) took[size].push(ms)
        }
      const [small, large] = [p95(took.few), p95(took.many)]
      const ratio = large / Math.max(small, FLOOR_MS)
      figures.push({ name, who, few: small, many: large, ratio })
      console.log(
        `${name} · ${who}`.padEnd(36),
        `p95 ${small.toFixed(1)} → ${large.toFixed(1)} ms`.padEnd(26),
        `× ${ratio.toFixed(2)}`,
        `half below ${middle(took.few).toFixed(1)} → ${middle(took.many).toFixed(1)} ms`,
        large > WANTED_MS || ratio > WANTED_RATIO ? '  ←' : '',
      )
    }
  }
  const worst = Math.max(...figures.map(({ many: ms }) => ms))
  const ratio = Math.max(...figures.map((figure) => figure.ratio))
  const isReached = worst <= WANTED_MS && ratio <= WANTED_RATIO
  const round = (n) => Math.round(n * 100) / 100
  console.log(
    JSON.stringify({ bench: 'admin', orders: many, worstP95: round(worst), worstRatio: round(ratio), isReached }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  for (const { child } of children) child.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await admin.end()
  await database.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
