import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { listDriverDays } from '@qatra/contract/driver-board'
import { arrangeRun, getCash, getRun } from '@qatra/contract/drivers'
import { cancelCollection, listMyBottles, requestCollection } from '@qatra/contract/my-bottles'
import { changeRole } from '@qatra/contract/users/users'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { cancelVisit, createVisit, listVisits } from '@qatra/contract/visits'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { newKey, type Person } from '../../test/fixtures/driver-day.ts'
import { deliver, makeBottleCompany } from '../../test/fixtures/bottles.ts'
import { makeBottleType, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

const today = bahrainDate(new Date())

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})

async function serve(vendorId: number, isServed: boolean) {
  await shop.query('delete from vendor_delivery_areas where vendor_id = $1', [vendorId])
  if (isServed)
    await shop.query('insert into vendor_delivery_areas (vendor_id, area_id) select $1, id from areas', [vendorId])
  await shop.catalogue.reload()
}

/** A vendor with an office and a driver, and a customer with bottles for which deposits are held. */
async function world({ bottles = 4 } = {}) {
  const home = await makeBottleCompany(shop)
  const { vendorId, typeId, office, driver, customer } = home
  await serve(vendorId, true)
  expect((await deliver(driver, await home.order(bottles, 0))).status).toBe(200)
  const plan = async (more: object = {}) => {
    const body = {
      kind: 'collect-bottles' as const,
      customerId: customer.id,
      date: today,
      driverId: driver.id,
      ...more,
    }
    const answer = await office.call(createVisit, { body })
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const report = (who: Person, id: number, body: object) => who.send('PATCH', `/api/admin/visits/${id}`, { body })
  const paid = (amount: number) => [{ means: 'cash', amount: -amount, key: newKey() }]
  const done = (who: Person, id: number, returned: number, amount = 0, more: object = {}) =>
    report(who, id, {
      status: 'done',
      bottles: [{ typeId, returned }],
      ...(amount > 0 && { payments: paid(amount) }),
      ...more,
    })
  const held = async () => {
    const [[count, deposit] = []] = await home.held()
    return { count, deposit }
  }
  const cash = async () => (await driver.call(getCash, { params: { id: String(driver.id) } })).body
  const closing = async () => (await office.call(getCashClosing, { params: { date: today } })).body
  const ask = (more: object = {}, who: Person = customer) =>
    who.call(requestCollection, { body: { vendorId, ...more } })
  return { ...home, ask, plan, report, done, paid, held, cash, closing }
}
type World = Awaited<ReturnType<typeof world>>
const entriesOf = ({ vendorId }: World) =>
  shop.query(
    `select ledger, kind, amount::int, due::int, day::text from ledger_entries where vendor_id = $1 and visit_id is not null order by id`,
    [vendorId],
  )

describe('a visit that is done', () => {
  it('books bottles and deposits, and the day stays explained', async () => {
    const here = await world()
    const before = await here.cash()
    const id = await here.plan({ bottles: 3, note: 'Behind the gate' })
    expect((await here.done(here.driver, id, 3, 6)).body).toMatchObject({
      status: 'done',
      returned: [{ typeId: here.typeId, returned: 3 }],
      paid: 6,
      bookedOn: today,
    })
    expect(await here.held()).toMatchObject({ count: 1, deposit: 2000 })
    const { collected, expected, inHand, entries } = await here.cash()
    expect([collected, expected, inHand]).toEqual(
      [before.collected, before.expected, before.inHand].map((bhd) => Math.round((bhd - 6) * 1000) / 1000),
    )
    expect(entries.map(({ kind, amount }) => [kind, amount])).toContainEqual(['refunded', -6])
    const { equation } = await here.closing()
    expect(equation).toMatchObject({ unexplained: 0, paidBack: 6, notCollected: 0 })
    expect(equation.withDrivers).toBe(Math.round((equation.delivered - 6) * 1000) / 1000)
    expect(equation.byHolder).toMatchObject([{ driverId: here.driver.id, paidBack: 6, notCollected: 0 }])
    const { bottles } = await here.closing()
    expect(bottles).toMatchObject([{ driverId: here.driver.id, delivered: 4, returned: 3 }])
  })

  it('is booked once for repeated and concurrent reports, and refused where they differ', async () => {
    const here = await world()
    const id = await here.plan()
    const key = newKey()
    const payments = here.paid(4)
    const again = () => here.done(here.driver, id, 2, 0, { key, payments })
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await again()).status).toBe(200)
    expect((await here.done(here.office, id, 2, 4)).status).toBe(200)
    const other = await here.done(here.driver, id, 3, 4)
    expect([other.status, other.refusal.code]).toEqual([409, 'VISIT_DONE'])
    expect(await entriesOf(here)).toHaveLength(3)
    expect(await here.held()).toMatchObject({ count: 2, deposit: 4000 })
  })

  it('is taken back with its money by who may refund; the old report stays without effect, and a new one counts', async () => {
    const here = await world()
    const id = await here.plan()
    const first = { key: newKey(), payments: here.paid(2) }
    await here.done(here.driver, id, 1, 0, first)
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: here.vendorId })
    const undo = (who: Person, notes?: string) => here.report(who, id, { status: 'open', notes })
    expect((await undo(staff, 'Wrong house')).status).toBe(403)
    expect((await undo(here.office)).status).toBe(422)
    expect((await undo(here.office, 'Wrong house')).body).toMatchObject({ status: 'open', returned: [], paid: 0 })
    expect(await here.held()).toMatchObject({ count: 4, deposit: 8000 })
    expect((await here.done(here.driver, id, 1, 0, first)).body).toMatchObject({ status: 'open' })
    expect((await here.done(here.driver, id, 4, 8)).body).toMatchObject({ status: 'done', paid: 8 })
    expect(await here.held()).toMatchObject({ count: 0, deposit: 0 })
    expect((await here.closing()).equation).toMatchObject({ unexplained: 0, paidBack: 8 })
  })

  it('pays back no more than the deposits of what came back, or than was planned', async () => {
    const here = await world()
    const id = await here.plan()
    const { status, refusal } = await here.done(here.driver, id, 1, 2.001)
    expect([status, refusal.code, refusal.details]).toEqual([409, 'MORE_THAN_DUE', { due: 2 }])
    const refund = await here.plan({ kind: 'refund', amount: 3 })
    expect((await here.report(here.driver, refund, { status: 'done', payments: here.paid(3) })).status).toBe(200)
    expect(await here.held()).toMatchObject({ count: 4, deposit: 5000 })
    await here.office.call(saveBusiness, { params: { id: String(here.vendorId) }, body: { limits: { driver: 4 } } })
    expect((await here.done(here.driver, id, 1, 2)).refusal.code).toBe('REFUND_LIMIT')
    expect((await here.done(here.driver, id, 1, 1)).status).toBe(200)
  })

  it('counts on the next open day if its own is closed, and keeps broken and foreign bottles apart', async () => {
    const here = await world()
    const id = await here.plan()
    await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())', [
      here.vendorId,
      today,
      here.office.id,
    ])
    const body = {
      bottles: [{ typeId: here.typeId, returned: 2, broken: 1, foreign: 3 }],
      at: new Date().toISOString(),
    }
    expect((await here.done(here.driver, id, 0, 0, body)).body).toMatchObject({ bookedOn: addDays(today, 1) })
    expect(await entriesOf(here)).toEqual([
      { ledger: 'bottles', kind: 'returned', amount: -2, due: 0, day: addDays(today, 1) },
    ])
    const planned = { kind: 'service' as const, customerId: here.customer.id, date: today }
    expect((await here.office.call(createVisit, { body: planned })).refusal.code).toBe('DAY_CLOSED')
  })

  it('takes a number for the only type, and none for the expected one', async () => {
    const here = await world()
    const [first, second] = [await here.plan({ bottles: 2 }), await here.plan({ kind: 'service' })]
    expect((await here.report(here.driver, first, { status: 'done' })).body).toMatchObject({
      returned: [{ returned: 2 }],
    })
    expect((await here.report(here.driver, second, { status: 'done', bottles: 1 })).status).toBe(200)
    expect(await here.held()).toMatchObject({ count: 1 })
    const other = await makeBottleType(shop, await makeVendor(shop))
    const third = await here.plan()
    const foreign = { status: 'done', bottles: [{ typeId: other, returned: 1 }] }
    expect((await here.report(here.driver, third, foreign)).status).toBe(422)
  })
})

describe('the plan of a visit', () => {
  it('is of the office: a driver reports his own ones alone', async () => {
    const here = await world()
    const id = await here.plan()
    const stranger = await makeVisitor(shop, { role: 'driver', vendorId: here.vendorId })
    expect((await here.done(stranger, id, 1)).status).toBe(404)
    for (const body of [{ date: today }, { status: 'open', notes: 'x' }, { status: 'done', driverId: stranger.id }])
      expect((await here.report(here.driver, id, body)).status).toBe(403)
    const moved = await here.report(here.office, id, { driverId: stranger.id, date: addDays(today, 1), version: 1 })
    expect(moved.body).toMatchObject({ driver: { id: stranger.id }, date: addDays(today, 1), version: 2 })
    expect((await here.report(here.office, id, { note: 'x', version: 1 })).refusal.code).toBe('VERSION_CONFLICT')
    const elsewhere = await makeVisitor(shop, { role: 'driver', vendorId: await makeVendor(shop) })
    expect((await here.report(here.office, id, { driverId: elsewhere.id })).refusal.code).toBe('DRIVER_NOT_AVAILABLE')
    await here.office.call(changeRole, { params: { id: String(stranger.id) }, body: { role: 'vendor_sales' } })
    const { body } = await here.office.call(listVisits, { query: { customerId: String(here.customer.id) } })
    expect(body.items).toMatchObject([{ id, driver: null }])
  })

  it('fails with a reason, and is tried again on another day', async () => {
    const here = await world()
    const id = await here.plan()
    const failed = { status: 'failed', reason: 'absent', notes: 'Called twice', key: newKey() }
    expect((await here.report(here.driver, id, { status: 'failed' })).status).toBe(422)
    expect((await here.report(here.driver, id, failed)).body).toMatchObject({ status: 'failed', reason: 'absent' })
    const again = await here.report(here.office, id, { date: addDays(today, 1) })
    expect(again.body).toMatchObject({ status: 'open', reason: null })
    expect((await here.report(here.driver, id, failed)).body).toMatchObject({ status: 'open' })
  })

  it('that was cancelled is still reported by a driver who was there', async () => {
    const here = await world()
    const id = await here.plan()
    expect((await here.office.call(cancelVisit, { params: { id: String(id) } })).status).toBe(200)
    const list = async () => (await here.office.call(listVisits, { query: { date: today } })).body.items
    expect(await list()).toEqual([])
    expect((await here.report(here.office, id, { note: 'x' })).status).toBe(404)
    expect((await here.done(here.driver, id, 1)).body).toMatchObject({ status: 'done' })
    expect(await list()).toMatchObject([{ id, status: 'done' }])
    expect((await here.office.call(cancelVisit, { params: { id: String(id) } })).refusal.code).toBe('VISIT_DONE')
  })

  it('exists once for a customer, a kind and a place, and needs a customer of the vendor', async () => {
    const here = await world()
    const id = await here.plan()
    const body = { kind: 'collect-bottles' as const, customerId: here.customer.id }
    const again = await here.office.call(createVisit, { body })
    expect([again.status, again.refusal.code, again.refusal.details]).toEqual([
      409,
      'VISIT_EXISTS',
      { id, date: today },
    ])
    const stranger = await makeVisitor(shop, {})
    expect((await here.office.call(createVisit, { body: { ...body, customerId: stranger.id } })).status).toBe(404)
    expect((await here.office.call(createVisit, { body: { ...body, date: addDays(today, -1) } })).status).toBe(422)
  })
})

describe('a customer', () => {
  it('asks for a collection on the next day of delivery, once, and sees it', async () => {
    const here = await world()
    const ask = () => here.ask({ note: 'After five' })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [first] = answers
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const [own] = (await here.customer.call(listMyBottles, {})).body
    expect(own?.visit).toEqual({ ...first?.body, address: 'Seef', bottles: 4, canCancel: true })
    const { body } = await here.office.call(listVisits, { query: { date: first?.body.date } })
    expect(body.items).toMatchObject([{ isRequested: true, bottles: 4, note: 'After five', driver: null }])
  })

  it('without bottles of the vendor cannot ask, nor for another’s address', async () => {
    const here = await world()
    const stranger = await makeVisitor(shop, {})
    expect((await here.ask({}, stranger)).refusal.code).toBe('NO_BOTTLES')
    const [address] = await shop.query<{ id: number }>(
      `insert into addresses (user_id, address, lat, lng) values ($1, 'Seef', 26.2, 50.5) returning id`,
      [stranger.id],
    )
    expect((await here.ask({ addressId: address?.id })).refusal.code).toBe('ADDRESS_NOT_FOUND')
    expect((await here.ask({ vendorId: await makeVendor(shop) })).refusal.code).toBe('VENDOR_NOT_FOUND')
  })

  it('chooses count and day; another request is refused while one is open', async () => {
    const { ask, ...here } = await world()
    const { refusal } = await ask({ date: addDays(today, 400) })
    const [, second, third] = (refusal.details as { days: string[] }).days
    expect(refusal.code).toBe('DATE_NOT_AVAILABLE')
    expect((await ask({ bottles: 0 })).status).toBe(422)
    const wanted = { date: second, bottles: 2 }
    const { body } = await ask(wanted)
    expect([body.date, (await ask(wanted)).body.id]).toEqual([second, body.id])
    for (const other of [{ bottles: 3 }, { date: third }])
      expect((await ask(other)).refusal).toMatchObject({ code: 'VISIT_EXISTS', details: { date: second } })
    await here.customer.call(cancelCollection, { params: { id: String(body.id) } })
    await serve(here.vendorId, false)
    expect((await ask()).refusal.code).toBe('VENDOR_DOES_NOT_DELIVER')
  })

  it('has one open collection after requests for several places at once', async () => {
    const here = await world()
    const places = await shop.query<{ id: number }>(
      `insert into addresses (user_id, address, lat, lng) select $1, 'Seef ' || n, 26.2378, 50.5402
       from generate_series(1, 3) n returning id`,
      [here.customer.id],
    )
    const answers = await Promise.all(places.map(({ id }) => here.ask({ addressId: id })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it('cancels the own collection until the driver leaves, and notifies the driver', async () => {
    const here = await world()
    const id = await here.plan()
    const cancel = (who: Person) => who.call(cancelCollection, { params: { id: String(id) } })
    expect((await cancel(await makeVisitor(shop, {}))).refusal.code).toBe('VISIT_NOT_FOUND')
    // The driver of this day has delivered already.
    expect((await cancel(here.customer)).refusal.code).toBe('VISIT_ON_THE_WAY')
    expect((await here.customer.call(listMyBottles, {})).body[0]?.visit?.canCancel).toBe(false)
    await here.report(here.office, id, { date: addDays(today, 1) })
    expect((await here.customer.call(listMyBottles, {})).body[0]?.visit?.canCancel).toBe(true)
    for (const _ of [1, 2]) expect((await cancel(here.customer)).status).toBe(200)
    expect((await here.customer.call(listMyBottles, {})).body[0]?.visit).toBeNull()
    const events = await shop.query(
      `select data -> 'by' as by, data -> 'driverId' as driver from pgboss.job
       where name = 'visit-notifications' and data ->> 'event' = 'visit.deleted' and data -> 'id' = to_jsonb($1::integer)`,
      [id],
    )
    expect(events).toEqual([{ by: here.customer.id, driver: here.driver.id }])
  })

  it.each([...Array(6).keys()])(
    'cancels while the office assigns or the driver reports: one of both counts (%i)',
    async (n) => {
      const here = await world()
      const tomorrow = { date: addDays(today, 1), driverId: n % 2 === 0 ? null : here.driver.id }
      const id = await here.plan(tomorrow)
      const cancel = () => here.customer.call(cancelCollection, { params: { id: String(id) } })
      const other = () =>
        n % 2 === 0 ? here.report(here.office, id, { driverId: here.driver.id }) : here.done(here.driver, id, 2, 4)
      const [first, second] = await Promise.all(n < 3 ? [cancel(), other()] : [other(), cancel()])
      const [cancelled, changed] = n < 3 ? [first, second] : [second, first]
      const [row] = await shop.query<{ status: string }>('select status from visits where id = $1', [id])
      if (n % 2 === 0) {
        expect([cancelled?.status, row?.status]).toEqual([200, 'cancelled'])
        expect([200, 404]).toContain(changed?.status)
      } else {
        // What the driver counted is in the van, whichever came first.
        expect([changed?.status, row?.status]).toEqual([200, 'done'])
        expect([200, 409]).toContain(cancelled?.status)
        expect(await here.held()).toMatchObject({ count: 2, deposit: 4000 })
      }
    },
  )
})

describe('the run of a driver', () => {
  it('has visits among its stops, in the saved order, with what the customer holds', async () => {
    const here = await world()
    const [first, second] = [await here.plan({ bottles: 3, note: 'Gate' }), await here.plan({ kind: 'service' })]
    const params = { id: String(here.driver.id) }
    const run = async (query: object = {}) => (await here.driver.call(getRun, { params, query })).body
    const { stops } = await run()
    expect(stops.map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [`visit-${first}`, 'shipped'],
        [`visit-${second}`, 'shipped'],
      ]),
    )
    const stop = stops.find(({ id }) => id === `visit-${first}`)
    expect(stop).toMatchObject({
      visit: { id: first, kind: 'collect-bottles', bottles: 3, note: 'Gate', returned: null },
      items: [],
      cashToCollect: 0,
      bottles: [{ typeId: here.typeId, held: 4, deposit: 2, depositHeld: 8 }],
      can: { deliver: true, attempt: true },
    })
    const order = [`visit-${second}`, `visit-${first}`]
    const arranged = await here.driver.call(arrangeRun, { params, body: { orderIds: order } })
    expect(arranged.body.stops.slice(0, 2).map(({ id }) => id)).toEqual(order)
    await here.report(here.driver, second, { status: 'failed', reason: 'absent' })
    await here.done(here.driver, first, 2, 4)
    const after = await run()
    expect(after.stops.find(({ id }) => id === `visit-${first}`)).toMatchObject({
      status: 'delivered',
      visit: { returned: 2, paid: 4 },
      cashCollected: -4,
      can: { deliver: false, attempt: false },
    })
    expect(after.stops.find(({ id }) => id === `visit-${second}`)?.attempts).toMatchObject([{ reason: 'absent' }])
    const { body: board } = await here.office.call(listDriverDays, { query: {} })
    const day = board.drivers.find(({ driver }) => driver.id === here.driver.id)
    expect(day?.stops).toMatchObject({ all: 3, delivered: 2, attempted: 1 })
    expect(day?.run.map(({ visit }) => visit).toSorted()).toEqual(['collect-bottles', 'service', null].toSorted())
  })

  it('of today keeps what is open of earlier days, and names the next day with visits', async () => {
    const here = await world()
    const id = await here.plan()
    const later = await here.plan({ kind: 'service', date: addDays(today, 3) })
    await shop.query('update visits set day = $2 where id = $1', [id, addDays(today, -2)])
    const params = { id: String(here.driver.id) }
    const { stops, nextDate } = (await here.driver.call(getRun, { params, query: {} })).body
    expect(stops.map((stop) => stop.id)).toContain(`visit-${id}`)
    expect(stops.map((stop) => stop.id)).not.toContain(`visit-${later}`)
    expect(nextDate).toBe(addDays(today, 3))
  })
})
