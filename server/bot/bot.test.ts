import { randomUUID } from 'node:crypto'
import { getCart } from '@qatra/contract/cart/cart'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { listMyOrders } from '@qatra/contract/orders/orders'
import { getMe, updateProfile } from '@qatra/contract/users/auth'
import { getConversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { pauseAfterStaffReply, resumeBot } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { chat } from '../test/fixtures/chat.ts'
import { codeIn, inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { jobsAreDone } from '../test/jobs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

const ordersOf = (phone: string) => shop.query('select * from orders where phone = $1 order by created_at', [phone])
const contactOf = async (phone: string) =>
  (await shop.query<{ id: number }>('select id from contacts where phone = $1', [phone]))[0]?.id ?? 0
const sessionOf = async (phone: string) =>
  (
    await shop.query<{ current_state: string; language: string; delivery_address: string; misunderstandings: number }>(
      'select s.* from bot_sessions s join contacts c on c.id = s.contact_id where c.phone = $1',
      [phone],
    )
  )[0]

/** Leads the conversation to the summary. */
async function toSummary(phone: string) {
  const customer = chat(shop, phone)
  await customer.say('4 كراتين هيرات نص لتر')
  await customer.say('السيف')
  await customer.say('إتمام الطلب')
  await customer.say('مبنى 12 طريق 3810 مجمع 428')
  await customer.say('لا ملاحظات')
  const summary = await customer.say('مريم علي')
  expect(summary).toContain('هل نؤكد الطلب؟')
  return customer
}

describe('ordering in Arabic', () => {
  it('leads from a greeting to an order that the shop and the admin area show', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone)
    expect(await customer.say('السلام عليكم')).toContain('مرحبًا بك في قطرة')
    expect(await customer.say('ابي ماي')).toContain('إلى أين نوصّل؟')
    expect(await customer.say({ type: 'location', lat: 26.2378, lng: 50.5402 })).toContain(
      'هذه العلامات توصّل إلى السيف',
    )
    expect(await customer.say({ type: 'list', body: 'هيرات' })).toContain('منتجات هيرات')
    expect(await customer.say('٤ كراتين ٥٠٠ مل')).toContain('الإجمالي: 6.400 د.ب')

    const site = await shop.visitor().signInAs(phone)
    expect((await site.call(getCart)).body).toMatchObject({ vendorId: 1, items: [{ quantity: 4 }], total: 6.4 })

    await customer.tap('إتمام الطلب')
    await customer.say('مبنى 12 طريق 3810 مجمع 428')
    await customer.say('اتصل عند الوصول')
    expect(await customer.say('مريم علي')).toContain('هل نؤكد الطلب؟')
    expect(await ordersOf(phone)).toEqual([])
    const placed = await customer.tap('تأكيد الطلب')
    expect(placed).toContain('شكرًا لك! أكدنا طلبك من هيرات')

    const { body: orders } = await site.call(listMyOrders)
    expect(orders.items).toMatchObject([
      {
        total: 6.4,
        status: 'new',
        customerName: 'مريم علي',
        instructions: 'اتصل عند الوصول',
        areaName: 'Seef',
        addressParts: { block: '428', road: '3810', building: '12' },
        mapCoordinates: { lat: 26.2378, lng: 50.5402 },
      },
    ])
    expect((await site.call(getCart)).body.items).toEqual([])
    const boss = await shop.visitor().signInAs('+97336000001')
    const desk = await boss.send('GET', `/api/admin/orders?search=${encodeURIComponent(phone)}`)
    expect(desk.body).toMatchObject({ total: 1, items: [{ id: orders.items[0]?.id }] })
    // An order message would repeat the text.
    await jobsAreDone(shop)
    expect((await inbox(shop, phone)).filter(({ body }) => body.includes('شكرًا لك'))).toHaveLength(1)
  })

  it('recognizes returning customers and stores the state of the conversation', async () => {
    const customer = chat(shop, '+97336000006')
    await customer.say('3 كراتين غيمة نص لتر')
    const summary = await customer.say('خلاص')
    expect(summary).toContain('مجمع 428، طريق 2831')
    expect(await sessionOf('+97336000006')).toMatchObject({ current_state: 'confirm', language: 'ar' })
    expect(await customer.say('no')).toContain('لم نؤكد أي طلب')
    const history = await shop.query(
      `select h.* from bot_message_history h join contacts c on c.id = h.contact_id
       where c.phone = '+97336000006' order by h.id`,
    )
    expect(history).toMatchObject([
      { message_text: '3 كراتين غيمة نص لتر', detected_intent: 'order', detected_language: 'ar', bot_state: 'idle' },
      { detected_intent: 'checkout', bot_state: 'cart', processing_time_ms: expect.any(Number) },
      { detected_intent: 'no', bot_state: 'confirm', detected_language: 'en' },
    ])
    expect(history[0]?.['response_generated']).toMatch(/أضفنا: 3 /)
  })
})

describe('an order', () => {
  it('is placed once for repeated and parallel confirmations', async () => {
    const customer = await toSummary(newPhone())
    const yes = (body: string) => shop.visitor().call(sendSimulatedMessage, { body: { from: customer.phone, body } })
    await Promise.all([yes('نعم'), yes('اي'), yes('👍'), yes('تمام'), yes('نعم')])
    await customer.say('طلباتي')
    expect(await ordersOf(customer.phone)).toHaveLength(1)
  })

  it('is placed once if the same message is delivered several times', async () => {
    const { phone } = await toSummary(newPhone())
    const received = {
      providerId: `wamid.${randomUUID()}`,
      channel: 'whatsapp' as const,
      from: { phone, businessScopedId: null, name: null },
      at: new Date(),
      type: 'text' as const,
      content: 'نعم',
      parts: {},
      contextId: null,
    }
    const noted = await Promise.all(
      Array.from({ length: 4 }, () => runJobTransaction(shop.app.pool, (ctx) => receiveMessage(ctx, received))),
    )
    const [first] = noted
    // Jobs are delivered at least once, too.
    for (let i = 0; i < 3; i += 1) {
      await shop.app.queue.send('bot-turn', { messageId: first?.messageId ?? 0, contactId: first?.contactId ?? 0 })
    }
    await until('the order', async () => (await ordersOf(phone)).length > 0)
    await chat(shop, phone).say('طلباتي')
    expect(await ordersOf(phone)).toHaveLength(1)
  })

  it('is not placed by a confirmation written before the summary', async () => {
    const { phone } = await toSummary(newPhone())
    await runJobTransaction(shop.app.pool, (ctx) =>
      receiveMessage(ctx, {
        providerId: `wamid.${randomUUID()}`,
        channel: 'whatsapp',
        from: { phone, businessScopedId: null, name: null },
        at: new Date(Date.now() - 60_000),
        type: 'text',
        content: 'نعم',
        parts: {},
        contextId: null,
      }),
    )
    await chat(shop, phone).say('السلام عليكم')
    expect(await ordersOf(phone)).toEqual([])
  })

  it('is summarized again if a price rose or the cart changed on the site', async () => {
    const customer = await toSummary(newPhone())
    await shop.query(`update products set price = price + 100 where vendor_id = 1 and size = '500ml'`)
    await shop.catalogue.reload()
    expect(await customer.say('نعم')).toContain('الإجمالي: 6.800 د.ب')
    expect(await ordersOf(customer.phone)).toEqual([])
    const site = await shop.visitor().signInAs(customer.phone)
    const { body: cart } = await site.call(getCart)
    await site.send('PATCH', `/api/cart/update/${cart.items[0]?.id}`, { body: { quantity: 5 } })
    expect(await customer.say('نعم')).toContain('تغيّر طلبك منذ أن عرضناه عليك')
    expect(await ordersOf(customer.phone)).toEqual([])
    expect(await customer.say('نعم')).toContain('شكرًا لك!')
    expect(await ordersOf(customer.phone)).toMatchObject([{ total: 8500 }])
    await shop.query(`update products set price = price - 100 where vendor_id = 1 and size = '500ml'`)
    await shop.catalogue.reload()
  })

  it('is cancelled within the hour and notified once', async () => {
    const customer = await toSummary(newPhone())
    await customer.say('نعم')
    expect(await customer.say('الغي طلبي')).toContain('هل نلغي طلبك')
    expect(await customer.say('نعم')).toContain('ألغينا طلبك')
    expect(await ordersOf(customer.phone)).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('messages of one customer', () => {
  it('are processed one at a time, in sending order', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone)
    await customer.say('hi')
    const lines = ['order', 'Seef', 'Hayrat', '2 cartons 500ml', '3 cartons 200ml']
    for (const body of lines) await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body } })
    await until('all of them', async () => {
      const [row] = await shop.query('select count(*) from whatsapp_messages where from_number = $1 and processed', [
        phone,
      ])
      return row?.['count'] === lines.length + 1
    })
    expect((await (await shop.visitor().signInAs(phone)).call(getCart)).body.items).toMatchObject([
      { quantity: 2 },
      { quantity: 3 },
    ])
  })

  it('are processed in parallel with those of others', async () => {
    const phones = Array.from({ length: 12 }, newPhone)
    const answers = await Promise.all(phones.map((phone) => chat(shop, phone).say('hello')))
    expect(answers.every((answer) => answer.includes('Welcome to Qatra'))).toBe(true)
  })

  it('that cannot be processed call for staff and do not block later ones', async () => {
    await shop.query(`create function break_bot() returns trigger language plpgsql as $$ begin
      if new.message_text = 'poison' and new.detected_intent <> 'failed' then raise 'broken'; end if; return new; end $$`)
    await shop.query(
      'create trigger break_bot before insert on bot_message_history for each row execute function break_bot()',
    )
    const customer = chat(shop, newPhone())
    await customer.say('poison')
    expect(customer.last().map(({ body }) => body)).toEqual([expect.stringContaining('حدث خطأ عندنا')])
    const [thread] = await shop.query('select * from whatsapp_conversation_threads where phone_number = $1', [
      customer.phone,
    ])
    expect(thread).toMatchObject({ handoff_reason: 'failed' })
    expect(await customer.say('menu')).toContain('كيف نخدمك؟')
    await shop.query('drop trigger break_bot on bot_message_history')
  })
})

describe('staff', () => {
  it('are called after two misunderstandings, and the menu is still served', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('hello')
    await customer.say('asdf qwer')
    expect(await customer.say('zxcv uiop')).toContain('one of our team')
    expect(await customer.say('hello?')).toBe('')
    expect(await customer.say('menu')).toContain('How can we help?')
  })

  it('see the order of a complaint in the conversation that waits for them', async () => {
    const phone = newPhone()
    const customer = await toSummary(phone)
    await customer.tap('تأكيد الطلب')
    const [order] = await ordersOf(phone)
    const id = String(order?.['id'])
    expect(await customer.say('كرتون واحد ناقص')).toContain(formatOrderId(id))
    const office = await shop.visitor().signInAs('+97336000001')
    const contact = String(await contactOf(phone))
    const conversation = { params: { contact } }
    expect((await office.call(getConversation, conversation)).body).toMatchObject({
      waitingReason: 'trouble',
      waitingOrderId: id,
      orderId: id,
      // The customer's words, not the bot's answer to them.
      last: { direction: 'incoming', text: 'كرتون واحد ناقص' },
    })
    await runJobTransaction(shop.app.pool, async (ctx) => resumeBot(ctx, await contactOf(phone), null))
    expect((await office.call(getConversation, conversation)).body).toMatchObject({ waitingOrderId: null })
  })

  it('pause the bot by replying, until the conversation is handed back, which the bot says once', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('hello')
    const contactId = await contactOf(customer.phone)
    await runJobTransaction(shop.app.pool, (ctx) => pauseAfterStaffReply(ctx, contactId, null))
    expect(await customer.say('order')).toContain('Meanwhile write “menu”')
    expect(await customer.say('order')).toBe('')
    await runJobTransaction(shop.app.pool, (ctx) => resumeBot(ctx, contactId, null))
    expect(await customer.say('order')).toContain('Where shall we deliver?')
  })
})

describe('a customer', () => {
  it('without a number must verify one by code before adding to a cart', async () => {
    const hidden = newPhone()
    const customer = chat(shop, hidden, { hidesPhone: true })
    await customer.say('4 cartons hayrat half litre')
    expect(await customer.say('Seef')).toContain('We need your phone number')
    // A foreign number gives no access.
    expect(await customer.say('36000006')).toContain('We sent a code to')
    expect(await customer.say('0001')).toContain('The code is wrong')
    expect(await shop.query('select from bot_message_history where message_text ~ $1', ['0001|36000006'])).toEqual([])
    await customer.tap('Another number')
    await customer.say(hidden)
    const code = await until('the code', async () => {
      const sent = (await inbox(shop, hidden)).filter(({ direction }) => direction === 'outgoing')
      return sent.map(codeIn).find(Boolean)
    })
    expect(await customer.say(code)).toMatch(/Added 4 \w/)
    const [contact] = await shop.query('select * from contacts where phone = $1', [hidden])
    expect(contact?.['business_scoped_id']).toContain(hidden.slice(1))
    expect((await (await shop.visitor().signInAs(hidden)).call(getCart)).body.items).toMatchObject([{ quantity: 4 }])
  })

  it('can send a contact card, whose number must be verified by code like a typed one', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone, { hidesPhone: true })
    await customer.say('4 cartons hayrat half litre')
    await customer.say('Seef')
    expect(await customer.say({ type: 'contact' })).toContain('We sent a code to')
    expect(await contactOf(phone)).toBe(0)
    const code = await until('the code', async () =>
      (await inbox(shop, phone)).map(({ body }) => /^\d{4}/.exec(body)?.[0]).find((one) => one !== undefined),
    )
    expect(await customer.say(code)).toMatch(/Added 4 \w/)
    expect(await contactOf(phone)).not.toBe(0)
  })

  it('without offers gets them again by a sentence, by the bare word and in the profile, which say the same', async () => {
    const person = await makeVisitor(shop)
    const customer = chat(shop, person.phone)
    const isSql = 'select from contacts where phone = $1 and (opted_out_at is not null) = $2'
    const become = (isOut: boolean) =>
      until('the change', async () => (await shop.query(isSql, [person.phone, isOut])).length > 0)
    const write = async (body: string, isOut: boolean) => {
      await customer.say(body)
      await become(isOut)
      expect((await person.call(getMe)).body.marketingConsent).toBe(!isOut)
    }
    for (const isOut of [true, false]) {
      await person.call(updateProfile, { body: { marketingConsent: true } })
      await (isOut ? write('STOP', true) : become(false))
    }
    await write('STOP', true)
    await write('please send me your offers again', false)
    await write('STOP', true)
    await write('START', false)
    const sent = await until('the replies', async () => {
      const all = (await inbox(shop, customer.phone)).filter(({ direction }) => direction === 'outgoing')
      return all.length >= 5 && all
    })
    const replies = sent.map(({ body }) => /You will get (no more|our) offers/.exec(body)?.[1])
    expect(replies).toEqual(['our', 'no more', 'our', 'no more', 'no more'])
    expect(await customer.say('start')).toContain('Welcome to Qatra')
  })

  it('who opted out gets the confirmation again for another STOP, and offers for a bare subscription word', async () => {
    const customer = chat(shop, newPhone())
    const after = async (body: string, count: number) => {
      await customer.say(body)
      return await until('the answer', async () => {
        const all = (await inbox(shop, customer.phone)).filter(({ direction }) => direction === 'outgoing')
        return all.length === count ? all[0]?.body : undefined
      })
    }
    expect(await after('اشتراك', 1)).toContain('لا يتكرر الطلب تلقائيًا')
    expect(await after('إيقاف', 2)).toContain('لن تصلك عروض بعد الآن')
    expect(await after('إيقاف', 3)).toContain('لن تصلك عروض بعد الآن')
    expect(await after('اشتراك', 4)).toContain('ستصلك عروضنا من جديد')
  })

  it('who is staff orders as a customer, without other rights', async () => {
    const customer = chat(shop, '+97336000002')
    await customer.say('4 cartons hayrat half litre')
    const answer = await customer.say('Seef')
    expect(answer).toMatch(/Added 4 \w/)
    expect(await customer.say('my orders')).not.toContain('نورة')
  })

  it('with a deactivated account cannot order', async () => {
    const phone = newPhone()
    await shop.query('insert into users (phone, is_active, is_verified) values ($1, false, true)', [phone])
    const customer = chat(shop, phone)
    expect(await customer.say('4 كراتين هيرات نص لتر')).toContain('لا يمكن الطلب من هذا الحساب')
    expect(await customer.say('ابي ماي')).toBe('')
  })

  it('loses the stored conversation when the account is erased', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('4 cartons hayrat half litre')
    await customer.say('Seef')
    const contactId = await contactOf(customer.phone)
    const site = await shop.visitor().signInAs(customer.phone)
    expect((await site.send('DELETE', '/api/auth/account')).status).toBe(200)
    for (const table of ['bot_sessions', 'bot_message_history']) {
      expect(await shop.query(`select from ${table} where contact_id = $1`, [contactId])).toEqual([])
    }
    expect(await customer.say('hello')).toContain('Welcome to Qatra')
  })
})

it('hostile texts get an ordinary reply', async () => {
  const customer = chat(shop, newPhone())
  const texts = [
    '\u202eabc',
    "'; drop table orders; --",
    '<script>alert(1)</script>',
    'x'.repeat(5_000),
    '\u0001\u0002 hi',
    '{{7*7}}',
  ]
  for (const text of texts) {
    expect((await customer.say(text)).length).toBeGreaterThan(0)
    await customer.say('menu')
  }
  expect(await ordersOf(customer.phone)).toEqual([])
})
