import { getTelegram, linkTelegram, unlinkTelegram } from '@qatra/contract/telegram'
import { agentGrants } from '@qatra/contract/users/permissions'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { applyReceipt } from '../../conversations/commands.ts'
import { queueMessage } from '../../conversations/sending.commands.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import { startShop } from '../../test/app.ts'
import { newPhone, until } from '../../test/fixtures/codes.ts'
import { makeOrder, makeUser } from '../../test/fixtures/make.ts'
import { telegramWorld } from '../../test/fixtures/telegram-world.ts'
import { startTelegram } from '../../test/simulators/telegram.ts'

const telegram = await startTelegram()
const { token, groupId, apiUrl } = telegram
const shop = await startShop({
  hasBot: false,
  telegram: { token, groupId, apiUrl, webhookSecret: null, isSimulated: false },
})
const { says, linked, texts, say, inTopic, conversation, outgoing, write, worked, next } = telegramWorld(telegram, shop)
afterAll(() => telegram.stop())
beforeEach(() => telegram.decide(() => null))

const threadOf = async (phone: string) => {
  const [row] = await shop.query<{ id: number; assigned: number | null; paused: boolean }>(
    `select contact_id as id, assigned_to as assigned, coalesce(paused_until > now(), false) as paused
     from whatsapp_conversation_threads where phone_number = $1`,
    [phone],
  )
  return row
}
const audited = async (action: string, id: number) =>
  (await shop.query('select 1 from audit_log where action = $1 and user_id = $2', [action, id])).length

describe('a person on Telegram', () => {
  it('is shown under the name of the Telegram account', async () => {
    const named = await linked(undefined, { username: 'sara_q', last_name: 'Ali' })
    expect((await named.call(getTelegram)).body).toMatchObject({ isLinked: true, accountName: '@sara_q' })
    const plain = await linked(undefined, { first_name: ' Sara\u202E\n', last_name: 'Ali' })
    expect((await plain.call(getTelegram)).body.accountName).toBe('Sara Ali')
    expect((await named.call(unlinkTelegram)).body).toMatchObject({ isLinked: false, accountName: null })
    await until('the reply', async () => texts(named.chatId).some((text) => text.startsWith('أُلغي الربط')))
  })

  it('unlinks with /stop only, and receives nothing afterwards', async () => {
    const person = await linked()
    await says(person.chatId, '/stopping by')
    expect((await person.call(getTelegram)).body.isLinked).toBe(true)
    await until('what can be done', async () => texts(person.chatId).some((text) => text.startsWith('أنت مربوط')))
    await says(person.chatId, '/stop@QatraOfficeBot')
    expect((await person.call(getTelegram)).body).toMatchObject({ isLinked: false, accountName: null })
    expect(await audited('telegram-unlinked', person.id)).toBe(1)
    await until('the reply', async () => texts(person.chatId).some((text) => text.startsWith('أُلغي الربط')))
    const listening = await linked()
    await say(newPhone(), 'هل من جديد؟')
    await until('the message to the others', async () =>
      texts(listening.chatId).some((text) => text.includes('هل من جديد؟')),
    )
    expect(texts(person.chatId).join()).not.toContain('هل من جديد؟')
    // The account is now unknown and gets replies in both languages.
    await says(person.chatId, '/stop')
    await until('the welcome', async () => texts(person.chatId).some((text) => /إدارة قطرة[^]*Qatra office/.test(text)))
  })

  it('is notified in the previous account after linking another one', async () => {
    const person = await linked()
    const { body } = await person.call(linkTelegram)
    await says(person.chatId + 500_000, body.code, undefined, { username: 'second' })
    expect((await person.call(getTelegram)).body.accountName).toBe('@second')
    await until('the warning', async () => texts(person.chatId).some((text) => text.includes('بحساب تيليجرام آخر')))
  })
})

describe('a message in a topic', () => {
  it('with /bot returns the conversation to the bot and is not sent to the customer', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('أحتاج مساعدة')
    await says(staff.chatId, 'تفضل', threadId)
    await until('the answer', async () => (await outgoing(phone)).length === 1)
    expect(await threadOf(phone)).toMatchObject({ assigned: staff.id, paused: true })
    const { id } = await says(staff.chatId, '/bot@QatraOfficeBot', threadId)
    expect((await threadOf(phone))?.paused).toBe(false)
    expect(await audited('handed-back', staff.id)).toBe(1)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toBe('عاد الرد الآلي لهذا العميل.')
    // A repeated command has no further effect.
    await says(staff.chatId, '/bot', threadId)
    expect(await audited('handed-back', staff.id)).toBe(1)
    expect(await outgoing(phone)).toEqual(['تفضل'])
  })

  it('is recorded as the vendor’s if its author is staff of a vendor', async () => {
    const agent = await linked({ role: 'vendor_staff', vendorId: 1 })
    await shop.query('update users set permissions = $2 where id = $1', [agent.id, agentGrants])
    const { phone, threadId } = await conversation('أحتاج مساعدة')
    await says(agent.chatId, 'تفضل', threadId)
    await until('the answer', async () => (await outgoing(phone)).length === 1)
    const acts = await shop.query('select action, vendor_id from audit_log where user_id = $1 and resource = $2', [
      agent.id,
      'conversation',
    ])
    expect(acts).toEqual([{ action: 'taken-over', vendor_id: 1 }])
  })

  it('of a vendor’s staff to a customer of other vendors is not sent, and the author gets a notice', async () => {
    const agent = await linked({ role: 'vendor_staff', vendorId: 1 })
    await shop.query('update users set permissions = $2 where id = $1', [agent.id, agentGrants])
    const customer = await makeUser(shop, { phone: newPhone() })
    await makeOrder(shop, { userId: customer.id, vendorId: 2 })
    const { phone, threadId } = await conversation('أحتاج مساعدة', customer.phone)
    const { id } = await says(agent.chatId, 'تفضل', threadId)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toContain('وهي لموظفي المتجر وحدهم')
    expect(await outgoing(phone)).toEqual([])
    expect(await threadOf(phone)).toMatchObject({ assigned: null, paused: false })
  })

  it('with an unknown command is not sent to the customer', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('سلام')
    const { id } = await says(staff.chatId, '/stop', threadId)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toContain('/bot')
    expect((await staff.call(getTelegram)).body.isLinked).toBe(true)
    await says(staff.chatId, '/ is a stroke', threadId)
    await until('the stroke', async () => (await outgoing(phone)).length === 1)
    expect(await outgoing(phone)).toEqual(['/ is a stroke'])
  })

  it('of an anonymous administrator is not sent, which the topic is told', async () => {
    const { phone, threadId } = await conversation('متى توصلون؟')
    const group = { id: Number(groupId), type: 'supergroup', title: 'Qatra', is_forum: true }
    const anonymous = { is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
    const { id } = await says(1_087_968_824, 'We deliver at five', threadId, anonymous, { sender_chat: group })
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toMatch(/مشرفًا مجهولًا[^]*anonymous administrator/)
    expect(await outgoing(phone)).toEqual([])
  })

  it('that is edited does not reach the customer again, which the topic is told', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('متى توصلون؟')
    const { id } = await says(staff.chatId, 'at five', threadId)
    await until('the answer', async () => (await outgoing(phone)).length === 1)
    const { message } = write(staff.chatId, 'at six', threadId)
    await worked(message.message_id)
    await until('the second', async () => (await outgoing(phone)).length === 2)
    telegram.push({ update_id: next(), edited_message: { ...message, message_id: id, text: 'at seven' } })
    const reply = await until('the notice', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toContain('أرسل التصحيح في رسالة جديدة')
    expect(await outgoing(phone)).toHaveLength(2)
  })

  it('of an unknown sender is answered by a notice in both languages', async () => {
    const { threadId } = await conversation('مساء الخير')
    const { id } = await says(4_040, 'أنا هنا', threadId)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toMatch(/^لم تُرسل[^\n]*\nNot sent/)
  })

  it('is answered by a notice if the topic has lost its conversation, and ignored in other topics', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('هل تسمعني؟')
    await shop.query('update whatsapp_conversation_threads set telegram_thread_id = null where phone_number = $1', [
      phone,
    ])
    const { id } = await says(staff.chatId, 'نعم', threadId)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toContain('لم يعد هذا الموضوع')
    expect((await says(staff.chatId, 'غداؤنا اليوم؟', 909_090)).status).toBe('ignored')
    expect(await outgoing(phone)).toEqual([])
  })
})

describe('a reply that is not delivered', () => {
  it('is reported in the topic, as a reply to the message and in the language of its author', async () => {
    const staff = await linked()
    await shop.query(`update users set language = 'en' where id = $1`, [staff.id])
    // The provider rejects the first; the second is accepted and then fails by receipt.
    for (const phone of ['+97333129990', '+97333129994']) {
      const { threadId } = await conversation(`سؤال ${phone}`, phone)
      const { id } = await says(staff.chatId, 'الجواب', threadId)
      const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
      expect(reply.text).toMatch(/^Not delivered/)
      expect(inTopic(threadId)).toHaveLength(2)
    }
  })

  it('is reported as possibly not delivered if its outcome is unknown', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('هل وصل؟')
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (dedupe_key, contact_id, to_number, direction, channel, message_type, content, sent_by_type,
         sent_by_user_id, status)
       select 'telegram:' || $3 || ':77', id, $1, 'outgoing', 'whatsapp', 'text', 'نعم', 'staff', $2, 'queued'
       from contacts where phone = $1 returning id`,
      [phone, staff.id, groupId],
    )
    await runJobTransaction(shop.app.pool, (ctx) =>
      applyReceipt(ctx, { messageId: null, reference: String(row?.id), status: 'unknown' }),
    )
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === 77))
    expect(reply.text).toMatch(/^قد لا تكون وصلت/)
  })

  it('is reported with the link to send a template if the 24 hours are over', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('من الأمس')
    await shop.query(
      `update whatsapp_conversation_threads set last_incoming_at = now() - interval '25 hours' where phone_number = $1`,
      [phone],
    )
    const { id } = await says(staff.chatId, 'متأخر', threadId)
    const reply = await until('the reply', async () => inTopic(threadId).find(({ replyTo }) => replyTo === id))
    expect(reply.text).toMatch(/^لم تُرسل.*http:\/\/localhost:3000\/admin\/whatsapp$/s)
    expect(await outgoing(phone)).toEqual([])
    expect((await threadOf(phone))?.paused).toBe(false)
  })
})

describe('a topic', () => {
  it('shows long texts in parts, each once, even if Telegram requests a delay between them', async () => {
    const { phone, threadId } = await conversation('حدثني')
    const words = '👨‍👩‍👧‍👦 ماء '.repeat(255).trim()
    let tries = 0
    telegram.decide((_, { text, message_thread_id: thread }) => {
      if (thread !== threadId || String(text).startsWith('↩') || (tries += 1) !== 1) return null
      return { status: 429, description: 'Too Many Requests: retry after 1', retryAfter: 1 }
    })
    const contactId = (await threadOf(phone))?.id ?? 0
    await runJobTransaction(shop.app.pool, (ctx) =>
      queueMessage(ctx, { to: { contactId }, message: { type: 'text', text: words }, by: { type: 'bot' } }),
    )
    await until('the last part', async () => tries === 2)
    const sent = await until('all of it', async () => {
      const rows = await shop.query<{ content: string }>(
        `select content from telegram_messages where thread_id = $1 and status = 'sent' order by id`,
        [String(threadId)],
      )
      return rows.length === 3 && rows
    })
    const [, ...parts] = sent.map(({ content }) => content)
    expect(parts.every((part) => part.length <= 4096 && part.isWellFormed())).toBe(true)
    expect(parts.join('').replaceAll(/\s+/g, '')).toBe(`↩ الرد الآلي · Bot: ${words}`.replaceAll(/\s+/g, ''))
    // The rejected attempt and the three shown messages.
    expect(inTopic(threadId)).toHaveLength(4)
  })

  it('is reopened for a new message if it was closed', async () => {
    const { phone, threadId } = await conversation('انتهينا؟')
    telegram.closed.add(threadId)
    await say(phone, 'ليس بعد')
    await until('the words', async () => {
      const [row] = await shop.query<{ status: string }>(
        `select status from telegram_messages where content = 'ليس بعد' and thread_id = $1`,
        [String(threadId)],
      )
      return row?.status === 'sent'
    })
    expect(telegram.closed.has(threadId)).toBe(false)
    expect([...telegram.topics.values()].filter((name) => name.includes(phone))).toHaveLength(1)
  })
})
