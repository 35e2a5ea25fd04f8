import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCash, reportAttempt } from '@qatra/contract/drivers'
import { changeOrderStatus, changePayment, getAdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { addPayment, listPayments } from '@qatra/contract/orders/payments'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { type DriverDay, makeDriverDay, newKey } from '../test/fixtures/driver-day.ts'
import { makeHousehold, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>

const today = bahrainDate(new Date())

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  home = await makeHousehold(shop)
})

const withStaff = () => makeDriverDay(shop, home.customer.id)

describe('closing the cash of a day', () => {
  it('needs a result for every order and no cash with a driver, and a reason for a difference', async () => {
    const { driver, stop, deliver, write, close, read } = await withStaff()
    const id = await stop()
    expect((await read()).missing).toEqual({ begun: true, openOrders: 1, cash: [] })
    expect((await close()).refusal.code).toBe('CASH_DAY_INCOMPLETE')
    await deliver(id, 2.15)
    expect((await read()).missing).toEqual({
      begun: true,
      openOrders: 0,
      cash: [{ driverId: driver.id, amount: 2.15 }],
    })
    expect((await close()).refusal.code).toBe('CASH_DAY_INCOMPLETE')
    await write('handed-over', 2.1)
    expect((await read()).missing.cash).toEqual([{ driverId: driver.id, amount: 0.05 }])
    await write('correction', -0.05)
    const { status, body } = await close()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      closed: { at: expect.any(String) },
      sums: { stops: 1, delivered: 1, expected: 2.15, handedOver: 2.1, difference: -0.05, inHand: 0 },
      drivers: [{ reasons: ['Small change was missing', 'Small change was missing'] }],
    })
  })

  it('is refused if a driver handed over more than was collected, until it is corrected', async () => {
    const { driver, stop, deliver, write, close, read } = await withStaff()
    await deliver(await stop(), 2.15)
    await write('handed-over', 2.5)
    expect((await read()).missing.cash).toEqual([{ driverId: driver.id, amount: -0.35 }])
    expect((await close()).refusal.code).toBe('CASH_DAY_INCOMPLETE')
    await write('correction', 0.35)
    expect((await close()).status).toBe(200)
  })

  it('counts a failed attempt of the day also after its order was moved or delivered on another day', async () => {
    const { office, driver, stop, deliver, read, close } = await withStaff()
    const yesterday = addDays(today, -1)
    const [moved, carried] = [await stop(), await stop(yesterday)]
    const tried = { body: { reason: 'absent' as const, key: newKey() } }
    await driver.call(reportAttempt, { params: { id: moved }, ...tried })
    const at = new Date(Date.now() - 86_400_000).toISOString()
    await shop.query(`update orders set created_at = created_at - interval '3 days' where id = $1`, [carried])
    await driver.call(reportAttempt, { params: { id: carried }, body: { ...tried.body, at } })
    await deliver(carried, 0)
    const { body: order } = await office.call(getAdminOrder, { params: { id: moved } })
    const date = [1, 2].map((days) => addDays(today, days)).find((day) => new Date(day).getUTCDay() !== 5) ?? ''
    const answer = await office.call(changePromise, { params: { id: moved }, body: { date, version: order.version } })
    expect(answer.status).toBe(200)
    expect((await read()).sums).toMatchObject({ stops: 2, delivered: 1, attempted: 1 })
    expect((await read(yesterday)).sums).toMatchObject({ stops: 1, delivered: 0, attempted: 1 })
    const { body } = await close()
    expect(body).toMatchObject({ closed: {}, drivers: [{ stops: { all: 2, delivered: 1, attempted: 1 } }] })
  })

  it('keeps its sums when a delivery is taken back, paid at the office or corrected later', async () => {
    const { vendorId, office, driver, stop, deliver, write, close, read } = await withStaff()
    await makeProduct(shop, vendorId)
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const yesterday = addDays(today, -1)
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const [paidTwice, partial] = [await stop(yesterday), await stop(yesterday)]
    await shop.query(`update orders set created_at = created_at - interval '3 days' where vendor_id = $1`, [vendorId])
    await deliver(paidTwice, 2.15, at)
    await shop.query('update order_items set quantity = 2 where order_id = $1', [partial])
    await shop.query('update orders set subtotal = 3000, product_vat = 300, total = 3800 where id = $1', [partial])
    const { items } = (await office.call(getAdminOrder, { params: { id: partial } })).body
    const delivered = items.map(({ id }) => ({ itemId: id, quantity: 1 }))
    const cash = { amount: 3, key: newKey(), at }
    const part = await driver.call(changeOrderStatus, {
      params: { id: partial },
      body: { status: 'delivered', cash, delivered },
    })
    expect(part.body).toMatchObject({ total: 2.15 })
    await write('handed-over', 5.15, yesterday)
    // What was paid beyond the order is in no term until it is paid back; then its driver owes it.
    expect((await read(yesterday)).sums).toMatchObject({ expected: 4.3, handedOver: 5.15, difference: 0.85 })
    expect((await close(office, yesterday)).refusal).toMatchObject({
      code: 'DAY_NOT_EXPLAINED',
      details: { unexplained: -0.85 },
    })
    const back = { means: 'cash' as const, amount: -0.85, key: newKey(), reason: 'Change', at }
    expect((await office.call(addPayment, { params: { id: partial }, body: back })).status).toBe(403)
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    expect((await admin.call(addPayment, { params: { id: partial }, body: back })).body.due).toBe(0)
    await shop.query(`update users set name = 'Layla' where id = $1`, [admin.id])
    const { body: closed } = await close(office, yesterday)
    expect(closed.equation.inOfficeBy).toEqual([{ id: admin.id, name: 'Layla', amount: -0.85 }])
    expect(closed).toMatchObject({ closed: {}, sums: { expected: 5.15, handedOver: 5.15, difference: 0 } })

    const ofDriver = { ...back, at: undefined, amount: -2.15, holder: 'driver' as const, key: newKey() }
    expect((await admin.call(addPayment, { params: { id: paidTwice }, body: ofDriver })).status).toBe(200)
    const notes = 'Wrong house'
    for (const id of [paidTwice, partial])
      await owner.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress', notes } })
    const after = await read(yesterday)
    expect(after.equation).toEqual(closed.equation)
    expect(after.sums).toEqual(closed.sums)
    const linesOf = ({ drivers }: typeof after) => drivers.map(({ stops, cash }) => [stops, cash])
    expect(linesOf(after)).toEqual(linesOf(closed))
    // The closing keeps no name that an erasure would have to find.
    const kept = `select equation -> 'inOfficeBy' as "by" from cash_closings where vendor_id = $1`
    expect(await shop.query(kept, [vendorId])).toEqual([{ by: [{ id: admin.id, amount: -0.85 }] }])
  })

  it('is refused for a day that has not begun', async () => {
    const { close, office } = await withStaff()
    expect((await close(office, addDays(today, 1))).refusal.code).toBe('CASH_DAY_INCOMPLETE')
  })

  it('refuses every entry of the day afterwards, in the request and in the database', async () => {
    const { vendorId, driver, write, close, entries } = await withStaff()
    const key = newKey()
    expect((await write('counted', 0, today, key)).status).toBe(200)
    expect((await close()).status).toBe(200)
    for (const kind of ['handed-over', 'correction', 'counted'] as const)
      expect((await write(kind, 1)).refusal.code).toBe('CASH_DAY_CLOSED')
    // A repeated request of an entry that was written gets its answer.
    expect((await write('counted', 0, today, key)).status).toBe(200)
    const insert = `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, key, happened_at)
      values ($1, 'driver', $2, $3, 'counted', 1, $4, now())`
    await expect(shop.query(insert, [vendorId, driver.id, today, newKey()])).rejects.toThrow(/is closed/)
    expect(await entries()).toEqual([{ kind: 'counted', day: today }])
    expect((await write('counted', 0, addDays(today, -1))).status).toBe(200)
  })

  it('books cash that a driver reports later on the next open day, so that nothing is lost', async () => {
    const { driver, stop, deliver, close, entries, office } = await withStaff()
    for (const daysAgo of [1, 2]) expect((await close(office, addDays(today, -daysAgo))).status).toBe(200)
    const id = await stop()
    await shop.query(`update orders set created_at = now() - interval '3 days' where id = $1`, [id])
    const { status } = await deliver(id, 2.15, new Date(Date.now() - 2 * 86_400_000).toISOString())
    expect(status).toBe(200)
    expect(await entries()).toEqual([{ kind: 'collected', day: today }])
    const at = new Date(Date.now() - 86_400_000)
    const ofOffice = { means: 'cash' as const, amount: 1, key: newKey(), at: at.toISOString() }
    const refused = await office.call(addPayment, { params: { id }, body: ofOffice })
    expect([refused.refusal.code, refused.refusal.details]).toEqual(['DAY_CLOSED', { date: addDays(today, -1) }])
    const { body } = await driver.call(getCash, { params: { id: String(driver.id) }, query: { date: today } })
    expect(body.inHand).toBe(2.15)
  })

  it('once, of several at the same moment', async () => {
    const { close, vendorId } = await withStaff()
    const answers = await Promise.all(Array.from({ length: 6 }, () => close()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await shop.query('select 1 as one from cash_closings where vendor_id = $1', [vendorId])).toEqual([
      { one: 1 },
    ])
  })

  it('keeps every entry that was accepted at the same moment, and accepts none afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { write, close, read, entries } = await withStaff()
      const writes = Array.from({ length: 6 }, () => write('counted', 0))
      const [closed, ...written] = await Promise.all([close(), ...writes])
      expect(closed.status).toBe(200)
      expect(await entries()).toHaveLength(written.filter(({ status }) => status === 200).length)
      expect((await read()).closed).not.toBeNull()
      expect((await write('counted', 0)).status).toBe(409)
    }
  })

  it('waits for an entry whose transaction is still open', async () => {
    const { vendorId, driver, office, close } = await withStaff()
    const client = await shop.app.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, key, happened_at)
         values ($1, 'driver', $2, $3, 'correction', 5000, $4, now())`,
        [vendorId, driver.id, today, newKey()],
      )
      const closing = close(office)
      const first = await Promise.race([closing, new Promise((done) => setTimeout(done, 500, 'waits'))])
      expect(first).toBe('waits')
      await client.query('commit')
      expect((await closing).refusal.code).toBe('CASH_DAY_INCOMPLETE')
    } finally {
      client.release()
    }
  })
})

describe('the equation of a day', () => {
  const payments = (more: object[]) => more.map((one) => ({ key: newKey(), ...one }))

  it('names the place of the money of every delivery, and what is missing of an order that is only called paid', async () => {
    const { vendorId, office, driver, stop, write, close, read } = await withStaff()
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    await owner.call(saveBusiness, { params: { id: String(vendorId) }, body: { means: ['cash', 'benefitpay'] } })
    const [split, atOffice, open, before] = [await stop(), await stop(), await stop(), await stop()]
    const deliverWith = (id: string, body: object) =>
      driver.send('PATCH', `/api/admin/orders/${id}/status`, { body: { status: 'delivered', ...body } })
    const cash = { means: 'cash', amount: 1.15 }
    const benefitpay = { means: 'benefitpay', amount: 1, reference: 'BP-1' }
    const card = await deliverWith(split, { payments: payments([{ means: 'card', amount: 2.15 }]) })
    expect([card.status, Object.keys(card.refusal.details.fields ?? {})]).toEqual([422, ['payments.0.means']])
    expect((await deliverWith(split, { payments: payments([cash, benefitpay]) })).body).toMatchObject({
      paymentStatus: 'paid',
      due: 0,
      payments: [
        { means: 'cash', amount: 1.15, holder: { kind: 'driver', id: driver.id } },
        { means: 'benefitpay', amount: 1, reference: 'BP-1', recordedBy: { id: driver.id }, date: today },
      ],
    })
    await office.call(changePayment, { params: { id: before }, body: { paymentStatus: 'paid' } })
    await deliverWith(atOffice, { payments: [] })
    await office.call(changePayment, { params: { id: atOffice }, body: { paymentStatus: 'paid' } })
    await deliverWith(open, { payments: payments([{ means: 'cash', amount: 0.15 }]) })
    await write('handed-over', 1)
    const explained = (await read()).equation
    expect(explained).toEqual({
      delivered: 6.45,
      orders: 3,
      withDrivers: 0.3,
      handedOver: 1,
      inOffice: 4.3,
      inOfficeBy: [{ id: office.id, name: null, amount: 4.3 }],
      otherMeans: { benefitpay: 1 },
      onAccount: 0,
      paidBack: 0,
      notCollected: -0.15,
      otherDays: -2.15,
      unexplained: 0,
      withoutEntry: 0,
      paidBeyond: 0,
      unexplainedOrders: [],
      byHolder: expect.any(Array),
    })
    expect(explained.byHolder.toSorted((a, b) => Number(a.driverId) - Number(b.driverId))).toEqual([
      { driverId: null, means: { cash: 4.3 }, paidBack: 0, notCollected: 0 },
      { driverId: driver.id, means: { cash: 1.3, benefitpay: 1 }, paidBack: 0, notCollected: 2 },
    ])
    const listed = await office.call(listOrders, { query: { means: 'benefitpay' } })
    expect(listed.body.items.map(({ id }) => id)).toEqual([split])
    // As an older version wrote it.
    await shop.query(`update orders set payment_status = 'paid' where id = $1`, [open])
    const byOffice = await stop()
    await office.call(changeOrderStatus, { params: { id: byOffice }, body: { status: 'delivered' } })
    const { equation } = await read()
    expect([equation.unexplained, equation.unexplainedOrders]).toMatchObject([
      4.15,
      [
        { id: open, amount: 2, reportedBy: { isDriver: true } },
        { id: byOffice, amount: 2.15, driver: { id: driver.id }, reportedBy: { isDriver: false } },
      ],
    ])
    await deliverWith(before, {})
    await write('handed-over', 0.3)
    expect((await close()).refusal.code).toBe('DAY_NOT_EXPLAINED')
  })

  it('of a closed day stays; payments are refused until it is opened, and a late report goes to the next open day', async () => {
    const { vendorId, office, driver, stop, deliver, write, close, reopen, read } = await withStaff()
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const [first, late] = [await stop(), await stop(addDays(today, 1))]
    await deliver(first, 2.15)
    await write('handed-over', 2.15)
    const { body: closed } = await close()
    expect(closed.equation).toMatchObject({ delivered: 2.15, handedOver: 2.15, withDrivers: 0, unexplained: 0 })
    const body = { means: 'cash' as const, amount: 1, key: newKey() }
    const refused = await office.call(addPayment, { params: { id: late }, body })
    expect([refused.refusal.code, refused.refusal.details]).toEqual(['DAY_CLOSED', { date: today }])
    const asPaid = { params: { id: late }, body: { paymentStatus: 'paid' as const } }
    expect((await office.call(changePayment, asPaid)).refusal.code).toBe('DAY_CLOSED')
    const reported = await deliver(late, 2.15)
    const date = addDays(today, 1)
    expect(reported.body).toMatchObject({ bookedOn: date, payments: [{ amount: 2.15, date }] })
    expect((await read()).equation).toEqual(closed.equation)
    expect((await read(date)).equation).toMatchObject({ delivered: 2.15, orders: 1, withDrivers: 2.15, unexplained: 0 })
    await reopen('A late report')
    const given = () =>
      admin.call(addPayment, { params: { id: late }, body: { ...body, amount: -2.15, reason: 'Spilled' } })
    const answers = await Promise.all([given(), given(), given()])
    expect(answers.map(({ status, body: { due } }) => [status, due])).toEqual(Array(3).fill([200, 2.15]))
    expect((await office.call(listPayments, { params: { id: late } })).body.entries).toMatchObject([
      { amount: 2.15, holder: { kind: 'driver', id: driver.id }, reason: null },
      { amount: -2.15, holder: { kind: 'office', id: admin.id }, reason: 'Spilled', key: body.key },
    ])
    expect((await office.call(getAdminOrder, { params: { id: late } })).body.paymentStatus).toBe('unpaid')
    const reason = 'More than was paid'
    for (const wrong of [
      { amount: -1, reason },
      { amount: -1 },
      { amount: 0 },
      { amount: 1.0001 },
      { means: 'account' as const },
    ]) {
      const sent = { ...body, ...wrong, key: newKey() }
      expect((await admin.call(addPayment, { params: { id: late }, body: sent })).status).toBe(422)
    }
    const reused = await admin.call(addPayment, { params: { id: late }, body: { ...body, amount: 2 } })
    expect(reused.refusal.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a driver who has become something else', () => {
  const becomes = {
    'another role': async ({ driver }: DriverDay) =>
      shop.query(`update users set role = 'vendor_staff' where id = $1`, [driver.id]),
    'a driver of another vendor': async ({ driver }: DriverDay) =>
      shop.query('update users set vendor_id = $2 where id = $1', [driver.id, await makeVendor(shop)]),
  }

  it.each(Object.entries(becomes))('%s: cash in hand still keeps the day open', async (_, become) => {
    const here = await withStaff()
    await here.deliver(await here.stop(), 2.15)
    const before = await here.read()
    await become(here)
    const after = await here.read()
    expect(after.missing.cash).toEqual([{ driverId: here.driver.id, amount: 2.15 }])
    expect(after.sums).toEqual(before.sums)
    expect((await here.close()).refusal.code).toBe('CASH_DAY_INCOMPLETE')
  })

  it.each(Object.entries(becomes))('%s: the sums and the sheet of a closed day stay', async (_, become) => {
    const here = await withStaff()
    await here.deliver(await here.stop(), 2.15)
    await here.write('handed-over', 2.15)
    const { body: closed } = await here.close()
    await become(here)
    const after = await here.read()
    expect([after.sums, after.drivers]).toEqual([closed.sums, closed.drivers])
    expect(closed.sums).toMatchObject({ stops: 1, handedOver: 2.15 })
  })
})

describe('the file of a closed day', () => {
  it('has amounts as numbers, also a shortage', async () => {
    const { office, driver, stop, deliver, write, close } = await withStaff()
    await shop.query(`update users set name = 'Ali' where id = $1`, [driver.id])
    await deliver(await stop(), 2.15)
    await write('handed-over', 2.1)
    await write('correction', -0.05)
    await close()
    const cookie = [...office.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = `/api/admin/days/${today}/close.csv`
    const { payload } = await shop.app.http.inject({ method: 'GET', url, headers: { cookie } })
    const [, line = ''] = payload.split('\r\n')
    expect(line.split(',').slice(0, 9)).toEqual([today, 'Ali', '1', '1', '0', '2.150', '2.100', '2.100', '-0.050'])
    expect(line.split(',').slice(-8)).toEqual(['2.150', ...Array.from({ length: 7 }, () => '0.000')])
  })
})

describe('opening a closed day again', () => {
  it('needs a reason, is recorded, and lets entries be written', async () => {
    const { vendorId, office, write, close, reopen, read } = await withStaff()
    expect((await reopen('Nothing to open')).refusal.code).toBe('CASH_DAY_OPEN')
    await close()
    expect((await reopen('')).status).toBe(422)
    expect((await reopen('Counted twice')).status).toBe(200)
    expect((await read()).closed).toBeNull()
    expect((await write('counted', 0)).status).toBe(200)
    expect((await close()).status).toBe(200)
    const log = await shop.query(
      `select action, user_id as "by", new_values as "to" from audit_log
       where resource = 'cash-day' and vendor_id = $1 order by id`,
      [vendorId],
    )
    expect(log.map(({ action, by }) => [action, by])).toEqual([
      ['closed', office.id],
      ['reopened', office.id],
      ['closed', office.id],
    ])
    expect(JSON.stringify(log[1])).toContain('Counted twice')
  })
})
