import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { listCorrections } from '@qatra/contract/corrections'
import { getCash, writeCash } from '@qatra/contract/drivers'
import { assignDriver, changeManyOrders, changePayment } from '@qatra/contract/orders/admin'
import { listPayments } from '@qatra/contract/orders/payments'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { historyPathOf, makeHousehold, makeOrder, makeVisitor, orderRowOf } from '../test/fixtures/make.ts'
import { liveThrough } from '../test/fixtures/money/life.ts'
import { bhd } from '../test/fixtures/money/world.ts'
import { randomFrom, repeated, sampleSeed } from '../test/sample.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
type Person = Awaited<ReturnType<typeof makeVisitor>>
let admin: Person
let staff: Person
let owner: Person
const TOTAL = 2.15
/** Vendors and moments of the property. */
const RUNS = repeated(40, 2)
const ROUNDS = 8

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  home = await makeHousehold(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: home.vendor })
  owner = await makeVisitor(shop, { role: 'super_admin' })
})

let made = 0
const newKey = () => `settle-key-${(made += 1)}`
const aDriver = () => makeVisitor(shop, { role: 'driver', vendorId: home.vendor })
const anOrder = (driver: Person | null = null, status = 'shipped') =>
  makeOrder(shop, {
    userId: home.customer.id,
    vendorId: home.vendor,
    status,
    ...(driver ? { assignedDriverId: driver.id } : {}),
  })
const move = (who: Person, id: string, status: string, more: object = {}) =>
  who.send('PATCH', `/api/admin/orders/${id}/status`, { body: { status, ...more } })
const bulk = (id: string, more: object = {}) =>
  staff.call(changeManyOrders, { body: { ids: [id], status: 'delivered', ...more } })
const pay = (who: Person, id: string, paymentStatus: 'paid' | 'unpaid', notes?: string) =>
  who.call(changePayment, { params: { id }, body: { paymentStatus, notes } })
const mistake = (who: Person, id: string, record: 'office' | 'driver', notes?: string) =>
  who.call(changePayment, { params: { id }, body: { mistake: record, notes } })
const cashOf = async (driver: Person) => (await admin.call(getCash, { params: { id: String(driver.id) } })).body
const handOver = async (driver: Person, amount: number) =>
  admin.call(writeCash, {
    params: { id: String(driver.id) },
    body: { kind: 'handed-over', amount, key: newKey() },
  })
const rowOf = (id: string) => orderRowOf(shop, id)
const entriesOf = (id: string) =>
  shop.query<{ kind: string; amount: number; driver_id: number }>(
    `select kind, amount, holder_id as driver_id from ledger_entries where order_id = $1 and holder = 'driver' order by id`,
    [id],
  )
const officeOf = (id: string) =>
  shop.query<{ means: string; amount: number; by: number | null }>(
    `select means, amount, holder_id as by from ledger_entries where order_id = $1 and holder = 'office' order by id`,
    [id],
  )

const pathOf = (id: string, field: string, start: string) => historyPathOf(shop, id, { field, start })

describe.each(['single', 'bulk'] as const)('delivered by the office (%s)', (way) => {
  const deliver = async (id: string, more: object = {}) => {
    if (way === 'single') {
      const { status, refusal } = await move(admin, id, 'delivered', more)
      return status === 200 ? null : refusal.code
    }
    return (await bulk(id, more)).body.results[0]?.code ?? null
  }

  it('books nothing and keeps the payment status without `cashHeldBy`', async () => {
    const driver = await aDriver()
    for (const id of [await anOrder(driver), await anOrder()]) {
      expect(await deliver(id)).toBeNull()
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', payment_status: 'pending' })
      expect(await entriesOf(id)).toEqual([])
    }
    expect(await cashOf(driver)).toMatchObject({ expected: 0, collected: 0, inHand: 0 })
  })

  it('books the full amount for the assigned driver with `cashHeldBy: driver`', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    expect(await deliver(id, { cashHeldBy: 'driver' })).toBeNull()
    expect(await rowOf(id)).toMatchObject({ payment_status: 'paid' })
    expect(await entriesOf(id)).toEqual([{ kind: 'collected', amount: 2150, driver_id: driver.id }])
    expect(await cashOf(driver)).toMatchObject({ expected: TOTAL, collected: TOTAL, inHand: TOTAL })
  })

  it('is refused with `cashHeldBy: driver` if the order has no driver', async () => {
    const id = await anOrder()
    expect(await deliver(id, { cashHeldBy: 'driver' })).toBe('ORDER_WITHOUT_DRIVER')
    expect(await rowOf(id)).toMatchObject({ status: 'shipped', payment_status: 'pending', version: 1 })
  })

  it('marks the order paid and keeps the driver’s cash with `cashHeldBy: office`', async () => {
    const driver = await aDriver()
    await move(driver, await anOrder(driver), 'delivered')
    const id = await anOrder(driver)
    expect(await deliver(id, { cashHeldBy: 'office' })).toBeNull()
    expect(await rowOf(id)).toMatchObject({ payment_status: 'paid' })
    expect(await entriesOf(id)).toEqual([])
    expect(await officeOf(id)).toEqual([{ means: 'cash', amount: 2150, by: (way === 'single' ? admin : staff).id }])
    await handOver(driver, TOTAL)
    expect(await cashOf(driver)).toMatchObject({ expected: TOTAL, handedOver: TOTAL, inHand: 0, difference: 0 })
  })

  it('is not paid with `cashHeldBy: nobody`', async () => {
    const id = await anOrder(await aDriver())
    expect(await deliver(id, { cashHeldBy: 'nobody' })).toBeNull()
    expect(await rowOf(id)).toMatchObject({ payment_status: 'unpaid' })
    expect(await entriesOf(id)).toEqual([])
  })

  it('books nothing for an order that is paid or not paid in cash', async () => {
    const driver = await aDriver()
    const [paid, card] = [await anOrder(driver), await anOrder(driver)]
    await pay(admin, paid, 'paid')
    await shop.query(`update orders set payment_method = 'card' where id = $1`, [card])
    for (const id of [paid, card]) {
      expect(await deliver(id, { cashHeldBy: 'driver' })).toBeNull()
      expect(await entriesOf(id)).toEqual([])
    }
    expect(await rowOf(card)).toMatchObject({ payment_status: 'pending' })
    expect(await cashOf(driver)).toMatchObject({ expected: 0, inHand: 0 })
  })
})

describe('a driver', () => {
  it('who reports cash after the office reported the delivery books it once', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    await move(admin, id, 'delivered')
    for (let times = 0; times < 2; times++)
      expect((await move(driver, id, 'delivered', { cash: { amount: TOTAL, key: newKey() } })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ payment_status: 'paid' })
    expect(await entriesOf(id)).toEqual([{ kind: 'collected', amount: 2150, driver_id: driver.id }])
    expect(await pathOf(id, 'paymentStatus', 'pending')).toBe('paid')
  })

  it('who reports cash after the office received it owes it, and the order is owed back', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    await move(admin, id, 'delivered', { cashHeldBy: 'office' })
    const report = (amount: number) => move(driver, id, 'delivered', { cash: { amount, key: newKey() } })
    for (const amount of [TOTAL, TOTAL]) expect((await report(amount)).status).toBe(200)
    expect((await report(2)).refusal.code).toBe('MORE_THAN_DUE')
    expect(await rowOf(id)).toMatchObject({ payment_status: 'paid' })
    expect(await entriesOf(id)).toEqual([{ kind: 'collected', amount: 2150, driver_id: driver.id }])
    expect(await cashOf(driver)).toMatchObject({ expected: 0, collected: TOTAL, inHand: TOTAL })
    expect((await admin.call(listPayments, { params: { id } })).body.due).toBe(-TOTAL)
    const { equation } = (await admin.call(getCashClosing, { params: { date: bahrainDate(new Date()) } })).body
    const double = { office: { name: null, amount: TOTAL, isOwn: true }, driver: { name: null, amount: TOTAL } }
    expect(equation.unexplainedOrders).toContainEqual(expect.objectContaining({ id, amount: -TOTAL, double }))
  })

  it('who took what the office wrote down, too, owes it once the office takes its own record back', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    await move(admin, id, 'delivered', { cashHeldBy: 'office' })
    await move(driver, id, 'delivered', { cash: { amount: TOTAL, key: newKey() } })
    await handOver(driver, TOTAL)
    expect(await cashOf(driver)).toMatchObject({ expected: 0, difference: TOTAL })
    expect((await mistake(staff, id, 'office', 'Same notes')).status).toBe(403)
    for (const _ of [1, 2])
      expect((await mistake(admin, id, 'office')).body).toMatchObject({ due: 0, paymentStatus: 'paid', double: null })
    expect((await officeOf(id)).map(({ amount, by }) => [amount, by])).toEqual([
      [2150, admin.id],
      [-2150, admin.id],
    ])
    expect(await cashOf(driver)).toMatchObject({ expected: TOTAL, collected: TOTAL, difference: 0 })
    const { equation } = (await admin.call(getCashClosing, { params: { date: bahrainDate(new Date()) } })).body
    expect(equation.unexplainedOrders.map((order) => order.id)).not.toContain(id)
  })

  it('who took nothing is freed of a report by who may refund, with a reason; less that was taken leaves a rest', async () => {
    const driver = await aDriver()
    const [id, less] = [await anOrder(driver), await anOrder(driver)]
    for (const [order, amount] of [
      [id, TOTAL],
      [less, 2],
    ] as const) {
      await move(staff, order, 'delivered', { cashHeldBy: 'office' })
      await move(driver, order, 'delivered', { cash: { amount, key: newKey() } })
    }
    expect((await mistake(staff, id, 'driver', 'Not his')).status).toBe(403)
    expect((await mistake(admin, id, 'driver')).status).toBe(422)
    expect((await mistake(admin, id, 'driver', 'Not his')).body).toMatchObject({ due: 0, paymentStatus: 'paid' })
    expect((await entriesOf(id)).map(({ amount }) => amount)).toEqual([2150, -2150])
    expect((await mistake(staff, less, 'office')).body).toMatchObject({ due: 0.15, paymentStatus: 'unpaid' })
    expect(await cashOf(driver)).toMatchObject({ expected: 2, collected: 2, inHand: 2 })
    const { rows } = (await owner.call(listCorrections, { query: { vendorId: String(home.vendor) } })).body
    const kindOf = (order: string) => rows.filter(({ orderId }) => orderId === order).map(({ kind }) => kind)
    expect([kindOf(id), kindOf(less)]).toEqual([['correction'], ['correction']])
  })

  it('who reports cash as paid owes it, and cannot report it as held by the office', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    expect((await move(driver, id, 'delivered', { cashHeldBy: 'office' })).status).toBe(403)
    const claim = { paymentStatus: 'paid', cash: { amount: 0, key: newKey() } }
    expect((await move(driver, id, 'delivered', claim)).body).toMatchObject({ paymentStatus: 'unpaid' })
    expect(await entriesOf(id)).toEqual([])
  })

  it('cannot change the payment of an order that owes no cash', async () => {
    const driver = await aDriver()
    const [paid, card] = [await anOrder(driver), await anOrder(driver)]
    await pay(admin, paid, 'paid')
    await shop.query(`update orders set payment_method = 'card' where id = $1`, [card])
    for (const [id, paymentStatus] of [
      [paid, 'failed'],
      [card, 'paid'],
    ] as const) {
      const before = await rowOf(id)
      expect((await move(driver, id, 'delivered', { paymentStatus })).status).toBe(403)
      expect(await rowOf(id)).toEqual(before)
      const { payment_status: asItIs } = before
      expect((await move(driver, id, 'delivered', { paymentStatus: asItIs })).status).toBe(200)
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', payment_status: asItIs })
    }
  })

  it('collects at a second delivery what the first driver did not, also if the office calls the order unpaid', async () => {
    const [first, second] = [await aDriver(), await aDriver()]
    const [whole, some] = [await anOrder(first), await anOrder(first)]
    await move(first, whole, 'delivered')
    await move(first, some, 'delivered', { cash: { amount: 2, key: newKey() } })
    for (const id of [whole, some]) {
      await move(owner, id, 'in-progress', { notes: 'Wrong house' })
      await pay(admin, id, 'unpaid')
      await admin.call(assignDriver, { params: { id }, body: { driverId: second.id } })
    }
    for (const id of [whole, some])
      expect((await move(second, id, 'delivered')).body).toMatchObject({ paymentStatus: 'paid', cashDue: 0 })
    expect([(await cashOf(first)).expected, (await cashOf(second)).expected]).toEqual([4.15, 0.15])
  })
})

type Way = { booked: number; deliver: (id: string, driver: Person) => Promise<{ status: number }> }
const note = { notes: 'Wrong house' }
/** Ways to deliver an order, with the number of orders whose cash the driver then holds. */
const ways: [string, Way][] = [
  ['single', { booked: 0, deliver: (id) => move(admin, id, 'delivered') }],
  [
    'single, cash at the office',
    { booked: 0, deliver: (id) => move(admin, id, 'delivered', { cashHeldBy: 'office' }) },
  ],
  ['bulk', { booked: 0, deliver: (id) => bulk(id) }],
  ['bulk, cash at the office', { booked: 0, deliver: (id) => bulk(id, { cashHeldBy: 'office' }) }],
  ['bulk, cash with the driver', { booked: 1, deliver: (id) => bulk(id, { cashHeldBy: 'driver' }) }],
  ['driver', { booked: 1, deliver: (id, driver) => move(driver, id, 'delivered') }],
  [
    'driver, undone by a super admin',
    {
      booked: 1,
      deliver: async (id, driver) => {
        await move(driver, id, 'delivered')
        return move(owner, id, 'shipped', note)
      },
    },
  ],
  [
    'driver, undone, then bulk',
    {
      booked: 1,
      deliver: async (id, driver) => {
        await move(driver, id, 'delivered')
        await move(owner, id, 'shipped', note)
        return bulk(id, { cashHeldBy: 'driver' })
      },
    },
  ],
  [
    'override of a cancelled order',
    {
      booked: 0,
      deliver: async (id) => {
        await move(admin, id, 'cancelled')
        return move(owner, id, 'delivered', note)
      },
    },
  ],
]

describe('a driver who hands over all cash', () => {
  it.each(ways)('owes nothing after deliveries by: %s', async (_, { booked, deliver }) => {
    const driver = await aDriver()
    await move(driver, await anOrder(driver), 'delivered')
    const ids = [await anOrder(driver), await anOrder(driver), await anOrder(driver)]
    for (const id of ids) expect((await deliver(id, driver)).status).toBe(200)
    const held = bhd(2150 * (1 + booked * ids.length))
    expect(await cashOf(driver)).toMatchObject({ expected: held, collected: held, inHand: held })
    await handOver(driver, held)
    expect(await cashOf(driver)).toMatchObject({ handedOver: held, inHand: 0, difference: 0 })
  })
})

describe('a concurrent delivery and payment', () => {
  it.each(['bulk', 'single'] as const)('leave a history that matches the order (%s)', async (way) => {
    for (let round = 0; round < repeated(30, 6); round++) {
      const id = await anOrder(await aDriver())
      const answer = { cashHeldBy: 'office' as const }
      const answers = await Promise.all([
        way === 'bulk' ? bulk(id, answer) : move(admin, id, 'delivered', answer),
        pay(admin, id, round % 2 === 0 ? 'paid' : 'unpaid'),
      ])
      expect(answers[0].status).toBe(200)
      expect(await pathOf(id, 'paymentStatus', 'pending')).toBe((await rowOf(id)).payment_status)
      expect((await rowOf(id)).status).toBe('delivered')
    }
  })
})

describe(`the money of twenty clients at once (seed ${sampleSeed})`, () => {
  it(
    'payments, custody and the equation of each day equal a model, and histories and papers match',
    async () => {
      const accepted = new Map<string, number>()
      for (let run = 0; run < RUNS; run += 1)
        for (const [kind, count] of await liveThrough(shop, randomFrom(sampleSeed * 10_000 + run), ROUNDS))
          accepted.set(kind, (accepted.get(kind) ?? 0) + count)
      // Otherwise it would prove little.
      const kinds =
        'assign back cancel close correction deliver edit handed-over mistake paid pay reopen ship unassign unpaid written-off'
      if (RUNS >= 40) expect([...accepted.keys()].sort().join(' ')).toBe(kinds)
    },
    Math.max(60_000, RUNS * 20_000),
  )
})
