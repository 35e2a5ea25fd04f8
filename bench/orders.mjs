import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverEnv, serverFlags } from '../scripts/serving.mjs'
import { post, sendAll } from './lib/http-load.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { cpuSeconds } from './lib/processor.mjs'
import { entry, node, ready } from './lib/server-process.mjs'

/**
 * Orders and cart adds per second over HTTP, 8 at once, beside a bare Fastify POST that writes the same rows,
 * alternating on one PostgreSQL in the same run. With `ROLE=web` the shop's jobs, among them the messages about each order,
 * are left to other processes. `node bench/orders.mjs [rounds] [requests of a round]`
 */
const rounds = Number(process.argv[2] ?? 7)
const perRound = Number(process.argv[3] ?? 1500)
const ports = { postgres: 4232, shop: 4230, bare: 4231 }
const connections = Number(process.env.CONNECTIONS ?? 8)

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const children = []
const db = new pg.Client({ connectionString: database.url })

function start(file, env, args = []) {
  const child = spawn(node, [...args, file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, ...env },
  })
  children.push(child)
  return child
}

try {
  start(
    entry,
    {
      ...serverEnv,
      PORT: String(ports.shop),
      NODE_ENV: 'production',
      ALLOW_SIMULATOR: 'true',
      SEED_DEMO: 'false',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      ROLE: process.env.ROLE ?? 'all',
    },
    [...serverFlags, ...(process.env.CPU_PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROF}`] : [])],
  )
  await ready(`http://127.0.0.1:${ports.shop}`)
  start(join(import.meta.dirname, 'bare-server.mjs'), { PORT: String(ports.bare), NODE_ENV: 'production' })
  await ready(`http://127.0.0.1:${ports.bare}`)
  await db.connect()
  const floor = await furnish()
  await new Promise((resolve) => setTimeout(resolve, 1500))

  const measured = { orders: { shop: [], bare: [] }, adds: { shop: [], bare: [] } }
  for (const work of ['orders', 'adds']) {
    await removeWaitingJobs()
    // The first round warms up both servers and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const kind of round % 2 ? ['shop', 'bare'] : ['bare', 'shop']) {
        const requests = await (work === 'orders' ? orderRequests(floor, kind) : addRequests(floor, kind))
        // VACUUM ANALYZE, so that both start with the same statistics.
        await db.query('vacuum analyze')
        await db.query('checkpoint')
        const before = cpuSeconds()
        const { seconds, latencies } = await sendAll({ port: ports[kind], requests, connections })
        const cpu = cpuSeconds() - before
        if (round > 0)
          measured[work][kind].push({
            perSecond: requests.length / seconds,
            latencies,
            cpu: (cpu / requests.length) * 1e6,
          })
      }
    }
  }
  report(measured)
} finally {
  await db.end().catch(() => {})
  const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ended)
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Vendor, products, an area, and customers with sessions and carts; visitors with carts. */
async function furnish() {
  const one = async (text, values) => (await db.query(text, values)).rows[0].id
  const vendorId = await one(
    `insert into vendors (name, delivery_fee, min_delivery_amount) values ('Bench', 500, 1000) returning id`,
  )
  const point = { lat: 26.1, lng: 50.55 }
  const square = [
    [50, 26],
    [51, 26],
    [51, 27],
    [50, 27],
    [50, 26],
  ]
  const areaId = await one(
    `insert into areas (area_id, name, geometry, bounds, centre_lat, centre_lng) values ('bench', 'Bench', $1, '((50,26),(51,27))', 26.5, 50.5) returning id`,
    [JSON.stringify({ type: 'Polygon', coordinates: [square] })],
  )
  await db.query('insert into vendor_delivery_areas values ($1, $2)', [vendorId, areaId])
  const products = []
  for (let n = 0; n < 8; n += 1) {
    const price = 1000 + n * 105
    const id = await one(
      `insert into products (vendor_id, name, price, size, vat_percentage, duplicate_key) values ($1, $2, $3, '500ml', 10, $2) returning id`,
      [vendorId, `Water ${n}`, price],
    )
    products.push({ productId: id, name: `Water ${n}`, size: '500ml', price, vat: 10, quantity: 2 })
  }
  const customers = []
  for (let n = 0; n < perRound; n += 1) {
    const cookie = `u.${randomBytes(32).toString('base64url')}`
    const userId = await one(`insert into users (phone, is_verified) values ($1, true) returning id`, [
      `+97339${String(n).padStart(6, '0')}`,
    ])
    await db.query(`insert into sessions (id, user_id, expires_at) values ($1, $2, now() + interval '1 day')`, [
      hash(cookie),
      userId,
    ])
    const cartId = await one('insert into carts (user_id) values ($1) returning id', [userId])
    const visitor = `g.${randomBytes(32).toString('base64url')}`
    const guestCartId = await one('insert into carts (session_id, vendor_id) values ($1, $2) returning id', [
      hash(visitor),
      vendorId,
    ])
    customers.push({ cookie, userId, cartId, visitor, guestCartId })
  }
  // Carts of other people: on almost empty tables the planner chooses sequential scans.
  await db.query(`insert into carts (session_id, vendor_id) select 'other ' || n, $1 from generate_series(1, 5000) n`, [
    vendorId,
  ])
  await db.query(
    `insert into cart_items (cart_id, vendor_id, product_id, quantity)
     select c.id, $1, p.id, 1 from carts c, unnest($2::integer[]) as p (id) where c.session_id like 'other %'`,
    [vendorId, products.slice(0, 3).map((product) => product.productId)],
  )
  await db.query('vacuum analyze')
  const queues = await bareQueues({ point, product: products[0], customer: customers[0] })
  return { vendorId, areaId, products, customers, point, queues }
}

/** Jobs of previous orders. Finished ones stay, as in a shop that is in use, so that the planner knows the queues. */
function removeWaitingJobs() {
  return db.query(`delete from pgboss.job where state < 'active' and data->>'event' = 'order.placed'`)
}

/** Creates a queue for each job of an order, without workers, so that the bare server has no extra load. */
async function bareQueues({ point, product, customer }) {
  const asked = (path, body) =>
    fetch(`http://127.0.0.1:${ports.shop}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `sid=${customer.cookie}` },
      body: JSON.stringify(body),
    })
  await asked('/api/cart/add', { productId: product.productId, quantity: 2 })
  const order = { customerName: 'Maryam Ali', address: 'House 12, Road 34, Block 567', mapCoordinates: point }
  const placed = await asked('/api/orders', order)
  if (!placed.ok) throw new Error(await placed.text())
  const made = await db.query(
    `select name from pgboss.job where data->>'event' = 'order.placed' and data->>'id' = $1`,
    [(await placed.json()).id],
  )
  const { rows } = await db.query(
    `select column_name as name from information_schema.columns
     where table_schema = 'pgboss' and table_name = 'queue' and is_generated = 'NEVER' and column_name <> 'name'`,
  )
  const columns = rows.map((row) => row.name).join(', ')
  const like = `insert into pgboss.queue (name, ${columns}) select $1, ${columns} from pgboss.queue where name = $2`
  for (const { name } of made.rows) await db.query(like, [`bare-${name}`, name])
  return made.rows.map(({ name }) => `bare-${name}`)
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}

/** Puts three products in every cart, then places one order each. */
async function orderRequests({ vendorId, areaId, products, customers, point, queues }, kind) {
  const items = products.slice(0, 3)
  await removeWaitingJobs()
  await db.query('update carts set vendor_id = $1 where user_id is not null and vendor_id is null', [vendorId])
  await db.query(
    `insert into cart_items (cart_id, vendor_id, product_id, quantity)
     select c.id, $1, p.id, 2 from carts c, unnest($2::integer[]) as p (id) where c.user_id is not null on conflict do nothing`,
    [vendorId, items.map((item) => item.productId)],
  )
  const subtotal = items.reduce((sum, item) => sum + item.price * item.quantity, 0)
  const productVat = items.reduce((sum, item) => sum + Math.round((item.price * item.quantity) / 10), 0)
  const total = subtotal + productVat + 500
  const written = { customerName: 'Maryam Ali', address: 'House 12, Road 34, Block 567', instructions: 'Ring twice' }
  return customers.map((customer) =>
    kind === 'shop'
      ? post(
          '/api/orders',
          ports.shop,
          { ...written, mapCoordinates: point, expectedTotal: total / 1000 },
          { Cookie: `sid=${customer.cookie}; lang=ar`, 'Idempotency-Key': randomUUID() },
        )
      : post('/order', ports.bare, {
          ...written,
          ...point,
          id: randomBytes(8).toString('hex').toUpperCase(),
          key: hash(randomUUID()),
          userId: customer.userId,
          cartId: customer.cartId,
          vendorId,
          vendorName: 'Bench',
          phone: '+97339000000',
          areaId,
          areaName: 'Bench',
          subtotal,
          productVat,
          deliveryFee: 500,
          total,
          promisedDate: '2026-01-01',
          items,
          queues,
        }),
  )
}

/** Visitors with an empty cart add two products each, one after the other. */
async function addRequests({ vendorId, products, customers }, kind) {
  await db.query('delete from cart_items i using carts c where c.id = i.cart_id and c.session_id not like $$other %$$')
  return products
    .slice(0, 2)
    .flatMap(({ productId }) =>
      customers.map(({ visitor, guestCartId }) =>
        kind === 'shop'
          ? post(
              '/api/cart/add',
              ports.shop,
              { productId, vendorId, quantity: 1 },
              { Cookie: `sid=${visitor}; lang=ar` },
            )
          : post('/add', ports.bare, { cartId: guestCartId, vendorId, productId, quantity: 1 }),
      ),
    )
}

function report(measured) {
  const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
  const summary = (runs) => ({
    perSecond: Math.round(median(runs.map((run) => run.perSecond))),
    cpuMicroseconds: Math.round(median(runs.map((run) => run.cpu))),
    p50: Number(median(runs.flatMap((run) => run.latencies)).toFixed(2)),
    p99: Number(
      runs
        .flatMap((run) => run.latencies)
        .sort((a, b) => a - b)
        .at(-Math.ceil((runs.length * runs[0].latencies.length) / 100))
        .toFixed(2),
    ),
  })
  const result = { postgres: database.version, connections, rounds, perRound }
  for (const [work, { shop, bare }] of Object.entries(measured)) {
    const ratios = shop.map((run, index) => run.perSecond / bare[index].perSecond)
    result[work] = {
      shop: summary(shop),
      bare: summary(bare),
      ratio: Number(median(ratios).toFixed(3)),
      ratios: ratios.map((r) => Number(r.toFixed(3))),
    }
  }
  console.table(
    ['orders', 'adds'].map((work) => ({
      what: work,
      'shop/s': result[work].shop.perSecond,
      'bare/s': result[work].bare.perSecond,
      ratio: result[work].ratio,
      goal: 0.45,
      'shop cpu µs': result[work].shop.cpuMicroseconds,
      'bare cpu µs': result[work].bare.cpuMicroseconds,
      'shop p50 ms': result[work].shop.p50,
      'shop p99 ms': result[work].shop.p99,
    })),
  )
  console.log(JSON.stringify(result))
}
