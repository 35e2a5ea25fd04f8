import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'

it('an add that read the cart before a writer without the lock emptied it is decided again', async () => {
  const shop = await startShop({ role: 'web', databasePoolSize: 10 })
  const vendor = await makeVendor(shop)
  const [water, gallon] = [await makeProduct(shop, vendor), await makeProduct(shop, vendor)]
  const customer = await makeVisitor(shop)
  const add = (productId: number, quantity: number) => customer.call(addToCart, { body: { productId, quantity } })
  await add(gallon, 1)
  const { body } = await add(water, 5)
  const writer = await shop.app.pool.connect()
  await writer.query('begin')
  await writer.query(
    `with emptied as (delete from cart_items where cart_id = $1)
     update carts set vendor_id = null, version = version + 1 where id = $1`,
    [body.id],
  )
  const adding = add(water, 2)
  await until('the add to wait', async () => (await lockWaits(shop)) > 0)
  await writer.query('commit')
  writer.release()
  const answer = await adding
  expect([answer.status, answer.body.version]).toEqual([200, body.version + 2])
  expect(answer.body.items.map((item) => [item.productId, item.quantity])).toEqual([[water, 2]])
  expect((await customer.call(getCart)).body).toEqual(answer.body)
})
