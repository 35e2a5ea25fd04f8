import { closeDay } from '@qatra/contract/calendar/admin'
import { addDays, bahrainDate, weekdayOf } from '@qatra/contract/calendar/calendar'
import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { getRun } from '@qatra/contract/drivers'
import { changeManyOrders, changeOrderStatus } from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { cancelOrder, getOrder, placeOrder, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getDeliveryEvent } from '@qatra/contract/orders/receipts'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { placeSalesOrder } from '@qatra/contract/sales'
import { getDeliveryDate, getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeArea, makeHousehold, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

let shop: TestShop
type Household = Awaited<ReturnType<typeof makeHousehold>>
type Person = Awaited<ReturnType<typeof makeVisitor>>

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})

const today = bahrainDate(new Date())
const daysOf = async (vendorId: number, more: object = {}) =>
  (await shop.visitor().call(getDeliveryDays, { query: { vendorId: String(vendorId), ...more } })).body.map(
    ({ date }) => date,
  )
async function withStaff() {
  const home = await makeHousehold(shop)
  const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  const [first = '', second = '', third = ''] = await daysOf(home.vendor)
  return { ...home, office, first, second, third }
}
const fill = ({ customer, water }: Household) => customer.call(addToCart, { body: { productId: water, quantity: 3 } })
const stored = async (id: string) => {
  const [row] = await shop.query<{ status: string; day: string; version: number }>(
    'select status, promised_date as day, version from orders where id = $1',
    [id],
  )
  return row
}
const movesOf = (id: string) =>
  shop.query<{ from: string; to: string; by: number }>(
    `select old_value as from, new_value as to, changed_by as by from order_audit_history
     where order_id = $1 and field_changed = 'promisedDate' order by id`,
    [id],
  )
const move = (person: Person, id: string, date: string, more: object = {}) =>
  person.call(rescheduleOrder, { params: { id }, body: { date, ...more } })
const moveByStaff = (person: Person, id: string, date: string, more: object = {}) =>
  person.call(changePromise, { params: { id }, body: { date, ...more } })
const setStatus = (person: Person, id: string, status: 'in-progress' | 'shipped' | 'delivered' | 'cancelled') =>
  person.call(changeOrderStatus, { params: { id }, body: { status } })

/** Bahrain days that cannot be chosen, by reason. */
async function unavailable(vendorId: number): Promise<[string, string][]> {
  const days = await daysOf(vendorId)
  const friday = Array.from({ length: 7 }, (_, i) => addDays(today, i + 1)).find((day) => weekdayOf(day) === 5) ?? ''
  return [
    ['a past day', addDays(today, -1)],
    ['today', today],
    ['a Friday', friday],
    ['a day beyond the 14th', addDays(days.at(-1) ?? '', 1)],
  ]
}

describe('the delivery days of a vendor', () => {
  it('are its next 14 open days, the promised day first, without Fridays and closed days', async () => {
    const { vendor, office } = await withStaff()
    const before = await daysOf(vendor)
    const closed = before[3] ?? ''
    await office.call(closeDay, { body: { day: closed } })
    const days = await daysOf(vendor)
    expect(days).toHaveLength(14)
    expect(days).toEqual([...new Set(days)].sort())
    expect(days).not.toContain(closed)
    expect(days.map(weekdayOf)).not.toContain(5)
    const { body } = await shop.visitor().call(getDeliveryDate, { query: { vendorId: String(vendor) } })
    expect(days[0]).toBe(body.promisedDate)
  })

  it('come with the closed days between them and their reasons', async () => {
    const vendor = await makeVendor(shop, { cutOff: '12:00' })
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    // Later than the holidays of the seed.
    const later = addDays(today, 1500)
    const saturday = addDays(later, 6 - weekdayOf(later))
    const [sunday, monday, tuesday, wednesday, , friday] = [1, 2, 3, 4, 5, 6].map((n) => addDays(saturday, n))
    if (!tuesday || !wednesday) throw new Error('no days')
    const names = { name: 'National Day', nameAr: 'العيد الوطني' }
    await admin.call(closeDay, { body: { day: tuesday, vendorId: vendor, name: 'Stock-taking' } })
    await admin.call(closeDay, { body: { day: wednesday, ...names } })
    const query = { vendorId: String(vendor), at: `${saturday}T12:00:01+03:00` }
    const { body } = await shop.visitor().call(getDeliveryDays, { query })
    const unnamed = { name: null, nameAr: null }
    expect(body[0]?.date).toBe(monday)
    expect(body.flatMap(({ closedBefore }) => closedBefore).slice(0, 4)).toEqual([
      { date: sunday, reason: 'cutOff', ...unnamed },
      { date: tuesday, reason: 'closure', ...unnamed },
      { date: wednesday, reason: 'holiday', ...names },
      { date: friday, reason: 'friday', ...unnamed },
    ])
  })

  it('begin a day later after the cut-off, unless asked for the start of the day', async () => {
    const vendor = await makeVendor(shop, { cutOff: '12:00' })
    const [early] = await daysOf(vendor, { at: '2026-11-16T12:00:00+03:00' })
    const [late] = await daysOf(vendor, { at: '2026-11-16T12:00:01+03:00' })
    const [office] = await daysOf(vendor, { at: '2026-11-16T00:00:00+03:00' })
    expect([early, late, office]).toEqual(['2026-11-17', '2026-11-18', '2026-11-17'])
  })

  it('are none for an area without delivery, and 404 for an unknown vendor or area', async () => {
    const { vendor, areaId } = await makeHousehold(shop)
    const other = await makeArea(shop, [])
    expect(await daysOf(vendor, { areaId: String(areaId) })).toHaveLength(14)
    expect(await daysOf(vendor, { areaId: String(other.areaId) })).toEqual([])
    const guest = shop.visitor()
    const codes = [
      (await guest.send('GET', '/api/delivery-days?vendorId=999999')).refusal.code,
      (await guest.send('GET', `/api/delivery-days?vendorId=${vendor}&areaId=999999`)).refusal.code,
      (await guest.send('GET', '/api/delivery-days')).refusal.code,
    ]
    expect(codes).toEqual(['VENDOR_NOT_FOUND', 'AREA_NOT_FOUND', 'INVALID_QUERY'])
  })
})

describe('placing an order', () => {
  it('promises the chosen day, and the first one by default', async () => {
    const home = await withStaff()
    await fill(home)
    const chosen = await home.customer.call(placeOrder, { body: { ...home.body, deliveryDate: home.third } })
    expect(chosen.body.promisedDate).toBe(home.third)
    await fill(home)
    const usual = await home.customer.call(placeOrder, { body: { ...home.body, expectedDate: home.first } })
    expect(usual.body.promisedDate).toBe(home.first)
  })

  it('is refused with DATE_CHANGED and the new day if the expected day is another, and places nothing', async () => {
    const home = await withStaff()
    await fill(home)
    await home.office.call(closeDay, { body: { day: home.first } })
    const { status, refusal } = await home.customer.call(placeOrder, {
      body: { ...home.body, expectedDate: home.first },
    })
    expect([status, refusal.code, refusal.details['promisedDate']]).toEqual([409, 'DATE_CHANGED', home.second])
    expect(refusal.details['days']).toEqual(await daysOf(home.vendor))
    expect((await home.customer.call(getCart)).body.items).toHaveLength(1)
    expect(await shop.query('select id from orders where user_id = $1', [home.customer.id])).toEqual([])
    // A day that the customer chose is not affected by the default.
    const chosen = await home.customer.call(placeOrder, {
      body: { ...home.body, expectedDate: home.first, deliveryDate: home.third },
    })
    expect(chosen.body.promisedDate).toBe(home.third)
  })

  it('is refused with DATE_NOT_AVAILABLE and the open days for any other day', async () => {
    const home = await withStaff()
    await fill(home)
    for (const [reason, deliveryDate] of await unavailable(home.vendor)) {
      const { status, refusal } = await home.customer.call(placeOrder, { body: { ...home.body, deliveryDate } })
      expect([reason, status, refusal.code]).toEqual([reason, 422, 'DATE_NOT_AVAILABLE'])
      expect(refusal.details['days']).toEqual(await daysOf(home.vendor))
    }
    expect(await shop.query('select id from orders where user_id = $1', [home.customer.id])).toEqual([])
  })

  it('compares the chosen day of one idempotency key, but not the expected one', async () => {
    const home = await withStaff()
    await fill(home)
    const submit = (more: object) =>
      home.customer.call(placeOrder, { body: { ...home.body, ...more } }, { 'idempotency-key': 'days' })
    const first = await submit({ expectedDate: home.first })
    expect((await submit({ expectedDate: home.second })).body).toEqual(first.body)
    expect((await submit({ deliveryDate: home.second })).refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('by sales follows the same rules', async () => {
    const home = await withStaff()
    const sale = {
      ...home.body,
      phone: '+97339777001',
      items: [{ productId: home.water, quantity: 3 }],
    }
    const sell = (more: object) => home.office.call(placeSalesOrder, { body: { ...sale, ...more } })
    expect((await sell({ deliveryDate: home.second })).body.promisedDate).toBe(home.second)
    expect((await sell({ expectedDate: home.second })).refusal.code).toBe('DATE_CHANGED')
    for (const [, deliveryDate] of await unavailable(home.vendor))
      expect((await sell({ deliveryDate })).refusal.code).toBe('DATE_NOT_AVAILABLE')
    const keyed = (more: object) =>
      home.office.call(placeSalesOrder, { body: { ...sale, ...more } }, { 'idempotency-key': 'days of sales' })
    const { body: first } = await keyed({ expectedDate: home.first })
    expect((await keyed({ expectedDate: home.second })).body.id).toBe(first.id)
    expect((await keyed({ deliveryDate: home.second })).refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a customer', () => {
  it('moves an own order while it is new or in-progress, with history and the former day', async () => {
    const { office, customer, order, first, second, third } = await withStaff()
    const id = await order()
    const moved = await move(customer, id, second, { version: 1 })
    expect(moved.body).toMatchObject({ promisedDate: second, movedFrom: first, status: 'new', version: 2 })
    await setStatus(office, id, 'in-progress')
    expect((await move(customer, id, third)).body).toMatchObject({ promisedDate: third, movedFrom: second })
    expect(await movesOf(id)).toEqual([
      { from: first, to: second, by: customer.id },
      { from: second, to: third, by: customer.id },
    ])
    const [entry] = (await office.call(getTimeline, { params: { id } })).body
    expect(entry).toMatchObject({ field: 'promisedDate', from: second, to: third })
  })

  it('is refused for a shipped, delivered or cancelled order, a foreign one, and days that cannot be chosen', async () => {
    const { office, customer, order, vendor, first, second } = await withStaff()
    const id = await order()
    for (const [reason, day] of await unavailable(vendor)) {
      const { status, refusal } = await move(customer, id, day)
      expect([reason, status, refusal.code]).toEqual([reason, 422, 'DATE_NOT_AVAILABLE'])
      expect(refusal.details['days']).toEqual(await daysOf(vendor))
    }
    expect((await move(await makeVisitor(shop), id, second)).status).toBe(404)
    for (const status of ['shipped', 'delivered'] as const) {
      await setStatus(office, id, status)
      const { status: code, refusal } = await move(customer, id, second)
      expect([status, code, refusal.code]).toEqual([status, 409, 'RESCHEDULE_CLOSED'])
      expect((await customer.call(getOrder, { params: { id } })).body.can.reschedule).toBe(false)
    }
    const other = await order()
    await customer.call(cancelOrder, { params: { id: other }, body: {} })
    expect((await move(customer, other, second)).refusal.code).toBe('RESCHEDULE_CLOSED')
    expect([(await stored(id))?.day, (await movesOf(id)).length]).toEqual([first, 0])
  })

  it('who moved an order ten times is refused; the office goes on', async () => {
    const { customer, office, order, first, second, third } = await withStaff()
    const id = await order()
    // Moves of the office are not counted.
    expect((await moveByStaff(office, id, third)).status).toBe(200)
    for (let n = 0; n < 10; n += 1) expect((await move(customer, id, n % 2 === 0 ? second : first)).status).toBe(200)
    expect((await moveByStaff(office, id, second)).status).toBe(200)
    const refused = await move(customer, id, third)
    expect([refused.status, refused.refusal.code]).toEqual([409, 'RESCHEDULE_CLOSED'])
    expect(refused.refusal.details).toMatchObject({ mostMoves: 10 })
    expect(await stored(id)).toMatchObject({ day: second })
    expect((await moveByStaff(office, id, third)).status).toBe(200)
  })

  it('takes the day into a calendar: a moved order is a later event of the same id, a cancelled one takes it out', async () => {
    const home = await withStaff()
    const id = await home.order()
    const event = async (person = home.customer) => {
      const { status, headers, body } = await person.call(getDeliveryEvent, { params: { id }, query: { lang: 'en' } })
      const of = (name: string) => new RegExp(`^${name}[:;](.*)\r$`, 'm').exec(String(body))?.[1]
      return { status, type: headers['content-type'], of }
    }
    const before = await event()
    expect([before.status, before.type]).toEqual([200, 'text/calendar; charset=utf-8'])
    await move(home.customer, id, home.second)
    const after = await event()
    expect(after.of('DTSTART')).toBe(`VALUE=DATE:${home.second.replaceAll('-', '')}`)
    expect(after.of('UID')).toBe(before.of('UID'))
    expect(Number(after.of('SEQUENCE'))).toBeGreaterThan(Number(before.of('SEQUENCE')))
    await home.customer.call(cancelOrder, { params: { id }, body: {} })
    expect((await event()).of('STATUS')).toBe('CANCELLED')
    expect((await event(await makeVisitor(shop))).status).toBe(404)
  })

  it('who repeats a move changes nothing more', async () => {
    const { customer, order, second } = await withStaff()
    const id = await order()
    const answers = await Promise.all(Array.from({ length: 8 }, () => move(customer, id, second, { version: 1 })))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await movesOf(id)).toHaveLength(1)
    expect((await stored(id))?.version).toBe(2)
  })
})

describe('the office', () => {
  it('moves an order until it is delivered; a shipped one goes back to in-progress and leaves the run', async () => {
    const { vendor, office, order, second } = await withStaff()
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: vendor })
    const id = await order()
    await shop.query('update orders set promised_date = $2, assigned_driver_id = $3 where id = $1', [
      id,
      today,
      driver.id,
    ])
    await setStatus(office, id, 'shipped')
    const runOf = async (date: string) =>
      (await driver.call(getRun, { params: { id: String(driver.id) }, query: { date } })).body.stops.map(
        (stop) => stop.id,
      )
    expect(await runOf(today)).toEqual([id])
    const { body } = await moveByStaff(office, id, second, { reason: 'Road closed' })
    expect(body).toMatchObject({ status: 'in-progress', promisedDate: second })
    expect([await runOf(today), await runOf(second)]).toEqual([[], [id]])
    // One line of history, though the status changed too; before it are the shipping and the placing.
    const timeline = (await office.call(getTimeline, { params: { id } })).body
    expect(timeline.map(({ field }) => field)).toEqual(['promisedDate', 'status', 'status'])
    expect(timeline[0]?.notes).toBe('Road closed')
    // What the driver delivered meanwhile is booked all the same.
    expect((await setStatus(driver, id, 'delivered')).body).toMatchObject({
      status: 'delivered',
      paymentStatus: 'paid',
    })
    expect((await moveByStaff(office, id, second)).refusal.code).toBe('ORDER_CLOSED')
  })

  it('is refused for days that cannot be chosen and for another vendor', async () => {
    const { vendor, office, order, first, second } = await withStaff()
    const id = await order()
    for (const [, day] of await unavailable(vendor))
      expect((await moveByStaff(office, id, day)).refusal.code).toBe('DATE_NOT_AVAILABLE')
    const { office: stranger } = await withStaff()
    expect((await moveByStaff(stranger, id, second)).status).toBe(404)
    expect((await stored(id))?.day).toBe(first)
  })

  it('is not bound by the cut-off', async () => {
    const { vendor, customer, office, order, second } = await withStaff()
    const id = await order()
    await move(customer, id, second)
    // Every order of today is past it.
    await shop.query(`update vendors set cut_off = '00:00' where id = $1`, [vendor])
    await shop.catalogue.reload()
    const [first = ''] = await daysOf(vendor, { at: `${today}T00:00:00+03:00` })
    expect((await move(customer, id, first)).refusal.code).toBe('DATE_NOT_AVAILABLE')
    expect((await moveByStaff(office, id, first)).status).toBe(200)
  })

  it('moves several orders at once, each for itself', async () => {
    const { office, order, second } = await withStaff()
    const [a, b, c] = [await order(), await order(), await order()]
    await setStatus(office, c, 'cancelled')
    const { body } = await office.call(changeManyOrders, { body: { ids: [a, b, c], promisedDate: second } })
    expect(body.changed).toBe(2)
    expect(body.results.map(({ code }) => code)).toEqual([null, null, 'ORDER_CLOSED'])
    expect([(await stored(a))?.day, (await stored(b))?.day]).toEqual([second, second])
    const both = await office.send('POST', '/api/admin/orders/bulk', {
      body: { ids: [a], promisedDate: second, status: 'shipped' },
    })
    expect(both.status).toBe(422)
  })
})

describe('moves at the same moment', () => {
  it('by two people with the same version: one succeeds, the other gets VERSION_CONFLICT', async () => {
    const { customer, office, order, second, third } = await withStaff()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const answers = await Promise.all([
        move(customer, id, second, { version: 1 }),
        moveByStaff(office, id, third, { version: 1 }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VERSION_CONFLICT')
      expect(await movesOf(id)).toHaveLength(1)
    }
  })

  it('while the order is shipped: it is either moved and shipped, or the customer is refused', async () => {
    const { customer, office, order, first, second } = await withStaff()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const [moved] = await Promise.all([move(customer, id, second), setStatus(office, id, 'shipped')])
      const row = await stored(id)
      expect(row?.status).toBe('shipped')
      expect([moved.status, row?.day]).toEqual(moved.status === 200 ? [200, second] : [409, first])
    }
  })

  it('while the driver reports the delivery: the delivery is booked in both orders of events', async () => {
    const { vendor, office, order, second } = await withStaff()
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: vendor })
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      await shop.query(`update orders set assigned_driver_id = $2, status = 'shipped' where id = $1`, [id, driver.id])
      const [moved, delivered] = await Promise.all([
        moveByStaff(office, id, second),
        setStatus(driver, id, 'delivered'),
      ])
      expect(delivered.status).toBe(200)
      expect(moved.status === 200 || moved.refusal.code === 'ORDER_CLOSED').toBe(true)
      expect((await stored(id))?.status).toBe('delivered')
      expect(
        await shop.query(`select 1 from ledger_entries where order_id = $1 and kind = 'collected'`, [id]),
      ).toHaveLength(1)
    }
  })
})
