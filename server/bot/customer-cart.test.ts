import { getCart, updateCartItem } from '@qatra/contract/cart/cart'
import * as api from '@qatra/contract/whatsapp/inbox/cart'
import * as inboxApi from '@qatra/contract/whatsapp/inbox/inbox'
import { assignConversation } from '@qatra/contract/whatsapp/inbox/work'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { type Chat, chat } from '../test/fixtures/chat.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let boss: Visitor
beforeAll(async () => {
  shop = await startShop()
  boss = await shop.visitor().signInAs('+97336000001')
})

const of = (phone: string) => ({ params: { contact: phone } })
const cartOf = (phone: string) => boss.call(api.getConversationCart, of(phone))
/** Sends the cart, and waits until its messages have left. */
async function send(phone: string) {
  const answer = await boss.call(api.sendConversationCart, of(phone))
  await until('the messages to leave', async () => {
    const queued = await shop.query(`select from whatsapp_messages where to_number = $1 and status = 'queued'`, [phone])
    return queued.length === 0
  })
  return answer
}
const ordersOf = (phone: string) => shop.query('select id from orders where phone = $1', [phone])
const summaries = async (phone: string) =>
  (
    await shop.query<{ content: string }>(
      `select content from whatsapp_messages where to_number = $1 and content like '%هل نؤكد الطلب؟%' order by id`,
      [phone],
    )
  ).length
const setQuantity = async (phone: string, quantity: number) => {
  const { body } = await cartOf(phone)
  const itemId = String(body.cart.items[0]?.id)
  return boss.call(api.changeConversationCart, { params: { contact: phone, itemId }, body: { quantity } })
}

/** A customer with everything the order needs, up to the summary. */
async function customerWithCart({ isComplete = true } = {}): Promise<Chat> {
  const customer = chat(shop, newPhone())
  await customer.say('4 كراتين هيرات نص لتر')
  await customer.say('السيف')
  if (!isComplete) return customer
  await customer.say('إتمام الطلب')
  await customer.say('مبنى 12 طريق 3810 مجمع 428')
  await customer.say('لا ملاحظات')
  await customer.say('مريم علي')
  return customer
}
const reply = (phone: string, body: string) => boss.call(inboxApi.sendReply, { ...of(phone), body: { body } })

describe('the cart beside a conversation', () => {
  it('is the cart of the customer, with the place that the bot learned', async () => {
    const { phone } = await customerWithCart()
    const { body } = await cartOf(phone)
    expect(body).toMatchObject({
      cart: { items: [{ quantity: 4 }], total: 6.4 },
      vendor: { id: 1 },
      area: { name: 'Seef' },
      name: 'مريم علي',
      address: expect.stringContaining('3810'),
      isAwaitingYes: true,
    })
    expect((await boss.call(api.getConversationCart, of('+97339999999'))).status).toBe(404)
  })

  it('is changed for the customer, who sees it on the site, and recorded with both names', async () => {
    const { phone } = await customerWithCart()
    const { status, body } = await setQuantity(phone, 6)
    expect([status, body.cart.items[0]?.quantity, body.isAwaitingYes]).toEqual([200, 6, false])
    const site = await shop.visitor().signInAs(phone)
    expect((await site.call(getCart)).body.items).toMatchObject([{ quantity: 6 }])
    const [row] = await shop.query(
      `select on_behalf_of = (select id from users where phone = $1) as "isForCustomer" from audit_log
       where action = 'cart-changed' order by id desc limit 1`,
      [phone],
    )
    expect(row).toEqual({ isForCustomer: true })
    expect((await setQuantity(phone, 101)).status).toBe(422)
  })

  it('is reported to open inboxes when the customer changes it, and not for customers without a conversation', async () => {
    const { phone } = await customerWithCart()
    const lastId = async () =>
      (await shop.query<{ id: number }>(`select coalesce(max(id), 0) as id from notifications`))[0]?.id ?? 0
    const before = await lastId()
    const site = await shop.visitor().signInAs(phone)
    const [item] = (await site.call(getCart)).body.items
    await site.call(updateCartItem, { params: { itemId: String(item?.id) }, body: { quantity: 2 } })
    const news = await until('the news of the cart', async () => {
      const rows = await shop.query<{ kind: string }>(
        `select kind from notifications where id > $1
         and contact_id = (select id from contacts where phone = $2)`,
        [before, phone],
      )
      return rows.length > 0 && rows
    })
    expect(news.map(({ kind }) => kind)).toContain('conversation-changed')
  })
})

describe('the cart sent for confirmation', () => {
  it('is confirmed by the button and places one order, while staff answer', async () => {
    const customer = await customerWithCart()
    await setQuantity(customer.phone, 5)
    await reply(customer.phone, 'عدّلنا سلتك')
    const { status, body } = await send(customer.phone)
    expect([status, body.isAwaitingYes]).toEqual([200, true])
    await reply(customer.phone, 'أكّدها لو سمحت')
    const answer = await customer.tap('تأكيد الطلب')
    expect(answer).toContain('شكرًا لك! أكدنا طلبك')
    expect(await ordersOf(customer.phone)).toHaveLength(1)
    // The bot is still paused.
    expect(await customer.say('السلام عليكم')).toContain('رسالتك عند زميلنا')
  })

  it('is confirmed by a written yes while staff answer; other words stay for them', async () => {
    const customer = await customerWithCart()
    await reply(customer.phone, 'لحظة')
    await setQuantity(customer.phone, 5)
    await send(customer.phone)
    expect(await customer.say('وين الموقع')).toContain('رسالتك عند زميلنا')
    expect(await customer.say('نعم')).toContain('شكرًا لك! أكدنا طلبك')
    expect(await ordersOf(customer.phone)).toHaveLength(1)
  })

  it('is sent once for requests in parallel and again, until the cart changes', async () => {
    const { phone } = await customerWithCart()
    await setQuantity(phone, 5)
    const before = await summaries(phone)
    const answers = await Promise.all([send(phone), send(phone), send(phone)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await send(phone)
    expect(await summaries(phone)).toBe(before + 1)
    await setQuantity(phone, 7)
    await send(phone)
    expect(await summaries(phone)).toBe(before + 2)
  })

  it('lets the bot ask for what is missing and continue, and stays with its assignee', async () => {
    const customer = await customerWithCart({ isComplete: false })
    await reply(customer.phone, 'أهلًا')
    const { body: before } = await boss.call(inboxApi.getConversation, of(customer.phone))
    const userId = before.pausedBy?.id ?? 0
    await boss.call(assignConversation, {
      ...of(customer.phone),
      body: { userId, from: before.assignedTo?.id ?? null },
    })
    expect((await send(customer.phone)).body.isAwaitingYes).toBe(false)
    const { body: after } = await boss.call(inboxApi.getConversation, of(customer.phone))
    expect([after.assignedTo?.id, after.pausedUntil]).toEqual([userId, null])
    expect(await customer.say('مبنى 12 طريق 3810 مجمع 428')).not.toBe('')
  })

  it('is refused without items and outside the service window', async () => {
    const { phone } = await customerWithCart()
    await shop.query(
      `update whatsapp_conversation_threads set last_incoming_at = now() - interval '25 hours' where phone_number = $1`,
      [phone],
    )
    await setQuantity(phone, 5)
    expect((await send(phone)).body).toMatchObject({ code: 'SERVICE_WINDOW_CLOSED' })
    await setQuantity(phone, 0)
    expect((await send(phone)).body).toMatchObject({ code: 'CART_EMPTY' })
  })
})
