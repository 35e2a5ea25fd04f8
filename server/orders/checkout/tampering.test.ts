import { addToCart } from '@qatra/contract/cart/cart'
import { fils, toBhd } from '@qatra/contract/lib/money'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { orderTotals } from '@qatra/contract/orders/totals'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeHousehold, makeProduct, makeVisitor } from '../../test/fixtures/make.ts'
import { repeated } from '../../test/sample.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  home = await makeHousehold(shop)
})

/** Every column of an order in both spellings, and fields that other shops were attacked with. */
const smuggled: Record<string, unknown[]> = {
  price: [0.001, -1],
  total: [0, 0.001, -5, 1e15],
  subtotal: [0, -1],
  deliveryFee: [0, -10],
  productVAT: [0],
  product_vat: [0],
  delivery_fee: [0],
  discount: [100],
  status: ['delivered', 'cancelled', 'shipped', null],
  paymentStatus: ['paid', 'failed', null],
  payment_status: ['paid'],
  vendorId: [1, 2, -1],
  vendor_id: [1],
  userId: [1, 999_999, null],
  user_id: [1],
  id: ['AAAAAAAAAAAAAAAA', 1],
  phone: ['+97336000001', ''],
  areaId: [1, null],
  areaName: ['Elsewhere'],
  placedBy: [1],
  assignedDriverId: [1],
  promisedDate: ['2020-01-01'],
  createdAt: ['2020-01-01T00:00:00.000Z'],
  updatedAt: ['2020-01-01T00:00:00.000Z'],
  deliveredAt: ['2020-01-01T00:00:00.000Z'],
  version: [99],
  legacyBagId: ['x'],
  legacyTransactionId: ['x'],
  syncStatus: ['done'],
  syncErrors: ['x'],
  lastSyncAt: ['2020-01-01T00:00:00.000Z'],
  items: [[], [{ productId: 1, quantity: 1, price: 0.001 }]],
  cartId: [1],
  role: ['super_admin'],
  isVerified: [true],
  permissions: [['everything']],
  constructor: [{ prototype: { total: 0 } }],
  prototype: [{ total: 0 }],
  toString: ['x'],
  can: [{ changeStatus: ['delivered'] }],
}
/** The n-th value of each field in one body: what is refused or taken would be seen. */
const bodies = [0, 1, 2, 3].map((n) =>
  Object.fromEntries(
    Object.entries(smuggled).flatMap(([key, values]) => (n < values.length ? [[key, values[n]]] : [])),
  ),
)

describe('fields that a customer must not decide', () => {
  it('include more than 55 attempts', () => expect(Object.values(smuggled).flat().length).toBeGreaterThan(55))

  it.each(bodies.map((more, n) => [n, more] as const))('change no column: value %i of each', async (_, more) => {
    const customer = await makeVisitor(shop)
    const { body: cart } = await customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
    const { status, body } = await customer.send('POST', '/api/orders', { body: { ...more, ...home.body } })
    expect(status).toBe(200)
    const id = String((body as { id: unknown }).id)
    await expectHonest(id, customer, cart.total)
  })

  it('have no effect through the prototype', async () => {
    const customer = await makeVisitor(shop)
    const { body: cart } = await customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
    const raw = `${JSON.stringify(home.body).slice(0, -1)},"__proto__":{"total":0,"paymentStatus":"paid","status":"delivered"}}`
    const { status, body } = await customer.send('POST', '/api/orders', { raw })
    // A body with a prototype key may be refused; if accepted it must have no effect.
    if (status === 200) await expectHonest(String((body as { id: unknown }).id), customer, cart.total)
    else expect(status).toBeLessThan(500)
    expect(({} as Record<string, unknown>).total).toBeUndefined()
  })
})

async function expectHonest(id: string, customer: { id: number; phone: string }, total: number) {
  const [row] = await shop.query('select * from orders where id = $1', [id])
  expect(row).toMatchObject({
    id: expect.stringMatching(/^[A-HJ-KM-NP-Z2-9]{16}$/),
    user_id: customer.id,
    phone: customer.phone,
    vendor_id: home.vendor,
    status: 'new',
    payment_status: 'pending',
    payment_method: 'cash',
    subtotal: 4515,
    delivery_fee: 750,
    product_vat: 452,
    total: Math.round(total * 1000),
    area_id: home.areaId,
    placed_by: null,
    assigned_driver_id: null,
    delivered_at: null,
    version: 1,
    legacy_bag_id: null,
    legacy_transaction_id: null,
    last_sync_at: null,
    sync_status: 'pending',
    sync_errors: null,
  })
  const created = (row as { created_at: Date }).created_at
  expect(Math.abs(Date.now() - created.getTime())).toBeLessThan(60_000)
  const items = await shop.query('select product_id, quantity, price from order_items where order_id = $1', [id])
  expect(items).toEqual([{ product_id: home.water, quantity: 3, price: 1505 }])
}

describe('the database', () => {
  let customer: Awaited<ReturnType<typeof makeVisitor>>
  beforeAll(async () => {
    customer = await makeVisitor(shop)
    for (const quantity of [3, 1]) {
      await customer.call(addToCart, { body: { productId: home.water, quantity } })
      if (quantity === 3) expect((await customer.call(placeOrder, { body: home.body })).status).toBe(200)
    }
  })

  it.each([
    ['orders', 'total = total - 1'],
    ['orders', 'delivery_fee = -1, total = subtotal - 1 + product_vat'],
    ['orders', 'subtotal = -1, total = delivery_fee - 1 + product_vat'],
    ['orders', 'product_vat = -1, total = subtotal + delivery_fee - 1'],
    ['orders', `status = 'paid'`],
    ['orders', `payment_status = 'free'`],
    ['order_items', 'quantity = 0'],
    ['order_items', 'quantity = -1'],
    ['order_items', 'quantity = 101'],
    ['order_items', 'price = -1'],
    ['products', 'price = 0'],
    ['products', 'price = 10000001'],
    ['products', 'vat_percentage = -1'],
    ['vendors', 'delivery_fee = -1'],
    ['cart_items', 'quantity = 101'],
  ])('rejects %s with %s', async (table, change) => {
    const own: Record<string, string> = {
      orders: `user_id = ${customer.id}`,
      order_items: `order_id = (select id from orders where user_id = ${customer.id})`,
      products: `id = ${home.water}`,
      vendors: `id = ${home.vendor}`,
      cart_items: `cart_id in (select id from carts where user_id = ${customer.id})`,
    }
    expect(await shop.query(`select 1 from ${table} where ${own[table]}`)).toHaveLength(1)
    await expect(shop.query(`update ${table} set ${change} where ${own[table]}`)).rejects.toThrow(/check constraint/)
  })
})

describe('the total', () => {
  it('is the sum of its lines, VAT rounded per line, in cart, response, order and table', async () => {
    const product = fc.record({
      price: fc.integer({ min: 1, max: 10_000_000 }),
      vatPercentage: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
      quantity: fc.integer({ min: 1, max: 100 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        async (lines, fee) => {
          await shop.query('update vendors set min_delivery_amount = 0, delivery_fee = $2 where id = $1', [
            home.vendor,
            fee,
          ])
          const customer = await makeVisitor(shop)
          let shown = 0
          for (const { quantity, ...overrides } of lines) {
            const productId = await makeProduct(shop, home.vendor, overrides)
            shown = (await customer.call(addToCart, { body: { productId, quantity } })).body.total
          }
          const expected = orderTotals(
            lines.map((line) => ({ ...line, price: fils(line.price) })),
            { deliveryFee: fils(fee) },
          )
          const { body } = await customer.call(placeOrder, { body: { ...home.body, expectedTotal: shown } })
          const { body: order } = await customer.call(getOrder, { params: { id: body.id } })
          expect([shown, body.total, order.total]).toEqual([
            toBhd(expected.total),
            toBhd(expected.total),
            toBhd(expected.total),
          ])
          const [row] = await shop.query(
            `select total, subtotal, product_vat, (select sum(round(price * quantity * vat_percentage / 100)) from order_items where order_id = $1) as vat
           from orders where id = $1`,
            [body.id],
          )
          expect(row).toEqual({
            total: expected.total,
            subtotal: expected.subtotal,
            product_vat: expected.productVAT,
            vat: expected.productVAT,
          })
        },
      ),
      { numRuns: repeated(25, 8) },
    )
  })
})
