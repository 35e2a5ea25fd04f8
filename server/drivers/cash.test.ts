import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCash, listDriverDays, writeCash } from '@qatra/contract/drivers'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { addPayment } from '@qatra/contract/orders/payments'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CashLine, cashOf } from '../ledger/rules.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeOrder, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
type Person = Awaited<ReturnType<typeof makeVisitor>>
let admin: Person
let stranger: Person

beforeAll(async () => {
  shop = await startShop()
  home = await makeHousehold(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  stranger = await makeVisitor(shop, { role: 'vendor_admin', vendorId: await makeVendor(shop) })
})

const aDriver = () => makeVisitor(shop, { role: 'driver', vendorId: home.vendor })
const stopOf = (driver: Person, status = 'shipped') =>
  makeOrder(shop, { userId: home.customer.id, vendorId: home.vendor, status, assignedDriverId: driver.id })
let made = 0
const newKey = () => `test-key-${(made += 1)}`
const write = (who: Person, driver: Person, body: Record<string, unknown>) =>
  who.send('POST', `/api/admin/drivers/${driver.id}/cash`, { body: { key: newKey(), ...body } })
const deliver = (who: Person, id: string, body: object = {}) =>
  who.call(changeOrderStatus, { params: { id }, body: { status: 'delivered', ...body } })
const cashFor = async (driver: Person) => (await driver.call(getCash, { params: { id: String(driver.id) } })).body

describe('cash of a day', () => {
  it('sums collected, counted and handed over cash, and their difference', async () => {
    const driver = await aDriver()
    await deliver(driver, await stopOf(driver), { cash: { amount: 2.15, key: newKey() } })
    await deliver(driver, await stopOf(driver), { cash: { amount: 2.15, key: newKey() } })
    expect(await cashFor(driver)).toMatchObject({
      expected: 4.3,
      collected: 4.3,
      counted: null,
      handedOver: 0,
      inHand: 4.3,
      difference: null,
    })
    expect((await write(driver, driver, { kind: 'counted', amount: 4.3 })).status).toBe(200)
    expect(await cashFor(driver)).toMatchObject({ counted: 4.3, difference: 0, inHand: 4.3 })
    const handed = await admin.call(writeCash, {
      params: { id: String(driver.id) },
      body: { kind: 'handed-over', amount: 4, key: newKey(), notes: 'Counted twice' },
    })
    expect(handed.body).toMatchObject({ handedOver: 4, inHand: 0.3, difference: 0 })
    // Cash collected after the handover is no shortage.
    await deliver(driver, await stopOf(driver))
    expect(await cashFor(driver)).toMatchObject({ expected: 6.45, collected: 6.45, inHand: 2.45, difference: 0 })
    expect(handed.body.entries.at(-1)).toMatchObject({ by: { id: admin.id }, onBehalfOf: null, notes: 'Counted twice' })
  })

  it('expects of a driver who was given more only what the order cost', async () => {
    const driver = await aDriver()
    await deliver(driver, await stopOf(driver), { cash: { amount: 3, key: newKey() } })
    expect(await cashFor(driver)).toMatchObject({ expected: 2.15, collected: 3, inHand: 3 })
  })

  it('is corrected only by another row with a reason', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    await deliver(driver, id, { cash: { amount: 2.15, key: newKey() } })
    expect((await write(admin, driver, { kind: 'correction', amount: -0.15 })).status).toBe(422)
    const less = { kind: 'correction', amount: -0.15, notes: 'Gave change' }
    // What an order gets back is a refund, with its right and limit.
    expect((await write(admin, driver, { ...less, orderId: id })).status).toBe(422)
    expect((await write(admin, driver, less)).status).toBe(200)
    expect(await cashFor(driver)).toMatchObject({ expected: 2.15, collected: 2 })
    await driver.send('POST', `/api/admin/orders/${await stopOf(driver)}/attempts`, { body: { reason: 'absent' } })
    for (const change of [
      'update ledger_entries set amount = 1',
      'delete from ledger_entries',
      'delete from delivery_attempts',
    ])
      await expect(shop.query(change)).rejects.toThrow(/never changed/)
  })

  it('takes the rest of an order in a second report, and refuses more than is due', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    const cash = (amount: number) => ({ payments: [{ means: 'cash' as const, amount, key: newKey() }] })
    const first = cash(1)
    expect((await deliver(driver, id, first)).body).toMatchObject({ due: 1.15, paymentStatus: 'unpaid' })
    for (const more of [
      await write(driver, driver, { kind: 'collected', amount: 1.2, orderId: id }),
      await deliver(driver, id, cash(1.2)),
    ])
      expect(more.refusal).toMatchObject({ code: 'MORE_THAN_DUE', details: { due: 1.15 } })
    expect((await write(driver, driver, { kind: 'collected', amount: 1, orderId: id })).status).toBe(200)
    const rest = cash(0.15)
    for (const same of [rest, rest, first]) expect((await deliver(driver, id, same)).status).toBe(200)
    expect((await deliver(admin, id, { payments: [{ ...cash(0.15).payments[0], holder: 'driver' }] })).status).toBe(409)
    expect(await cashFor(driver)).toMatchObject({ expected: 2.15, collected: 2.15, inHand: 2.15 })
  })

  it('books a payment on the day on which it was made', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    await shop.query(`update orders set created_at = now() - interval '3 days' where id = $1`, [id])
    const at = new Date(Date.now() - 86_400_000)
    const body = { means: 'cash' as const, amount: 1, holder: 'driver' as const, key: newKey(), at: at.toISOString() }
    const { body: paid } = await admin.call(addPayment, { params: { id }, body })
    expect(paid.entries).toMatchObject([{ amount: 1, date: bahrainDate(at) }])
  })

  it('alone makes an order paid, whatever a report announces', async () => {
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const [id, again] = [await stopOf(await aDriver()), await stopOf(await aDriver())]
    await deliver(admin, id, { cashHeldBy: 'office' })
    const answer = await deliver(admin, id, { paymentStatus: 'unpaid', payments: [], notes: 'Nothing was paid' })
    expect(answer.body).toMatchObject({ paymentStatus: 'unpaid', due: 2.15 })
    // As two requests that both announce what was booked before.
    const part = { payments: [{ means: 'cash' as const, amount: 1.15, holder: 'office' as const, key: newKey() }] }
    await deliver(admin, again, part)
    const back = { status: 'in-progress' as const, notes: 'Wrong house' }
    await owner.call(changeOrderStatus, { params: { id: again }, body: back })
    expect((await deliver(admin, again, part)).body).toMatchObject({ paymentStatus: 'unpaid', due: 1 })
    const two = { payments: [...part.payments, { ...part.payments[0], amount: 0.5, key: newKey() }] }
    expect((await deliver(admin, again, two)).body).toMatchObject({ paymentStatus: 'unpaid', due: 0.5 })
  })

  it('is counted by drivers and received by admins; others cannot see it', async () => {
    const [driver, colleague] = [await aDriver(), await aDriver()]
    for (const kind of ['handed-over', 'correction'])
      expect((await write(driver, driver, { kind, amount: 1, notes: 'x' })).status).toBe(403)
    for (const other of [colleague, stranger]) {
      expect((await write(other, driver, { kind: 'counted', amount: 1 })).status).toBe(404)
      expect((await other.call(getCash, { params: { id: String(driver.id) } })).status).toBe(404)
    }
    expect((await admin.call(getCash, { params: { id: String(admin.id) } })).status).toBe(404)
    expect(await cashFor(driver)).toMatchObject({ entries: [] })
  })

  it('refuses invalid entries', async () => {
    const driver = await aDriver()
    const id = await stopOf(driver)
    const theirs = await stopOf(await aDriver(), 'delivered')
    const refused: [object, number][] = [
      [{ kind: 'counted', amount: -1 }, 422],
      [{ kind: 'counted', amount: 0.0001 }, 422],
      [{ kind: 'counted', amount: '5' }, 422],
      [{ kind: 'counted', amount: 1e9 }, 422],
      [{ kind: 'stolen', amount: 1 }, 422],
      [{ kind: 'counted', amount: 1, key: 'short' }, 422],
      [{ kind: 'counted', amount: 1, date: '2026-02-30' }, 422],
      [{ kind: 'collected', amount: 1 }, 422],
      [{ kind: 'collected', amount: 1, orderId: id }, 409],
      [{ kind: 'collected', amount: 1, orderId: theirs }, 404],
    ]
    // Cash of another driver's order is refused to the office too.
    for (const kind of ['collected', 'counted', 'correction'])
      expect((await write(admin, driver, { kind, amount: 1, orderId: theirs, notes: 'x' })).status).toBe(404)
    for (const [body, status] of refused)
      expect([body, (await write(driver, driver, body as Record<string, unknown>)).status]).toEqual([body, status])
    expect(await cashFor(driver)).toMatchObject({ entries: [] })
  })

  it('writes a repeated key once, also concurrently, and refuses it for another entry', async () => {
    const driver = await aDriver()
    const body = { kind: 'counted', amount: 7.5, key: newKey() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => write(driver, driver, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await cashFor(driver)).entries).toHaveLength(1)
    for (const more of [{ amount: 8 }, { date: '2026-01-01' }]) {
      const other = await write(driver, driver, { ...body, ...more })
      expect([other.status, other.body]).toMatchObject([422, { code: 'IDEMPOTENCY_KEY_REUSED' }])
    }
  })

  it('stores the reported time within limits, and books on its day', async () => {
    const driver = await aDriver()
    const [{ yesterday, day } = { yesterday: '', day: '' }] = await shop.query<{ yesterday: string; day: string }>(
      `select to_char((now() - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as yesterday,
              to_char((now() - interval '1 day') at time zone 'Asia/Bahrain', 'YYYY-MM-DD') as day`,
    )
    await write(driver, driver, { kind: 'counted', amount: 3, at: yesterday })
    await write(driver, driver, { kind: 'counted', amount: 4, at: '2099-01-01T00:00:00Z' })
    const past = await driver.call(getCash, { params: { id: String(driver.id) }, query: { date: day } })
    expect(past.body).toMatchObject({ date: day, counted: 3 })
    expect(await cashFor(driver)).toMatchObject({ counted: 4 })
    expect((await write(driver, driver, { kind: 'counted', amount: 5, date: '2100-01-01' })).status).toBe(200)
    expect((await cashFor(driver)).counted).toBe(5)
  })
})

describe('the drivers of a vendor', () => {
  it("are listed with their stops and cash, without other vendors' drivers", async () => {
    const driver = await aDriver()
    await deliver(driver, await stopOf(driver))
    await stopOf(driver)
    await shop.query(
      `update orders set promised_date = (now() at time zone 'Asia/Bahrain')::date where assigned_driver_id = $1`,
      [driver.id],
    )
    const { body } = await admin.call(listDriverDays, {})
    const mine = body.drivers.find((row) => row.driver.id === driver.id)
    expect(mine).toMatchObject({
      stops: { all: 2, delivered: 1, attempted: 0, cancelled: 0 },
      cash: { expected: 2.15, inHand: 2.15 },
    })
    expect(mine?.lastActAt).not.toBeNull()
    expect((await stranger.call(listDriverDays, {})).body.drivers).toEqual([])
    expect((await stranger.call(listDriverDays, { query: { vendorId: String(home.vendor) } })).status).toBe(403)
  })
})

describe('the sums', () => {
  const at = (minute: number, kind: CashLine['kind'], amount: number, due = kind === 'collected' ? amount : 0) => ({
    kind,
    amount,
    due,
    happenedAt: new Date(minute * 60_000),
  })
  it.each<[string, CashLine[], object]>([
    ['a surplus is collected, not expected', [at(1, 'collected', 5000, 2150)], { expected: 2.15, collected: 5 }],
    [
      'a correction changes what was collected',
      [at(1, 'collected', 2000), at(2, 'correction', -500)],
      { collected: 1.5, expected: 2, inHand: 1.5 },
    ],
    [
      'the last count applies',
      [at(1, 'collected', 2000), at(2, 'counted', 1500), at(3, 'counted', 1800)],
      { counted: 1.8, difference: -0.2 },
    ],
    [
      'a handover after the count is taken out of the bag',
      [at(1, 'collected', 2000), at(2, 'counted', 2000), at(3, 'handed-over', 1500)],
      { difference: 0, inHand: 0.5 },
    ],
    [
      'a handover before the count adds to it',
      [at(1, 'collected', 2000), at(2, 'handed-over', 1500), at(3, 'counted', 400)],
      { difference: -0.1, inHand: 0.5 },
    ],
    [
      'more handed over than counted leaves nothing in the bag',
      [at(1, 'collected', 2000), at(2, 'counted', 1000), at(3, 'handed-over', 2000)],
      { difference: 0, inHand: 0 },
    ],
    [
      'cash collected after the last settlement is no shortage',
      [at(1, 'collected', 2000), at(2, 'handed-over', 2000), at(3, 'collected', 700)],
      { difference: 0, inHand: 0.7 },
    ],
    [
      'cash collected in the minute of the settlement is part of it',
      [at(1, 'collected', 2000), at(2, 'collected', 700), at(2, 'handed-over', 2000)],
      { difference: -0.7 },
    ],
  ])('%s', (_, lines, sums) => expect(cashOf(lines)).toMatchObject(sums))

  const line = fc
    .record({
      kind: fc.constantFrom('collected' as const, 'counted' as const, 'handed-over' as const),
      amount: fc.nat(50_000),
      happenedAt: fc.nat(1_000_000).map((ms) => new Date(ms)),
    })
    .map((one): CashLine => ({ ...one, due: one.kind === 'collected' ? one.amount : 0 }))
  it('do not depend on the order of the lines', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { selector: ({ happenedAt }) => happenedAt.getTime() }), (lines) => {
        expect(cashOf(lines)).toEqual(cashOf(lines.toReversed()))
      }),
    )
  })
  it('have no difference when all collected cash is handed over', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50_000), { minLength: 1 }), (dues) => {
        const at = new Date(1)
        const lines = dues.map((due): CashLine => ({ kind: 'collected', amount: due, due, happenedAt: at }))
        const all = dues.reduce((sum, due) => sum + due, 0)
        const handed: CashLine = { kind: 'handed-over', amount: all, due: 0, happenedAt: new Date(2) }
        expect(cashOf([...lines, handed])).toMatchObject({ difference: 0, inHand: 0, expected: all / 1000 })
      }),
    )
  })
})

describe('cash of an earlier version', () => {
  const copySql = readFileSync(join(import.meta.dirname, '../migrations/0008_ledger.sql'), 'utf8').split(
    '--> statement-breakpoint',
  )
  const sums = (from: string, columns: string) =>
    shop.query(
      `select vendor_id, day::text, ${columns} as driver, kind, sum(amount)::int as amount, sum(due)::int as due,
         count(*)::int as rows from ${from} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )
  const asLedger = () => sums(`ledger_entries where created_at < '2020-01-01'`, 'holder_id')
  const asCash = () => sums('cash_entries', 'driver_id')

  /** Rows of two drivers: each kind, a second delivery under the same key, and keys that both drivers use. */
  async function writeOld() {
    const drivers = [await aDriver(), await aDriver()]
    for (const [n, driver] of drivers.entries()) {
      const order = await stopOf(driver, 'delivered')
      await shop.query(
        `insert into cash_entries (vendor_id, driver_id, day, kind, amount, due, order_id, delivery, key, happened_at, created_at)
         select $1, $2, date '2019-03-01' + (n % 2), kind, $3 + n, due, case when kind = 'collected' then $4 end, delivery, key,
           now(), '2019-03-01'
         from (values (1, 'collected', 100, 1, 'same-key'), (2, 'collected', null, 2, 'same-key'),
           (3, 'handed-over', null, 1, 'hand'), (4, 'counted', null, 1, 'count'), (-9000, 'correction', null, 1, 'less'))
           old (n, kind, due, delivery, key)`,
        [home.vendor, driver.id, 2150 + n, order],
      )
    }
  }

  it('is copied by the migration with equal sums by vendor, day, driver and kind', async () => {
    await shop.query('alter table cash_entries disable trigger copy_cash_to_ledger')
    await writeOld()
    expect(await asLedger()).toEqual([])
    await shop.query(copySql.at(-1) ?? '')
    await shop.query('alter table cash_entries enable trigger copy_cash_to_ledger')
    expect(await asLedger()).toEqual(await asCash())
    expect(await asCash()).toHaveLength(10)
  })

  it('of orders that are paid without entries becomes payments to the office, also on closed days', async () => {
    const file = readFileSync(join(import.meta.dirname, '../migrations/0009_payments.sql'), 'utf8')
    const [paid, partly, late, open] = await Promise.all(
      ['delivered', 'delivered', 'shipped', 'shipped'].map((status) =>
        makeOrder(shop, { userId: home.customer.id, vendorId: home.vendor, status }),
      ),
    )
    await shop.query(`update orders set delivered_at = '2019-05-01T21:30:00Z' where id = any($1)`, [[paid, partly]])
    await shop.query(`update orders set payment_status = 'paid' where id = any($1)`, [[paid, partly]])
    await shop.query(`update orders set payment_method = 'bank_transfer' where id = $1`, [paid])
    await shop.query(`update orders set paid_to_office = 500, payment_status = 'unpaid' where id = $1`, [late])
    const driver = await aDriver()
    await shop.query(
      `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, order_id, key, happened_at)
       values ($1, 'driver', $2, '2019-05-02', 'collected', 2000, $3, 'earlier', now())`,
      [home.vendor, driver.id, partly],
    )
    await shop.query(
      `insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, '2019-05-02', 1, now())`,
      [home.vendor],
    )
    for (const part of file.split('--> statement-breakpoint').slice(1)) await shop.query(part)
    const rows = await shop.query(
      `select order_id as id, holder_id as by, day::text, means, amount::int, key from ledger_entries
       where key like 'migrated:%' and order_id = any($1) order by amount desc`,
      [[paid, partly, late, open]],
    )
    const row = (id: string | undefined, day: unknown, means: string, amount: number) => ({
      id,
      by: null,
      day,
      means,
      amount,
      key: `migrated:${id}`,
    })
    expect(rows).toEqual([
      row(paid, '2019-05-02', 'transfer', 2150),
      row(late, expect.any(String), 'cash', 500),
      row(partly, '2019-05-02', 'cash', 150),
    ])
    const [uncovered] = await shop.query<{ n: number }>(
      `select count(*)::int as n from orders o where payment_status = 'paid' and total >
         coalesce((select sum(amount) from ledger_entries where order_id = o.id and kind <> 'counted'), 0)`,
    )
    expect(uncovered?.n).toBe(0)
  })

  it('is copied while the earlier version still writes', async () => {
    await writeOld()
    expect(await asLedger()).toEqual(await asCash())
  })
})
