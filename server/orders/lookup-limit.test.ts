import { randomBytes, randomInt } from 'node:crypto'
import { addToCart } from '@qatra/contract/cart/cart'
import { changeManyOrders, changeOrderStatus, getAdminOrder } from '@qatra/contract/orders/admin'
import { newOrderId, orderIdAlphabet } from '@qatra/contract/orders/order-id'
import { cancelOrder, getOrder, placeOrder, reorder } from '@qatra/contract/orders/orders'
import { getReceipt } from '@qatra/contract/orders/receipts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeOrder, makeVisitor } from '../test/fixtures/make.ts'
import { isFull } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'

/** Look-ups that find nothing: at once, and then a minute. */
const missesOfAccount = { burst: 20, perMinute: 6 }
const missesOfNetwork = { burst: 200 }
const MAX_ORDERS_PER_HOUR = 20

/** `GUESSES=100000 ORDER_IDS=1000000` is the long form, which takes half a minute. */
const guesses = Number(process.env['GUESSES'] ?? (isFull ? 300 : 75))
const sample = Number(process.env['ORDER_IDS'] ?? 10_000)

const shop = await startShop({ role: 'web', rateLimits: true, trustedProxies: ['127.0.0.1'] })
const unlimited = await startShop({ role: 'web' })
/** Each test asks from a network of its own, since a network has one budget. */
let network = ''
beforeEach(() => {
  network = `41.${(Number(network.split('.')[1] ?? 0) + 1) % 256}.0`
})
const from = (ip = `${network}.1`) => ({ 'x-forwarded-for': ip })
const guess = (visitor: Visitor, id = newOrderId(randomInt), ip?: string) =>
  visitor.call(getOrder, { params: { id } }, from(ip))

/** Number of guesses that were looked up, and that found an order. */
async function attack(shop: TestShop, count: number) {
  const victim = await makeHousehold(shop)
  for (let n = 0; n < 5; n += 1) await victim.order()
  const attacker = await makeVisitor(shop)
  const seen = { evaluated: 0, hits: 0, waits: [] as number[] }
  const begun = performance.now()
  for (let n = 0; n < count; n += 25) {
    for (const { status, headers } of await Promise.all(Array.from({ length: 25 }, () => guess(attacker)))) {
      if (status === 200) seen.hits += 1
      if (status === 429) seen.waits.push(Number(headers['retry-after']))
      else seen.evaluated += 1
    }
  }
  return { ...seen, minutes: (performance.now() - begun) / 60_000, attacker, victim }
}

/** One of several calls may be within the limit, since it refills meanwhile. */
async function isClosed(call: () => Promise<{ status: number }>): Promise<boolean> {
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) statuses.push((await call()).status)
  return statuses.includes(429)
}

describe('guessing order ids', () => {
  it('finds nothing and is rate limited', async () => {
    const { evaluated, hits, waits, minutes, attacker, victim } = await attack(shop, guesses)
    expect(hits).toBe(0)
    const { burst, perMinute } = missesOfAccount
    expect(evaluated).toBeGreaterThanOrEqual(burst)
    expect(evaluated).toBeLessThanOrEqual(burst + Math.ceil(minutes * perMinute))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...waits)).toBeLessThanOrEqual(Math.ceil(60 / perMinute))
    // All order endpoints are then closed to the guesser, and open to others.
    const id = newOrderId(randomInt)
    expect(await isClosed(() => attacker.call(cancelOrder, { params: { id }, body: {} }, from()))).toBe(true)
    expect(await isClosed(() => attacker.call(reorder, { params: { id } }, from()))).toBe(true)
    expect((await guess(await makeVisitor(shop))).status).toBe(404)
    const own = await victim.order()
    for (let n = 0; n < missesOfAccount.burst + 5; n += 1) expect((await guess(victim.customer, own)).status).toBe(200)
    console.log(JSON.stringify({ guesses, evaluated, hits, minutes: Number(minutes.toFixed(2)) }))
  })

  it('has one budget over the endpoints of customers, staff, statuses and receipts', async () => {
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const input = () => ({ params: { id: newOrderId(randomInt) } })
    const calls = [
      () => guess(admin),
      () => admin.call(getAdminOrder, input(), from()),
      () => admin.call(getReceipt, { ...input(), query: {} }, from()),
      () => admin.call(changeOrderStatus, { ...input(), body: { status: 'delivered' } }, from()),
    ]
    for (let n = 0; n < missesOfAccount.burst; n += 1) expect((await calls[n % calls.length]?.())?.status).toBe(404)
    for (const call of calls) expect(await isClosed(call)).toBe(true)
  })

  it('counts each unknown order of a bulk change', async () => {
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const ids = Array.from({ length: 40 }, () => newOrderId(randomInt))
    const { body } = await admin.call(changeManyOrders, { body: { ids, status: 'delivered' } }, from())
    const codes = body.results.map(({ code }) => code)
    const { burst } = missesOfAccount
    expect(new Set(codes.slice(0, burst))).toEqual(new Set(['ORDER_NOT_FOUND']))
    expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length).toBeGreaterThan(0)
    expect(await isClosed(() => guess(admin))).toBe(true)
  })

  it('is not confused with parallel look-ups of own orders', async () => {
    const home = await makeHousehold(shop)
    const own = await home.order()
    const answers = await Promise.all(Array.from({ length: 60 }, () => guess(home.customer, own)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('is detected: with limits off every guess is looked up', async () => {
    const { evaluated, hits } = await attack(unlimited, 50)
    expect([evaluated, hits]).toEqual([50, 0])
  })

  it('by many accounts of one network has a shared limit, which closes neither other networks nor own orders', async () => {
    let evaluated = 0
    let status = 404
    let visitor = await makeVisitor(shop)
    for (let n = 0; status === 404 && n < 400; n += 1) {
      if (n % missesOfAccount.burst === 0) visitor = await makeVisitor(shop)
      ;({ status } = await guess(visitor, undefined, `${network}.${n % 250}`))
      if (status === 404) evaluated += 1
    }
    expect(status).toBe(429)
    expect(evaluated).toBeGreaterThanOrEqual(missesOfNetwork.burst)
    expect(evaluated).toBeLessThan(missesOfNetwork.burst + 30)
    expect((await guess(await makeVisitor(shop), undefined, '42.0.0.1')).status).toBe(404)
    const home = await makeHousehold(shop)
    expect((await guess(home.customer, await home.order(), `${network}.200`)).status).toBe(200)
    expect(await isClosed(() => guess(home.customer, undefined, `${network}.200`))).toBe(true)
  })
})

describe('order ids', () => {
  /** 31 letters at 16 positions: 480 degrees of freedom; one fair sample in a billion is above 690. */
  function chiSquare(make: () => string): number {
    const counts = new Uint32Array(16 * 128)
    const cellOf = (place: number, letter: string) => place * 128 + letter.charCodeAt(0)
    for (let n = 0; n < sample; n += 1)
      for (const [place, letter] of [...make()].entries()) {
        const cell = cellOf(place, letter)
        counts[cell] = (counts[cell] ?? 0) + 1
      }
    const expected = sample / orderIdAlphabet.length
    const cells = [...orderIdAlphabet].flatMap((letter) =>
      Array.from({ length: 16 }, (_, place) => cellOf(place, letter)),
    )
    return cells.reduce((sum, cell) => sum + ((counts[cell] ?? 0) - expected) ** 2 / expected, 0)
  }
  const byRemainder = () => newOrderId((max) => (randomBytes(1)[0] ?? 0) % max)

  it('are uniform at every position, unique and not sequential', () => {
    const made = new Set<string>()
    let inRow = 0
    let last = ''
    const figure = chiSquare(() => {
      const id = newOrderId(randomInt)
      if (id.slice(0, 8) === last.slice(0, 8)) inRow += 1
      last = id
      made.add(id)
      return id
    })
    expect(figure).toBeLessThan(690)
    expect([made.size, inRow]).toEqual([sample, 0])
  })

  it('would fail the test if they were remainders of bytes, or counted', () => {
    expect(chiSquare(byRemainder)).toBeGreaterThan(690)
    let n = 0
    expect(chiSquare(() => String((n += 1)).padStart(16, '2'))).toBeGreaterThan(690)
  })
})

describe('orders of one customer', () => {
  const placing = async (shop: TestShop) => {
    const home = await makeHousehold(shop)
    const place = async (headers: Record<string, string> = {}) => {
      await home.customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
      return home.customer.call(placeOrder, { body: home.body }, { ...from(), ...headers })
    }
    const earlier = async (count: number) => {
      for (let n = 0; n < count; n += 1) await makeOrder(shop, { userId: home.customer.id, vendorId: home.vendor })
    }
    return { ...home, place, earlier }
  }
  const ordersOf = async (shop: TestShop, userId: number) =>
    (await shop.query<{ id: string }>('select id from orders where user_id = $1 order by created_at', [userId])).length

  it(`are limited to ${MAX_ORDERS_PER_HOUR} an hour by the database's clock; then placing gets 429 and keeps the cart`, async () => {
    const { place, earlier, customer } = await placing(shop)
    const key = { 'idempotency-key': 'the first of many orders' }
    const first = await place(key)
    await earlier(MAX_ORDERS_PER_HOUR - 2)
    expect((await place()).status).toBe(200)
    const refused = await place()
    expect([refused.status, refused.refusal.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(await ordersOf(shop, customer.id)).toBe(MAX_ORDERS_PER_HOUR)
    // A repeated key still returns its order above the limit.
    expect((await place(key)).body.id).toBe(first.body.id)
    const other = await placing(shop)
    expect((await other.place()).status).toBe(200)
    await shop.query(`update orders set created_at = created_at - interval '1 hour' where id = $1`, [first.body.id])
    expect((await place()).status).toBe(200)
    expect((await place()).status).toBe(429)
    await shop.query(`update orders set placed_by = $1 where user_id = $1`, [customer.id])
    expect((await place()).status, 'what staff placed for the customer is not counted').toBe(200)
  })

  it('never exceed the limit with concurrent requests', async () => {
    const { place, earlier, customer } = await placing(shop)
    await earlier(MAX_ORDERS_PER_HOUR - 1)
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 10 }, () => place()))
    expect(await ordersOf(shop, customer.id)).toBe(MAX_ORDERS_PER_HOUR)
  })

  it('are not counted with limits off', async () => {
    const { place, earlier, customer } = await placing(unlimited)
    await earlier(MAX_ORDERS_PER_HOUR)
    expect((await place()).status).toBe(200)
    expect(await ordersOf(unlimited, customer.id)).toBe(MAX_ORDERS_PER_HOUR + 1)
  })
})
