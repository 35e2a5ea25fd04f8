import { assignDriver, changeOrderStatus } from '@qatra/contract/orders/admin'
import { logout } from '@qatra/contract/users/auth'
import { startImpersonation, stopImpersonation } from '@qatra/contract/users/impersonation'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { type Heard, type Listening, listen as open } from '../test/listen.ts'
import { messageOf, staffNewsOf } from './event-messages.ts'

const shop = await startShop()
const opened: Listening[] = []
const listen: typeof open = async (...asked) => {
  const listening = await open(...asked)
  opened.push(listening)
  return listening
}
afterEach(() => {
  for (const one of opened.splice(0)) one.hangUp()
})

const staff = (role: 'super_admin' | 'vendor_admin' | 'vendor_staff' | 'vendor_sales' | 'driver', vendorId = 1) =>
  makeVisitor(shop, role === 'super_admin' ? { role } : { role, vendorId })
const orderOf = async (vendorId: number, more: { assignedDriverId?: number; placedBy?: number } = {}) =>
  makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId, ...more })
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const about =
  (orderId: string, kind?: string) =>
  ({ data }: Heard) =>
    data.orderId === orderId && (kind === undefined || data.kind === kind)
const kindsOf = (listening: Listening, orderId: string) =>
  listening
    .reported()
    .filter(about(orderId))
    .map(({ data }) => data.kind)

/** Inserts an event of the first vendor and waits until all streams have received it and everything before. */
async function flush(...listenings: Listening[]) {
  const [row] = await shop.query<{ id: number }>(
    `insert into notifications (kind, order_id, vendor_id, source)
     values ('order-placed', 'FLUSH', 1, gen_random_uuid()::text) returning id`,
  )
  for (const one of listenings) await one.until(({ id }) => id === row?.id)
}

describe('the stream of events', () => {
  it('has the headers that browsers and proxies require', async () => {
    const desk = await listen(shop, await staff('vendor_staff'))
    expect(desk.status).toBe(200)
    expect(desk.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(desk.headers['content-encoding']).toBeUndefined()
    const ready = await desk.until(({ event }) => event === 'ready')
    expect(ready.id).toBeGreaterThanOrEqual(0)
    expect(desk.retryMs()).toBeGreaterThanOrEqual(1_000)
    expect(desk.retryMs()).toBeLessThanOrEqual(5_000)
  })

  it('reports changes of an order', async () => {
    const desk = await listen(shop, await staff('vendor_admin'))
    const colleague = await staff('vendor_staff')
    const driver = await staff('driver')
    const id = await orderOf(1)
    await colleague.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    const moved = await desk.until(about(id, 'order-moved'))
    expect(moved).toMatchObject({ event: 'orders', data: { vendorId: 1, status: 'in-progress', byId: colleague.id } })
    expect(Object.keys(moved.data).sort()).toEqual([
      'at',
      'byId',
      'contactId',
      'id',
      'kind',
      'orderId',
      'status',
      'vendorId',
    ])
    await colleague.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    await desk.until(about(id, 'order-assigned'))
    expect(desk.reported().map((event) => event.id)).toEqual(desk.reported().map(({ data }) => data.id))
  })

  it('reports only to people in scope: not to other vendors, other drivers or other sales agents', async () => {
    const people = {
      super: await staff('super_admin'),
      own: await staff('vendor_staff'),
      other: await staff('vendor_admin', 2),
      driver: await staff('driver'),
      otherDriver: await staff('driver'),
      agent: await staff('vendor_sales'),
      otherAgent: await staff('vendor_sales'),
    }
    const at = Object.fromEntries(
      await Promise.all(Object.entries(people).map(async ([name, who]) => [name, await listen(shop, who)] as const)),
    )
    const id = await orderOf(1, { placedBy: people.agent.id })
    await people.own.call(assignDriver, { params: { id }, body: { driverId: people.driver.id } })
    await people.own.call(assignDriver, { params: { id }, body: { driverId: people.otherDriver.id } })
    await people.own.call(changeOrderStatus, { params: { id }, body: { status: 'shipped' } })
    await at.super?.until(about(id, 'order-moved'))
    const strange = await orderOf(2)
    await people.other.call(changeOrderStatus, { params: { id: strange }, body: { status: 'shipped' } })
    await at.super?.until(about(strange))
    await at.other?.until(about(strange))

    const all = ['order-assigned', 'order-unassigned', 'order-assigned', 'order-moved']
    const heardBy = () => Object.fromEntries(Object.entries(at).map(([name, one]) => [name, kindsOf(one, id)]))
    const expected = {
      super: all,
      own: all,
      other: [],
      driver: ['order-assigned', 'order-unassigned'],
      otherDriver: ['order-assigned', 'order-moved'],
      agent: all,
      otherAgent: [],
    }
    await expect.poll(heardBy).toEqual(expected)
    // One batch is written to all streams; what is wrongly written as well has arrived by now.
    await pause(300)
    expect(heardBy()).toEqual(expected)
    const strangers = Object.entries(at).filter(([, one]) => kindsOf(one, strange).length > 0)
    expect(strangers.map(([name]) => name)).toEqual(['super', 'other'])
  })

  it('returns 401 to visitors and 403 without the permission', async () => {
    const statuses = async (who: Parameters<typeof listen>[1]) => (await listen(shop, who)).status
    expect(await statuses(shop.visitor())).toBe(401)
    expect(await statuses(await makeVisitor(shop))).toBe(403)
    expect((await listen(shop, await staff('vendor_staff'), { after: -1 })).status).toBe(400)
    const without = await staff('vendor_staff')
    await shop.query(`update user_roles set permissions = array_remove(permissions, 'events.read') where name = $1`, [
      'vendor_staff',
    ])
    expect(await statuses(without)).toBe(403)
    await shop.query(`update user_roles set permissions = permissions || '{events.read}' where name = 'vendor_staff'`)
    const { status } = await without.send('HEAD', '/api/admin/events')
    expect(status).toBe(405)
  })
})

describe('an open stream is closed within seconds', () => {
  const changes: [string, (who: Awaited<ReturnType<typeof staff>>) => Promise<unknown>][] = [
    ['when its person signs out', (who) => who.call(logout)],
    [
      'when the person is switched off',
      (who) => shop.query('update users set is_active = false where id = $1', [who.id]),
    ],
    [
      'when the person goes to another vendor',
      (who) => shop.query('update users set vendor_id = 2 where id = $1', [who.id]),
    ],
    ['when the role changes', (who) => shop.query(`update users set role = 'driver' where id = $1`, [who.id])],
    [
      'when the session runs out',
      (who) => shop.query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [who.id]),
    ],
  ]
  it.each(changes)('%s', async (_, change) => {
    const who = await staff('vendor_staff')
    const [desk, colleague] = [await listen(shop, who), await listen(shop, await staff('vendor_staff'))]
    await change(who)
    const end = await desk.until(({ event }) => event === 'end')
    expect(end.data.reason).toBe('rights')
    await desk.ended
    await flush(colleague)
    expect(colleague.isEnded()).toBe(false)
  })

  it('by the notice alone for everybody whose role loses the permission', async () => {
    const desk = await listen(shop, await staff('vendor_sales'))
    // All rights are checked again every five seconds of this clock.
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    try {
      await shop.query(`update user_roles set permissions = array_remove(permissions, 'events.read') where name = $1`, [
        'vendor_sales',
      ])
      await desk.until(({ event }) => event === 'end')
    } finally {
      clock.mockRestore()
      await shop.query(`update user_roles set permissions = permissions || '{events.read}' where name = 'vendor_sales'`)
    }
  })

  it('when an impersonation ends', async () => {
    const admin = await staff('super_admin')
    const target = await makeUser(shop, { role: 'vendor_admin', vendorId: 2 })
    await admin.call(startImpersonation, { params: { userId: String(target.id) }, body: { reason: 'to help' } })
    const desk = await listen(shop, admin)
    await desk.until(({ event }) => event === 'ready')
    await admin.call(stopImpersonation)
    await desk.until(({ event }) => event === 'end')
  })

  it('but not when a customer signs out', async () => {
    const desk = await listen(shop, await staff('vendor_staff'))
    const customer = await makeVisitor(shop)
    await customer.call(logout)
    await flush(desk)
    expect(desk.heard.some(({ event }) => event === 'end')).toBe(false)
  })
})

it('nobody gets a notice of an event that an earlier version left in a queue', () => {
  const job = { event: 'order.cash-not-booked', id: 'A', by: null } as never // has no type any more
  expect([messageOf(job), staffNewsOf(job)]).toEqual([undefined, []])
})
