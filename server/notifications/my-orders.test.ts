import { listNotifications, streamMyOrders } from '@qatra/contract/notifications/notifications'
import { changeOrderStatus, changePayment } from '@qatra/contract/orders/admin'
import { getOrder } from '@qatra/contract/orders/orders'
import { logout } from '@qatra/contract/users/auth'
import { afterEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { type Heard, type Listening, listen as open } from '../test/listen.ts'

const shop = await startShop()
const opened: Listening[] = []
async function listen(who: Parameters<typeof open>[1], at: TestShop = shop, more: { lastId?: number } = {}) {
  const listening = await open(at, who, { path: streamMyOrders.path, ...more })
  opened.push(listening)
  return listening
}
afterEach(() => {
  for (const one of opened.splice(0)) one.hangUp()
})
const isReady = ({ event }: Heard) => event === 'ready'
const about =
  (orderId: string) =>
  ({ event, data }: Heard) =>
    event === 'orders' && data.orderId === orderId
const ordersIn = ({ heard }: Listening) =>
  heard.filter(({ event }) => event === 'orders').map(({ data }) => data.orderId)
const move = async (id: string, status: 'in-progress' | 'shipped' | 'delivered') => {
  const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 1 })
  const { status: answered } = await staff.call(changeOrderStatus, { params: { id }, body: { status } })
  expect(answered).toBe(200)
}

describe('the stream of own orders', () => {
  it('reports each new status with nothing but the order’s id', async () => {
    const customer = await makeVisitor(shop)
    const id = await makeOrder(shop, { userId: customer.id, vendorId: 1 })
    const stream = await listen(customer)
    expect([stream.status, stream.headers['cache-control']]).toEqual([200, 'no-store, no-transform'])
    await stream.until(isReady)
    let last = 0
    for (const status of ['in-progress', 'shipped', 'delivered'] as const) {
      await move(id, status)
      const moved = await stream.until((event) => about(id)(event) && Number(event.id) > last)
      const { body: order } = await customer.call(getOrder, { params: { id } })
      expect(order.status).toBe(status)
      expect(moved.data).toEqual({ id: moved.id, orderId: id })
      last = Number(moved.id)
    }
  })

  it('reports a recorded payment to the customer and to the desks, and rings nowhere', async () => {
    const customer = await makeVisitor(shop)
    const [payer, colleague] = await Promise.all(
      [0, 1].map(() => makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })),
    )
    const id = await makeOrder(shop, { userId: customer.id, vendorId: 1 })
    const stream = await listen(customer)
    const desk = await open(shop, colleague ?? customer)
    opened.push(desk)
    await Promise.all([stream.until(isReady), desk.until(isReady)])
    const paid = await payer?.call(changePayment, { params: { id }, body: { paymentStatus: 'paid' } })
    expect(paid?.status).toBe(200)
    await stream.until(about(id))
    expect((await desk.until(about(id))).data).toMatchObject({ kind: 'order-payment-changed' })
    const { body } = (await colleague?.call(listNotifications)) ?? { body: { items: [] } }
    expect(body.items.filter(({ orderId }) => orderId === id)).toEqual([])
  })

  it('reports no order of another customer, also not to staff who manage it', async () => {
    const [owner, other] = [await makeVisitor(shop), await makeVisitor(shop)]
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const streams = await Promise.all([owner, other, admin].map((who) => listen(who)))
    for (const one of streams) await one.until(isReady)
    const [ownersId, othersId] = [
      await makeOrder(shop, { userId: owner.id, vendorId: 1 }),
      await makeOrder(shop, { userId: other.id, vendorId: 1 }),
    ]
    await move(ownersId, 'in-progress')
    await move(othersId, 'in-progress')
    const [mine, theirs] = streams
    await mine?.until(about(ownersId))
    await theirs?.until(about(othersId))
    expect(streams.map(ordersIn)).toEqual([[ownersId], [othersId], []])
  })

  it('replays what a reconnecting customer missed, and only that', async () => {
    const customer = await makeVisitor(shop)
    const id = await makeOrder(shop, { userId: customer.id, vendorId: 1 })
    const before = await listen(customer)
    const { id: readyId } = await before.until(isReady)
    before.hangUp()
    await move(id, 'in-progress')
    const strange = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    await move(strange, 'in-progress')
    // Heard live, so both events are stored.
    const witness = await open(shop, await makeVisitor(shop, { role: 'super_admin' }), { after: readyId ?? 0 })
    opened.push(witness)
    await witness.until(about(strange))
    const after = await listen(customer, shop, { lastId: readyId ?? 0 })
    await after.until(isReady)
    expect(ordersIn(after)).toEqual([id])
  })

  it('needs a session, and ends with it', async () => {
    expect((await listen(shop.visitor())).status).toBe(401)
    const customer = await makeVisitor(shop)
    const stream = await listen(customer)
    await stream.until(isReady)
    await customer.call(logout)
    expect((await stream.until(({ event }) => event === 'end')).data.reason).toBe('rights')
  })

  it('shares the limit of streams of a person with the admin pages', async () => {
    const limited = await startShop({ rateLimits: true })
    const { phone } = await makeUser(limited, { role: 'vendor_staff', vendorId: 1 })
    const statuses: number[] = []
    for (let n = 0; n <= 12; n += 1) {
      const who = await limited.visitor().signInAs(phone)
      const one = n % 2 === 0 ? await listen(who, limited) : await open(limited, who)
      opened.push(one)
      statuses.push(one.status)
    }
    expect(statuses).toEqual([...Array<number>(12).fill(200), 429])
  })
})
