import { closeDay, openDay } from '@qatra/contract/calendar/admin'
import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { addToCart } from '@qatra/contract/cart/cart'
import { changePromise } from '@qatra/contract/orders/delivery'
import { getOrder, placeOrder, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeHousehold, makeOrder, makeUser, makeVisitor } from '../../test/fixtures/make.ts'
import { repeated } from '../../test/sample.ts'
import { moveOrdersOfClosedDay } from './commands.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

async function withStaff() {
  const home = await makeHousehold(shop)
  const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  const { body } = await shop.visitor().call(getDeliveryDays, { query: { vendorId: String(home.vendor) } })
  const [first = '', second = '', third = ''] = body.map(({ date }) => date)
  return { ...home, office, first, second, third }
}
const daysOf = async (vendorId: number) =>
  Object.fromEntries(
    (
      await shop.query<{ day: string; n: number }>(
        'select promised_date as day, count(*)::int as n from orders where vendor_id = $1 group by 1',
        [vendorId],
      )
    ).map(({ day, n }) => [day, n]),
  )
const isMoved = (vendorId: number, day: string) =>
  until('the orders to be moved', async () => {
    const left = await shop.query(
      `select 1 from pgboss.job where name = 'move-orders' and state < 'completed' and (data->>'vendorId')::int = $1
       union all select 1 from orders where vendor_id = $1 and promised_date = $2 and status in ('new', 'in-progress', 'shipped')`,
      [vendorId, day],
    )
    return left.length === 0
  })
const movesOf = (vendorId: number) =>
  shop.query<{ id: string; from: string; to: string; by: number }>(
    `select h.order_id as id, h.old_value as from, h.new_value as to, h.changed_by as by from order_audit_history h
     join orders o on o.id = h.order_id where o.vendor_id = $1 and h.field_changed = 'promisedDate' order by h.id`,
    [vendorId],
  )

describe('closing a day with moveOrders', () => {
  it('moves its open orders to the next open day, in the name of the person, and no others', async () => {
    const { vendor, office, order, first, second, customer } = await withStaff()
    const other = await withStaff()
    const foreign = await other.order()
    const [fresh, shipped, done] = [await order(), await order(), await order()]
    await shop.query(`update orders set status = 'shipped' where id = $1`, [shipped])
    await shop.query(`update orders set status = 'delivered' where id = $1`, [done])
    const elsewhere = await order()
    await customer.call(rescheduleOrder, { params: { id: elsewhere }, body: { date: second } })
    const { body } = await office.call(closeDay, { body: { day: first, moveOrders: true } })
    expect(body).toMatchObject({ openOrders: 2, moved: 2 })
    await isMoved(vendor, first)
    expect(await daysOf(vendor)).toEqual({ [first]: 1, [second]: 3 })
    expect((await movesOf(vendor)).filter(({ by }) => by === office.id)).toEqual(
      expect.arrayContaining([
        { id: fresh, from: first, to: second, by: office.id },
        { id: shipped, from: first, to: second, by: office.id },
      ]),
    )
    for (const [id, movedByClosure] of [
      [shipped, true],
      [elsewhere, false],
    ] as const)
      expect((await customer.call(getOrder, { params: { id } })).body).toMatchObject({
        movedFrom: first,
        movedByClosure,
      })
    const timeline = (await office.call(getTimeline, { params: { id: fresh } })).body
    expect(timeline[0]).toMatchObject({ action: 'day-closed', field: 'promisedDate', from: first, to: second })
    const [row] = await shop.query<{ status: string }>('select status from orders where id = $1', [shipped])
    expect(row?.status).toBe('in-progress')
    const [untouched] = await shop.query<{ day: string }>('select promised_date as day from orders where id = $1', [
      foreign,
    ])
    expect(untouched?.day).toBe(first)
  })

  it('without it leaves them where they are', async () => {
    const { vendor, office, order, first } = await withStaff()
    await order()
    const { body } = await office.call(closeDay, { body: { day: first } })
    expect(body).toMatchObject({ openOrders: 1, moved: 0 })
    expect(await daysOf(vendor)).toEqual({ [first]: 1 })
    expect(
      await shop.query(`select 1 from pgboss.job where name = 'move-orders' and (data->>'vendorId')::int = $1`, [
        vendor,
      ]),
    ).toEqual([])
  })

  it('twice at the same moment closes once and moves each order once', async () => {
    const { vendor, office, order, first, second } = await withStaff()
    await order()
    await order()
    const close = () => office.call(closeDay, { body: { day: first, moveOrders: true } })
    const answers = await Promise.all([close(), close(), close()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('DAY_TAKEN')
    await isMoved(vendor, first)
    // The job may run twice: delivery is at least once.
    const closed = { day: first, vendorId: vendor, by: office.id, onBehalfOf: null }
    await Promise.all([moveOrdersOfClosedDay(shop.app.pool, closed), moveOrdersOfClosedDay(shop.app.pool, closed)])
    expect(await movesOf(vendor)).toHaveLength(2)
    expect(await daysOf(vendor)).toEqual({ [second]: 2 })
  })

  it('of two days in a row moves the orders past both', async () => {
    const { vendor, office, order, first, second, third } = await withStaff()
    await order()
    await Promise.all([
      office.call(closeDay, { body: { day: first, moveOrders: true } }),
      office.call(closeDay, { body: { day: second, moveOrders: true } }),
    ])
    await until('the third day', async () => (await daysOf(vendor))[third] === 1)
  })

  it('moves the orders of a day that is over when the job runs', async () => {
    const { vendor, office, order, first } = await withStaff()
    const id = await order()
    const day = addDays(bahrainDate(new Date()), -1)
    await shop.query('update orders set promised_date = $2 where id = $1', [id, day])
    await shop.query(`insert into holidays (day, vendor_id, name, name_ar) values ($1, $2, '', '')`, [day, vendor])
    await moveOrdersOfClosedDay(shop.app.pool, { day, vendorId: vendor, by: office.id, onBehalfOf: null })
    expect(await daysOf(vendor)).toEqual({ [first]: 1 })
  })

  it('moves nothing if the day was opened again before the job ran', async () => {
    const { vendor, office, order, first } = await withStaff()
    await order()
    const { body } = await office.call(closeDay, { body: { day: first } })
    await office.call(openDay, { query: { id: String(body.id) } })
    await moveOrdersOfClosedDay(shop.app.pool, { day: first, vendorId: vendor, by: office.id, onBehalfOf: null })
    expect(await daysOf(vendor)).toEqual({ [first]: 1 })
  })

  it('moves the orders of a vendor that stays closed also if more orders of an open vendor come first', async () => {
    const [open, closed] = [await withStaff(), await withStaff()]
    const day = addDays(open.third, 60)
    await Promise.all(
      Array.from({ length: 101 }, () => makeOrder(shop, { userId: open.customer.id, vendorId: open.vendor })),
    )
    await shop.query('update orders set promised_date = $2 where vendor_id = $1', [open.vendor, day])
    const last = 'select max(id) from orders where vendor_id = $1'
    await shop.query(`update orders set vendor_id = $2 where id = (${last})`, [open.vendor, closed.vendor])
    await shop.query(`insert into holidays (day, vendor_id, name, name_ar) values ($1, $2, '', '')`, [
      day,
      closed.vendor,
    ])
    await moveOrdersOfClosedDay(shop.app.pool, { day, vendorId: null, by: null, onBehalfOf: null })
    expect(await daysOf(open.vendor)).toEqual({ [day]: 100 })
    expect(Object.keys(await daysOf(closed.vendor))).not.toContain(day)
  })

  it('while orders are placed and moved to it leaves none on the day', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { vendor, office, order, first, second, water, body, customer } = await withStaff()
      const moved = await order()
      await customer.call(rescheduleOrder, { params: { id: moved }, body: { date: second } })
      const people = await Promise.all(Array.from({ length: 8 }, () => makeVisitor(shop)))
      await Promise.all(people.map((one) => one.call(addToCart, { body: { productId: water, quantity: 3 } })))
      const [closed, back, ...placed] = await Promise.all([
        office.call(closeDay, { body: { day: first, moveOrders: true } }),
        office.call(changePromise, { params: { id: moved }, body: { date: first } }),
        ...people.map((one) => one.call(placeOrder, { body: { ...body, deliveryDate: first } })),
      ])
      expect(closed.status).toBe(200)
      expect([200, 422]).toContain(back.status)
      for (const answer of placed) if (answer.status !== 200) expect(answer.refusal.code).toBe('DATE_NOT_AVAILABLE')
      // An order that was committed before the closure is moved even if the response did not count it.
      await isMoved(vendor, first)
      expect((await daysOf(vendor))[first]).toBeUndefined()
    }
  })

  it('moves the orders of hundreds of customers', async () => {
    const { vendor, office, first, second } = await withStaff()
    const count = repeated(500, 150)
    await Promise.all(
      Array.from({ length: count }, async () => {
        const { id: userId, phone } = await makeUser(shop)
        await makeOrder(shop, { userId, vendorId: vendor, phone })
      }),
    )
    await shop.query('update orders set promised_date = $2 where vendor_id = $1', [vendor, first])
    const { body } = await office.call(closeDay, { body: { day: first, moveOrders: true } })
    expect(body.moved).toBe(count)
    await isMoved(vendor, first)
    expect(await daysOf(vendor)).toEqual({ [second]: count })
  })
})
