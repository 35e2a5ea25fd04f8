import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { getCash, writeCash } from '@qatra/contract/drivers'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { addPayment } from '@qatra/contract/orders/payments'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { type CashDesk, makeCashDesk, newKey } from '../test/fixtures/driver-day.ts'
import { makeOrder, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
let desk: CashDesk

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  desk = await makeCashDesk(shop)
})

describe('cash of a day', () => {
  it('sums collected, counted and handed over cash, and their difference', async () => {
    const driver = await desk.aDriver()
    await desk.deliver(driver, await desk.stopOf(driver), { cash: { amount: 2.15, key: newKey() } })
    await desk.deliver(driver, await desk.stopOf(driver), { cash: { amount: 2.15, key: newKey() } })
    expect(await desk.cashFor(driver)).toMatchObject({
      expected: 4.3,
      collected: 4.3,
      counted: null,
      handedOver: 0,
      inHand: 4.3,
      difference: null,
    })
    expect((await desk.write(driver, driver, { kind: 'counted', amount: 4.3 })).status).toBe(200)
    expect(await desk.cashFor(driver)).toMatchObject({ counted: 4.3, difference: 0, inHand: 4.3 })
    const handed = await desk.admin.call(writeCash, {
      params: { id: String(driver.id) },
      body: { kind: 'handed-over', amount: 4, key: newKey(), notes: 'Counted twice' },
    })
    expect(handed.body).toMatchObject({ handedOver: 4, inHand: 0.3, difference: 0 })
    // Cash collected after the handover is no shortage.
    await desk.deliver(driver, await desk.stopOf(driver))
    expect(await desk.cashFor(driver)).toMatchObject({ expected: 6.45, collected: 6.45, inHand: 2.45, difference: 0 })
    expect(handed.body.entries.at(-1)).toMatchObject({
      by: { id: desk.admin.id },
      onBehalfOf: null,
      notes: 'Counted twice',
    })
  })

  it('expects of a driver who was given more only what the order cost', async () => {
    const driver = await desk.aDriver()
    await desk.deliver(driver, await desk.stopOf(driver), { cash: { amount: 3, key: newKey() } })
    expect(await desk.cashFor(driver)).toMatchObject({ expected: 2.15, collected: 3, inHand: 3 })
  })

  it('is corrected only by another row with a reason', async () => {
    const driver = await desk.aDriver()
    const id = await desk.stopOf(driver)
    await desk.deliver(driver, id, { cash: { amount: 2.15, key: newKey() } })
    expect((await desk.write(desk.admin, driver, { kind: 'correction', amount: -0.15 })).status).toBe(422)
    const less = { kind: 'correction', amount: -0.15, notes: 'Gave change' }
    // What an order gets back is a refund, with its right and limit.
    expect((await desk.write(desk.admin, driver, { ...less, orderId: id })).status).toBe(422)
    expect((await desk.write(desk.admin, driver, less)).status).toBe(200)
    expect(await desk.cashFor(driver)).toMatchObject({ expected: 2.15, collected: 2 })
    await driver.send('POST', `/api/admin/orders/${await desk.stopOf(driver)}/attempts`, { body: { reason: 'absent' } })
    for (const change of [
      'update ledger_entries set amount = 1',
      'delete from ledger_entries',
      'delete from delivery_attempts',
    ])
      await expect(shop.query(change)).rejects.toThrow(/never changed/)
  })

  it('takes the rest of an order in a second report, and refuses more than is due', async () => {
    const driver = await desk.aDriver()
    const id = await desk.stopOf(driver)
    const cash = (amount: number) => ({ payments: [{ means: 'cash' as const, amount, key: newKey() }] })
    const first = cash(1)
    expect((await desk.deliver(driver, id, first)).body).toMatchObject({ due: 1.15, paymentStatus: 'unpaid' })
    const more = await desk.deliver(driver, id, cash(1.2))
    expect(more.refusal).toMatchObject({ code: 'MORE_THAN_DUE', details: { due: 1.15 } })
    expect((await desk.deliver(driver, id, cash(1))).status).toBe(200)
    const rest = cash(0.15)
    for (const same of [rest, rest, first]) expect((await desk.deliver(driver, id, same)).status).toBe(200)
    expect(
      (await desk.deliver(desk.admin, id, { payments: [{ ...cash(0.15).payments[0], holder: 'driver' }] })).status,
    ).toBe(409)
    expect(await desk.cashFor(driver)).toMatchObject({ expected: 2.15, collected: 2.15, inHand: 2.15 })
  })

  it('books a payment on the day on which it was made', async () => {
    const driver = await desk.aDriver()
    const id = await desk.stopOf(driver)
    await shop.query(`update orders set created_at = now() - interval '3 days' where id = $1`, [id])
    const at = new Date(Date.now() - 86_400_000)
    const body = { means: 'cash' as const, amount: 1, holder: 'driver' as const, key: newKey(), at: at.toISOString() }
    const { body: paid } = await desk.admin.call(addPayment, { params: { id }, body })
    expect(paid.entries).toMatchObject([{ amount: 1, date: bahrainDate(at) }])
  })

  it('alone makes an order paid, whatever a report announces', async () => {
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const [id, again] = [await desk.stopOf(await desk.aDriver()), await desk.stopOf(await desk.aDriver())]
    await desk.deliver(desk.admin, id, { cashHeldBy: 'office' })
    const answer = await desk.deliver(desk.admin, id, {
      paymentStatus: 'unpaid',
      payments: [],
      notes: 'Nothing was paid',
    })
    expect(answer.body).toMatchObject({ paymentStatus: 'unpaid', due: 2.15 })
    // As two requests that both announce what was booked before.
    const part = { payments: [{ means: 'cash' as const, amount: 1.15, holder: 'office' as const, key: newKey() }] }
    await desk.deliver(desk.admin, again, part)
    const back = { status: 'in-progress' as const, notes: 'Wrong house' }
    await owner.call(changeOrderStatus, { params: { id: again }, body: back })
    expect((await desk.deliver(desk.admin, again, part)).body).toMatchObject({ paymentStatus: 'unpaid', due: 1 })
    const two = { payments: [...part.payments, { ...part.payments[0], amount: 0.5, key: newKey() }] }
    expect((await desk.deliver(desk.admin, again, two)).body).toMatchObject({ paymentStatus: 'unpaid', due: 0.5 })
  })

  it('of a report is in the history of its order, and needs the version once that is delivered', async () => {
    const driver = await desk.aDriver()
    const id = await desk.stopOf(driver)
    const cash = (amount: number) => ({ means: 'cash' as const, amount, holder: 'office' as const, key: newKey() })
    const first = { payments: [cash(1)], version: 1, notes: 'At the office' }
    const { version } = (await desk.deliver(desk.admin, id, first)).body
    const second = { payments: [cash(0.5)], version }
    const stale = { payments: [cash(0.5)], version: version - 1 }
    expect((await desk.deliver(desk.admin, id, stale)).refusal.code).toBe('VERSION_CONFLICT')
    // The same again, as after a lost answer, books nothing.
    for (const same of [second, second, first]) expect((await desk.deliver(desk.admin, id, same)).body.due).toBe(0.65)
    // What a driver took is never lost.
    const taken = { cash: { amount: 0.65, key: newKey() }, version: 1 }
    expect((await desk.deliver(driver, id, taken)).body).toMatchObject({ due: 0, paymentStatus: 'paid' })
    const history = `select new_value as amount from order_audit_history
      where order_id = $1 and field_changed = 'payment' order by id`
    expect(await shop.query(history, [id])).toEqual([{ amount: '1' }, { amount: '0.5' }])
  })

  it('is counted by drivers and received by admins; others cannot see it', async () => {
    const [driver, colleague] = [await desk.aDriver(), await desk.aDriver()]
    for (const kind of ['handed-over', 'correction'])
      expect((await desk.write(driver, driver, { kind, amount: 1, notes: 'x' })).status).toBe(403)
    for (const other of [colleague, desk.stranger]) {
      expect((await desk.write(other, driver, { kind: 'counted', amount: 1 })).status).toBe(404)
      expect((await other.call(getCash, { params: { id: String(driver.id) } })).status).toBe(404)
    }
    expect((await desk.admin.call(getCash, { params: { id: String(desk.admin.id) } })).status).toBe(404)
    expect(await desk.cashFor(driver)).toMatchObject({ entries: [] })
  })

  it('refuses invalid entries', async () => {
    const driver = await desk.aDriver()
    const id = await desk.stopOf(driver)
    const theirs = await desk.stopOf(await desk.aDriver(), 'delivered')
    const refused: [object, number][] = [
      [{ kind: 'counted', amount: -1 }, 422],
      [{ kind: 'counted', amount: 0.0001 }, 422],
      [{ kind: 'counted', amount: '5' }, 422],
      [{ kind: 'counted', amount: 1e9 }, 422],
      [{ kind: 'stolen', amount: 1 }, 422],
      [{ kind: 'counted', amount: 1, key: 'short' }, 422],
      [{ kind: 'counted', amount: 1, date: '2026-02-30' }, 422],
      // What is taken at the door is reported with the delivery alone.
      [{ kind: 'collected', amount: 1, orderId: id }, 422],
    ]
    // Cash of another driver's order is refused to the office too.
    for (const kind of ['counted', 'correction'])
      expect((await desk.write(desk.admin, driver, { kind, amount: 1, orderId: theirs, notes: 'x' })).status).toBe(404)
    for (const [body, status] of refused)
      expect([body, (await desk.write(driver, driver, body as Record<string, unknown>)).status]).toEqual([body, status])
    expect(await desk.cashFor(driver)).toMatchObject({ entries: [] })
  })

  it('writes a repeated key once, also concurrently, and refuses it for another entry', async () => {
    const driver = await desk.aDriver()
    const body = { kind: 'counted', amount: 7.5, key: newKey() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.write(driver, driver, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await desk.cashFor(driver)).entries).toHaveLength(1)
    for (const more of [{ amount: 8 }, { date: '2026-01-01' }]) {
      const other = await desk.write(driver, driver, { ...body, ...more })
      expect([other.status, other.body]).toMatchObject([422, { code: 'IDEMPOTENCY_KEY_REUSED' }])
    }
  })

  it('stores the reported time within limits, and books on its day', async () => {
    const driver = await desk.aDriver()
    const [{ yesterday, day } = { yesterday: '', day: '' }] = await shop.query<{ yesterday: string; day: string }>(
      `select to_char((now() - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as yesterday,
              to_char((now() - interval '1 day') at time zone 'Asia/Bahrain', 'YYYY-MM-DD') as day`,
    )
    await desk.write(driver, driver, { kind: 'counted', amount: 3, at: yesterday })
    await desk.write(driver, driver, { kind: 'counted', amount: 4, at: '2099-01-01T00:00:00Z' })
    const past = await driver.call(getCash, { params: { id: String(driver.id) }, query: { date: day } })
    expect(past.body).toMatchObject({ date: day, counted: 3 })
    expect(await desk.cashFor(driver)).toMatchObject({ counted: 4 })
    expect((await desk.write(driver, driver, { kind: 'counted', amount: 5, date: '2100-01-01' })).status).toBe(200)
    expect((await desk.cashFor(driver)).counted).toBe(5)
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
    const drivers = [await desk.aDriver(), await desk.aDriver()]
    for (const [n, driver] of drivers.entries()) {
      const order = await desk.stopOf(driver, 'delivered')
      await shop.query(
        `insert into cash_entries (vendor_id, driver_id, day, kind, amount, due, order_id, delivery, key, happened_at, created_at)
         select $1, $2, date '2019-03-01' + (n % 2), kind, $3 + n, due, case when kind = 'collected' then $4 end, delivery, key,
           now(), '2019-03-01'
         from (values (1, 'collected', 100, 1, 'same-key'), (2, 'collected', null, 2, 'same-key'),
           (3, 'handed-over', null, 1, 'hand'), (4, 'counted', null, 1, 'count'), (-9000, 'correction', null, 1, 'less'))
           old (n, kind, due, delivery, key)`,
        [desk.home.vendor, driver.id, 2150 + n, order],
      )
    }
  }

  it('is copied by the migration with equal sums by vendor, day, driver and kind', async () => {
    await shop.query(`create table cash_entries as select *, holder_id as driver_id from ledger_entries where false`)
    await writeOld()
    expect(await asLedger()).toEqual([])
    await shop.query(copySql.at(-1) ?? '')
    expect(await asLedger()).toEqual(await asCash())
    expect(await asCash()).toHaveLength(10)
    await shop.query('drop table cash_entries')
  })

  it('of orders that are paid without entries becomes payments to the office, also on closed days', async () => {
    const file = readFileSync(join(import.meta.dirname, '../migrations/0009_payments.sql'), 'utf8')
    const [paid, partly, late, open] = await Promise.all(
      ['delivered', 'delivered', 'shipped', 'shipped'].map((status) =>
        makeOrder(shop, { userId: desk.home.customer.id, vendorId: desk.home.vendor, status }),
      ),
    )
    await shop.query(`update orders set delivered_at = '2019-05-01T21:30:00Z' where id = any($1)`, [[paid, partly]])
    await shop.query(`update orders set payment_status = 'paid' where id = any($1)`, [[paid, partly]])
    await shop.query(`update orders set payment_method = 'bank_transfer' where id = $1`, [paid])
    await shop.query(`update orders set paid_to_office = 500, payment_status = 'unpaid' where id = $1`, [late])
    const driver = await desk.aDriver()
    await shop.query(
      `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, order_id, key, happened_at)
       values ($1, 'driver', $2, '2019-05-02', 'collected', 2000, $3, 'earlier', now())`,
      [desk.home.vendor, driver.id, partly],
    )
    await shop.query(
      `insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, '2019-05-02', 1, now())`,
      [desk.home.vendor],
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

  it('of deliveries becomes sales, on the days on which they counted, with what was owed before', async () => {
    const file = readFileSync(join(import.meta.dirname, '../migrations/0011_sales.sql'), 'utf8')
    const vendorId = await makeVendor(shop)
    const driver = await makeVisitor(shop, { role: 'driver', vendorId })
    const [plain, fewer, cancelled] = await Promise.all(
      ['delivered', 'delivered', 'cancelled'].map((status) =>
        makeOrder(shop, { userId: desk.home.customer.id, vendorId, status, assignedDriverId: driver.id }),
      ),
    )
    await shop.query(`update orders set delivered_at = '2019-05-01T21:30:00Z' where id = $1`, [plain])
    await shop.query(`update orders set delivered_at = '2019-05-02T10:00:00Z' where id = $1`, [fewer])
    const changed = (id: unknown, at: string, field: string, [from, to]: [string, string]) =>
      shop.query(
        `insert into order_audit_history (order_id, action, changed_by, changed_at, field_changed, old_value, new_value)
         values ($1, 'updated', $2, $3, $4, $5, $6)`,
        [id, driver.id, at, field, from, to],
      )
    await changed(plain, '2019-05-01T21:30:00Z', 'status', ['shipped', 'delivered'])
    await changed(fewer, '2019-04-29T10:00:00Z', 'total', ['9', '4'])
    // Reported the day after.
    await changed(fewer, '2019-05-03T09:00:00Z', 'status', ['shipped', 'delivered'])
    await changed(fewer, '2019-05-03T09:00:00Z', 'total', ['4', '2.15'])
    await changed(cancelled, '2019-05-02T18:00:00Z', 'status', ['shipped', 'cancelled'])
    for (const id of [fewer, cancelled])
      await shop.query(
        `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, order_id, key, happened_at)
         values ($1, 'driver', $2, '2019-05-01', 'payment', 4000, $3, $3, now())`,
        [vendorId, driver.id, id],
      )
    await shop.query(
      `insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, '2019-05-02', 1, '2019-05-02T17:00:00Z')`,
      [vendorId],
    )
    for (const part of file.split('--> statement-breakpoint').slice(-4)) await shop.query(part)
    const booked = await shop.query(
      `select order_id as id, day::text, kind, amount::int, due::int, created_by as by from ledger_entries
       where vendor_id = $1 and ledger = 'sales' order by id`,
      [vendorId],
    )
    const row = (id: unknown, day: string, kind: string, [amount, due]: [number, number]) => {
      return { id, day, kind, amount, due, by: kind === 'delivered' ? driver.id : null }
    }
    expect(booked).toHaveLength(5)
    expect(booked).toEqual(
      expect.arrayContaining([
        row(plain, '2019-05-02', 'delivered', [2150, 0]),
        row(fewer, '2019-05-02', 'delivered', [2150, 0]),
        row(fewer, '2019-04-29', 'corrected', [0, -5000]),
        row(fewer, '2019-05-02', 'corrected', [0, -1850]),
        row(cancelled, '2019-05-03', 'corrected', [0, -2150]),
      ]),
    )
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const read = async (date: string) => (await admin.call(getCashClosing, { params: { date } })).body.equation
    expect(await read('2019-05-01')).toMatchObject({
      delivered: 0,
      unexplainedOrders: [{ id: cancelled, amount: -1.85 }],
    })
    expect((await read('2019-05-03')).unexplainedOrders).toEqual([
      expect.objectContaining({ id: cancelled, amount: -2.15 }),
    ])
  })
})
