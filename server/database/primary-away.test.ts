import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import { getMe } from '@qatra/contract/users/auth'
import { afterAll, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold } from '../test/fixtures/make.ts'
import { startPair } from '../test/processes/standby.ts'

const { primary, standby } = await startPair()
const shop = await startShop({ databaseReadUrl: standby.url }, { databaseUrl: primary.url })
const withoutReplica = await startShop({}, { databaseUrl: primary.url })
afterAll(async () => {
  await Promise.all([shop.stop(), withoutReplica.stop()])
  await standby.stop()
  await primary.stop()
})

it('without the primary a customer sees their cart and orders from the replica, and writes are refused', async () => {
  const home = await makeHousehold(shop)
  const { customer } = home
  const id = await home.order()
  const add = () => customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
  expect((await add()).status).toBe(200)
  const { body: cart } = await customer.call(getCart)
  const { body: orders } = await customer.call(listMyOrders, { query: {} })
  expect(cart.items).toHaveLength(1)

  await primary.stop()
  // The standby has received everything before the primary stopped, but may still be replaying it.
  await until('the cart', async () => (await customer.call(getCart)).body?.items?.length === 1)
  expect(await customer.call(getCart)).toMatchObject({ status: 200, body: cart })
  expect(await customer.call(listMyOrders, { query: {} })).toMatchObject({ status: 200, body: orders })
  expect(await customer.call(getOrder, { params: { id } })).toMatchObject({ status: 200, body: { id } })
  expect((await customer.call(getMe)).status).toBe(200)
  expect((await shop.visitor().call(getOrder, { params: { id } })).status).toBe(401)
  expect((await add()).status).toBe(503)

  const same = withoutReplica.visitor()
  for (const [name, value] of customer.cookies) same.cookies.set(name, value)
  expect((await same.call(getCart)).status).toBe(503)
})
