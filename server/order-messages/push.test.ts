import { addDays } from '@qatra/contract/calendar/calendar'
import { confirmPush, subscribePush } from '@qatra/contract/notifications/push'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { editMyItems } from '@qatra/contract/orders/editing'
import { cancelOrder, getOrder, rescheduleOrder } from '@qatra/contract/orders/orders'
import { logout, updateProfile } from '@qatra/contract/users/auth'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import { assignConversation, muteConversation } from '@qatra/contract/whatsapp/inbox/work'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { OrderNews } from '../jobs/queues.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeOrder, makeVisitor } from '../test/fixtures/make.ts'
import { queuesAreEmpty, runDelayedJobs } from '../test/jobs.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { conversationIn } from '../test/matrix/inbox.ts'
import { type PushServer, startPush } from '../test/simulators/push.ts'
import { fallBackToWhatsapp } from './commands.ts'

let shop: TestShop
let push: PushServer
beforeAll(async () => {
  push = await startPush()
  shop = await startShop({ databasePoolSize: 10, pushServiceUrl: push.origin })
})
beforeEach(() => push.be(null))
afterAll(() => push.stop())

/** A customer whose device receives notifications. */
async function subscriber() {
  const home = await makeHousehold(shop)
  const subscription = push.subscribe()
  await home.customer.call(subscribePush, { body: subscription })
  return { ...home, subscription }
}
type Home = Awaited<ReturnType<typeof subscriber>>

const sent = (id: string) =>
  shop.query<{ id: number; channel: string; status: string; content: string }>(
    `select id, channel, status, content from whatsapp_messages where dedupe_key like 'order:' || $1 || ':%' order by id`,
    [id],
  )
const waysOf = async (id: string) => (await sent(id)).map(({ channel, status }) => `${channel} ${status}`)
const idOf = async (id: string) => (await sent(id)).find(({ channel }) => channel === 'push')?.id ?? 0
const isSent = (id: string) => until('the notification', async () => (await waysOf(id))[0] === 'push sent')
const isQueued = (id: string, count = 1) =>
  until('the message', async () => (await sent(id)).filter(({ channel }) => channel === 'whatsapp').length === count)
const confirm = async ({ customer }: Home, id: string) => customer.call(confirmPush, { body: { id: await idOf(id) } })
const news = (id: string): OrderNews => ({ id, kind: 'new', version: 1 })
const halfAMinutePasses = () => runDelayedJobs(shop, 'push-fallback', 'order-messages', 'order-push')
const again = async (queue: 'order-messages' | 'order-push' | 'push-fallback', id: string) => {
  // The job of the event reads the status from `to`.
  await shop.app.queue.send(queue, { ...news(id), version: 1, event: 'order.placed', by: null, to: 'new' })
  await queuesAreEmpty(shop, 'order-messages', 'order-push', 'push-fallback')
}

describe('news of an order', () => {
  it('goes to the device, without person, address and amount, and by no other channel once confirmed', async () => {
    const home = await subscriber()
    await shop.query(`update users set language = 'en', name = 'Maryam' where id = $1`, [home.customer.id])
    const id = await home.order()
    await isSent(id)
    expect(push.received(home.subscription)).toEqual([
      {
        id: await idOf(id),
        lang: 'en',
        title: 'We have your order',
        body: expect.stringMatching(/^It arrives from Vendor \d+ on .+\.$/),
        path: `/orders/${id}`,
        tag: id,
      },
    ])
    expect((await confirm(home, id)).status).toBe(204)
    await halfAMinutePasses()
    expect(await waysOf(id)).toEqual(['push delivered'])
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
    await staff.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    await until('the second', async () => push.received(home.subscription).length === 2)
    expect(push.received(home.subscription)[1]).toMatchObject({ title: 'Your order is being prepared', tag: id })
  })

  it('goes by WhatsApp if no device confirms it within half a minute; a late confirmation changes nothing', async () => {
    const home = await subscriber()
    const id = await home.order()
    await isSent(id)
    await halfAMinutePasses()
    await isQueued(id)
    await confirm(home, id)
    await again('push-fallback', id)
    await again('order-push', id)
    expect((await waysOf(id)).map((way) => way.split(' ')[0])).toEqual(['push', 'whatsapp'])
    expect((await waysOf(id))[0]).toBe('push failed')
    expect(push.received(home.subscription)).toHaveLength(1)
  })

  it('goes by WhatsApp at once if the subscription is gone, which is removed', async () => {
    const home = await subscriber()
    push.drop(home.subscription)
    const id = await home.order()
    await isQueued(id)
    expect((await waysOf(id))[0]).toBe('push failed')
    expect(
      await shop.query('select 1 from push_subscriptions where endpoint = $1', [home.subscription.endpoint]),
    ).toEqual([])
    await halfAMinutePasses()
    expect(await sent(id)).toHaveLength(2)
  })

  it('goes by WhatsApp at once if the push service fails', async () => {
    const home = await subscriber()
    await push.be('fails')
    const id = await home.order()
    await isQueued(id)
    expect((await waysOf(id))[0]).toBe('push failed')
  })

  it('waits for the confirmation if the push service does not answer', async () => {
    const home = await subscriber()
    await push.be((response) => response.destroy())
    const id = await home.order()
    await until('the notification', async () => (await waysOf(id))[0] === 'push unknown')
    expect(await sent(id)).toHaveLength(1)
    await halfAMinutePasses()
    await isQueued(id)
  })

  it('goes by WhatsApp if the worker died after it had claimed the notification', async () => {
    const home = await subscriber()
    await push.be('hangs')
    const id = await home.order()
    await until('the claim', async () => (await waysOf(id))[0] === 'push queued')
    // What a new worker finds: the claim, and the job that waits for the confirmation.
    await runJobTransaction(shop.app.pool, (ctx) => fallBackToWhatsapp(ctx, shop.app.config, news(id)))
    await isQueued(id)
    expect((await waysOf(id))[0]).toBe('push failed')
  })

  it('is sent to the device once, however often its jobs run', async () => {
    const home = await subscriber()
    const id = await home.order()
    await isSent(id)
    await confirm(home, id)
    for (const queue of ['order-messages', 'order-push', 'push-fallback'] as const) await again(queue, id)
    await halfAMinutePasses()
    expect(await waysOf(id)).toEqual(['push delivered'])
    expect(push.received(home.subscription)).toHaveLength(1)
  })

  it('that was confirmed is not sent by WhatsApp after the device has unsubscribed', async () => {
    const home = await subscriber()
    const id = await home.order()
    await isSent(id)
    await confirm(home, id)
    await home.customer.call(logout)
    await again('order-messages', id)
    await halfAMinutePasses()
    expect(await waysOf(id)).toEqual(['push delivered'])
  })

  it('goes by WhatsApp after the sign-out of the only device, and nothing reaches the device', async () => {
    const home = await subscriber()
    await home.customer.call(logout)
    await home.customer.signInAs(home.customer.phone)
    const id = await home.order()
    await isQueued(id)
    expect(push.received(home.subscription)).toEqual([])
  })

  it('of an older status is not sent by WhatsApp if a newer one exists', async () => {
    const home = await subscriber()
    const id = await home.order()
    await isSent(id)
    await home.customer.call(cancelOrder, { params: { id }, body: {} })
    await until('the second', async () => push.received(home.subscription).length === 2)
    await halfAMinutePasses()
    const content = (await sent(id)).filter(({ channel }) => channel === 'whatsapp').map((row) => row.content)
    expect(content).toHaveLength(1)
    expect(content[0]).toContain('قد أُلغي')
  })
})

describe('the notification about a changed order', () => {
  const runDelayed = () => runDelayedJobs(shop, 'order-messages', 'order-push')
  const daysOf = async (home: Home) => {
    const at = new Date(Date.now() - 1).toISOString()
    const { body } = await shop.visitor().call(getDeliveryDays, { query: { vendorId: String(home.vendor), at } })
    return body.map(({ date }) => date)
  }
  const move = async (home: Home, id: string, date = '') =>
    expect((await home.customer.call(rescheduleOrder, { params: { id }, body: { date } })).status).toBe(200)

  it('names the new day, is sent once for several moved orders, and falls back to WhatsApp unconfirmed', async () => {
    const home = await subscriber()
    await shop.query(`update users set language = 'en' where id = $1`, [home.customer.id])
    const [, second, third] = await daysOf(home)
    const id = await home.order()
    await isSent(id)
    await confirm(home, id)
    await move(home, id, second)
    await runDelayed()
    await until('the second', async () => push.received(home.subscription).length === 2)
    expect(push.received(home.subscription)[1]).toMatchObject({ title: 'New delivery day', path: `/orders/${id}` })
    expect((await waysOf(id)).map((way) => way.split(' ')[0])).toEqual(['push', 'push'])

    const other = await home.order()
    await isSent(other)
    await Promise.all([move(home, id, third), move(home, other, third)])
    await runDelayed()
    await until('the fourth', async () => push.received(home.subscription).length === 4)
    expect(push.received(home.subscription)[3]).toMatchObject({
      title: 'New delivery days for your orders',
      path: '/orders',
    })
    await halfAMinutePasses()
    const texts = [...(await sent(id)), ...(await sent(other))].filter(({ channel }) => channel === 'whatsapp')
    expect(texts.map(({ content }) => content).join()).toContain('2 of your orders')
  })

  it('contains no amount when items were edited', async () => {
    const home = await subscriber()
    await shop.query(`update users set language = 'en' where id = $1`, [home.customer.id])
    const id = await home.order()
    await isSent(id)
    await confirm(home, id)
    const { items, total, version } = (await home.customer.call(getOrder, { params: { id } })).body
    const more = items.map(({ productId, quantity }) => ({ productId: productId ?? 0, quantity: quantity + 1 }))
    await home.customer.call(editMyItems, { params: { id }, body: { items: more, version } })
    await runDelayed()
    await until('the second', async () => push.received(home.subscription).length === 2)
    const [, changed] = push.received(home.subscription)
    expect(changed).toMatchObject({ title: 'Your order was changed', path: `/orders/${id}` })
    expect(JSON.stringify(changed)).not.toContain(String(total))
  })
})

describe('a notification that is being recorded', () => {
  it('keeps the order locked, so that an erasure deletes it with the phone', async () => {
    const home = await subscriber()
    const client = await shop.app.pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table whatsapp_messages in share row exclusive mode')
      const id = await home.order()
      const isLocked = () =>
        shop.query('select from orders where id = $1 for update nowait', [id]).then(
          () => false,
          (error: unknown) => /obtain lock/.test(String(error)),
        )
      // Messages about other orders may wait too.
      await until('the locked order', async () => {
        const waits = await lockWaits(shop, '%insert into whatsapp_messages%')
        return waits > 0 && (await isLocked())
      })
      await client.query('commit')
      await isSent(id)
    } finally {
      client.release()
    }
  })
})

describe('confirmation and fallback at the same moment', () => {
  it('leave exactly one channel', async () => {
    for (let round = 0; round < 4; round += 1) {
      const home = await subscriber()
      const id = await home.order()
      await isSent(id)
      await Promise.all([
        confirm(home, id),
        runJobTransaction(shop.app.pool, (ctx) => fallBackToWhatsapp(ctx, shop.app.config, news(id))),
      ])
      const ways = (await waysOf(id)).map((way) => way.replace(/^whatsapp .*/, 'whatsapp'))
      expect([['push delivered'], ['push failed', 'whatsapp']]).toContainEqual(ways)
    }
  })
})

describe('the reminder of the next order', () => {
  /** Delivered weekly until eight days before the given day, so that the next order was due one day before it. */
  async function weekly(day: string, body: { reminders?: boolean } = { reminders: true }) {
    const home = await subscriber()
    await home.customer.call(updateProfile, { body: { language: 'en', ...body } })
    const ids: string[] = []
    for (const n of [36, 29, 22, 15, 8]) {
      const id = await makeOrder(shop, { userId: home.customer.id, vendorId: home.vendor, status: 'delivered' })
      await shop.query('update orders set delivered_at = $2, phone = $3 where id = $1', [
        id,
        `${addDays(day, -n)}T18:00:00+03:00`,
        home.customer.phone,
      ])
      ids.push(id)
    }
    const titles = () => push.received(home.subscription).map(({ title, path }) => [title, path])
    return { ...home, titles, last: ['Time for water?', `/orders/${ids.at(-1)}`] }
  }
  async function remindOn(day: string) {
    const { now } = shop.app.clock
    shop.app.clock.now = () => new Date(`${day}T10:00:00+03:00`)
    await shop.app.queue.send('due-reminders', {})
    await queuesAreEmpty(shop, 'due-reminders', 'order-push')
    shop.app.clock.now = now
  }
  const [thursday, friday, saturday] = ['2026-10-01', '2026-10-02', '2026-10-03'] as const

  it('is sent once to those who asked for it, by the last delivered order, and not beside an open one', async () => {
    const [asked, unasked, ordering, quiet] = [
      await weekly(thursday),
      await weekly(thursday, {}),
      await weekly(thursday),
      await weekly(thursday),
    ]
    await makeOrder(shop, { userId: ordering.customer.id, vendorId: ordering.vendor })
    await shop.query(
      `insert into customer_answers (user_id, vendor_id, answer, quiet_until, created_at) values ($1, $2, 'travelling', $3, '2026-09-30')`,
      [quiet.customer.id, quiet.vendor, friday],
    )
    await remindOn(thursday)
    await remindOn(thursday)
    expect(asked.titles()).toEqual([asked.last])
    for (const other of [unasked, ordering, quiet]) expect(other.titles()).toEqual([])
  })

  it('waits for Saturday where it would come on a Friday, and is left out once it is late', async () => {
    const [due, late] = [await weekly(friday), await weekly('2026-09-29')]
    await remindOn(friday)
    expect(due.titles()).toEqual([])
    await remindOn(saturday)
    expect(due.titles()).toEqual([due.last])
    expect(late.titles()).toEqual([])
  })
})

describe('a message in a conversation', () => {
  it('goes to the devices of its assignee, or of all without one, except of those who muted it', async () => {
    const subscribed = async () => {
      const person = await makeVisitor(shop, { role: 'super_admin' })
      const subscription = push.subscribe()
      await person.call(subscribePush, { body: subscription })
      return { person, titles: () => push.received(subscription).map(({ path }) => path) }
    }
    const [sara, khalid] = [await subscribed(), await subscribed()]
    const { contact, phone } = await conversationIn(shop)
    const params = { contact: String(contact) }
    const path = `/admin/whatsapp?open=${contact}`
    await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contact, 'asked'))
    await queuesAreEmpty(shop, 'conversation-push')
    expect([sara.titles(), khalid.titles()]).toEqual([[path], [path]])
    const from = { phone, businessScopedId: null, name: null }
    const arrives = async (providerId: string) => {
      const message = { channel: 'whatsapp', type: 'text', content: 'hello', parts: {}, contextId: null } as const
      await runJobTransaction(shop.app.pool, (ctx) =>
        receiveMessage(ctx, { ...message, providerId, from, at: new Date() }),
      )
      await queuesAreEmpty(shop, 'conversation-push')
    }
    await sara.person.call(assignConversation, { params, body: { userId: sara.person.id, from: null } })
    await arrives('wamid.push1')
    expect([sara.titles().length, khalid.titles().length]).toEqual([2, 1])
    await sara.person.call(muteConversation, { params, body: { isMuted: true } })
    await arrives('wamid.push2')
    expect([sara.titles().length, khalid.titles().length]).toEqual([2, 1])
  })
})
