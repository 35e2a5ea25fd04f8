import { closeDay } from '@qatra/contract/calendar/admin'
import { formatDay } from '@qatra/contract/calendar/calendar'
import { reportAttempt } from '@qatra/contract/drivers'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { getOrder, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../demo/contract/simulator.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { chat } from '../test/fixtures/chat.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { runDelayedJobs } from '../test/jobs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

async function withStaff() {
  const home = await makeHousehold(shop)
  const office = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
  const { body } = await shop.visitor().call(getDeliveryDays, {
    query: { vendorId: String(home.vendor), at: new Date(Date.now() - 1).toISOString() },
  })
  const [first = '', second = '', third = ''] = body.map(({ date }) => date)
  return { ...home, office, first, second, third }
}
type Home = Awaited<ReturnType<typeof withStaff>>

const messagesTo = async (phone: string) =>
  (await shop.visitor().call(listSimulatedMessages, { query: { phone } })).body
    .filter(({ direction }) => direction === 'outgoing')
    .map(({ body }) => body)
    .reverse()
const awaitMessages = (phone: string, count: number) =>
  until(`${count} messages`, async () => (await messagesTo(phone)).length >= count)
const runDelayed = () => runDelayedJobs(shop, 'order-messages', 'move-orders', 'send-messages')
const moveTo = (home: Home, id: string, date: string) =>
  home.customer.call(rescheduleOrder, { params: { id }, body: { date } })

describe('a moved delivery', () => {
  it('is announced once, with the last day, however many steps it took', async () => {
    const home = await withStaff()
    const { phone } = home.customer
    const id = await home.order()
    await awaitMessages(phone, 1)
    await moveTo(home, id, home.second)
    await home.office.call(changePromise, { params: { id }, body: { date: home.third } })
    await runDelayed()
    await awaitMessages(phone, 2)
    const [, moved, ...others] = await messagesTo(phone)
    expect(moved).toContain(formatDay(home.third, 'ar', 'long'))
    expect(others).toEqual([])
    const [row] = await shop.query<{ payload: { name: string; language: string; body: string[] } }>(
      `select payload from whatsapp_messages where dedupe_key = $1`,
      [`order:${id}:day-3`],
    )
    expect(row?.payload).toMatchObject({ type: 'template', name: 'order_rescheduled', language: 'ar' })
    expect(row?.payload.body).toHaveLength(3)
  })

  it('is not announced if it came back to the day that the customer knows', async () => {
    const home = await withStaff()
    const id = await home.order()
    await awaitMessages(home.customer.phone, 1)
    await moveTo(home, id, home.second)
    const announced = () => shop.query('select announced_date from orders where id = $1', [id])
    expect(await announced()).toEqual([{ announced_date: home.first }])
    await moveTo(home, id, home.first)
    expect(await announced()).toEqual([{ announced_date: null }])
    await runDelayed()
    expect(await messagesTo(home.customer.phone)).toHaveLength(1)
  })

  it('and others of the customer are one message, in the language of the person', async () => {
    const home = await withStaff()
    const { phone } = home.customer
    await shop.query(`update users set language = 'en' where phone = $1`, [phone])
    await home.order()
    await home.order()
    await awaitMessages(phone, 2)
    const { body } = await home.office.call(closeDay, { body: { day: home.first, moveOrders: true } })
    expect(body.moved).toBe(2)
    await until('the moves', async () => {
      const moved = await shop.query('select 1 from orders where user_id = $1 and promised_date = $2', [
        home.customer.id,
        home.second,
      ])
      return moved.length === 2
    })
    await runDelayed()
    await awaitMessages(phone, 3)
    const [, , moved, ...others] = await messagesTo(phone)
    expect(moved).toContain('your orders, 2 in number')
    expect(moved).toContain(formatDay(home.second, 'en', 'long'))
    expect(others).toEqual([])
  })

  it('is not announced to people who want no order updates', async () => {
    const home = await withStaff()
    const id = await home.order()
    await awaitMessages(home.customer.phone, 1)
    await shop.query('update users set notification_enabled = false where id = $1', [home.customer.id])
    await moveTo(home, id, home.second)
    await runDelayed()
    expect(await messagesTo(home.customer.phone)).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  async function attempted(home: Home) {
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: home.vendor })
    const id = await home.order()
    await awaitMessages(home.customer.phone, 1)
    await shop.query('update orders set assigned_driver_id = $2 where id = $1', [id, driver.id])
    await home.office.call(changeOrderStatus, { params: { id }, body: { status: 'shipped' } })
    await awaitMessages(home.customer.phone, 2)
    const fail = () => driver.call(reportAttempt, { params: { id }, body: { reason: 'absent' } })
    return { id, fail }
  }

  it('asks the customer once a day, and the first answer moves the order to the offered day', async () => {
    const home = await withStaff()
    const { phone } = home.customer
    const { id, fail } = await attempted(home)
    expect((await home.customer.call(getOrder, { params: { id } })).body).toMatchObject({
      asksForDay: false,
      can: { reschedule: false },
    })
    await fail()
    await fail()
    await awaitMessages(phone, 3)
    await runDelayed()
    const messages = await messagesTo(phone)
    expect(messages).toHaveLength(3)
    expect(messages[2]).toContain(formatDay(home.first, 'ar', 'long'))
    expect((await home.customer.call(getOrder, { params: { id } })).body).toMatchObject({
      asksForDay: true,
      can: { reschedule: true },
    })
    // The template's quick reply.
    const answer = () =>
      chat(shop, phone).say({ type: 'button', body: 'نعم، وصّلوه', id: `nextday:${id} ${home.second}` })
    expect(await answer()).toContain(formatDay(home.second, 'ar', 'long'))
    expect(await answer()).toContain(formatDay(home.second, 'ar', 'long'))
    const { body } = await home.customer.call(getOrder, { params: { id } })
    expect(body).toMatchObject({
      status: 'in-progress',
      promisedDate: home.second,
      failedAttempts: 2,
      asksForDay: false,
    })
    await runDelayed()
    // The bot's answers are the announcement.
    expect(await messagesTo(phone)).toHaveLength(5)
  })

  it('can be answered with a request for a call, which rings the office once', async () => {
    const home = await withStaff()
    const { id, fail } = await attempted(home)
    await fail()
    await awaitMessages(home.customer.phone, 3)
    const call = () => chat(shop, home.customer.phone).say({ type: 'button', body: 'اتصلوا بي', id: `callme:${id}` })
    await call()
    await call()
    const rung = await until('the bell', async () => {
      const rows = await shop.query(`select 1 from notifications where order_id = $1 and kind = 'order-needs-call'`, [
        id,
      ])
      return rows.length > 0 ? rows : null
    })
    expect(rung).toHaveLength(1)
  })

  it('rings the office from the third one on', async () => {
    const home = await withStaff()
    const { id, fail } = await attempted(home)
    const calls = async () =>
      (await shop.query(`select kind from notifications where order_id = $1 and kind like 'order-%' order by id`, [id]))
        .map(({ kind }) => kind)
        .filter((kind) => kind === 'order-attempted' || kind === 'order-needs-call')
    await fail()
    await fail()
    await until('two attempts', async () => (await calls()).length === 2)
    expect(await calls()).toEqual(['order-attempted', 'order-attempted'])
    await fail()
    await until('the call', async () => (await calls()).length === 4)
    expect(await calls()).toContain('order-needs-call')
  })
})
