import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { closeCash, getCashClosing } from '@qatra/contract/cash-closing'
import { arrangeRun, reportAttempt } from '@qatra/contract/drivers'
import { streamMyOrders } from '@qatra/contract/notifications/notifications'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { getStopsLeft } from '@qatra/contract/orders/orders'
import { addPayment } from '@qatra/contract/orders/payments'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeDriverDay } from '../test/fixtures/driver-day.ts'
import { makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'

let shop: TestShop
const date = bahrainDate(new Date())

beforeAll(async () => {
  shop = await startShop()
})

/** A run of four shipped orders, arranged in this order; the last one is the customer's. */
async function withRun({ name = ' بلال  حسين ' } = {}) {
  const vendorId = await makeVendor(shop)
  const [customer, neighbour] = [await makeVisitor(shop), await makeVisitor(shop)]
  const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  const { id: driverId } = await makeUser(shop, { role: 'driver', vendorId })
  await shop.query('update users set name = $2 where id = $1', [driverId, name])
  const ids: string[] = []
  for (const userId of [neighbour.id, neighbour.id, neighbour.id, customer.id]) {
    const id = await makeOrder(shop, { userId, vendorId, status: 'shipped', assignedDriverId: driverId })
    await shop.query('update orders set promised_date = $2 where id = $1', [id, date])
    ids.push(id)
  }
  const arrange = (orderIds: string[]) =>
    office.call(arrangeRun, { params: { id: String(driverId) }, body: { date, orderIds } })
  await arrange(ids)
  const [first = '', second = '', third = '', own = ''] = ids
  const read = async (id = own) => (await customer.call(getStopsLeft, { params: { id } })).body
  const setStatus = async (id: string, status: 'delivered' | 'cancelled') =>
    expect((await office.call(changeOrderStatus, { params: { id }, body: { status } })).status).toBe(200)
  const attempt = async (id: string) =>
    expect((await office.call(reportAttempt, { params: { id }, body: { reason: 'absent' } })).status).toBe(200)
  return { customer, neighbour, office, arrange, attempt, read, setStatus, first, second, third, own }
}

describe('the stops before an order on its way', () => {
  it('are counted down as the driver’s stops are delivered or cancelled, with the driver’s first name only', async () => {
    const { read, setStatus, first, second, third } = await withRun()
    expect(await read()).toEqual({ left: 3, done: 0, driverFirstName: 'بلال' })
    await setStatus(first, 'delivered')
    expect(await read()).toMatchObject({ left: 2, done: 1 })
    await setStatus(second, 'cancelled')
    await setStatus(third, 'delivered')
    expect(await read()).toMatchObject({ left: 0 })
  })

  it('follow the order in which the office arranged the run', async () => {
    const { arrange, read, own, first, second, third } = await withRun()
    await arrange([first, own, second, third])
    expect(await read()).toMatchObject({ left: 1, done: 0 })
  })

  it('include an attempted stop after the others, as the driver’s page does', async () => {
    const { arrange, attempt, read, setStatus, own, first, second, third } = await withRun()
    await setStatus(first, 'delivered')
    await attempt(second)
    expect(await read()).toMatchObject({ left: 1, done: 1 })
    await arrange([own, first, second, third])
    await attempt(own)
    expect(await read()).toMatchObject({ left: 1, done: 1 })
    await attempt(third)
    expect(await read()).toMatchObject({ left: 0 })
  })

  it('are unknown before the order is shipped, once it is delivered, without a driver and on another day', async () => {
    const { read, setStatus, own } = await withRun({ name: '' })
    expect(await read()).toMatchObject({ driverFirstName: null })
    for (const change of [`status = 'in-progress'`, `promised_date = promised_date + 1`, `assigned_driver_id = null`]) {
      const [before] = await shop.query('select status, promised_date, assigned_driver_id from orders where id = $1', [
        own,
      ])
      await shop.query(`update orders set ${change} where id = $1`, [own])
      expect(await read()).toBeNull()
      await shop.query('update orders set status = $2, promised_date = $3, assigned_driver_id = $4 where id = $1', [
        own,
        ...Object.values(before ?? {}),
      ])
    }
    await setStatus(own, 'delivered')
    expect(await read()).toBeNull()
  })

  it('are refused with 404 for another customer’s order', async () => {
    const { customer, first } = await withRun()
    expect((await customer.send('GET', `/api/orders/${first}/stops`)).refusal.code).toBe('ORDER_NOT_FOUND')
  })

  it('are reported live to the customers on the run, each with the id of the own order alone', async () => {
    const { customer, setStatus, own, first } = await withRun()
    const stranger = await withRun()
    const [stream, theirs] = await Promise.all(
      [customer, stranger.customer].map((who) => listen(shop, who, { path: streamMyOrders.path })),
    )
    if (!stream || !theirs) throw new Error('no streams')
    await Promise.all([stream, theirs].map((one) => one.until(({ event }) => event === 'ready')))
    await setStatus(first, 'delivered')
    const heard = await stream.until(({ event }) => event === 'orders')
    expect(heard.data).toEqual({ id: expect.any(Number), orderId: own })
    await stranger.setStatus(stranger.first, 'delivered')
    expect((await theirs.until(({ event }) => event === 'orders')).data).toMatchObject({ orderId: stranger.own })
    expect(stream.heard.filter(({ event }) => event === 'orders')).toHaveLength(1)
    for (const one of [stream, theirs]) one.hangUp()
  })
})

type Person = Awaited<ReturnType<typeof makeVisitor>>

describe('the cash of a vendor', () => {
  const today = date
  const newKey = () => crypto.randomUUID()
  const write = (who: Person, driver: Person, body: Record<string, unknown>) =>
    who.send('POST', `/api/admin/drivers/${driver.id}/cash`, { body: { key: newKey(), ...body } })
  const deliver = (who: Person, id: string, body: object) =>
    who.call(changeOrderStatus, { params: { id }, body: { status: 'delivered', ...body } })

  async function withStaff() {
    const vendorId = await makeVendor(shop)
    const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const driver = await makeVisitor(shop, { role: 'driver', vendorId })
    const stop = async (promised = today) => {
      const place = { userId: (await makeUser(shop)).id, vendorId, assignedDriverId: driver.id }
      const id = await makeOrder(shop, { ...place, status: 'shipped' })
      await shop.query('update orders set promised_date = $2 where id = $1', [id, promised])
      return id
    }
    const close = () => office.call(closeCash, { params: { date: today }, body: {} })
    return { vendorId, office, driver, stop, close }
  }

  it.each(['customer', 'driver'])('takes cash from a driver who has left and is a %s now', async (role) => {
    const { vendorId, office, driver, stop, close } = await withStaff()
    await deliver(driver, await stop(), { cash: { amount: 2.15, key: newKey() } })
    const elsewhere = role === 'driver' ? await makeVendor(shop) : null
    await shop.query('update users set role = $2, vendor_id = $3 where id = $1', [driver.id, role, elsewhere])
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const stranger = await makeVisitor(shop, { role: 'vendor_admin', vendorId: await makeVendor(shop) })
    const body = { kind: 'handed-over', amount: 1, date: today }
    expect((await write(office, driver, body)).body).toMatchObject({ handedOver: 1, inHand: 1.15 })
    expect((await write(stranger, driver, body)).refusal.code).toBe('DRIVER_NOT_FOUND')
    expect((await write(stranger, driver, { ...body, vendorId })).status).toBe(403)
    expect((await write(owner, driver, { ...body, vendorId })).body).toMatchObject({ inHand: 0.15 })
    // On a day without entries it is still the cash of this vendor.
    const before = { ...body, amount: 0.05, date: addDays(today, -1) }
    expect((await write(owner, driver, before)).body).toMatchObject({ handedOver: 0.05 })
    expect((await write(owner, driver, { ...before, kind: 'correction', notes: 'The wrong day' })).status).toBe(200)
    const byVendor = `select vendor_id as vendor from ledger_entries where holder_id = $1 group by 1`
    expect(await shop.query(byVendor, [driver.id])).toEqual([{ vendor: vendorId }])
    expect((await write(owner, driver, { ...body, amount: 0.15 })).body).toMatchObject({ inHand: 0 })
    expect((await close()).status).toBe(200)
  })

  it('owes back what was paid for a cancelled order, on the day of the payment or of the cancellation', async () => {
    const { office, driver, stop, close } = await withStaff()
    const [early, paid, missing] = [await stop(addDays(today, 1)), await stop(), await stop()]
    const pay = (id: string, amount: number) =>
      office.call(addPayment, { params: { id }, body: { means: 'cash', amount, key: newKey(), reason: 'Cancelled' } })
    const cancel = (id: string) => office.call(changeOrderStatus, { params: { id }, body: { status: 'cancelled' } })
    const read = async (date: string) => (await office.call(getCashClosing, { params: { date } })).body.equation
    await pay(early, 2.15)
    await pay(paid, 2.15)
    await cancel(paid)
    await deliver(driver, missing, { cash: { amount: 0, key: newKey() } })
    // As an older version wrote it. What is owed back does not make up for it.
    await shop.query(`update orders set payment_status = 'paid' where id = $1`, [missing])
    const { unexplained, unexplainedOrders } = await read(today)
    expect([unexplained, unexplainedOrders.map(({ id, amount }) => [id, amount])]).toEqual([
      0,
      [
        [missing, 2.15],
        [paid, -2.15],
      ],
    ])
    expect((await close()).refusal.code).toBe('DAY_NOT_EXPLAINED')
    await pay(paid, -2.15)
    await pay(missing, 2.15)
    expect((await close()).status).toBe(200)
    await cancel(early)
    expect((await read(addDays(today, 1))).unexplainedOrders).toMatchObject([{ id: early, amount: -2.15 }])
    expect((await read(addDays(today, 2))).unexplainedOrders).toEqual([])
  })
})

describe('the deliveries of a day', () => {
  const today = date
  const ofDay = async () => makeDriverDay(shop, (await makeUser(shop)).id)

  it('counts each delivery on one day, also late ones and those that are taken back and made again', async () => {
    const { vendorId, office, driver, stop, deliver, write, close, read } = await ofDay()
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const [again, late, unpaid] = [await stop(yesterday), await stop(tomorrow), await stop(yesterday)]
    // Whatever its age.
    await shop.query(`update orders set created_at = created_at - interval '90 days' where vendor_id = $1`, [vendorId])
    expect((await deliver(again, 2.15, at)).body.bookedOn).toBe(yesterday)
    await deliver(unpaid, 0, at)
    await write('handed-over', 2.15, yesterday)
    const { body: first } = await close(office, yesterday)
    expect(first.equation).toMatchObject({ delivered: 4.3, orders: 2, notCollected: 2.15, unexplained: 0 })
    const takeBack = (id: string) =>
      owner.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress', notes: 'Wrong house' } })
    expect((await takeBack(again)).body.bookedOn).toBeNull()
    await takeBack(unpaid)
    expect((await read()).equation).toMatchObject({ delivered: -4.3, orders: -2, notCollected: -4.3, otherDays: -2.15 })
    for (let times = 0; times < 2; times += 1) expect((await deliver(late, 0, at)).body.bookedOn).toBe(today)
    expect((await read()).equation).toMatchObject({ delivered: -2.15, orders: -1, unexplained: 0 })
    expect((await close()).status).toBe(200)
    expect((await deliver(again, 0)).body).toMatchObject({ bookedOn: tomorrow, paymentStatus: 'paid' })
    expect((await read(tomorrow)).equation).toMatchObject({ delivered: 2.15, orders: 1, notCollected: 2.15 })
    expect((await read(yesterday)).equation).toEqual(first.equation)
    const sums = `select sum(amount)::int as sum, count(*) filter (where created_by = $2)::int as "byDriver"
      from ledger_entries where ledger = 'sales' and vendor_id = $1`
    expect(await shop.query(sums, [vendorId, driver.id])).toEqual([{ sum: 4300, byDriver: 4 }])
  })

  it('counts deliveries of the same moment on the day or on the next one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { office, stop, close, read } = await ofDay()
      const ids = [await stop(addDays(today, 1)), await stop(addDays(today, 1)), await stop(addDays(today, 1))]
      const body = { status: 'delivered', cashHeldBy: 'nobody' } as const
      const [closed, ...delivered] = await Promise.all([
        close(),
        ...ids.map((id) => office.call(changeOrderStatus, { params: { id }, body })),
      ])
      expect([closed, ...delivered].map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const days = [(await read()).equation, (await read(addDays(today, 1))).equation]
      expect(days.reduce((sum, { orders }) => sum + orders, 0)).toBe(3)
    }
  })
})
