import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { getCash, writeCash } from '@qatra/contract/drivers'
import { assignDriver, changeManyOrders, changePayment, unassignDriver } from '@qatra/contract/orders/admin'
import { addPayment, listPayments } from '@qatra/contract/orders/payments'
import { saveBusiness } from '@qatra/contract/vendors/business'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeOrder, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { act, bhd, CountedOrder, historyPathOf, orderRowOf, sumOf } from '../test/fixtures/money-model.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
type Person = Awaited<ReturnType<typeof makeVisitor>>
let admin: Person
let staff: Person
let owner: Person
const TOTAL = 2.15

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
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
    expect(equation.unexplainedOrders).toContainEqual(expect.objectContaining({ id, amount: -TOTAL }))
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
  it.each(['bulk', 'single'] as const)(
    'leave a history that matches the order (%s)',
    async (way) => {
      for (let round = 0; round < 30; round++) {
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
    },
    60_000,
  )
})

describe('after any sequence of actions on status, driver, payment and cash', () => {
  it('payments, custody and the equation of the day equal a model, and histories match their orders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
        const vendorId = await makeVendor(shop)
        const [office, ...drivers] = await Promise.all(
          (['vendor_admin', 'driver', 'driver'] as const).map((role) => makeVisitor(shop, { role, vendorId })),
        )
        if (!office) throw new Error('The office is missing')
        await office.call(saveBusiness, { params: { id: String(vendorId) }, body: { means: ['cash', 'benefitpay'] } })
        const make = () => makeOrder(shop, { userId: home.customer.id, vendorId, status: 'new' })
        const orders = [new CountedOrder(await make()), new CountedOrder(await make())]
        const handed = drivers.map(() => 0)
        const inHand = (at: number) =>
          sumOf(orders.flatMap((one) => one.entries).filter((one) => one.holder === at && one.means === 'cash')) -
          (handed[at] ?? 0)
        /** Sent twice at once, as after a lost answer. */
        const twice = async <T>(send: () => Promise<T>) => (await Promise.all([send(), send()]))[0]
        for (const one of acts) {
          if (one.kind === 'handOver') {
            const person = drivers[one.driver]
            const amount = inHand(one.driver)
            if (!person || amount < 0) continue
            const body = { kind: 'handed-over' as const, amount: bhd(amount), key: newKey() }
            await twice(() => office.call(writeCash, { params: { id: String(person.id) }, body }))
            handed[one.driver] = (handed[one.driver] ?? 0) + amount
            continue
          }
          const counted = orders[one.order]
          if (!counted) continue
          const { id, isDelivered, due } = counted
          const carrier = counted.carrier === null ? undefined : drivers[counted.carrier]
          if (one.kind === 'assign') {
            const body = { driverId: drivers[one.driver]?.id ?? 0 }
            const { status } = await office.call(assignDriver, { params: { id }, body })
            if (status === 200) counted.carrier = one.driver
          } else if (one.kind === 'unassign') {
            if ((await office.call(unassignDriver, { params: { id } })).status === 200) counted.carrier = null
          } else if (one.kind === 'ship') await move(office, id, 'shipped')
          else if (one.kind === 'back') {
            if (!isDelivered) continue
            expect((await move(owner, id, 'in-progress', { notes: 'Back' })).status).toBe(200)
            counted.isDelivered = false
          } else if (one.kind === 'paid') {
            expect((await pay(office, id, 'paid')).status).toBe(200)
            counted.take('office', due)
          } else if (one.kind === 'unpaid') {
            expect((await pay(office, id, 'unpaid', 'Nothing was paid')).status).toBe(200)
            counted.callUnpaid()
          } else if (one.kind === 'pay') {
            const body = { means: one.means, amount: bhd(one.amount), key: newKey(), reason: 'Asked for' }
            const { status } = await twice(() => office.call(addPayment, { params: { id }, body }))
            const isPossible = counted.received + one.amount >= 0
            expect(status).toBe(isPossible ? 200 : 422)
            if (isPossible) counted.take('office', one.amount, one.means)
          } else if (one.kind === 'door') {
            const payments = (['cash', 'benefitpay'] as const).flatMap((means) =>
              one[means] > 0 ? [{ means, amount: bhd(one[means]), key: newKey() }] : [],
            )
            if (!carrier || counted.carrier === null) continue
            const { isBooked, status } = counted.answerTo(one)
            expect((await twice(() => move(carrier, id, 'delivered', { payments }))).status).toBe(status)
            if (!isDelivered) counted.deliver()
            if (!isBooked) continue
            counted.take(counted.carrier, one.cash)
            counted.take(counted.carrier, one.benefitpay, 'benefitpay')
          } else if (!('heldBy' in one)) {
            if (!carrier || counted.carrier === null) continue
            expect((await move(carrier, id, 'delivered', {})).status).toBe(200)
            if (isDelivered) continue
            counted.deliver()
            counted.take(counted.carrier, due)
          } else {
            const { heldBy } = one
            if (one.kind === 'single') await move(office, id, 'delivered', heldBy ? { cashHeldBy: heldBy } : {})
            else {
              const body = { ids: [id], status: 'delivered' as const, ...(heldBy ? { cashHeldBy: heldBy } : {}) }
              await office.call(changeManyOrders, { body })
            }
            if (isDelivered || (heldBy === 'driver' && due > 0 && counted.carrier === null)) continue
            counted.deliver()
            if (heldBy === 'office') counted.take('office', due)
            if (heldBy === 'driver' && counted.carrier !== null) counted.take(counted.carrier, due)
          }
        }
        for (const [at, person] of drivers.entries()) {
          const { body } = await office.call(getCash, { params: { id: String(person.id) } })
          expect([body.inHand, body.handedOver]).toEqual([bhd(inHand(at)), bhd(handed[at] ?? 0)])
        }
        let unsaid = 0
        for (const { id, received, isDelivered, due } of orders) {
          const { body } = await office.call(listPayments, { params: { id } })
          const paid = body.entries.reduce((sum, { amount }) => sum + Math.round(amount * 1000), 0)
          expect([paid, body.due]).toEqual([received, bhd(2150 - received)])
          const row = await rowOf(id)
          expect(row.payment_status === 'paid').toBe(received >= 2150)
          if (isDelivered && row.payment_status === 'pending') unsaid += due
          expect(await pathOf(id, 'status', 'new')).toBe(row.status)
          expect(await pathOf(id, 'paymentStatus', 'pending')).toBe(row.payment_status)
        }
        const all = orders.flatMap((one) => one.entries)
        const delivered = 2150 * orders.filter((one) => one.isDelivered).length
        const unexplained = orders.reduce((sum, { received }) => sum - Math.max(0, received - 2150), unsaid)
        const date = bahrainDate(new Date())
        const { equation } = (await office.call(getCashClosing, { params: { date } })).body
        expect(equation).toMatchObject({
          delivered: bhd(delivered),
          withDrivers: bhd(inHand(0) + inHand(1)),
          handedOver: bhd((handed[0] ?? 0) + (handed[1] ?? 0)),
          inOffice: bhd(sumOf(all.filter((one) => one.holder === 'office' && one.means === 'cash'))),
          onAccount: 0,
          notCollected: bhd(delivered - sumOf(all) - unexplained),
          unexplained: bhd(unexplained),
        })
        expect(equation.otherMeans.benefitpay ?? 0).toBe(bhd(sumOf(all.filter(({ means }) => means === 'benefitpay'))))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 25) },
    )
  })
})
