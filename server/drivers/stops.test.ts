import { addDays, bahrainDate, FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { driversByArea, listAreaDrivers, listDriverDays, silentMinutes } from '@qatra/contract/driver-board'
import { arrangeRun, getRun, listStops, reportAttempt } from '@qatra/contract/drivers'
import { changePayment } from '@qatra/contract/orders/admin'
import { addPayment, listPayments } from '@qatra/contract/orders/payments'
import { saveBusiness } from '@qatra/contract/vendors/business'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { type CashDesk, makeCashDesk, makeDriverDay, newKey, type Person } from '../test/fixtures/driver-day.ts'
import { makeArea, makeOrder, makeUser, makeVendor, makeVisitor, setOfficeHours } from '../test/fixtures/make.ts'

let shop: TestShop
let desk: CashDesk
const date = bahrainDate(new Date())

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  desk = await makeCashDesk(shop)
})

async function withRun() {
  const vendorId = await makeVendor(shop)
  const office = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  const { id: driverId } = await makeUser(shop, { role: 'driver', vendorId })
  const ids: string[] = []
  for (const status of ['shipped', 'shipped', 'cancelled', 'new']) {
    const id = await makeOrder(shop, { userId: null, vendorId, status, assignedDriverId: driverId })
    await shop.query('update orders set promised_date = $2 where id = $1', [id, date])
    ids.push(id)
  }
  return { vendorId, office, driverId, ids }
}

it('stop numbers are those of the driver’s page, arranged by hand too', async () => {
  const { office, driverId, ids } = await withRun()
  const params = { id: String(driverId) }
  for (const orderIds of [null, [ids[3] ?? '', ids[0] ?? '']]) {
    if (orderIds) await office.call(arrangeRun, { params, body: { date, orderIds } })
    const run = (await office.call(getRun, { params, query: { date } })).body
    const { body } = await office.call(listStops, { query: { date, driverId: String(driverId) } })
    expect(body).toEqual([{ driverId, orderIds: run.stops.map(({ id }) => id), last: expect.any(Number) }])
    const open = run.stops.filter(({ status }) => status !== 'cancelled')
    expect(body[0]?.last).toBe(open.at(-1)?.number)
  }
})

it('stop numbers of a foreign driver are left out, a driver sees only the own ones', async () => {
  const [first, second] = [await withRun(), await withRun()]
  const query = { date, driverId: `${first.driverId},${second.driverId}` }
  const drivers = async (who: { call: typeof first.office.call }) =>
    (await who.call(listStops, { query })).body.map(({ driverId }) => driverId)
  expect(await drivers(first.office)).toEqual([first.driverId])
  expect((await drivers(await makeVisitor(shop, { role: 'super_admin' }))).sort()).toEqual(
    [first.driverId, second.driverId].sort(),
  )
  expect(await drivers(await makeVisitor(shop, { role: 'driver', vendorId: first.vendorId }))).toEqual([])
  expect((await first.office.call(listStops, { query: { date } })).body).toEqual([])
})

describe('the board of a day', () => {
  it("has every driver's run, stops and cash, without other vendors' drivers", async () => {
    const driver = await desk.aDriver()
    const [first, tried, , last] = [
      await desk.stopOf(driver),
      await desk.stopOf(driver),
      await desk.stopOf(driver, 'cancelled'),
      await desk.stopOf(driver),
    ]
    await shop.query('update orders set promised_date = $2 where assigned_driver_id = $1', [driver.id, date])
    await desk.deliver(driver, first)
    await driver.call(reportAttempt, { params: { id: tried }, body: { reason: 'absent' } })
    // An arrangement by hand is the order of the board, as it is of the driver's page.
    const params = { id: String(driver.id) }
    await driver.call(arrangeRun, { params, body: { orderIds: [last, first, tried] } })
    const { body } = await desk.admin.call(listDriverDays, {})
    const mine = body.drivers.find((row) => row.driver.id === driver.id)
    expect(mine).toMatchObject({
      stops: { all: 3, delivered: 1, attempted: 1, cancelled: 1 },
      cash: { expected: 2.15, inHand: 2.15 },
    })
    expect(mine?.lastActAt).not.toBeNull()
    expect(mine?.run.map(({ id, status, at }) => [id, status, at !== null])).toEqual([
      [last, 'shipped', false],
      [first, 'delivered', true],
      [tried, 'shipped', true],
    ])
    expect(mine?.run[0]).toMatchObject({ customerName: 'Noura', units: 1 })
    const run = (await driver.call(getRun, { params })).body.stops
    expect(run.filter(({ status }) => status !== 'cancelled').map(({ id }) => id)).toEqual(
      mine?.run.map(({ id }) => id),
    )
    expect((await desk.stranger.call(listDriverDays, {})).body.drivers).toEqual([])
    const query = { vendorId: String(desk.home.vendor) }
    expect((await desk.stranger.call(listDriverDays, { query })).status).toBe(403)
  })

  it('needs as many statements for many drivers as for one', async () => {
    const vendorId = await makeVendor(shop)
    const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const addDriver = async () => {
      const { id } = await makeUser(shop, { role: 'driver', vendorId })
      for (const status of ['shipped', 'delivered'])
        await makeOrder(shop, { userId: null, vendorId, status, assignedDriverId: id })
    }
    const statements = async () => {
      const spy = vi.spyOn(pg.Client.prototype, 'query')
      expect((await office.call(listDriverDays, {})).status).toBe(200)
      // Sessions are touched meanwhile.
      const ofDrivers = spy.mock.calls.filter((sent) => /driver|ledger_entries/.test(JSON.stringify(sent)))
      spy.mockRestore()
      return ofDrivers.length
    }
    await addDriver()
    await office.call(listDriverDays, {})
    const few = await statements()
    expect(few).toBeGreaterThan(3)
    for (let at = 0; at < 8; at += 1) await addDriver()
    expect(await statements()).toBe(few)
  })

  it('names who has orders of an area that day, and who delivered there before', async () => {
    const vendorId = await makeVendor(shop)
    const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const people = [1, 2, 3].map(() => makeUser(shop, { role: 'driver', vendorId }))
    const [usual, ofToday, left] = await Promise.all(people)
    const { areaId } = await makeArea(shop, [vendorId])
    const add = async (driver: number | undefined, status: string, ago: number) => {
      const id = await makeOrder(shop, { userId: null, vendorId, status, assignedDriverId: driver ?? null })
      await shop.query('update orders set area_id = $2, promised_date = $3 where id = $1', [
        id,
        areaId,
        addDays(date, -ago),
      ])
    }
    for (const ago of [1, 7, 14, 40]) await add(usual?.id, 'delivered', ago)
    await add(ofToday?.id, 'shipped', 0)
    await add(ofToday?.id, 'cancelled', 0)
    for (const ago of [1, 2, 3, 4]) await add(left?.id, 'delivered', ago)
    await shop.query('update users set is_active = false where id = $1', [left?.id])
    const { body } = await office.call(listAreaDrivers, {})
    expect([...body].sort((a, b) => b.usual - a.usual)).toEqual([
      { areaId, driverId: usual?.id, onDay: 0, usual: 3 },
      { areaId, driverId: ofToday?.id, onDay: 1, usual: 0 },
    ])
    expect(driversByArea(body).get(areaId)?.driverId).toBe(ofToday?.id)
    const tomorrow = await office.call(listAreaDrivers, { query: { date: addDays(date, 1) } })
    expect(driversByArea(tomorrow.body).get(areaId)?.driverId).toBe(usual?.id)
    expect((await desk.stranger.call(listAreaDrivers, {})).body).toEqual([])
  })

  it('proposes for an area without any the driver of the nearest area that has one, whatever the order', () => {
    const at = (id: number, lng: number) => ({ id, centre: { lat: 26, lng } })
    const areas = [at(1, 50), at(2, 50.1), at(3, 50.3), at(4, 50.05), at(5, 50.19)]
    const found = [
      { areaId: 1, driverId: 7, onDay: 0, usual: 1 },
      { areaId: 2, driverId: 8, onDay: 2, usual: 0 },
      { areaId: 3, driverId: 9, onDay: 0, usual: 5 },
    ]
    for (const asked of [areas, areas.toReversed()]) {
      const drivers = driversByArea(found, asked)
      // The fourth is as near to the first as to the second.
      expect([1, 2, 3, 4, 5].map((id) => drivers.get(id)?.driverId)).toEqual([7, 8, 9, 7, 8])
      expect(drivers.get(5)?.areaId).toBe(2)
    }
    expect(driversByArea([], areas).size).toBe(0)
  })

  it('knows when the vendor works: within its hours, on no closed day', async () => {
    const vendorId = await makeVendor(shop)
    const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    await makeUser(shop, { role: 'driver', vendorId })
    const isWorking = async () => (await office.call(listDriverDays, {})).body.drivers.map((one) => one.isWorking)
    await shop.query('delete from holidays where day = $1', [date])
    await setOfficeHours(shop, { opensAt: '00:00', closesAt: '00:00' })
    expect(await isWorking()).toEqual([true])
    await setOfficeHours(shop, null)
    expect(await isWorking()).toEqual([weekdayOf(date) !== FRIDAY])
    await shop.query(`insert into holidays (day, vendor_id, name, name_ar) values ($1, $2, '', '')`, [date, vendorId])
    expect(await isWorking()).toEqual([false])
  })

  it('tells when a phone has been silent for long while stops are open, on the day that it called', () => {
    const now = new Date('2026-11-30T09:00:00.000Z')
    const run = (...statuses: string[]) => statuses.map((status) => ({ status })) as never
    const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
    const isWorking = true
    expect(silentMinutes({ heardAt: at(48), isWorking, run: run('delivered', 'shipped') }, now)).toBe(48)
    expect(silentMinutes({ heardAt: at(48), isWorking: false, run: run('shipped') }, now)).toBeNull()
    expect(silentMinutes({ heardAt: at(20), isWorking, run: run('shipped') }, now)).toBeNull()
    expect(silentMinutes({ heardAt: at(48), isWorking, run: run('delivered') }, now)).toBeNull()
    expect(silentMinutes({ heardAt: at(48), isWorking, run: run() }, now)).toBeNull()
    expect(silentMinutes({ heardAt: null, isWorking, run: run('shipped') }, now)).toBeNull()
    // The evening before: the driver has not begun.
    expect(silentMinutes({ heardAt: at(14 * 60), isWorking, run: run('shipped') }, now)).toBeNull()
  })
})

describe('a shortage', () => {
  const off = (who: Person, driver: Person, body: Record<string, unknown>) =>
    desk.write(who, driver, { kind: 'written-off', notes: 'Agreed with him', ...body })

  it('stays with its driver until it is made up for or written off, never beyond it', async () => {
    const [driver, staff] = [await desk.aDriver(), await desk.person('vendor_staff')]
    await desk.deliver(driver, await desk.stopOf(driver), { cash: { amount: 2.15, key: newKey() } })
    await desk.write(desk.admin, driver, { kind: 'handed-over', amount: 2.05 })
    expect(await desk.cashFor(driver)).toMatchObject({ inHand: 0.1, difference: -0.1, shortage: 0 })
    const yesterday = new Date(Date.now() - 86_400_000)
    const before = { kind: 'correction', amount: -0.05, notes: 'Change was missing', date: bahrainDate(yesterday) }
    for (const less of [before, { ...before, amount: -0.1, date: undefined }])
      expect((await desk.write(desk.admin, driver, less)).status).toBe(200)
    expect(await desk.cashFor(driver)).toMatchObject({ inHand: 0, difference: -0.1, shortage: 0.15, writtenOff: 0 })

    for (const [who, status] of [
      [driver, 403],
      [staff, 403],
      [desk.stranger, 404],
    ] as const)
      expect((await off(who, driver, { amount: 0.05 })).status).toBe(status)
    for (const wrong of [{ amount: 0 }, { amount: -0.05 }, { amount: 0.05, notes: ' ' }])
      expect((await off(desk.admin, driver, wrong)).status).toBe(422)
    const { refusal } = await off(desk.admin, driver, { amount: 0.151 })
    expect([refusal.code, refusal.details]).toEqual(['MORE_THAN_SHORTAGE', { shortage: 0.15 }])

    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const vendorId = desk.home.vendor
    const race = [desk.admin, owner, desk.admin, owner].map((who) => off(who, driver, { amount: 0.08, vendorId }))
    expect((await Promise.all(race)).map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const again = { amount: 0.03, key: newKey() }
    const answers = await Promise.all([1, 2, 3].map(() => off(desk.admin, driver, again)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await desk.write(desk.admin, driver, { kind: 'correction', amount: 0.01, notes: 'Brought some' })
    await desk.write(desk.admin, driver, { kind: 'handed-over', amount: 0.01 })
    expect(await desk.cashFor(driver)).toMatchObject({ inHand: 0, shortage: 0.03, writtenOff: 0.11 })

    const id = String(desk.home.vendor)
    await owner.call(saveBusiness, { params: { id }, body: { limits: { vendor_admin: 0.05 } } })
    expect((await off(desk.admin, driver, { amount: 0.03 })).refusal.code).toBe('REFUND_LIMIT')
    await owner.call(saveBusiness, { params: { id }, body: { limits: {} } })
    expect((await off(desk.admin, driver, { amount: 0.03 })).body).toMatchObject({ shortage: 0, writtenOff: 0.14 })

    const date = bahrainDate(new Date())
    const { body } = await desk.admin.call(getCashClosing, { params: { date } })
    const line = body.drivers.find((row) => row.driver.id === driver.id)
    expect(line).toMatchObject({ cash: { shortage: 0, writtenOff: 0.14 } })
    expect(line?.reasons.filter((reason) => reason === 'Agreed with him')).toHaveLength(3)
    const log = await shop.query(
      `select count(*)::int as rows, min((new_values ->> 'shortage')::numeric)::float as left from audit_log
       where resource = 'user' and action = 'written-off' and resource_id = $1`,
      [String(driver.id)],
    )
    expect(log).toEqual([{ rows: 3, left: 0 }])
  })
})

describe('a refund', () => {
  const cash = (amount: number, more: object = {}) => ({ means: 'cash', amount, key: newKey(), ...more })
  const pay = (who: Person, id: string, body: Record<string, unknown>) =>
    who.send('POST', `/api/admin/orders/${id}/payments`, { body })

  it('needs the right and a reason, and stays within the limit of its person, whose own mistakes do not count', async () => {
    const { vendorId, office, stop } = await makeDriverDay(shop, desk.home.customer.id)
    const [admin, colleague] = [
      await desk.person('vendor_admin', vendorId),
      await desk.person('vendor_admin', vendorId),
    ]
    await admin.call(saveBusiness, { params: { id: String(vendorId) }, body: { limits: { vendor_admin: 3 } } })
    const [id, mistaken] = [await stop(), await stop()]
    const whole = cash(5)
    await pay(admin, id, whole)
    for (const other of [{ holder: 'driver' }, { reference: '77' }, { means: 'benefitpay' }])
      expect((await pay(admin, id, { ...whole, ...other })).refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const { status, refusal } = await pay(admin, id, cash(-1))
    expect([status, Object.keys(refusal?.details?.fields ?? {})]).toEqual([422, ['reason']])

    const deliver = (who: Person, notes?: string) =>
      who.send('PATCH', `/api/admin/orders/${id}/status`, {
        body: { status: 'delivered', payments: [cash(-0.1)], ...(notes && { notes }) },
      })
    expect((await deliver(office, 'Change')).status).toBe(403)
    expect((await deliver(admin)).status).toBe(422)
    expect((await deliver(admin, 'Change')).status).toBe(200)

    for (const paymentStatus of ['paid', 'unpaid'] as const)
      await admin.call(changePayment, { params: { id: mistaken }, body: { paymentStatus } })
    expect((await pay(colleague, id, cash(-0.5, { reason: 'Spilled' }))).status).toBe(200)
    const back = () => pay(admin, id, cash(-2, { reason: 'Spilled' }))
    const answers = await Promise.all([back(), back()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal).toMatchObject({
      code: 'REFUND_LIMIT',
      details: { limit: 3, left: 0.9 },
    })
  })
})

it('a payment with the reference of another order is recorded, and the answer names that order', async () => {
  const [first, second, other] = [
    await desk.stopOf(await desk.aDriver()),
    await desk.stopOf(await desk.aDriver()),
    await desk.stopOf(desk.admin),
  ]
  const body = { means: 'benefitpay' as const, amount: 1, reference: 'BP-77' }
  const pay = (id: string, more: object = {}) =>
    desk.admin.call(addPayment, { params: { id }, body: { ...body, key: newKey(), ...more } })
  const usesOf = ({ body: { entries, usedBefore } }: Awaited<ReturnType<typeof pay>>) => [
    usedBefore,
    entries.map((one) => one.usedBefore),
  ]
  expect(usesOf(await pay(first))).toEqual([null, [null]])
  expect(usesOf(await pay(first))).toEqual([null, [null, null]])
  const look = (who: Person, reference: string, means = 'benefitpay') =>
    who.call(listPayments, { params: { id: second }, query: { means: means as never, reference } })
  expect((await look(desk.admin, 'BP-٧٧')).body.usedBefore).toBe(first)
  expect((await look(desk.admin, 'BP-77', 'card')).body.usedBefore).toBeNull()
  expect(usesOf(await pay(second, { reference: 'BP-٧٧' }))).toEqual([first, [first]])
  expect(usesOf(await pay(other, { means: 'card' }))).toEqual([null, [null]])
  const sales = await desk.aDriver()
  await shop.query('update orders set assigned_driver_id = $2 where id = $1', [second, sales.id])
  expect(usesOf(await look(sales, 'BP-77'))).toEqual([null, [null]])
})
