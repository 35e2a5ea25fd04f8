import { addToCart, clearCart, getCart, restoreCart, switchCart, updateCartItem } from '@qatra/contract/cart/cart'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'

const rounds = repeated(20, 4)
let shop: TestShop
const products: { id: number; vendor: number }[] = []

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  for (let v = 0; v < 2; v += 1) {
    const vendor = await makeVendor(shop)
    for (let p = 0; p < 3; p += 1) products.push({ id: await makeProduct(shop, vendor), vendor })
  }
})

const productAt = (index: number) => products[index % products.length] ?? { id: 0, vendor: 0 }

const vendorsInOneCart = async () => {
  const [row] = await shop.query<{ most: number }>(
    `select coalesce(max(n), 0)::integer as most from (
       select count(distinct p.vendor_id) as n from cart_items i join products p on p.id = i.product_id group by i.cart_id) x`,
  )
  return row?.most ?? 0
}

describe('a hundred adds of two vendors at once', () => {
  it('never put two vendors into a cart, and lose none that got 200', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const customer = await makeVisitor(shop)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          customer.call(addToCart, { body: { productId: productAt(n * 5 + round).id, quantity: 1 } }),
        ),
      )
      const { body } = await customer.call(getCart)
      const won = answers.filter((answer) => answer.status === 200)
      expect(answers.every(({ status, refusal }) => status === 200 || refusal.code === 'CART_VENDOR_CONFLICT')).toBe(
        true,
      )
      expect(new Set(body.items.map((item) => item.vendorId)).size).toBe(1)
      expect(body.items.reduce((sum, item) => sum + item.quantity, 0)).toBe(won.length)
      expect(body.version).toBe(won.length)
      // Each response shows the state after its own change: versions are distinct.
      expect(new Set(won.map((answer) => answer.body.version)).size).toBe(won.length)
    }
    expect(await vendorsInOneCart()).toBe(1)
  })

  it('keep the limit of 100 in sum', async () => {
    const customer = await makeVisitor(shop)
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => customer.call(addToCart, { body: { productId: productAt(0).id, quantity: 7 } })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(14)
    expect((await customer.call(getCart)).body.items.map((item) => item.quantity)).toEqual([98])
  })

  it('keep the invariants through switching, restoring, clearing and changing', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const customer = await makeVisitor(shop)
      const { body } = await customer.call(addToCart, { body: { productId: productAt(round).id, quantity: 1 } })
      const itemId = String(body.items[0]?.id)
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => {
          const product = { productId: productAt(n + round).id, quantity: 1 + (n % 3) }
          if (n % 6 === 0) return customer.call(switchCart, { body: product })
          if (n % 6 === 1) return customer.call(restoreCart)
          if (n % 12 === 2) return customer.call(clearCart)
          if (n % 6 === 3) return customer.call(updateCartItem, { params: { itemId }, body: { quantity: n % 4 } })
          return customer.call(addToCart, { body: product })
        }),
      )
      const failures = answers.filter((answer) => answer.status >= 500)
      expect(failures.map(({ status, refusal }) => ({ round, status, ...refusal }))).toEqual([])
      expect(await vendorsInOneCart()).toBeLessThanOrEqual(1)
      const rows = await shop.query<{ n: number }>(
        'select count(*)::integer as n from carts where user_id = $1 group by parked_at is null',
        [customer.id],
      )
      expect(rows.every((row) => row.n === 1)).toBe(true)
    }
  })

  it('would mix vendors without the lock and the key (mutant)', async () => {
    await shop.query('create table naive_items (cart integer, product_id integer)')
    const naiveAdd = (cart: number, product: { id: number; vendor: number }) =>
      inTransaction(shop.app.pool, async (db) => {
        const { rows } = await db.$client.query<{ vendor_id: number }>(
          'select p.vendor_id from naive_items i join products p on p.id = i.product_id where cart = $1 limit 1',
          [cart],
        )
        if (rows[0] && rows[0].vendor_id !== product.vendor) return
        await db.$client.query('insert into naive_items values ($1, $2)', [cart, product.id])
      })
    for (let cart = 0; cart < 20; cart += 1)
      await Promise.all(Array.from({ length: 10 }, (_, n) => naiveAdd(cart, productAt(n * 3))))
    const mixed = await shop.query(
      `select cart from naive_items i join products p on p.id = i.product_id group by cart having count(distinct p.vendor_id) > 1`,
    )
    expect(mixed.length).toBeGreaterThan(0)
  })
})

describe('an item of a foreign vendor', () => {
  it('is rejected by the database', async () => {
    const customer = await makeVisitor(shop)
    const { body } = await customer.call(addToCart, { body: { productId: productAt(0).id, quantity: 1 } })
    const foreign = productAt(3)
    const insert = 'insert into cart_items (cart_id, vendor_id, product_id) values ($1, $2, $3)'
    await expect(shop.query(insert, [body.id, foreign.vendor, foreign.id])).rejects.toThrow(/foreign key/)
    await expect(shop.query(insert, [body.id, body.vendorId, foreign.id])).rejects.toThrow(/foreign key/)
  })
})
