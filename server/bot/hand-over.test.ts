import { listMyOrders } from '@qatra/contract/orders/orders'
import { getMe, updateProfile } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { pauseAfterStaffReply, requestHandoff } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { translatorFor } from '../lib/translate.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { type Chat, chat } from '../test/fixtures/chat.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeVisitor, setOfficeHours } from '../test/fixtures/make.ts'
import { meanwhileKey } from './dialogue/hand-over.ts'
import { readMapLinks } from './jobs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

const contactOf = async (phone: string) =>
  (await shop.query<{ id: number }>('select id from contacts where phone = $1', [phone]))[0]?.id ?? 0
const threadOf = async (phone: string) => {
  const [thread] = await shop.query<{ waits: boolean; isTaken: boolean }>(
    `select handoff_at is not null as waits, coalesce(paused_until > now(), false) as "isTaken"
     from whatsapp_conversation_threads where phone_number = $1`,
    [phone],
  )
  return thread
}
const complaintOf = async (phone: string) => {
  const [thread] = await shop.query<{ waits: boolean; reason: string; order: string | null; unread: number }>(
    `select handoff_at is not null as waits, handoff_reason as reason, handoff_order_id as order, unread_count as unread
     from whatsapp_conversation_threads where phone_number = $1`,
    [phone],
  )
  return thread
}
const ordersOf = (phone: string) =>
  shop.query<{ id: string; total: number; status: string; promised: string; address: string; version: number }>(
    `select *, promised_date::text as promised from orders where phone = $1 order by created_at`,
    [phone],
  )
const replyByStaff = async (phone: string) => {
  const contactId = await contactOf(phone)
  await runJobTransaction(shop.app.pool, (ctx) => pauseAfterStaffReply(ctx, contactId, null))
}

async function toSummary(): Promise<Chat> {
  const customer = chat(shop, newPhone())
  await customer.say('4 cartons hayrat half litre')
  await customer.say('Seef')
  await customer.say('checkout')
  await customer.say('building 12 road 3810 block 428')
  await customer.say('no notes')
  expect(await customer.say('Maryam Ali')).toContain('Shall we place this order?')
  return customer
}
async function placed(): Promise<Chat> {
  const customer = await toSummary()
  expect(await customer.say('yes')).toContain('Thank you')
  return customer
}

describe('while the customer waits for a person', () => {
  it('the hours of the office are said, and the finished summary can be confirmed', async () => {
    const customer = await toSummary()
    await setOfficeHours(shop, { opensAt: '08:00', closesAt: '08:00' })
    const asked = await customer.say('agent')
    await setOfficeHours(shop, null)
    expect(asked).toMatch(/The office (?:answers around the clock|is closed today)[^]*For anything else write “menu”/)
    expect(await customer.say('yes')).toContain('Thank you')
    expect(await ordersOf(customer.phone)).toHaveLength(1)
    expect(await threadOf(customer.phone)).toMatchObject({ waits: true })
  })

  it('orders are tracked and cancelled, and the person stays called', async () => {
    const customer = await placed()
    await customer.say('agent')
    expect(await customer.say('where is my order')).toContain('arrives')
    expect(await customer.say('cancel my order')).toContain('Shall we cancel your order')
    expect(await customer.say('yes')).toContain('is cancelled')
    expect(await ordersOf(customer.phone)).toMatchObject([{ status: 'cancelled' }])
    expect(await threadOf(customer.phone)).toMatchObject({ waits: true })
  })

  it('the buttons under the order of a complaint and the menu leave the complaint with the team', async () => {
    const customer = await placed()
    expect(await customer.say('one carton is missing')).toContain('We have told one of our team about your order')
    const complaint = await complaintOf(customer.phone)
    expect(complaint).toMatchObject({ waits: true, reason: 'trouble', unread: 1 })
    expect(complaint?.order).toBe((await ordersOf(customer.phone))[0]?.id)
    expect(await customer.tap('Change the order')).toContain('What shall we change')
    expect(await customer.say('menu')).toContain('How can we help?')
    await customer.say({ type: 'list', body: 'Order water' })
    await customer.say('asdf qwer')
    await customer.say('zxcv uiop')
    expect(await complaintOf(customer.phone)).toEqual({ ...complaint, unread: 6 })
  })

  it('the menu has a row that ends the wait', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('agent')
    await customer.say('menu')
    const ended = await customer.say({ type: 'list', body: 'No longer need a person' })
    expect(ended).toMatch(/you do not need them now[^]*How can we help\?/)
    expect(await threadOf(customer.phone)).toMatchObject({ waits: false })
    expect(customer.last()[0]?.parts?.sections?.[0]?.rows.map(({ title }) => title)).toContain('Talk to a person')
  })

  it('prices and questions to the shop are answered, and the person stays called', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('agent')
    expect(await customer.say('do you take cards?')).toContain('You pay in cash')
    expect(await customer.say('how much is hayrat half litre')).toContain('BHD 1.600')
    expect(await customer.say('is anybody there')).toBe('')
    expect(await customer.say('menu')).toContain('How can we help?')
    expect(await customer.say('hayrat')).toContain('Hayrat has these')
    expect(await complaintOf(customer.phone)).toMatchObject({ waits: true, reason: 'asked', unread: 6 })
  })

  it('an order in words after the menu is served, and the person stays called', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('agent')
    expect(await customer.say('4 cartons hayrat half litre')).toBe('')
    await customer.say('menu')
    expect(await customer.say('4 cartons hayrat half litre')).toContain('Where shall we deliver?')
    expect(await threadOf(customer.phone)).toMatchObject({ waits: true })
  })

  it('a wait that the bot did not announce is explained once, and the menu does not end it', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('hello')
    const contactId = await contactOf(customer.phone)
    await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contactId, 'asked'))
    expect(await customer.say('is anybody there')).toContain('Meanwhile write “menu” to order')
    expect(await customer.say('is anybody there')).toBe('')
    expect(await customer.say('menu')).toContain('How can we help?')
    expect(await threadOf(customer.phone)).toMatchObject({ waits: true })
  })
})

describe('after a person has answered', () => {
  it('the menu comes back after a question', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('hello')
    await replyByStaff(customer.phone)
    expect(await customer.say('menu')).toContain('Shall I take over again')
    expect(await threadOf(customer.phone)).toMatchObject({ isTaken: true })
    expect(await customer.say('yes')).toContain('How can we help?')
    expect(await threadOf(customer.phone)).toMatchObject({ isTaken: false })
  })

  it('an order is cancelled', async () => {
    const customer = await placed()
    await replyByStaff(customer.phone)
    expect(await customer.say('cancel my order')).toContain('Shall we cancel your order')
    expect(await customer.say('yes')).toContain('is cancelled')
    expect(await threadOf(customer.phone)).toMatchObject({ isTaken: true })
  })

  it('a yes to the person does not confirm the summary; its button does', async () => {
    const customer = await toSummary()
    await replyByStaff(customer.phone)
    await customer.say('yes')
    expect(await ordersOf(customer.phone)).toEqual([])
    await customer.tap('Confirm order')
    expect(await ordersOf(customer.phone)).toHaveLength(1)
  })
})

describe('an open order', () => {
  it('is changed after a question with its new total, and announced by the answer alone', async () => {
    const customer = await placed()
    const [before] = await ordersOf(customer.phone)
    expect(await customer.say('add 2 cartons hayrat 200ml')).toContain('New total')
    expect(await ordersOf(customer.phone)).toEqual([before])
    expect(await customer.say('yes')).toContain('is changed')
    const site = await shop.visitor().signInAs(customer.phone)
    const { body } = await site.call(listMyOrders)
    expect(body.items[0]?.items.map(({ quantity }) => quantity).sort()).toEqual([2, 4])
    const keys = await shop.query(`select dedupe_key from whatsapp_messages where dedupe_key = $1`, [
      `order:${before?.id}:edit-1`,
    ])
    expect(keys).toHaveLength(1)
  })

  it('is not changed if it changed on the site after the question', async () => {
    const customer = await placed()
    await customer.say('add 2 cartons hayrat 200ml')
    const [order] = await ordersOf(customer.phone)
    await shop.query('update orders set version = version + 1 where id = $1', [order?.id])
    expect(await customer.say('yes')).toContain('changed meanwhile')
    expect(await ordersOf(customer.phone)).toMatchObject([{ total: order?.total }])
  })

  it('is not changed an hour after it was placed', async () => {
    const customer = await placed()
    await customer.say('add 2 cartons hayrat 200ml')
    await shop.query(`update orders set created_at = created_at - interval '61 minutes' where phone = $1`, [
      customer.phone,
    ])
    const [order] = await ordersOf(customer.phone)
    expect(await customer.say('yes')).toContain('cannot be changed now')
    expect(await ordersOf(customer.phone)).toMatchObject([{ total: order?.total }])
  })

  it('is moved to another day after a question', async () => {
    const customer = await placed()
    const [before] = await ordersOf(customer.phone)
    expect(await customer.say('change my order')).toContain('What shall we change')
    await customer.say({ type: 'list', body: 'Delivery day' })
    const [reply] = customer.last()
    const row = reply?.parts?.sections?.[0]?.rows[2]
    await customer.say({ type: 'list', id: row?.id ?? '', body: row?.title ?? '' })
    expect(await ordersOf(customer.phone)).toMatchObject([{ promised: before?.promised }])
    await customer.say('yes')
    expect(await ordersOf(customer.phone)).toMatchObject([{ promised: row?.id.split(' ')[1] }])
  })

  it('gets another address after a question', async () => {
    const customer = await placed()
    await customer.say('change the address')
    await customer.say('Seef')
    expect(await customer.say('building 99 road 2831 block 428')).toContain('building 99')
    expect(await customer.say('yes')).toContain('The address of your order')
    const [order] = await ordersOf(customer.phone)
    expect(order?.address).toContain('building 99')
  })
})

describe('a reply to a reminder', () => {
  /** As a campaign sends it. */
  const remind = async (phone: string) => {
    const id = `wamid.reminder.${phone}`
    await shop.query(
      `insert into whatsapp_messages (message_id, to_number, direction, channel, message_type, content, status, sent_by_type)
       values ($1, $2, 'outgoing', 'whatsapp', 'template', 'Water again?', 'delivered', 'campaign')`,
      [id, phone],
    )
    return id
  }

  it('shows the summary of the last order, which a yes places', async () => {
    const customer = await placed()
    await shop.query(`update orders set status = 'delivered', delivered_at = now() where phone = $1`, [customer.phone])
    await remind(customer.phone)
    expect(await customer.say('yes please')).toContain('Shall we place this order?')
    expect(await customer.say('yes')).toContain('Thank you')
    expect(await ordersOf(customer.phone)).toHaveLength(2)
  })

  it('by the button of the template does so too', async () => {
    const customer = await placed()
    await shop.query(`update orders set status = 'delivered', delivered_at = now() where phone = $1`, [customer.phone])
    const replyTo = await remind(customer.phone)
    expect(await customer.say({ type: 'button', body: 'Order now', replyTo })).toContain('Shall we place this order?')
  })

  it('by a customer who hides the phone begins an order', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone, { hidesPhone: true })
    await customer.say('hello')
    await shop.query(
      `insert into whatsapp_messages (message_id, contact_id, direction, channel, message_type, content, status, sent_by_type)
       select $1, id, 'outgoing', 'whatsapp', 'template', 'Water again?', 'delivered', 'campaign'
       from contacts where business_scoped_id = $2`,
      [`wamid.reminder.${phone}`, `BH.sim${phone.slice(1)}`],
    )
    expect(await customer.say('yes please')).toContain('Where shall we deliver?')
  })

  it('by a new customer begins an order', async () => {
    const customer = chat(shop, newPhone())
    await remind(customer.phone)
    expect(await customer.say('نعم')).toContain('إلى أين نوصّل؟')
  })
})

describe('a short map link', () => {
  it('is followed once and gives the place of the order', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone)
    await customer.say('hello')
    const contactId = await contactOf(phone)
    // The worker of the greeting would also read the link.
    await until('the worker', async () => {
      const jobs = await shop.query(
        `select from pgboss.job where name = 'bot-turn' and state < 'completed' and data ->> 'contactId' = $1`,
        [String(contactId)],
      )
      return jobs.length === 0
    })
    const links: string[] = []
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, content, status, sent_by_type, timestamp)
       values ($1, $2, $3, 'incoming', 'whatsapp', 'my place https://maps.app.goo.gl/abc', 'received', 'customer', now() - interval '5 seconds') returning id`,
      [`wamid.${phone}`, contactId, phone],
    )
    for (let times = 0; times < 2; times += 1) {
      await readMapLinks(shop.app, contactId, async (url) => {
        links.push(url.href)
        return { lat: 26.2378, lng: 50.5402 }
      })
    }
    expect(links).toEqual(['https://maps.app.goo.gl/abc'])
    await shop.app.queue.send('bot-turn', { messageId: row?.id ?? 0, contactId })
    await until('the link', async () => {
      const [message] = await shop.query('select processed from whatsapp_messages where id = $1', [row?.id])
      return message?.['processed'] === true
    })
    expect(await customer.say('4 cartons hayrat half litre')).toMatch(/Added 4 \w/)
  })
})

/** A message that reaches the shop now, and was written so long ago. */
const receiveLate = (phone: string, content: string, hoursAgo: number) =>
  runJobTransaction(shop.app.pool, (ctx) =>
    receiveMessage(ctx, {
      providerId: `wamid.${phone}.${content}.${hoursAgo}`,
      channel: 'whatsapp',
      type: 'text',
      content,
      from: { phone, businessScopedId: null, name: null },
      at: new Date(Date.now() - hoursAgo * 3_600_000),
      parts: {},
      contextId: null,
    }),
  )
const outgoingTo = (phone: string) =>
  shop.query<{ content: string }>(
    `select content from whatsapp_messages where to_number = $1 and direction = 'outgoing' order by id`,
    [phone],
  )

it.each([
  [{ hasOpenOrder: true, isOrdering: false }, 'where your order is'],
  [{ hasOpenOrder: false, isOrdering: true }, 'go on with your order'],
  [{ hasOpenOrder: false, isOrdering: false }, 'write “menu” to order'],
])('the text while a customer waits for staff fits %j: %s', (customer, words) => {
  expect(translatorFor('en')(meanwhileKey(customer))).toContain(words)
})

describe('a message that arrives late', () => {
  it('waits for a person although nothing can be sent any more', async () => {
    const phone = newPhone()
    await receiveLate(phone, 'ابي موظف', 72)
    await until('the hand-over', async () => (await threadOf(phone))?.waits)
    expect(await complaintOf(phone)).toMatchObject({ reason: 'late', unread: 1 })
    expect(await outgoingTo(phone)).toEqual([])
  })

  it('is not carried out as if it were written now, which is said while the window is open', async () => {
    const customer = await toSummary()
    await receiveLate(customer.phone, 'yes', 36)
    await until('the hand-over', async () => (await threadOf(customer.phone))?.waits)
    const { content } = (await outgoingTo(customer.phone)).at(-1) ?? {}
    expect(content).toContain('reached us late')
    expect(content).toContain('go on with your order')
    expect(await ordersOf(customer.phone)).toEqual([])
    // The words of now still count.
    expect(await customer.say('yes')).toContain('Thank you')
  })

  it('is answered within two hours', async () => {
    const phone = newPhone()
    await receiveLate(phone, 'hello', 1)
    await until('the answer', async () => (await outgoingTo(phone)).length > 0)
    expect(await threadOf(phone)).toMatchObject({ waits: false })
  })

  it('is an opt-out at once, without a confirmation once the window is closed', async () => {
    const { phone, call } = await makeVisitor(shop)
    await call(updateProfile, { body: { marketingConsent: true } })
    await receiveLate(phone, 'STOP', 72)
    const isOut = 'select from contacts where phone = $1 and opted_out_at is not null'
    await until('the opt-out', async () => (await shop.query(isOut, [phone])).length > 0)
    expect((await call(getMe)).body.marketingConsent).toBe(false)
    expect(await outgoingTo(phone)).toEqual([])
    expect(await threadOf(phone)).toMatchObject({ waits: false })
  })
})

describe('a robot on the other side', () => {
  it('gets ten equal answers within a minute, and then none; staff are called once', async () => {
    const customer = chat(shop, newPhone())
    for (let times = 1; times <= 10; times += 1) expect(await customer.say('menu')).toContain('كيف نخدمك؟')
    expect(await customer.say('menu')).toBe('')
    expect(await complaintOf(customer.phone)).toMatchObject({ waits: true, reason: 'robot' })
    expect(await customer.say('menu')).toBe('')
    expect(await customer.say('price?')).toBe('')
    const waiting = await shop.query(
      `select id from pgboss.job where name = 'conversation-notifications' and data ->> 'event' = 'conversation.waiting'
         and data ->> 'contactId' = $1`,
      [await contactOf(customer.phone)],
    )
    expect(waiting).toHaveLength(1)
    await replyByStaff(customer.phone)
    expect(await customer.say('menu')).not.toBe('')
  })
})
