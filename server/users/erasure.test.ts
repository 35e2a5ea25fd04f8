import { getRun } from '@qatra/contract/drivers'
import { listNotifications } from '@qatra/contract/notifications/notifications'
import { changeOrderStatus, getAdminOrder } from '@qatra/contract/orders/admin'
import { listMyOrders } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { eraseAccount } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeOrder, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { repeated } from '../test/sample.ts'

let shop: TestShop
let vendorId: number
type Person = Awaited<ReturnType<typeof makeVisitor>>
let admin: Person
let owner: Person
let driver: Person

beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 10 })
  vendorId = await makeVendor(shop)
  await makeProduct(shop, vendorId)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  driver = await makeVisitor(shop, { role: 'driver', vendorId })
  owner = await makeVisitor(shop, { role: 'super_admin' })
})

async function orderOf(customer: Person, status: string, assigned = driver, lng = 50.5402) {
  const id = await makeOrder(shop, { userId: customer.id, vendorId, status, assignedDriverId: assigned.id })
  const today = `(now() at time zone 'Asia/Bahrain')::date`
  await shop.query(`update orders set promised_date = ${today}, lng = $2, phone = $3 where id = $1`, [
    id,
    lng,
    customer.phone,
  ])
  return id
}
const move = (who: Person, id: string, status: 'shipped' | 'delivered' | 'in-progress', notes?: string) =>
  who.send('PATCH', `/api/admin/orders/${id}/status`, { body: { status, ...(notes && { notes }) } })
const rowOf = async (id: string) =>
  (await shop.query('select status, phone, address, lat from orders where id = $1', [id]))[0]

describe('erasing an account with open orders', () => {
  it('is refused with 409 and the order ids until a shipped order is delivered', async () => {
    const customer = await makeVisitor(shop)
    const [waiting, shipped] = [await orderOf(customer, 'new'), await orderOf(customer, 'shipped')]
    const before = await shop.query('select * from orders where user_id = $1 order by id', [customer.id])
    const { status, refusal } = await customer.send('DELETE', '/api/auth/account')
    expect([status, refusal.code, refusal.details]).toEqual([409, 'ORDERS_ON_THE_WAY', { orderIds: [shipped] }])
    expect(await shop.query('select * from orders where user_id = $1 order by id', [customer.id])).toEqual(before)
    const run = await driver.call(getRun, { params: { id: String(driver.id) } })
    const stop = run.body.stops.find(({ id }) => id === shipped)
    expect(stop).toMatchObject({ address: 'Seef', cashToCollect: 2.15, mapCoordinates: { lat: 26.2378, lng: 50.5402 } })
    expect((await move(driver, shipped, 'delivered')).status).toBe(200)
    expect((await customer.call(eraseAccount)).status).toBe(200)
    expect([await rowOf(waiting), await rowOf(shipped)]).toMatchObject([
      { status: 'cancelled', phone: '—' },
      { status: 'delivered', phone: '—' },
    ])
  })

  it('cancels orders that are not shipped, with history and notifications to admin and driver', async () => {
    const customer = await makeVisitor(shop)
    const ids = [await orderOf(customer, 'new'), await orderOf(customer, 'in-progress')]
    const open = await customer.call(listMyOrders, { query: { status: 'open' } })
    expect(open.body.items.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect((await customer.call(eraseAccount)).status).toBe(200)
    for (const id of ids) {
      expect(await rowOf(id)).toMatchObject({ status: 'cancelled', address: '—' })
      const { body } = await admin.call(getTimeline, { params: { id } })
      expect(body.map(({ field, to }) => [field, to])).toEqual(
        expect.arrayContaining([
          ['status', 'cancelled'],
          ['erasure', 'account'],
        ]),
      )
      for (const person of [admin, driver]) {
        await until('the notification', async () => {
          const { body } = await person.call(listNotifications)
          return body.items.some(({ kind, orderId }) => kind === 'order-cancelled' && orderId === id)
        })
      }
      expect(await shop.query('select 1 from ledger_entries where order_id = $1', [id])).toEqual([])
    }
    const run = await driver.call(getRun, { params: { id: String(driver.id) } })
    const mine = run.body.stops.filter(({ id }) => ids.includes(id))
    expect(
      mine.every(({ status, cashToCollect, can }) => status === 'cancelled' && cashToCollect === 0 && !can.deliver),
    ).toBe(true)
  })

  it('keeps the stop order of a begun run when a stop lost its coordinates', async () => {
    const [one, two, fresh] = [await makeVisitor(shop), await makeVisitor(shop), await makeVisitor(shop)]
    const other = await makeVisitor(shop, { role: 'driver', vendorId })
    const first = await orderOf(one, 'shipped', other, 50.51)
    const second = await orderOf(two, 'shipped', other, 50.52)
    await move(other, first, 'delivered')
    await one.call(eraseAccount)
    const third = await orderOf(fresh, 'shipped', other, 50.53)
    const { body } = await other.call(getRun, { params: { id: String(other.id) } })
    expect(body.stops.map(({ id }) => id)).toEqual([first, second, third])
    expect(body.metresLeft).toBeLessThan(2_000)
  })

  it('waits for a concurrent shipment and is then refused', async () => {
    const customer = await makeVisitor(shop)
    const id = await orderOf(customer, 'in-progress')
    const shipping = await shop.app.pool.connect()
    await shipping.query('begin')
    await shipping.query(`update orders set status = 'shipped', version = version + 1 where id = $1`, [id])
    const leaving = customer.send('DELETE', '/api/auth/account')
    await until('the erasure to wait', async () => (await lockWaits(shop)) > 0)
    await shipping.query('commit')
    shipping.release()
    const { status, refusal } = await leaving
    expect([status, refusal.details]).toEqual([409, { orderIds: [id] }])
    expect(await rowOf(id)).toMatchObject({ status: 'shipped', address: 'Seef' })
  })

  it('in parallel with shipping ends with a shipped order with address or a cancelled one', async () => {
    const pairs: { customer: Person; id: string }[] = []
    for (let n = 0; n < repeated(20, 8); n += 1) {
      const customer = await makeVisitor(shop)
      pairs.push({ customer, id: await orderOf(customer, 'in-progress') })
    }
    const round = async ({ customer, id }: (typeof pairs)[number]) => {
      const [erased, shipped] = await Promise.all([
        customer.send('DELETE', '/api/auth/account'),
        move(admin, id, 'shipped'),
      ])
      const row = await rowOf(id)
      return [erased.status, shipped.status, row?.['status'], row?.['address']]
    }
    const outcomes: unknown[] = []
    while (pairs.length > 0) outcomes.push(...(await Promise.all(pairs.splice(0, 4).map(round))))
    for (const outcome of outcomes)
      expect([
        [409, 200, 'shipped', 'Seef'],
        [200, 409, 'cancelled', '—'],
      ]).toContainEqual(outcome)
  })

  it('is not undone by a pending job that notifies the customer', async () => {
    const customer = await makeVisitor(shop)
    const id = await orderOf(customer, 'delivered')
    const erasing = await shop.app.pool.connect()
    await erasing.query('begin')
    await erasing.query(`select set_config('qatra.erasing', 'on', true)`)
    await erasing.query(`update orders set phone = '—' where id = $1`, [id])
    const job = { event: 'order.status-changed', id, to: 'delivered', version: 1 }
    await shop.query(`insert into pgboss.job (name, data) values ('order-messages', $1)`, [JSON.stringify(job)])
    await until('the job to wait for the erasure', async () => (await lockWaits(shop)) > 0)
    await erasing.query('commit')
    erasing.release()
    await until('the job', async () => {
      const jobs = await shop.query(
        `select 1 from pgboss.job where name = 'order-messages' and data ->> 'id' = $1 and state = 'completed'`,
        [id],
      )
      return jobs.length > 0
    })
    expect(await shop.query('select 1 from contacts where phone = $1', [customer.phone])).toEqual([])
  })

  it('leaves orders that even a super admin cannot reopen', async () => {
    const customer = await makeVisitor(shop)
    const id = await orderOf(customer, 'new')
    await customer.call(eraseAccount)
    const { status, refusal } = await move(owner, id, 'in-progress', 'by mistake')
    expect([status, refusal.code]).toEqual([409, 'ORDER_CLOSED'])
    const erased = await owner.call(getAdminOrder, { params: { id } })
    expect(erased.body['can']).toMatchObject({ changeStatus: ['delivered'] })
    const other = await orderOf(await makeVisitor(shop), 'cancelled')
    const reopened = await owner.call(changeOrderStatus, {
      params: { id: other },
      body: { status: 'in-progress', notes: 'by mistake' },
    })
    expect(reopened.status).toBe(200)
  })
})
