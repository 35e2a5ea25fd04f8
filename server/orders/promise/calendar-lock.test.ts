import { closeDay } from '@qatra/contract/calendar/admin'
import { addToCart } from '@qatra/contract/cart/cart'
import { changePromise } from '@qatra/contract/orders/delivery'
import { placeOrder, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../../test/fixtures/make.ts'
import { lockWaits } from '../../test/lock-waits.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 10 })
})

type Query = { name?: string; text: string; values: unknown[] }

const withoutLock = (query: Query) =>
  query.name === 'lock-share' ? { ...query, name: 'lock-share-not', text: 'select $1::bigint' } : query

/** Holds the first transaction that has read by this statement until `release`, and replaces statements by `change`. */
function hold(name: string, change: (query: Query) => Query) {
  const { prototype } = pg.Client
  const query = prototype.query as (...values: unknown[]) => unknown
  const [read, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  function meddle(this: pg.Client, ...values: unknown[]) {
    const [first, ...rest] = values as [Query]
    const sent = query.call(this, change(first), ...rest)
    if (first.name !== name) return sent
    reads += 1
    if (reads > 1) return sent
    return Promise.resolve(sent).then(async (result) => {
      read.resolve()
      await released.promise
      return result
    })
  }
  Object.assign(prototype, { query: meddle })
  return {
    hasRead: read.promise,
    release: released.resolve,
    end: () => Object.assign(prototype, { query }),
  }
}

async function withOffice() {
  const home = await makeHousehold(shop)
  const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  const { body } = await shop.visitor().call(getDeliveryDays, { query: { vendorId: String(home.vendor) } })
  const [first = '', second = ''] = body.map(({ date }) => date)
  return { ...home, office, first, second }
}
type Home = Awaited<ReturnType<typeof withOffice>>
type Act = (home: Home) => Promise<() => Promise<{ status: number }>>

/** An order of the second day that is moved to the first. */
const moved =
  (move: (home: Home, id: string) => Promise<{ status: number }>): Act =>
  async (home) => {
    const id = await home.order()
    await shop.query('update orders set promised_date = $2 where id = $1', [id, home.second])
    return () => move(home, id)
  }

const acts: [string, string, Act][] = [
  [
    'placed for',
    'order-inputs',
    async ({ customer, water, body }) => {
      await customer.call(addToCart, { body: { productId: water, quantity: 3 } })
      return () => customer.call(placeOrder, { body })
    },
  ],
  [
    'moved by its customer to',
    'delivery-terms',
    moved(({ customer, first }, id) => customer.call(rescheduleOrder, { params: { id }, body: { date: first } })),
  ],
  [
    'moved by the office to',
    'delivery-terms',
    moved(({ office, first }, id) => office.call(changePromise, { params: { id }, body: { date: first } })),
  ],
]

/** Closes the first day after the act has read that it is open and before it writes. @returns orders left on that day */
async function closeMeanwhile(prepare: Act, statement: string, change: (query: Query) => Query, isLocked: boolean) {
  const home = await withOffice()
  const act = await prepare(home)
  const held = hold(statement, change)
  const acting = act()
  await held.hasRead
  const closing = home.office.call(closeDay, { body: { day: home.first, moveOrders: true } })
  if (isLocked) await until('the closing to wait', async () => (await lockWaits(shop, '%pg_advisory_xact_lock%')) > 0)
  else await closing
  held.release()
  const statuses = [(await acting).status, (await closing).status]
  held.end()
  await until('the job', async () => {
    const left = await shop.query(
      `select from pgboss.job where name = 'move-orders' and state < 'completed' and (data->>'vendorId')::int = $1`,
      [home.vendor],
    )
    return left.length === 0
  })
  const left = await shop.query('select from orders where vendor_id = $1 and promised_date = $2', [
    home.vendor,
    home.first,
  ])
  return { statuses, left: left.length }
}

describe.each(acts)('an order that is %s a day while it is being closed', (_, statement, act) => {
  it('makes the closing wait, and is moved from the day', async () => {
    expect(await closeMeanwhile(act, statement, (query) => query, true)).toEqual({ statuses: [200, 200], left: 0 })
  })

  it('would stay on the closed day without the lock (mutant)', async () => {
    expect(await closeMeanwhile(act, statement, withoutLock, false)).toEqual({ statuses: [200, 200], left: 1 })
  })
})
