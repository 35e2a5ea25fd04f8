import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSession } from './sign-in.mjs'

const square = [
  [50, 26],
  [51, 26],
  [51, 27],
  [50, 27],
  [50, 26],
]

/** An area around `orderBody`, where all vendors deliver. */
export async function addArea(db) {
  const { rows } = await db.query(
    `insert into areas (area_id, name, geometry, bounds, centre_lat, centre_lng) values ('bench', 'Bench', $1, '((50,26),(51,27))', 26.5, 50.5) returning id`,
    [JSON.stringify({ type: 'Polygon', coordinates: [square] })],
  )
  await db.query('insert into vendor_delivery_areas select id, $1 from vendors', [rows[0].id])
}

/** A vendor, one product, an area, and signed-in customers. */
export async function furnish(db, clients) {
  const one = async (text, values) => (await db.query(text, values)).rows[0].id
  const vendorId = await one(
    `insert into vendors (name, delivery_fee, min_delivery_amount) values ('Bench', 500, 0) returning id`,
  )
  await addArea(db)
  const productId = await one(
    `insert into products (vendor_id, name, price, size, vat_percentage, duplicate_key) values ($1, 'Water', 1505, '500ml', 10, 'water') returning id`,
    [vendorId],
  )
  const cookies = []
  for (let n = 0; n < clients; n += 1) {
    const userId = await one('insert into users (phone) values ($1) returning id', [
      `+97339${String(n).padStart(6, '0')}`,
    ])
    cookies.push(await openSession(db, userId))
  }
  return { vendorId, productId, cookies }
}

/** Sends one request; null if there is no answer. */
export async function call(address, method, path, cookie, body, headers = {}) {
  try {
    const response = await fetch(`${address}${path}`, {
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

export const orderBody = {
  customerName: 'Maryam Ali',
  address: 'House 12, Road 34, Block 567',
  mapCoordinates: { lat: 26.1, lng: 50.55 },
}

/** Milliseconds of placing an order of three; the cart is filled before. */
export async function timedOrder(address, cookie, productId) {
  await call(address, 'POST', '/api/cart/add', cookie, { productId, quantity: 3 })
  const begun = performance.now()
  const answer = await call(address, 'POST', '/api/orders', cookie, orderBody)
  if (answer?.status !== 200) throw new Error(`Not placed: ${JSON.stringify(answer)}`)
  return performance.now() - begun
}

/** Longest wait of a customer for the last order. */
const TIMEOUT_MS = 60_000

/**
 * Customers who order repeatedly; each order is retried with the same key until the answer is 200. An
 * answer that is neither success nor 503, or none until the end, is recorded in `surprises`.
 */
export function startOrdering({ addressOf, cookies, productId, hasKey = true }) {
  const record = { wishes: 0, acknowledged: [], successes: [], surprises: [], refusals: {} }
  let isOver = false
  let givesUpAt = Number.POSITIVE_INFINITY

  async function customer(cookie) {
    const ask = (...args) => call(addressOf(), ...args)
    while (!isOver) {
      record.wishes += 1
      const quantity = 1 + (record.wishes % 5)
      const headers = hasKey ? { 'idempotency-key': randomUUID() } : {}
      for (;;) {
        const answer = await ask('POST', '/api/orders', cookie, orderBody, headers)
        if (answer?.status === 200) {
          record.acknowledged.push(answer.body)
          record.successes.push(performance.now())
          break
        }
        const refused =
          answer?.body.code === 'CART_EMPTY'
            ? await ask('POST', '/api/cart/add', cookie, { productId, quantity })
            : answer
        if (refused?.status !== 200) {
          const code = refused?.body.code ?? 'nobody answered'
          record.refusals[code] = (record.refusals[code] ?? 0) + 1
          if (refused && refused.status !== 503) record.surprises.push(refused)
          if (performance.now() > givesUpAt) return void record.surprises.push({ status: 0, body: { code } })
          await sleep(30)
        }
      }
    }
  }
  const working = cookies.map(customer)
  return {
    record,
    async stop() {
      isOver = true
      givesUpAt = performance.now() + TIMEOUT_MS
      await Promise.all(working)
    },
  }
}

/** Compares the customers' record of acknowledged orders with the tables. */
export async function audit(db, { acknowledged, wishes, surprises }) {
  const { rows } = await db.query(`select o.id, o.total,
      (select sum(price * quantity) from order_items i where i.order_id = o.id) = o.subtotal as is_whole,
      (select count(*) from order_audit_history h where h.order_id = o.id)::integer as history,
      (select count(*) from pgboss.job j where j.name = 'order-messages' and j.data->>'id' = o.id)::integer as news
    from orders o`)
  const stored = new Map(rows.map((row) => [row.id, row]))
  return {
    wishes,
    acknowledged: acknowledged.length,
    stored: rows.length,
    lost: acknowledged.filter((order) => Number(stored.get(order.id)?.total ?? -1) !== Math.round(order.total * 1000))
      .length,
    twice: rows.length - wishes,
    partial: rows.filter((row) => row.is_whole !== true || row.history !== 1).length,
    withoutNews: rows.filter((row) => row.news !== 1).length,
    surprises: surprises.length,
    surprise: surprises[0],
  }
}

export const isWhole = ({ lost, twice, partial, withoutNews, surprises }) =>
  lost === 0 && twice === 0 && partial === 0 && withoutNews === 0 && surprises === 0
