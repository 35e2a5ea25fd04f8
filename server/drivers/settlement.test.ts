import { getCash, writeCash } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { assignDriver, changeManyOrders, changePayment, unassignDriver } from '@qatra/contract/orders/admin'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeOrder, makeVisitor } from '../test/fixtures/make.ts'

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
const pay = (who: Person, id: string, paymentStatus: 'paid' | 'unpaid') =>
  who.call(changePayment, { params: { id }, body: { paymentStatus } })
const cashOf = async (driver: Person) => (await admin.call(getCash, { params: { id: String(driver.id) } })).body
const handOver = async (driver: Person, amount: number) =>
  admin.call(writeCash, {
    params: { id: String(driver.id) },
    body: { kind: 'handed-over', amount, key: newKey() },
  })
const rowOf = async (id: string) => {
  const [row] = await shop.query<{ status: string; payment_status: string; version: number }>(
    'select status, payment_status, version from orders where id = $1',
    [id],
  )
  if (!row) throw new Error(`No order ${id}`)
  return row
}
const entriesOf = (id: string) =>
  shop.query<{ kind: string; amount: number; driver_id: number }>(
    'select kind, amount, holder_id as driver_id from ledger_entries where order_id = $1 order by id',
    [id],
  )

/** Applies the history's changes of a field to its first value, checking that each starts where the last ended. */
async function pathOf(id: string, field: string, start: string) {
  const steps = await shop.query<{ old_value: string; new_value: string }>(
    `select old_value, new_value from order_audit_history
     where order_id = $1 and field_changed = $2 and action = 'updated' order by id`,
    [id, field],
  )
  let current = start
  for (const { old_value, new_value } of steps) {
    expect(old_value).toBe(current)
    current = new_value
  }
  return current
}

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
    await handOver(driver, TOTAL)
    expect(await cashOf(driver)).toMatchObject({ expected: TOTAL, handedOver: TOTAL, inHand: 0, difference: 0 })
  })

  it('keeps the payment pending with `cashHeldBy: nobody`', async () => {
    const id = await anOrder(await aDriver())
    expect(await deliver(id, { cashHeldBy: 'nobody' })).toBeNull()
    expect(await rowOf(id)).toMatchObject({ payment_status: 'pending' })
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

  it('who reports cash after the office received it owes nothing; the history shows the report once', async () => {
    const driver = await aDriver()
    const id = await anOrder(driver)
    await move(admin, id, 'delivered', { cashHeldBy: 'office' })
    for (let times = 0; times < 2; times++)
      expect((await move(driver, id, 'delivered', { cash: { amount: TOTAL, key: newKey() } })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ payment_status: 'paid' })
    expect(await entriesOf(id)).toEqual([])
    expect(await cashOf(driver)).toMatchObject({ expected: 0, collected: 0, inHand: 0 })
    const reports = await shop.query(
      `select new_value as amount, changed_by as by from order_audit_history
       where order_id = $1 and field_changed = 'lateCash'`,
      [id],
    )
    expect(reports).toEqual([{ amount: String(TOTAL), by: driver.id }])
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
    const held = toBhd((2150 * (1 + booked * ids.length)) as Fils)
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

type Act =
  | { kind: 'assign'; driver: number; order: number }
  | { kind: 'ship' | 'own' | 'unassign' | 'back' | 'paid' | 'unpaid'; order: number }
  | { kind: 'single' | 'bulk'; order: number; heldBy: 'driver' | 'office' | 'nobody' | undefined }
  | { kind: 'handOver'; driver: number }

const order = fc.nat(1)
const driver = fc.nat(1)
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('assign' as const), driver, order }),
  fc.record({
    kind: fc.constantFrom(...(['ship', 'own', 'unassign', 'back', 'paid', 'unpaid'] as const)),
    order,
  }),
  fc.record({
    kind: fc.constantFrom('single' as const, 'bulk' as const),
    heldBy: fc.constantFrom('driver' as const, 'office' as const, 'nobody' as const, undefined),
    order,
  }),
  fc.record({ kind: fc.constant('handOver' as const), driver }),
)

describe('after any sequence of actions on status, driver, payment and cash', () => {
  it('each driver owes what was collected and not handed over, and histories match their orders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
        const drivers = [await aDriver(), await aDriver()]
        const orders = [await anOrder(null, 'new'), await anOrder(null, 'new')]
        // Fils each driver holds, counted independently of the server.
        const held = drivers.map(() => 0)
        for (const one of acts) {
          if (one.kind === 'handOver') {
            const person = drivers[one.driver]
            if (!person) continue
            await handOver(person, (await cashOf(person)).inHand)
            held[one.driver] = 0
          } else {
            const id = orders[one.order] ?? ''
            const before = await rowOf(id)
            const [assigned] = await shop.query<{ id: number | null }>(
              'select assigned_driver_id as id from orders where id = $1',
              [id],
            )
            const at = drivers.findIndex((person) => person.id === assigned?.id)
            const carrier = drivers[at]
            const count = (await entriesOf(id)).length
            const isOpen = before.status !== 'delivered'
            // What a driver collected before is not due again.
            const isDue = isOpen && before.payment_status !== 'paid' && count === 0
            let isCollected = false
            if (one.kind === 'assign') {
              const person = drivers[one.driver]
              if (person) await admin.call(assignDriver, { params: { id }, body: { driverId: person.id } })
            } else if (one.kind === 'unassign') await admin.call(unassignDriver, { params: { id } })
            else if (one.kind === 'ship') await move(admin, id, 'shipped')
            else if (one.kind === 'back') {
              if (!isOpen) expect((await move(owner, id, 'in-progress', { notes: 'Back' })).status).toBe(200)
            } else if (one.kind === 'paid' || one.kind === 'unpaid') await pay(admin, id, one.kind)
            else if (!('heldBy' in one)) {
              if (carrier) {
                expect((await move(carrier, id, 'delivered')).status).toBe(200)
                isCollected = isDue
              }
            } else {
              const answer = one.heldBy ? { cashHeldBy: one.heldBy } : {}
              if (one.kind === 'single') await move(admin, id, 'delivered', answer)
              else await bulk(id, answer)
              isCollected = isDue && one.heldBy === 'driver' && carrier !== undefined
            }
            expect((await entriesOf(id)).length - count).toBe(isCollected ? 1 : 0)
            if (isCollected) held[at] = (held[at] ?? 0) + 2150
          }
        }
        for (const [at, person] of drivers.entries()) {
          const cash = await cashOf(person)
          expect(Math.round(cash.inHand * 1000)).toBe(held[at])
          expect(Math.round(cash.expected * 1000)).toBe(Math.round(cash.collected * 1000))
          expect(cash.difference ?? 0).toBe(0)
          const sum = cash.entries.reduce(
            (all, { kind, amount }) => all + (kind === 'collected' ? amount : -amount) * 1000,
            0,
          )
          expect(Math.round(sum)).toBe(held[at])
        }
        for (const id of orders) {
          const row = await rowOf(id)
          expect(await pathOf(id, 'status', 'new')).toBe(row.status)
          expect(await pathOf(id, 'paymentStatus', 'pending')).toBe(row.payment_status)
          // Each collected entry belongs to one delivery of the order.
          const [{ times } = { times: 0 }] = await shop.query<{ times: number }>(
            `select count(*)::int as times from order_audit_history
             where order_id = $1 and field_changed = 'status' and new_value = 'delivered'`,
            [id],
          )
          expect((await entriesOf(id)).length).toBeLessThanOrEqual(times)
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 25) },
    )
  })
})
