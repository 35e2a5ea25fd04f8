import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import { getMe } from '@qatra/contract/users/auth'
import { pino } from 'pino'
import { afterAll, expect, inject, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold } from '../test/fixtures/make.ts'
import { startPair } from '../test/processes/standby.ts'
import { type Db, openDb, openPool } from './db.ts'
import { createReplica } from './replica.ts'

const { primary, standby } = await startPair()
const shop = await startShop({ databaseReadUrl: standby.url }, { databaseUrl: primary.url })
const withoutReplica = await startShop({}, { databaseUrl: primary.url })
afterAll(async () => {
  await Promise.all([shop.stop(), withoutReplica.stop()])
  await standby.stop()
  await primary.stop()
})

/** A database, here another cluster than the pair, beside a replica; `readHere` fails while the database is away. */
async function withReplica(url: string, readUrl: string) {
  const pool = openPool(url, () => {}, { max: 1 })
  const parts = { db: openDb(pool), preparedStatements: true, max: 1, log: pino({ level: 'silent' }) }
  const replica = await createReplica(readUrl, parts)
  const one = async (db: Db) => (await db.execute<{ one: number }>('select 1 as one')).rows[0]?.one
  return {
    readHere: () => replica.readAvailable(one),
    readAway: () =>
      replica.readAvailable(async (db) => {
        if (db === parts.db) throw new Error('Connection terminated')
        return one(db)
      }),
    stop: () => Promise.all([replica.stop(), pool.end()]),
  }
}

it('a standby of another cluster is never read, and one that cannot be reached stops no start', async () => {
  const other = await withReplica(inject('adminUrl'), standby.url)
  expect(await other.readHere()).toBe(1)
  await expect(other.readAway()).rejects.toThrow('Connection terminated')
  await other.stop()
  const own = await withReplica(primary.url, standby.url)
  expect(await own.readAway()).toBe(1)
  await own.stop()
  const alone = await withReplica(primary.url, 'postgres://qatra@127.0.0.1:1/qatra')
  expect(await alone.readHere()).toBe(1)
  await alone.stop()
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
