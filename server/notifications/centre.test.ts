import { cancelCollection, requestCollection } from '@qatra/contract/my-bottles'
import { listNotifications, readNotifications } from '@qatra/contract/notifications/notifications'
import { assignDriver, changeOrderStatus, getAdminOrder } from '@qatra/contract/orders/admin'
import type { Rating } from '@qatra/contract/orders/order-status'
import { cancelOrder, rateOrder } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { getMe, updateProfile } from '@qatra/contract/users/auth'
import { changeVisit } from '@qatra/contract/visits'
import { describe, expect, it } from 'vitest'
import { deleteOldRows } from '../jobs/retention.ts'
import { startShop } from '../test/app.ts'
import { restingState } from '../test/ask.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHeldBottles } from '../test/fixtures/bottles.ts'
import { makeArea, makeHousehold, makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { recordOrderNews } from './commands.ts'

const shop = await startShop()
type Who = Awaited<ReturnType<typeof makeVisitor>>
const staff = (role: 'super_admin' | 'vendor_admin' | 'vendor_staff' | 'vendor_sales' | 'driver', vendorId: number) =>
  makeVisitor(shop, role === 'super_admin' ? { role } : { role, vendorId })
const list = async (who: Who, query = {}) => (await who.call(listNotifications, { query })).body
const kinds = async (who: Who) => (await list(who)).items.map(({ kind }) => kind)
/** Notifications are written by a job, shortly after the action. */
async function written(orderId: string, count: number) {
  await until(`the notifications of ${orderId}`, async () => {
    const rows = await shop.query('select from notifications where order_id = $1', [orderId])
    return rows.length >= count
  })
}

/** A vendor with staff of all roles and a phone order that is assigned to a driver. */
async function morning() {
  const vendorId = await makeVendor(shop)
  const people = {
    admin: await staff('vendor_admin', vendorId),
    colleague: await staff('vendor_staff', vendorId),
    driver: await staff('driver', vendorId),
    agent: await staff('vendor_sales', vendorId),
  }
  const customer = await makeVisitor(shop)
  const id = await makeOrder(shop, { userId: customer.id, vendorId, placedBy: people.agent.id })
  await people.colleague.call(assignDriver, { params: { id }, body: { driverId: people.driver.id } })
  await people.colleague.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
  await customer.call(cancelOrder, { params: { id }, body: {} })
  await written(id, 3)
  return { vendorId, id, customer, ...people }
}

describe('the notification centre', () => {
  it('tells the office once of a delivery that its customer rates as bad', async () => {
    const { vendorId, customer, admin, driver, agent } = await morning()
    const about = { userId: customer.id, vendorId, placedBy: agent.id, assignedDriverId: driver.id }
    const id = await makeOrder(shop, { ...about, status: 'delivered' })
    await shop.query('update orders set delivered_at = now() where id = $1', [id])
    const rate = (body: { water?: Rating; driver?: Rating }) => customer.call(rateOrder, { params: { id }, body })
    await Promise.all([rate({ water: 'bad' }), rate({ driver: 'bad' })])
    await rate({ water: 'good', driver: 'good' })
    const { body } = await rate({ driver: 'bad' })
    expect(body.rating).toMatchObject({ water: 'good', driver: 'bad' })
    await written(id, 1)
    await restingState(shop)
    const rung = await shop.query('select kind from notifications where order_id = $1', [id])
    expect(rung).toEqual([{ kind: 'order-rated-bad' }])
    expect(await kinds(admin)).toContain('order-rated-bad')
    for (const other of [driver, agent]) expect(await kinds(other)).not.toContain('order-rated-bad')

    const seen = async (who: Who) => [
      (await who.call(getAdminOrder, { params: { id } })).body.rating,
      (await who.call(getTimeline, { params: { id } })).body.filter(({ field }) => field === 'driverRating').length,
    ]
    expect(await seen(admin)).toEqual([{ water: 'good', driver: 'bad', at: expect.any(String) }, 3])
    expect(await seen(driver)).toEqual([null, 0])
  })

  it('shows each person the kinds for their role, except their own actions', async () => {
    const { id, admin, colleague, driver, agent } = await morning()
    expect(await kinds(admin)).toEqual(['order-cancelled'])
    expect(await kinds(colleague)).toEqual(['order-cancelled'])
    expect(await kinds(driver)).toEqual(['order-cancelled', 'order-assigned'])
    expect(await kinds(agent)).toEqual(['order-cancelled', 'order-moved'])
    expect(await kinds(await staff('vendor_admin', await makeVendor(shop)))).toEqual([])
    expect(await kinds(await staff('driver', 1))).toEqual([])
    const [cancelled, assigned] = (await list(driver)).items
    expect(cancelled).toMatchObject({
      orderId: id,
      status: 'cancelled',
      isRead: false,
      byName: null,
      order: { customerName: 'Noura', total: 2.15 },
    })
    expect(assigned?.kind).toBe('order-assigned')
    const mover = await staff('vendor_admin', 1)
    const own = await makeOrder(shop, { userId: null, vendorId: 1 })
    await mover.call(changeOrderStatus, { params: { id: own }, body: { status: 'cancelled' } })
    await written(own, 1)
    expect((await list(mover)).items.some(({ orderId }) => orderId === own)).toBe(false)
    expect((await list(await staff('vendor_staff', 1))).items[0]?.orderId).toBe(own)
  })

  it('tells the office of a collection that a customer asks for, and also the driver when it is cancelled', async () => {
    const customer = await makeVisitor(shop)
    const vendorId = await makeHeldBottles(shop, (await customer.call(getMe, {})).body.phone)
    const [admin, driver] = [await staff('vendor_admin', vendorId), await staff('driver', vendorId)]
    const other = await staff('vendor_admin', await makeVendor(shop))
    const { lat, lng } = await makeArea(shop, [vendorId])
    await shop.query(`insert into addresses (user_id, address, lat, lng) values ($1, 'House 1', $2, $3)`, [
      customer.id,
      lat,
      lng,
    ])
    const asked = await customer.call(requestCollection, { body: { vendorId, bottles: 2 } })
    expect(asked.status).toBe(200)
    const { id, date } = asked.body
    const params = { id: String(id) }
    await until('the notification', async () => (await list(admin)).total > 0)
    expect((await list(admin)).items).toMatchObject([
      { kind: 'visit-requested', orderId: null, visit: { date, bottles: 2 }, isRead: false },
    ])
    await admin.call(changeVisit, { params, body: { driverId: driver.id } })
    await customer.call(cancelCollection, { params })
    await until('the cancellation', async () => (await list(driver)).total > 0)
    expect(await kinds(admin)).toEqual(['visit-cancelled', 'visit-requested'])
    expect(await kinds(driver)).toEqual(['visit-cancelled'])
    expect(await kinds(other)).toEqual([])
  })

  it('shows an order that was placed in the shop', async () => {
    const admin = await staff('super_admin', 0)
    const id = await (await makeHousehold(shop)).order()
    await written(id, 1)
    expect((await list(admin)).items[0]).toMatchObject({ orderId: id, kind: 'order-placed', status: 'new' })
  })

  it('shows no order details to a driver who has lost the order', async () => {
    const vendorId = await makeVendor(shop)
    const [admin, first, then] = [
      await staff('vendor_admin', vendorId),
      await staff('driver', vendorId),
      await staff('driver', vendorId),
    ]
    const id = await makeOrder(shop, { userId: null, vendorId })
    await admin.call(assignDriver, { params: { id }, body: { driverId: first.id } })
    await admin.call(assignDriver, { params: { id }, body: { driverId: then.id } })
    await written(id, 3)
    const { items } = await list(first)
    expect(items.map(({ kind, order }) => [kind, order])).toEqual([
      ['order-unassigned', null],
      ['order-assigned', null],
    ])
    expect((await list(then)).items.map(({ kind, order }) => [kind, order === null])).toEqual([
      ['order-assigned', false],
    ])
  })

  it('follows the person’s settings', async () => {
    const { driver } = await morning()
    expect((await list(driver)).unread).toBe(2)
    await driver.call(updateProfile, { body: { notificationTypes: ['new_orders'] } })
    expect(await list(driver)).toMatchObject({ items: [], total: 0, unread: 0 })
    await driver.call(updateProfile, { body: { notificationTypes: ['order_updates'] } })
    expect((await list(driver)).unread).toBe(2)
    await driver.call(updateProfile, { body: { notificationEnabled: false } })
    expect(await list(driver)).toMatchObject({ items: [], unread: 0 })
  })

  it('stores read marks per person', async () => {
    const { driver, agent, admin } = await morning()
    const [newest, oldest] = (await list(driver)).items
    const marks = async (who: Who) => (await list(who)).items.map(({ isRead }) => isRead)
    const read = async (body: { ids?: number[]; upTo?: number }) =>
      (await driver.call(readNotifications, { body })).body.unread
    expect(await read({ ids: [newest?.id ?? 0] })).toBe(1)
    expect(await marks(driver)).toEqual([true, false])
    expect(await read({ ids: [newest?.id ?? 0] })).toBe(1)
    expect(await read({ upTo: oldest?.id ?? 0 })).toBe(0)
    expect(await marks(driver)).toEqual([true, true])
    expect(await marks(agent)).toEqual([false, false])
    expect((await list(admin)).unread).toBe(1)
    const both = await driver.call(readNotifications, { body: { ids: [1], upTo: 1 } })
    expect(both.status).toBe(422)
  })

  it('does not mark future notifications as read, nor those of others', async () => {
    const { driver, vendorId, admin } = await morning()
    await driver.call(readNotifications, { body: { upTo: 2_000_000_000 } })
    const id = await makeOrder(shop, { userId: null, vendorId })
    await admin.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    await written(id, 1)
    expect((await list(driver)).unread).toBe(1)
    const [theirs] = (await list(driver)).items
    const stranger = await staff('driver', vendorId)
    await stranger.call(readNotifications, { body: { ids: [theirs?.id ?? 0] } })
    expect(await shop.query('select from notification_reads where user_id = $1', [stranger.id])).toEqual([])
  })

  it('is paginated, newest first', async () => {
    const { driver } = await morning()
    const [first, second] = [await list(driver, { limit: 1 }), await list(driver, { limit: 1, page: 2 })]
    expect([first.total, first.items[0]?.kind, second.items[0]?.kind]).toEqual([2, 'order-cancelled', 'order-assigned'])
  })
})

describe('notifications', () => {
  it('are written once, even if the job runs several times', async () => {
    const orderId = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    const news = { kind: 'order-placed', orderId, byId: null, source: `twice:${orderId}` } as const
    await Promise.all([
      recordOrderNews(shop.app, [news]),
      recordOrderNews(shop.app, [news]),
      recordOrderNews(shop.app, [news]),
    ])
    expect((await shop.query('select from notifications where order_id = $1', [orderId])).length).toBe(1)
  })

  it('are deleted after a week', async () => {
    const { driver, id } = await morning()
    const [newest] = (await list(driver)).items
    await driver.call(readNotifications, { body: { ids: [newest?.id ?? 0] } })
    const aged = (days: number) =>
      shop.query(`update notifications set created_at = now() - $2 * interval '1 day' where order_id = $1`, [id, days])
    await aged(6.9)
    await deleteOldRows(shop.app, ({ table }) => table === 'notifications')
    expect(await shop.query('select from notifications where order_id = $1', [id])).not.toEqual([])
    await aged(7.1)
    await deleteOldRows(shop.app, ({ table }) => table === 'notifications')
    expect((await list(driver)).items).toEqual([])
    expect(await shop.query('select from notification_reads where user_id = $1', [driver.id])).toEqual([])
  })
})
