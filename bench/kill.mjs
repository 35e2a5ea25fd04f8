import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from './postgres.mjs'

/**
 * The server is killed again and again while customers order; afterwards the customers' own list is held against the
 * tables. `node bench/kill.mjs [kills] [no-key]`: with `no-key` the customers repeat without an Idempotency-Key, and
 * the same check must find orders made twice.
 */
const kills = Number(process.argv[2] ?? 20)
const hasKey = process.argv[3] !== 'no-key'
const clients = 32
const ports = { postgres: 4236, shop: 4235 }
const root = join(import.meta.dirname, '..')
const built = join(root, 'build/server/main.js')
const entry = process.env.SERVER_ENTRY ?? (existsSync(built) ? built : join(root, 'server/main.ts'))

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-kill-'))
const db = new pg.Pool({ connectionString: database.url, max: 4 })
let server = null
let isOver = false

function start() {
  server = spawn(join(root, 'node_modules/.bin/node'), [entry], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      PORT: String(ports.shop),
      NODE_ENV: 'production',
      ALLOW_SIMULATOR: 'true',
      SEED_DEMO: 'false',
      RATE_LIMITS: 'off',
      DATA_DIR: folder,
      LOG_LEVEL: 'fatal',
    },
  })
  server.once('exit', () => {
    if (!isOver) start()
  })
}

async function ready() {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${ports.shop}/api/cart`).catch(() => null)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error('The server did not come back')
}

/** One call; null where the server died under it. */
async function call(method, path, cookie, body, headers = {}) {
  try {
    const response = await fetch(`http://127.0.0.1:${ports.shop}${path}`, {
      method,
      headers: { cookie: `sid=${cookie}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return null
  }
}

async function furnish() {
  const one = async (text, values) => (await db.query(text, values)).rows[0].id
  const vendorId = await one(
    `insert into vendors (name, delivery_fee, min_delivery_amount) values ('Kill', 500, 0) returning id`,
  )
  const square = [
    [50, 26],
    [51, 26],
    [51, 27],
    [50, 27],
    [50, 26],
  ]
  const areaId = await one(
    `insert into areas (area_id, name, geometry, bounds, centre_lat, centre_lng) values ('kill', 'Kill', $1, '((50,26),(51,27))', 26.5, 50.5) returning id`,
    [JSON.stringify({ type: 'Polygon', coordinates: [square] })],
  )
  await db.query('insert into vendor_delivery_areas values ($1, $2)', [vendorId, areaId])
  const productId = await one(
    `insert into products (vendor_id, name, price, size, vat_percentage, duplicate_key) values ($1, 'Water', 1505, '500ml', 10, 'water') returning id`,
    [vendorId],
  )
  const cookies = []
  for (let n = 0; n < clients; n += 1) {
    const cookie = `u.${randomBytes(32).toString('base64url')}`
    const userId = await one('insert into users (phone) values ($1) returning id', [
      `+97339${String(n).padStart(6, '0')}`,
    ])
    const hash = createHash('sha256').update(cookie).digest('hex')
    await db.query(`insert into sessions (id, user_id, expires_at) values ($1, $2, now() + interval '1 day')`, [
      hash,
      userId,
    ])
    cookies.push(cookie)
  }
  return { productId, cookies }
}

/** One wish for water at a time, repeated until it is answered with 200. */
async function customer(cookie, productId, acknowledged, wishes) {
  const order = {
    customerName: 'Maryam Ali',
    address: 'House 12, Road 34, Block 567',
    mapCoordinates: { lat: 26.1, lng: 50.55 },
  }
  while (!isOver) {
    wishes.count += 1
    const headers = hasKey ? { 'idempotency-key': randomUUID() } : {}
    for (;;) {
      const answer = await call('POST', '/api/orders', cookie, order, headers)
      if (answer?.status === 200) {
        acknowledged.push(answer.body)
        break
      }
      if (answer && answer.status !== 503 && answer.body.code !== 'CART_EMPTY') throw new Error(JSON.stringify(answer))
      if (answer?.body.code === 'CART_EMPTY')
        await call('POST', '/api/cart/add', cookie, { productId, quantity: 1 + (wishes.count % 5) })
      else await sleep(30)
    }
  }
}

try {
  start()
  await ready()
  const { productId, cookies } = await furnish()
  const acknowledged = []
  const wishes = { count: 0 }
  const working = cookies.map((cookie) => customer(cookie, productId, acknowledged, wishes))
  for (let n = 0; n < kills; n += 1) {
    await ready()
    await sleep(500 + Math.random() * 500)
    server.kill('SIGKILL')
    await sleep(50)
  }
  await ready()
  isOver = true
  await Promise.all(working)

  const { rows } = await db.query(`select o.id, o.total,
      (select sum(price * quantity) from order_items i where i.order_id = o.id) = o.subtotal as is_whole,
      (select count(*) from order_audit_history h where h.order_id = o.id)::integer as history,
      (select count(*) from pgboss.job j where j.name = 'order-news' and j.data->>'id' = o.id)::integer as news
    from orders o`)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const result = {
    kills,
    hasKey,
    wishes: wishes.count,
    acknowledged: acknowledged.length,
    stored: rows.length,
    lost: acknowledged.filter((order) => Number(stored.get(order.id)?.total ?? -1) !== Math.round(order.total * 1000))
      .length,
    twice: rows.length - wishes.count,
    partial: rows.filter((row) => row.is_whole !== true || row.history !== 1).length,
    withoutNews: rows.filter((row) => row.news !== 1).length,
  }
  console.log(JSON.stringify(result))
  const isGood =
    result.lost === 0 && result.partial === 0 && result.withoutNews === 0 && (result.twice === 0) === hasKey
  if (!isGood) process.exitCode = 1
} finally {
  isOver = true
  server?.kill('SIGKILL')
  await db.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
