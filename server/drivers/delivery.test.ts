import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import * as reports from '@qatra/contract/corrections'
import { arrangeRun, getCash, getRun, reportAttempt, writeCash } from '@qatra/contract/drivers'
import { changeOrderStatus, changePayment, getAdminOrder } from '@qatra/contract/orders/admin'
import { cancelOrder } from '@qatra/contract/orders/orders'
import { addPayment } from '@qatra/contract/orders/payments'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../demo/contract/simulator.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone } from '../test/fixtures/codes.ts'
import { makeHousehold, makeOrder, makeVendor, makeVisitor, soldOf } from '../test/fixtures/make.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
type Person = Awaited<ReturnType<typeof makeVisitor>>
let admin: Person
let stranger: Person

beforeAll(async () => {
  // Twelve reports wait for one order, each with a connection.
  shop = await startShop({ role: 'web', databasePoolSize: 15 })
  home = await makeHousehold(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  stranger = await makeVisitor(shop, { role: 'vendor_admin', vendorId: await makeVendor(shop) })
})

const aDriver = () => makeVisitor(shop, { role: 'driver', vendorId: home.vendor })
let made = 0
const newKey = () => `device-key-${(made += 1)}`

/** Creates a stop for today, `east` hundredths of a degree to the east. */
async function stopOf(driver: Person, { status = 'shipped', east = 0 } = {}) {
  const id = await makeOrder(shop, {
    userId: home.customer.id,
    vendorId: home.vendor,
    status,
    assignedDriverId: driver.id,
  })
  await shop.query(
    `update orders set promised_date = (now() at time zone 'Asia/Bahrain')::date, lng = 50.5 + $2::float8 / 100, lat = 26.2 where id = $1`,
    [id, east],
  )
  return id
}
const deliver = (who: Person, id: string, body: object = {}) =>
  who.call(changeOrderStatus, { params: { id }, body: { status: 'delivered', ...body } })
const runOf = async (driver: Person, who = driver) =>
  (await who.call(getRun, { params: { id: String(driver.id) } })).body
const idsOf = async (driver: Person) => (await runOf(driver)).stops.map(({ id }) => id)
const entriesOf = (id: string) =>
  shop.query(`select *, holder_id as driver_id from ledger_entries where order_id = $1 and ledger = 'money'`, [id])
const movesOf = (id: string) =>
  shop.query(`select * from order_audit_history where order_id = $1 and field_changed = 'status'`, [id])

describe('a run', () => {
  it("has a short route with all that a driver needs, only for the driver and the vendor's admin", async () => {
    const driver = await aDriver()
    const ids = [
      await stopOf(driver, { east: 0 }),
      await stopOf(driver, { east: 9 }),
      await stopOf(driver, { east: 2 }),
      await stopOf(driver, { east: 5 }),
    ]
    const run = await runOf(driver)
    expect(run.stops.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3], ids[1]])
    expect(run.stops[0]).toMatchObject({
      number: 1,
      customerName: 'Noura',
      cashToCollect: 2.15,
      cashCollected: null,
      collectedMeans: {},
      attempts: [],
      can: { deliver: true, attempt: true },
      status: 'shipped',
    })
    expect(run.stops[0]?.items).toHaveLength(1)
    expect(run).toMatchObject({ isByHand: false, date: run.today, nextDate: null })
    expect(run.metresLeft).toBeGreaterThan(8_000)
    expect((await runOf(driver, admin)).stops).toHaveLength(4)
    for (const other of [await aDriver(), stranger])
      expect((await other.call(getRun, { params: { id: String(driver.id) } })).status).toBe(404)
    expect((await driver.send('GET', `/api/admin/drivers/${driver.id}/run?date=2026-02-30`)).status).toBe(400)
  })

  it('offers the means of the vendor and counts cash apart from the others, also of a report that is sent again', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    expect(await runOf(driver)).toMatchObject({ means: ['cash'], otherMeans: {} })
    const params = { id: String(home.vendor) }
    await admin.call(saveBusiness, { params, body: { means: ['cash', 'benefitpay'] } })
    const payments = [
      { means: 'benefitpay', amount: 1.65, reference: '77', key: newKey() },
      { means: 'cash', amount: 0.5, key: newKey() },
    ]
    expect((await deliver(driver, id, { payments: [{ ...payments[0], means: 'cheque' }] })).status).toBe(422)
    await Promise.all([deliver(driver, id, { payments }), deliver(driver, id, { payments })])
    await deliver(driver, id, { payments })
    const { cash, stops, ...run } = await runOf(driver)
    expect(run).toMatchObject({ means: ['cash', 'benefitpay'], otherMeans: { benefitpay: 1.65 } })
    expect(cash).toMatchObject({ expected: 0.5, collected: 0.5, inHand: 0.5 })
    expect(stops[0]).toMatchObject({ paymentStatus: 'paid', cashCollected: 2.15, cashToCollect: 0, due: 0 })
    expect(stops[0]?.collectedMeans).toEqual({ benefitpay: 1.65, cash: 0.5 })
    await admin.call(saveBusiness, { params, body: { means: ['cash'] } })
    // Money that was taken before the phone knew of the change is booked.
    expect((await deliver(driver, id, { payments })).status).toBe(200)
    const offline = { payments: [{ means: 'benefitpay', amount: 2.15, key: newKey(), at: new Date().toISOString() }] }
    expect((await deliver(driver, await stopOf(driver), offline)).body.paymentStatus).toBe('paid')
  })

  it('can be reordered, keeps the order, and inserts new stops where they fit', async () => {
    const driver = await aDriver()
    const [a, b, c] = [
      await stopOf(driver, { east: 0 }),
      await stopOf(driver, { east: 4 }),
      await stopOf(driver, { east: 8 }),
    ]
    const arrange = (orderIds: string[] | null, who = driver) =>
      who.call(arrangeRun, { params: { id: String(driver.id) }, body: { orderIds } })
    expect((await arrange([c, a, b])).body).toMatchObject({ isByHand: true })
    expect(await idsOf(driver)).toEqual([c, a, b])
    const d = await stopOf(driver, { east: 2 })
    expect(await idsOf(driver)).toEqual([c, a, d, b])
    await deliver(driver, c)
    expect(await idsOf(driver)).toEqual([c, a, d, b])
    const foreign = await stopOf(await aDriver())
    const refused = await arrange([foreign, a])
    expect([refused.status, refused.refusal.code, refused.refusal.details.orderId]).toEqual([
      422,
      'STOP_UNKNOWN',
      foreign,
    ])
    expect((await arrange([a], stranger)).status).toBe(404)
    expect((await arrange([b], admin)).body.stops.map(({ id }) => id)).toEqual([b, c, a, d])
    expect((await arrange(null)).body).toMatchObject({ isByHand: false })
  })

  it('keeps its order once begun', async () => {
    const driver = await aDriver()
    const [a, b, c] = [
      await stopOf(driver, { east: 0 }),
      await stopOf(driver, { east: 3 }),
      await stopOf(driver, { east: 6 }),
    ]
    await deliver(driver, a)
    // Closest to a finished stop: it is still inserted after the finished ones.
    const late = await stopOf(driver, { east: -1 })
    expect(await idsOf(driver)).toEqual([a, late, b, c])
  })

  it('includes open stops of earlier days, and cancelled ones as cancelled', async () => {
    const driver = await aDriver()
    const left = await stopOf(driver)
    await shop.query(
      `update orders set promised_date = promised_date - 2, created_at = created_at - interval '3 days' where id = $1`,
      [left],
    )
    const gone = await stopOf(driver, { status: 'new' })
    await home.customer.call(cancelOrder, { params: { id: gone }, body: {} })
    const { stops } = await runOf(driver)
    expect(stops.map(({ id, status, can }) => [id, status, can.deliver])).toEqual([
      [left, 'shipped', true],
      [gone, 'cancelled', false],
    ])
  })
})

describe('a delivery', () => {
  it('books its cash in one request; a repeated report writes nothing', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    const cash = { amount: 2.15, key: newKey() }
    for (let times = 0; times < 3; times++) {
      const { status, body } = await deliver(driver, id, { cash })
      expect([status, body.status, body.paymentStatus]).toEqual([200, 'delivered', 'paid'])
    }
    expect(await entriesOf(id)).toMatchObject([{ amount: 2150, driver_id: driver.id, created_by: driver.id }])
    expect(await movesOf(id)).toHaveLength(1)
    const misused = await deliver(driver, await stopOf(driver), { cash })
    expect([misused.status, misused.refusal.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  it('without a cash report counts as full payment to a driver, and as none at the office', async () => {
    const driver = await aDriver()
    const [his, theirs, card] = [await stopOf(driver), await stopOf(driver), await stopOf(driver)]
    await shop.query(`update orders set payment_method = 'card' where id = $1`, [card])
    await deliver(driver, his)
    await deliver(admin, theirs)
    await deliver(driver, card)
    expect(await entriesOf(his)).toMatchObject([{ amount: 2150, kind: 'collected' }])
    expect(await entriesOf(theirs)).toEqual([])
    expect(await entriesOf(card)).toEqual([])
  })

  it('with less than the total leaves the order unpaid; with nothing, writes no entry', async () => {
    const driver = await aDriver()
    const [some, none] = [await stopOf(driver), await stopOf(driver)]
    expect((await deliver(driver, some, { cash: { amount: 2, key: newKey() } })).body.paymentStatus).toBe('unpaid')
    expect((await deliver(driver, none, { cash: { amount: 0, key: newKey() } })).body.paymentStatus).toBe('unpaid')
    expect(await entriesOf(none)).toEqual([])
    const { body } = await driver.call(getCash, { params: { id: String(driver.id) } })
    expect(body).toMatchObject({ expected: 2, collected: 2 })
  })

  it('reported days later is booked on the day it was done', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    await shop.query(`update orders set created_at = created_at - interval '5 days' where id = $1`, [id])
    const [row] = await shop.query<{ at: string; day: string }>(
      `select to_char((now() - interval '3 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
              to_char((now() - interval '3 days') at time zone 'Asia/Bahrain', 'YYYY-MM-DD') as day`,
    )
    const { body } = await deliver(driver, id, { cash: { amount: 2.15, key: newKey(), at: row?.at } })
    expect(body.deliveredAt).toBe(row?.at)
    const past = await driver.call(getCash, { params: { id: String(driver.id) }, query: { date: row?.day ?? '' } })
    expect(past.body).toMatchObject({ expected: 2.15, collected: 2.15 })
    expect((await driver.call(getCash, { params: { id: String(driver.id) } })).body).toMatchObject({
      expected: 0,
      collected: 0,
    })
  })

  it('of an order cancelled or reassigned meanwhile is refused, and books no cash', async () => {
    const driver = await aDriver()
    const gone = await stopOf(driver, { status: 'cancelled' })
    const refused = await deliver(driver, gone, { cash: { amount: 2.15, key: newKey() } })
    expect([refused.status, refused.refusal.code, refused.refusal.details]).toEqual([
      409,
      'ILLEGAL_TRANSITION',
      { from: 'cancelled', to: 'delivered' },
    ])
    const taken = await stopOf(await aDriver())
    expect((await deliver(driver, taken, { cash: { amount: 2.15, key: newKey() } })).status).toBe(404)
    expect([...(await entriesOf(gone)), ...(await entriesOf(taken))]).toEqual([])
  })
})

describe('two devices with the same stop', () => {
  const report = {
    cash: () => ({ cash: { amount: 2.15, key: newKey() } }),
    payments: () => ({
      payments: [2, 0.15].map((amount) => ({ means: 'cash' as const, amount, key: newKey() })),
    }),
  }
  async function race(how: keyof typeof report = 'cash') {
    const driver = await aDriver()
    const id = await stopOf(driver)
    const answers = await Promise.all(Array.from({ length: 12 }, () => deliver(driver, id, report[how]())))
    return { id, statuses: new Set(answers.map(({ status }) => status)) }
  }

  it('deliver it once, book the cash once, and both get success', async () => {
    for (const how of ['cash', 'payments', 'cash'] as const) {
      const { id, statuses } = await race(how)
      expect([...statuses]).toEqual([200])
      expect(await movesOf(id)).toHaveLength(1)
      expect(await entriesOf(id)).toHaveLength(how === 'cash' ? 1 : 2)
      expect(await soldOf(shop, id)).toEqual({ entries: 1, sum: 2150 })
    }
  })

  it('and the office that records the payment at the same moment take what is due once', async () => {
    for (let round = 0; round < 5; round++) {
      const driver = await aDriver()
      const id = await stopOf(driver)
      const body = { paymentStatus: 'paid' as const }
      await Promise.all([deliver(driver, id), admin.call(changePayment, { params: { id }, body }), deliver(driver, id)])
      expect(await entriesOf(id)).toMatchObject([{ amount: 2150 }])
      expect((await admin.call(getAdminOrder, { params: { id } })).body).toMatchObject({
        paymentStatus: 'paid',
        due: 0,
      })
    }
  })
})

describe('a payment', () => {
  it('is taken back only by who recorded it, on the same day, or as a refund', async () => {
    const vendorId = await makeVendor(shop)
    const [boss, clerk, other] = await Promise.all(
      (['vendor_admin', 'vendor_staff', 'vendor_staff'] as const).map((role) => makeVisitor(shop, { role, vendorId })),
    )
    if (!boss || !clerk || !other) throw new Error('A person is missing')
    const anOrder = () => makeOrder(shop, { userId: home.customer.id, vendorId, status: 'shipped' })
    const pay = (who: Person, id: string, paymentStatus: 'paid' | 'unpaid', notes?: string) =>
      who.call(changePayment, { params: { id }, body: { paymentStatus, notes } })
    const refund = (id: string, amount: number) =>
      boss.call(addPayment, { params: { id }, body: { means: 'cash', amount, key: newKey(), reason: 'Spilled' } })
    const business = { params: { id: String(vendorId) }, body: { limits: { vendor_admin: 1 } } }
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    expect((await owner.call(saveBusiness, business)).status).toBe(200)
    const [own, foreign] = [await anOrder(), await anOrder()]
    for (const id of [own, foreign]) await pay(clerk, id, 'paid')
    expect((await pay(clerk, own, 'unpaid')).body.paymentStatus).toBe('unpaid')
    expect((await pay(other, foreign, 'unpaid', 'No money')).status).toBe(403)
    expect((await pay(boss, foreign, 'unpaid')).status).toBe(422)
    expect((await pay(boss, foreign, 'unpaid', 'No money')).refusal.code).toBe('REFUND_LIMIT')
    // A mistake of one's own uses up no limit.
    await pay(boss, own, 'paid')
    expect((await pay(boss, own, 'unpaid')).status).toBe(200)
    expect((await refund(foreign, -1)).body.due).toBe(1)
    expect((await refund(foreign, -0.1)).refusal.code).toBe('REFUND_LIMIT')
    // A refund with an earlier time counts today.
    await shop.query(`update orders set created_at = now() - interval '3 days' where id = $1`, [foreign])
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const early = { means: 'cash' as const, amount: -0.1, key: newKey(), reason: 'Spilled', at }
    expect((await boss.call(addPayment, { params: { id: foreign }, body: early })).refusal.code).toBe('REFUND_LIMIT')
  })
})

describe('an attempt', () => {
  it('is written once with its reason, and does not change the order or notify the customer', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    const phone = newPhone()
    await shop.query('update orders set phone = $2 where id = $1', [id, phone])
    const said = async () => (await shop.visitor().call(listSimulatedMessages, { query: { phone } })).body.length
    const before = await said()
    const body = { reason: 'absent' as const, notes: 'Rang twice', key: newKey() }
    const tried = await Promise.all([1, 2, 3].map(() => driver.call(reportAttempt, { params: { id }, body })))
    expect(tried.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(tried[2]?.body).toMatchObject({
      orderId: id,
      status: 'shipped',
      attempts: [{ reason: 'absent', notes: 'Rang twice' }],
    })
    await driver.call(reportAttempt, { params: { id }, body: { reason: 'no-cash' } })
    const { stops } = await runOf(driver)
    expect(stops[0]).toMatchObject({ status: 'shipped', attempts: [{ reason: 'absent' }, { reason: 'no-cash' }] })
    const timeline = await admin.call(getTimeline, { params: { id } })
    expect(timeline.body.filter(({ action }) => action === 'attempted')).toMatchObject([
      { to: 'no-cash', by: { id: driver.id } },
      { to: 'absent', notes: 'Rang twice' },
    ])
    expect((await admin.call(getAdminOrder, { params: { id } })).body).toMatchObject({
      version: 1,
      paymentStatus: 'pending',
    })
    expect(await said()).toBe(before)
  })

  it('is refused for a closed or foreign order, and for an unknown reason', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver, { status: 'delivered' })
    const closed = await driver.call(reportAttempt, { params: { id }, body: { reason: 'absent' } })
    expect([closed.status, closed.refusal.code]).toEqual([409, 'ORDER_CLOSED'])
    const foreign = await stopOf(await aDriver())
    expect((await driver.call(reportAttempt, { params: { id: foreign }, body: { reason: 'absent' } })).status).toBe(404)
    expect((await stranger.call(reportAttempt, { params: { id: foreign }, body: { reason: 'absent' } })).status).toBe(
      404,
    )
    expect((await driver.send('POST', `/api/admin/orders/${id}/attempts`, { body: { reason: 'lazy' } })).status).toBe(
      422,
    )
  })
})

describe('the report of corrections', () => {
  it('has shortages of drivers, and corrections and refunds of who recorded them, with sums and as a file', async () => {
    const vendorId = await makeVendor(shop)
    const driver = await makeVisitor(shop, { role: 'driver', vendorId })
    const office = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
    const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const facts = { userId: home.customer.id, vendorId, status: 'shipped', assignedDriverId: driver.id }
    const id = await makeOrder(shop, facts)
    await deliver(driver, id, { cash: { amount: 2.15, key: newKey() } })
    for (const [kind, amount] of [
      ['handed-over', 2.1],
      ['correction', -0.05],
    ] as const) {
      const body = { kind, amount, key: newKey(), notes: 'Small change was missing' }
      expect((await office.call(writeCash, { params: { id: String(driver.id) }, body })).status).toBe(200)
    }
    const off = { kind: 'written-off', amount: 0.05, key: newKey(), notes: 'Agreed' } as const
    expect((await owner.call(writeCash, { params: { id: String(driver.id) }, body: off })).status).toBe(200)
    const refund = { means: 'benefitpay', amount: -1, reason: 'A bottle leaked', key: newKey() } as const
    expect((await owner.call(addPayment, { params: { id }, body: refund })).status).toBe(200)
    const today = bahrainDate(new Date())
    const query = { from: today, to: today }
    const { body } = await owner.call(reports.listCorrections, { query })
    expect(body.rows).toMatchObject([
      { kind: 'refund', person: { id: owner.id }, driver: null, means: 'benefitpay', amount: -1, orderId: id },
      { kind: 'writeOff', person: { id: owner.id }, driver: { id: driver.id }, amount: 0.05, reason: 'Agreed' },
      { kind: 'shortage', vendorId, person: { id: driver.id }, recordedBy: { id: office.id }, amount: -0.05 },
    ])
    expect(body.sums).toMatchObject([
      { person: { id: owner.id }, count: 2, shortage: 0, writeOff: 0.05, correction: 0, refund: -1 },
      { person: { id: driver.id }, count: 1, shortage: -0.05, writeOff: 0, correction: 0, refund: 0 },
    ])
    expect(body.drivers).toMatchObject([{ vendorId, days: [{ date: today, amount: -0.05 }], writeOff: 0.05, left: 0 }])
    const { body: payments } = await owner.call(reports.listPaymentSums, { query })
    expect(payments.sums).toEqual({ count: 2, total: 1.15, means: { cash: 2.15, benefitpay: -1 } })
    expect(payments.rows[0]).toMatchObject({ holder: { kind: 'driver', id: driver.id }, count: 1, total: 2.15 })
    const lineOf = async (path: string) => String((await owner.send('GET', `${path}?lang=en`)).body).split('\r\n')[1]
    expect(await lineOf(reports.exportPaymentSums.path)).toMatch(/,Driver,1,2\.150(,0\.000){5},2\.150$/)
    expect(await lineOf(reports.exportCorrections.path)).toMatch(/^[\d-]{10},.*,Refund,-1\.000,.*,A bottle leaked,/)
    expect((await owner.call(reports.listCorrections, { query: { to: addDays(today, -1) } })).body.rows).toEqual([])
  })
})
