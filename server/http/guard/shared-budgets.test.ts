import { randomInt } from 'node:crypto'
import { initiateCheckout } from '@qatra/contract/analytics'
import { newOrderId } from '@qatra/contract/orders/order-id'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { findSalesCustomer } from '@qatra/contract/sales'
import { exportAccount } from '@qatra/contract/users/auth'
import { expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { makeVisitor } from '../../test/fixtures/make.ts'
import { listen } from '../../test/listen.ts'
import { callAsMeta } from '../../test/meta.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'
import type { Visitor } from '../../test/visitor.ts'

const settings = { rateLimits: true, trustedProxies: ['127.0.0.1'] }
const web = standInWeb()
const first = await startShop(settings, { web })
const second = await startShop(settings, { web, databaseUrl: first.databaseUrl })

/** The same session at another process. */
const at = (shop: TestShop, visitor: Visitor): Visitor => {
  const same = shop.visitor()
  for (const [name, value] of visitor.cookies) same.cookies.set(name, value)
  return same
}
const sender = async (role: 'customer' | 'vendor_sales' | 'vendor_staff') =>
  makeVisitor(first, role === 'customer' ? {} : { role, vendorId: 1 })
const from = (ip: string) => ({ 'x-forwarded-for': ip })
let counter = 0

interface Kind {
  name: string
  burst: number
  perMinute: number
  /** Returns a call that counts; it answers the status. */
  prepare: () => Promise<(shop: TestShop) => Promise<number>>
}
const kinds: Kind[] = [
  {
    name: 'writes of a network',
    burst: 600,
    perMinute: 1200,
    prepare: async () => async (shop) =>
      (await shop.visitor().send('POST', placeOrder.path, { body: {}, headers: from('41.1.0.1') })).status,
  },
  {
    name: 'geocoding of a network',
    burst: 60,
    perMinute: 120,
    prepare: async () => async (shop) =>
      (await shop.visitor().send('GET', '/api/geocode/search?q=manama', { headers: from('41.2.0.1') })).status,
  },
  {
    name: 'rendered pages of a network',
    burst: 300,
    perMinute: 600,
    prepare: async () => async (shop) =>
      (await shop.visitor().send('GET', `/?x=${(counter += 1)}`, { headers: from('41.3.0.1') })).status,
  },
  {
    name: 'unknown orders of an account',
    burst: 20,
    perMinute: 6,
    prepare: async () => {
      const visitor = await sender('customer')
      return async (shop) =>
        (await at(shop, visitor).call(getOrder, { params: { id: newOrderId(randomInt) } }, from('41.4.0.1'))).status
    },
  },
  {
    name: 'unknown orders of a network',
    burst: 200,
    perMinute: 60,
    prepare: async () => {
      let visitor = await sender('customer')
      let calls = 0
      return async (shop) => {
        if ((calls += 1) % 15 === 0) visitor = await sender('customer')
        const input = { params: { id: newOrderId(randomInt) } }
        return (await at(shop, visitor).call(getOrder, input, from('41.5.0.1'))).status
      }
    },
  },
  {
    name: 'phones looked up by a sales agent',
    burst: 60,
    perMinute: 10,
    prepare: async () => {
      const visitor = await sender('vendor_sales')
      return async (shop) => (await at(shop, visitor).call(findSalesCustomer, { query: { phone: newPhone() } })).status
    },
  },
  {
    name: 'exports of an account',
    burst: 60,
    perMinute: 1,
    prepare: async () => {
      const visitor = await sender('customer')
      return async (shop) => (await at(shop, visitor).send('GET', exportAccount.path)).status
    },
  },
  {
    name: 'checkouts of a network',
    burst: 20,
    perMinute: 30,
    prepare: async () => async (shop) =>
      (await shop.visitor().send('POST', initiateCheckout.path, { body: {}, headers: from('41.6.0.1') })).status,
  },
  {
    name: 'event streams of an account',
    burst: 30,
    perMinute: 60,
    prepare: async () => {
      const visitor = await sender('vendor_staff')
      return async (shop) => {
        const stream = await listen(shop, at(shop, visitor))
        stream.hangUp()
        return stream.status
      }
    },
  },
  {
    name: 'webhook calls with invalid signatures of a network',
    burst: 60,
    perMinute: 60,
    prepare: async () => async (shop) => (await callAsMeta(shop, {}, { signature: 'sha256=00' })).status,
  },
]

it.each(kinds)('$name have one budget in two processes', async ({ burst, perMinute, prepare }) => {
  const call = await prepare()
  const begun = performance.now()
  const allowedBefore429 = async (shop: TestShop) => {
    let allowed = 0
    while (allowed < 2 * burst && (await call(shop)) !== 429) allowed += 1
    return allowed
  }
  const atFirst = await allowedBefore429(first)
  expect(atFirst).toBeGreaterThanOrEqual(burst)
  const atSecond = await allowedBefore429(second)
  // A process reports its calls in twentieths of a burst.
  const refilled = ((performance.now() - begun) / 60_000) * perMinute
  expect(atFirst + atSecond).toBeLessThanOrEqual(burst + burst / 20 + refilled + 1)
})
