import { addToCart, restoreCart, switchCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../jobs/retention.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeHousehold, makeProduct, makeVendor } from '../../test/fixtures/make.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { repeated } from '../../test/sample.ts'

let shop: TestShop
type Household = Awaited<ReturnType<typeof makeHousehold>>

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 20 })
})

const fill = ({ customer, water }: Household, quantity = 3) =>
  customer.call(addToCart, { body: { productId: water, quantity } })
const ordersOf = ({ customer }: Household) =>
  shop.query('select id, total from orders where user_id = $1', [customer.id])
const submit = ({ customer, body }: Household, key?: string, more: object = {}) =>
  customer.call(placeOrder, { body: { ...body, ...more } }, key === undefined ? {} : { 'idempotency-key': key })
const times = <T>(n: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

describe('an Idempotency-Key', () => {
  it('creates one order for 50 concurrent requests, with 50 equal responses', async () => {
    const home = await makeHousehold(shop)
    await fill(home)
    const answers = await times(50, () => submit(home, 'checkout-1'))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(await ordersOf(home)).toHaveLength(1)
    expect(
      await shop.query('select * from order_audit_history where order_id = $1', [answers[0]?.body.id]),
    ).toHaveLength(1)
  })

  it('without it one of 50 requests wins and the others find the cart empty', async () => {
    const home = await makeHousehold(shop)
    await fill(home)
    const answers = await times(50, () => submit(home))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.refusal.code === 'CART_EMPTY')).toHaveLength(49)
    expect(await ordersOf(home)).toHaveLength(1)
  })

  it('returns the first response again, however cart, prices and shown total changed', async () => {
    const home = await makeHousehold(shop)
    await fill(home)
    const first = await submit(home, 'k', { expectedTotal: 100 })
    await shop.query('update products set price = price * 2 where id = $1', [home.water])
    await fill(home, 1)
    const again = await submit(home, 'k', { expectedTotal: 1 })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await ordersOf(home)).toHaveLength(1)
  })

  it('is refused with another body, for each field', async () => {
    const home = await makeHousehold(shop)
    await fill(home)
    await submit(home, 'k', { instructions: 'Ring', addressParts: { block: '1' } })
    const base = { instructions: 'Ring', addressParts: { block: '1' } }
    expect((await submit(home, 'k', { ...base, paymentMethod: 'cash' })).status).toBe(200)
    for (const more of [
      { customerName: 'Someone Else' },
      { address: 'Another house altogether' },
      { mapCoordinates: { lat: 26.2, lng: 50.5 } },
      { instructions: 'Knock' },
      { addressParts: { block: '2' } },
      { addressParts: { block: '1', road: '2' } },
      { addressParts: { block: '1', building: '2' } },
      { addressParts: { block: '1', flat: '2' } },
      { paymentMethod: 'card' },
      { receiverName: 'Huda Ali' },
    ]) {
      const { status, refusal } = await submit(home, 'k', { ...base, ...more })
      expect([status, refusal.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    const receiver = { receiverName: 'Huda Ali', receiverPhone: '+97336000009' }
    await fill(home)
    expect((await submit(home, 'receiver', receiver)).status).toBe(200)
    for (const more of [{ receiverName: 'Mona Ali' }, { receiverPhone: '+97336000010' }, { receiverPhone: null }])
      expect((await submit(home, 'receiver', { ...receiver, ...more })).refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('is released by a refusal, belongs to one person, and has any length', async () => {
    const [home, neighbour] = [await makeHousehold(shop), await makeHousehold(shop)]
    expect((await submit(home, 'k')).refusal.code).toBe('CART_EMPTY')
    await fill(home)
    expect((await submit(home, 'k')).status).toBe(200)
    await fill(neighbour)
    expect((await submit(neighbour, 'k')).status).toBe(200)
    await fill(home)
    expect((await submit(home, 'k'.repeat(5000))).status).toBe(200)
    expect(await ordersOf(home)).toHaveLength(2)
  })

  it('is kept for thirty days', async () => {
    const home = await makeHousehold(shop)
    for (const days of [29, 31])
      await shop.query(
        `insert into order_keys (user_id, key, order_id, fingerprint, created_at)
         values ($1, $2, $2, 'f', now() - $3 * interval '1 day')`,
        [home.customer.id, `${home.customer.id} ${days}`, days],
      )
    await deleteOldRows(shop.app, ({ table }) => table === 'order_keys')
    const left = await shop.query('select key from order_keys where user_id = $1', [home.customer.id])
    expect(left).toEqual([{ key: `${home.customer.id} 29` }])
  })

  it('works while carts are swapped', async () => {
    for (let round = 0; round < repeated(10, 4); round += 1) {
      const home = await makeHousehold(shop)
      const other = await makeProduct(shop, await makeVendor(shop, { minDeliveryAmount: 0 }))
      await fill(home)
      await home.customer.call(switchCart, { body: { productId: other, quantity: 1 } })
      await home.customer.call(restoreCart)
      const [answers, restored] = await Promise.all([
        times(9, () => submit(home, 'swapped')),
        times(3, () => home.customer.call(restoreCart)),
      ])
      expect([...answers, ...restored].filter((answer) => answer.status >= 500)).toEqual([])
      const orders = await ordersOf(home)
      expect(orders.length).toBeLessThanOrEqual(1)
      const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.id] : []))
      expect(new Set(ids).size).toBe(orders.length)
    }
  })
})

const cases: [string, string][] = [
  ['price', 'update products set price = price + 500 where vendor_id = $1'],
  ['fee', 'update vendors set delivery_fee = delivery_fee + 500 where id = $1'],
  ['minimum', 'update vendors set min_delivery_amount = 900000 where id = $1'],
  ['area', 'delete from vendor_delivery_areas where vendor_id = $1'],
  ['product', 'update products set is_active = false where vendor_id = $1'],
  ['vendor', 'update vendors set is_active = false where id = $1'],
]

type Query = { name?: string; text: string }

/** Intercepts the statements of a transaction: awaits `before` where placing reads, and replaces each by `change`. */
function between({ before, change }: { before?: () => Promise<unknown>; change?: (query: Query) => Query }) {
  const { prototype } = pg.Client
  const query = prototype.query as (...values: unknown[]) => unknown
  let reads = 0
  function meddle(this: pg.Client, ...values: unknown[]) {
    const [first, ...rest] = values as [Query]
    const send = () => query.call(this, change ? change(first) : first, ...rest)
    if (first.name !== 'order-inputs') return send()
    reads += 1
    return reads === 1 && before ? before().then(send) : send()
  }
  Object.assign(prototype, { query: meddle })
  return { reads: () => reads, end: () => Object.assign(prototype, { query }) }
}

describe('terms that change before the order is written', () => {
  const also: [string, string][] = [['VAT', 'update products set vat_percentage = 99 where vendor_id = $1']]
  it.each([...cases, ...also])('are applied: the %s', async (_, change) => {
    const home = await makeHousehold(shop)
    const { body } = await fill(home)
    const meddler = between({ before: () => shop.query(change, [home.vendor]) })
    const { status } = await submit(home, undefined, { expectedTotal: body.total })
    meddler.end()
    expect([status >= 400 && status < 500, meddler.reads()]).toEqual([true, 1])
    expect(await ordersOf(home)).toEqual([])
  })

  it('are charged if they became better', async () => {
    const home = await makeHousehold(shop)
    const { body } = await fill(home)
    const cheaper = 'update products set price = price - 1 where vendor_id = $1'
    const meddler = between({ before: () => shop.query(cheaper, [home.vendor]) })
    const answer = await submit(home, undefined, { expectedTotal: body.total })
    meddler.end()
    expect([answer.status, meddler.reads()]).toEqual([200, 1])
    expect(answer.body.total).toBeLessThan(body.total)
  })
})

describe('a cart that changes while the order waits for its lock', () => {
  /** Changes three to five pieces and commits while the order waits. */
  async function orderMeanwhile(change?: (query: Query) => Query) {
    const home = await makeHousehold(shop)
    const { body } = await fill(home)
    const client = await shop.app.pool.connect()
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`u${home.customer.id}`])
    await client.query('update cart_items set quantity = 5 where id = $1', [body.items[0]?.id])
    await client.query('update carts set version = version + 1 where id = $1', [body.id])
    const meddler = between(change ? { change } : {})
    const answering = submit(home)
    await until('a connection to wait', async () => (await lockWaits(shop)) > 0)
    await client.query('commit')
    client.release()
    const { status } = await answering
    meddler.end()
    const ordered = await shop.query(
      'select i.quantity from order_items i join orders o on o.id = i.order_id where o.user_id = $1',
      [home.customer.id],
    )
    return [status, meddler.reads(), ordered.map((item) => item.quantity)]
  }

  it('is ordered as changed', async () => {
    expect(await orderMeanwhile()).toEqual([200, 1, [5]])
  })

  it('would be ordered as read before without the lock', async () => {
    const withoutLock = (query: Query) =>
      query.name === 'lock-take-text'
        ? { ...query, name: 'lock-take-text-not', text: 'select $1::text, $2::bigint' }
        : query
    expect(await orderMeanwhile(withoutLock)).toEqual([200, 1, [3]])
  })
})

describe('terms that change while 20 people order', () => {
  it.each(cases)('never create an order above the shown total or one that the %s forbids', async (_, change) => {
    const home = await makeHousehold(shop)
    const people = await times(20, async () => {
      const { customer } = await makeHousehold(shop)
      return { ...home, customer }
    })
    const seen = await times(20, (n) => fill(people[n] ?? home))
    const answers = await times(21, async (n) => {
      const person = people[n]
      if (!person) return void (await shop.query(change, [home.vendor]))
      return submit(person, undefined, { expectedTotal: seen[n]?.body.total })
    })
    for (const [n, answer] of answers.entries()) {
      if (!answer) continue
      if (answer.status === 200) expect(answer.body.total).toBe(seen[n]?.body.total)
      else
        expect(['PRICE_CHANGED', 'MINIMUM_NOT_MET', 'VENDOR_DOES_NOT_DELIVER', 'PRODUCT_UNAVAILABLE']).toContain(
          answer.refusal.code,
        )
    }
    // Afterwards the change applies to everybody.
    const late = { ...home, customer: (await makeHousehold(shop)).customer }
    const { status } = await fill(late)
    if (status === 200) expect((await submit(late, undefined, { expectedTotal: 5 })).status).not.toBe(200)
    const odd = await shop.query(
      `select o.id from orders o join order_items i on i.order_id = o.id where o.vendor_id = $1 group by o.id
       having o.subtotal <> sum(i.price * i.quantity)`,
      [home.vendor],
    )
    expect(odd).toEqual([])
  })
})
