import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { type Dashboard, periods, readDashboard, spansOf } from '@qatra/contract/dashboard/dashboard'
import {
  agreedOrdersIn,
  newCustomersIn,
  type OrdersAsked,
  ordersIn,
  waitingOrders,
  wholeDay,
} from '@qatra/contract/dashboard/links'
import { listOrders } from '@qatra/contract/orders/admin'
import { listAdminProducts } from '@qatra/contract/products/admin'
import { listCustomers } from '@qatra/contract/users/customers'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { isFull, sample, sampleSeed } from '../test/sample.ts'
import { storePastDays } from './jobs.ts'

type Visitor = Awaited<ReturnType<typeof makeVisitor>>
let shop: TestShop
let [mine, other] = [0, 0]
let [market, admin, otherAdmin]: Visitor[] = []
let products: number[] = []
const placed: { id: string; at: Date; vendorId: number }[] = []

const asked = (person: Visitor | undefined) => {
  if (!person) throw new Error('Nobody asks')
  return person
}
async function look(person: Visitor | undefined, query: Record<string, string>): Promise<Dashboard> {
  const { status, body } = await asked(person).call(readDashboard, { query: query as never })
  expect(status).toBe(200)
  return body as Dashboard
}
async function listed(person: Visitor | undefined, query: OrdersAsked) {
  const { status, body } = await asked(person).call(listOrders, { query: { ...query, limit: 1 } })
  expect([status, query, 'totalIsExact' in body && body.totalIsExact]).toEqual([200, query, true])
  return body as { total: number; sum: number }
}

/** Places orders at these instants for all customers and products, each slightly different. */
async function place(instants: readonly Date[], customers: readonly number[]) {
  const statuses = ['delivered', 'new', 'cancelled', 'shipped', 'delivered', 'in-progress', 'delivered']
  const rows = instants.map((at, n) => ({
    id: `D${String(placed.length + n).padStart(15, 'Z')}`,
    at,
    vendor: n % 3 === 0 ? other : mine,
    status: statuses[n % statuses.length],
    user: customers[(n * 7) % customers.length] ?? null,
    area: [1, 2, 3, null][n % 4],
    total: 1000 + n * 37,
    driver: n % 2,
  }))
  await shop.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng, area_id,
       subtotal, delivery_fee, product_vat, total, promised_date, created_at)
     select r.id, r.user, r.vendor, 'V', r.status, 'Noura', '+97336000006', 'Seef', 26.2, 50.5, r.area, r.total, 0, 0, r.total,
       bahrain_day(r.at) + 1, r.at
     from jsonb_to_recordset($1) as r (id text, "user" integer, vendor integer, status text, area integer, total integer, at timestamptz)`,
    [JSON.stringify(rows)],
  )
  await shop.query(
    `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity, list_price)
     select r.id, p.id, 'Water', '500ml', 100, 0, 1 + r.n % 5,
       case when (r.n + p.k) % 5 < 2 then 90 + (r.n * 13) % 60 end
     from unnest($1::text[]) with ordinality r (id, n), unnest($2::integer[]) with ordinality p (id, k)
     where r.n % (p.k + 1) = 0`,
    [rows.map(({ id }) => id), products],
  )
  placed.push(...rows.map(({ id, at, vendor }) => ({ id, at, vendorId: vendor })))
}

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  mine = await makeVendor(shop)
  other = await makeVendor(shop)
  products = [await makeProduct(shop, mine), await makeProduct(shop, mine), await makeProduct(shop, other), 900_001]
  market = await makeVisitor(shop, { role: 'super_admin' })
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: mine })
  otherAdmin = await makeVisitor(shop, { role: 'vendor_staff', vendorId: other })
  const customers: number[] = []
  for (let n = 0; n < 9; n += 1) customers.push((await makeUser(shop)).id)
  const now = shop.app.clock.now()
  const today = bahrainDate(now)
  const borders = periods.flatMap((period) => {
    const { days, daysBefore, spanBefore } = spansOf(period, now)
    const begins = [days[0], daysBefore[0], addDays(daysBefore[0] ?? today, -1)].map((day) =>
      startOfBahrainDay(day ?? today),
    )
    return [...begins, ...(spanBefore.before ? [new Date(spanBefore.before)] : [])]
  })
  const around = borders.flatMap((at) =>
    [-3 * 3_600_000, -60_000, -1, 0, 1, 3_600_000, 3 * 3_600_000 - 1].map((more) => new Date(at.getTime() + more)),
  )
  const others = Array.from({ length: 120 }, (_, n) => new Date(now.getTime() - n * 11.3 * 3_600_000))
  await place(
    [...around, ...others].filter((at) => at < now),
    customers,
  )
})

/** BHD by which the lines of a period are below product prices, summed line by line. */
async function lessOf({ vendorId }: Dashboard, { from, to, before }: Dashboard['span']) {
  const lines = await shop.query<{ price: string; list_price: string; quantity: number }>(
    `select i.price, i.list_price, i.quantity from order_items i join orders o on o.id = i.order_id
     where i.list_price is not null and o.status <> 'cancelled' and bahrain_day(o.created_at) between $1 and $2
       and ($3::timestamptz is null or o.created_at < $3) and ($4::integer is null or o.vendor_id = $4)`,
    [from, to, before, vendorId],
  )
  const less = lines.map((one) => (Number(one.list_price) - Number(one.price)) * one.quantity)
  return less.reduce((sum, one) => sum + one, 0) / 1000
}

/** Compares the numbers of a dashboard, a sample in the short run, with the lists they link to. */
async function expectNumbers(person: Visitor | undefined, seen: Dashboard, share = 0.25) {
  const claims: [string, number, OrdersAsked, sum?: number | null][] = []
  const { span, spanBefore } = seen
  const claim = (name: string, number: number, query: OrdersAsked, sum?: number | null) =>
    claims.push([`${seen.period} ${name}`, number, query, sum])
  claim('orders', seen.figures.orders, ordersIn(seen, span), seen.figures.revenue)
  claim('before', seen.figuresBefore.orders, ordersIn(seen, spanBefore), seen.figuresBefore.revenue)
  claim('cancelled', seen.figures.cancelled, ordersIn(seen, span, { status: 'cancelled' }))
  claim('cancelled before', seen.figuresBefore.cancelled, ordersIn(seen, spanBefore, { status: 'cancelled' }))
  for (const [name, { agreed, givenAway }, one] of [
    ['agreed', seen.figures, span],
    ['agreed before', seen.figuresBefore, spanBefore],
  ] as const) {
    claim(name, agreed, agreedOrdersIn(seen, one))
    expect([seen.period, name, givenAway]).toEqual([seen.period, name, await lessOf(seen, one)])
  }
  for (const { status, orders } of seen.byStatus) claim(status, orders, ordersIn(seen, span, { status }))
  for (const { hour, orders, before } of seen.byHour) {
    claim(`hour ${hour}`, orders, ordersIn(seen, span, { hour }))
    if (before !== null) claim(`hour ${hour} before`, before, ordersIn(seen, wholeDay(spanBefore.from), { hour }))
  }
  for (const { day, orders, revenue, dayBefore, before, revenueBefore } of seen.byDay) {
    claim(day, orders, ordersIn(seen, wholeDay(day)), revenue)
    if (dayBefore !== null)
      claim(`before ${dayBefore}`, before ?? -1, ordersIn(seen, wholeDay(dayBefore)), revenueBefore)
  }
  for (const { vendorId, orders, revenue } of seen.byVendor)
    claim(`vendor ${vendorId}`, orders, ordersIn(seen, span, { vendorId: String(vendorId) }), revenue)
  for (const { areaId, orders, revenue } of seen.byArea)
    claim(`area ${areaId}`, orders, ordersIn(seen, span, { areaId: String(areaId ?? 'none') }), revenue)
  for (const { productId, orders } of seen.byProduct)
    claim(`product ${productId}`, orders, ordersIn(seen, span, { productId: String(productId) }))
  claim('new', seen.waiting.new, waitingOrders.new(seen))
  claim('without driver', seen.waiting.withoutDriver, waitingOrders.withoutDriver(seen))
  claim('late', seen.waiting.late, waitingOrders.late(seen))
  claim('failed', seen.waiting.failed, waitingOrders.failed(seen))
  claim('due', seen.waiting.due, waitingOrders.due(seen))
  for (const [name, number, query, sum] of [...claims.slice(0, 1), ...sample(claims.slice(1), share)]) {
    const list = await listed(person, query)
    expect([name, number]).toEqual([name, list.total])
    if (sum !== undefined) expect([`${name}, in BHD`, sum]).toEqual([`${name}, in BHD`, list.sum])
  }
  for (const [figures, one] of [
    [seen.figures, span],
    [seen.figuresBefore, spanBefore],
  ] as const) {
    const { body } = await asked(person).call(listCustomers, { query: newCustomersIn(seen, one) })
    expect(['new customers', figures.newCustomers]).toEqual(['new customers', 'total' in body && body.total])
  }
  const off = { isActive: 'false' as const, ...(seen.vendorId ? { vendorId: String(seen.vendorId) } : {}) }
  const { body } = await asked(person).call(listAdminProducts, { query: off })
  expect(seen.waiting.productsOff).toBe('total' in body && body.total)
  return claims.length
}

const withoutTime = ({ now: _, spanBefore: { before: __, ...spanBefore }, ...seen }: Dashboard) => ({
  ...seen,
  spanBefore,
})

describe(`the dashboard (seed ${sampleSeed})`, () => {
  for (const [at, period] of periods.entries()) {
    it(`of ${period}: every number equals the total of the list it links to`, async () => {
      const views: [person: Visitor | undefined, query: { vendorId?: string }][] = [
        [market, {}],
        [market, { vendorId: String(mine) }],
        [admin, { vendorId: String(mine) }],
        [otherAdmin, { vendorId: '0' }],
      ]
      // Half of them in the short run, the others for the next period.
      for (const [person, query] of views.filter((_, n) => isFull || (n + sampleSeed + at) % 2 === 0)) {
        const seen = await look(person, { period, ...query })
        expect(await expectNumbers(person, seen)).toBeGreaterThan(40)
        expect(seen.byStatus.reduce((sum, { orders }) => sum + orders, 0)).toBe(
          seen.figures.orders + seen.figures.cancelled,
        )
        for (const part of [seen.byHour, seen.byDay, seen.byArea])
          expect(part.reduce((sum, { orders }) => sum + orders, 0)).toBe(seen.figures.orders)
      }
    })

    it(`of ${period} is the same from stored figures of past days`, async () => {
      await shop.query('delete from order_days')
      const counted = [await look(market, { period }), await look(admin, { period })]
      await storePastDays(shop.app)
      const [days] = await shop.query<{ n: number }>('select count(*)::integer as n from order_days')
      expect(days?.n).toBeGreaterThan(27)
      const kept = [await look(market, { period }), await look(admin, { period })]
      expect(kept.map(withoutTime)).toEqual(counted.map(withoutTime))
    })
  }

  it('counts by days in Bahrain, which differ from days in UTC', async () => {
    const seen = await look(admin, { period: 'month' })
    const [utc] = await shop.query<{ n: number }>(
      `select count(*)::integer as n from orders where vendor_id = $1 and status <> 'cancelled'
         and created_at >= $2::date::timestamp at time zone 'UTC'`,
      [mine, seen.span.from],
    )
    expect(utc?.n).not.toBe(seen.figures.orders)
  })

  it("returns 403 without access and never includes another vendor's orders", async () => {
    for (const [person, query, wanted] of [
      [admin, { vendorId: String(other) }, 403],
      [otherAdmin, { vendorId: String(mine) }, 403],
      [admin, { period: 'year' }, 400],
      [market, { vendorId: 'x' }, 400],
      [await makeVisitor(shop, { role: 'driver', vendorId: mine }), {}, 403],
      [await makeVisitor(shop, { role: 'vendor_sales', vendorId: mine }), {}, 403],
    ] as const) {
      const { status } = await asked(person).call(readDashboard, { query: query as never })
      expect([query, status]).toEqual([query, wanted])
    }
    const { headers } = await asked(admin).send('GET', '/api/admin/dashboard')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('a past day that changes', () => {
  const dayOf = (order: { at: Date }) => bahrainDate(order.at)
  const someOf = (days: number) => {
    const day = addDays(bahrainDate(shop.app.clock.now()), -days)
    return placed.filter((order) => dayOf(order) === day && order.vendorId === mine)
  }
  const isKept = async (day: string) => (await shop.query('select from order_days where day = $1', [day])).length === 1

  it('is recounted at once after any change', async () => {
    const [order, another] = someOf(1)
    if (!order || !another) throw new Error('Yesterday had no orders')
    for (const change of [
      `update orders set status = case status when 'cancelled' then 'delivered' else 'cancelled' end where id = $1`,
      'update orders set subtotal = subtotal + 500, total = total + 500 where id = $1',
      'update orders set area_id = 9 where id = $1',
      'update order_items set quantity = quantity + 1 where order_id = $1',
      'update order_items set list_price = price + 40 where order_id = $1',
      'update order_items set list_price = null where order_id = $1',
      `update orders set created_at = created_at - interval '1 day' where id = $1`,
    ]) {
      await storePastDays(shop.app)
      expect(await isKept(dayOf(order))).toBe(true)
      const { length } = await shop.query(`${change} returning 1`, [order.id])
      if (length > 0) expect([change, await isKept(dayOf(order))]).toEqual([change, false])
      await expectNumbers(admin, await look(admin, { period: 'yesterday' }), 0.1)
    }
    await storePastDays(shop.app)
    await place([new Date(startOfBahrainDay(dayOf(another)).getTime() + 12 * 3_600_000)], [])
    expect(await isKept(dayOf(another))).toBe(false)
    await storePastDays(shop.app)
    await shop.query('delete from orders where id = $1', [another.id])
    expect(await isKept(dayOf(another))).toBe(false)
    await storePastDays(shop.app)
    await shop.query(`update orders set updated_at = now(), customer_name = 'Huda' where vendor_id = $1`, [mine])
    expect(await isKept(dayOf(another))).toBe(true)
    await expectNumbers(admin, await look(admin, { period: 'yesterday' }))
  })

  it('keeps all figures but the statuses if only the status of orders changes', async () => {
    const day = addDays(bahrainDate(shop.app.clock.now()), -1)
    const holds = async () => {
      const [row] = await shop.query<{ statuses_hold: boolean }>(
        'select statuses_hold from order_days where day = $1',
        [day],
      )
      return row?.statuses_hold
    }
    for (const status of ['new', 'shipped', 'delivered']) {
      await storePastDays(shop.app)
      expect(await holds()).toBe(true)
      await shop.query(
        `update orders set status = $2 where bahrain_day(created_at) = $1 and vendor_id = $3 and status <> 'cancelled'`,
        [day, status, mine],
      )
      expect([status, await holds()]).toEqual([status, false])
      for (const person of [admin, market])
        await expectNumbers(person, await look(person, { period: 'yesterday' }), 0.1)
    }
  })

  it.each([
    ['is not kept while somebody changes it', storePastDays, true],
    [
      'would be kept wrong without the lock',
      async ({ pool }: { pool: TestShop['app']['pool'] }) => {
        const { storeSql } = await import('./counting.queries.ts')
        const day = addDays(bahrainDate(shop.app.clock.now()), -1)
        await pool.query('delete from order_day_figures where day = $1', [day])
        await pool.query(storeSql.text, [day])
      },
      false,
    ],
  ] as const)('%s', async (_, keep, isRight) => {
    const order = someOf(1).at(-1)
    if (!order) throw new Error('Yesterday had no orders')
    await storePastDays(shop.app)
    const client = await shop.app.pool.connect()
    await client.query('begin')
    await client.query(
      `update orders set status = case status when 'cancelled' then 'delivered' else 'cancelled' end where id = $1`,
      [order.id],
    )
    const keeping = keep(shop.app)
    if (isRight) await keeping
    else await expect.poll(() => lockWaits(shop, 'with facts as%')).toBe(1)
    await client.query('commit')
    client.release()
    await keeping
    const { orders, revenue } = (await look(admin, { period: 'yesterday' })).figures
    const list = await listed(admin, ordersIn({ vendorId: mine }, wholeDay(dayOf(order))))
    expect(orders === list.total && revenue === list.sum).toBe(isRight)
    await shop.query('delete from order_days')
  })
})
