import { addToCart, getCart, switchCart } from '@qatra/contract/cart/cart'
import { deleteProduct } from '@qatra/contract/products/admin'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { repeated } from '../test/sample.ts'

const rounds = repeated(12, 4)
let shop: TestShop
let vendorId: number
let admin: Awaited<ReturnType<typeof makeVisitor>>

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  vendorId = await makeVendor(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
})

/** Runs `ask` while another transaction deletes the product; the request waits for that transaction. */
async function whileItGoes<T>(productId: number, ask: () => Promise<T>): Promise<T> {
  let asked: Promise<T> | null = null
  await inTransaction(shop.app.pool, async (db) => {
    await db.execute(`select from products where id = ${productId} for update`)
    asked = ask()
    await expect.poll(() => lockWaits(shop)).toBeGreaterThan(0)
    await db.execute(`delete from products where id = ${productId}`)
  })
  if (!asked) throw new Error('Nobody asked')
  return asked
}

describe('a product deleted during the request', () => {
  it('is refused to a cart with 404, and the cart is unchanged', async () => {
    const [kept, gone] = [await makeProduct(shop, vendorId), await makeProduct(shop, vendorId)]
    const visitor = await makeVisitor(shop)
    const before = (await visitor.call(addToCart, { body: { productId: kept, quantity: 2 } })).body
    const answer = await whileItGoes(gone, () => visitor.call(addToCart, { body: { productId: gone, quantity: 1 } }))
    expect([answer.status, answer.refusal.code]).toEqual([404, 'PRODUCT_NOT_FOUND'])
    expect((await visitor.call(getCart)).body).toMatchObject({ version: before.version, items: [{ productId: kept }] })
  })

  it('is refused to a new cart with 404, and the present cart is not parked', async () => {
    const gone = await makeProduct(shop, vendorId)
    const visitor = await makeVisitor(shop)
    const foreign = await makeProduct(shop, await makeVendor(shop))
    await visitor.call(addToCart, { body: { productId: foreign, quantity: 1 } })
    const answer = await whileItGoes(gone, () => visitor.call(switchCart, { body: { productId: gone, quantity: 1 } }))
    expect([answer.status, answer.refusal.code]).toEqual([404, 'PRODUCT_NOT_FOUND'])
    const { body } = await visitor.call(getCart)
    expect([body.items.map(({ productId }) => productId), body.parked]).toEqual([[foreign], null])
  })

  it('is either deleted or marked in the carts that have it, and no request fails', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const id = await makeProduct(shop, vendorId)
      const visitors = await Promise.all(Array.from({ length: 6 }, () => makeVisitor(shop)))
      const [deleted, ...added] = await Promise.all([
        admin.call(deleteProduct, { params: { id: String(id) } }),
        ...visitors.map((visitor, n) =>
          visitor.call(n % 3 ? addToCart : switchCart, { body: { productId: id, quantity: 1 } }),
        ),
      ])
      expect(deleted.status).toBe(200)
      for (const { status, refusal } of added)
        expect(status === 200 || (status === 404 && refusal.code === 'PRODUCT_NOT_FOUND')).toBe(true)
      const left = await shop.query('select deleted_at from products where id = $1', [id])
      const held = await shop.query('select from cart_items where product_id = $1', [id])
      expect(left.length === 1).toBe(added.some(({ status }) => status === 200))
      expect(held).toHaveLength(added.filter(({ status }) => status === 200).length)
      expect(left.every((row) => row['deleted_at'] !== null)).toBe(true)
    }
  })
})

it('uses an index to check whether a product was ordered', async () => {
  await shop.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
     select (select id from orders limit 1), 100000 + n, 'Many', '500ml', 1, 0, 1 from generate_series(1, 20000) n`,
  )
  await shop.query('analyze order_items')
  const plan = await shop.query<{ 'QUERY PLAN': string }>(
    'explain select exists (select from order_items where product_id = 100007)',
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toContain('order_items_of_product')
  expect(text).not.toContain('Seq Scan')
})
