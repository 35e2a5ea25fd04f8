import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { changeMessage } from '../../conversations/changes.commands.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import { startShop } from '../../test/app.ts'
import { inbox, newPhone, until } from '../../test/fixtures/codes.ts'
import { makeHousehold } from '../../test/fixtures/make.ts'
import { telegramWorld } from '../../test/fixtures/telegram-world.ts'
import { startTelegram } from '../../test/simulators/telegram.ts'

const telegram = await startTelegram()
const { token, groupId, apiUrl } = telegram
const shop = await startShop({
  hasBot: false,
  telegram: { token, groupId, apiUrl, webhookSecret: null, isSimulated: false },
})
const { next, worked, linked, say, texts, conversation, inTopic, outgoing } = telegramWorld(telegram, shop)
await until('the bot to be asked for its name', async () =>
  telegram.calls.some(({ method }) => method === 'deleteWebhook'),
)
afterAll(() => telegram.stop())
beforeEach(() => telegram.decide(() => null))

const bot = { id: 110_201_543, is_bot: true, first_name: 'Qatra', username: 'QatraOfficeBot' }
/** The bot's own membership, as Telegram reports it. */
const member = (chat: object, before: string, after: string) => {
  const updateId = next()
  const date = Math.floor(Date.now() / 1_000)
  const from = { id: 5, is_bot: false, first_name: 'Sara' }
  const change = { chat, from, date, old_chat_member: { user: bot, status: before } }
  telegram.push({
    update_id: updateId,
    my_chat_member: { ...change, new_chat_member: { user: bot, status: after, until_date: 0 } },
  })
  return worked(updateId)
}
const privateChat = (id: number) => ({ id, type: 'private', first_name: 'Sara' })
const linkedAdmin = async () => {
  const house = await makeHousehold(shop)
  const person = await linked({ role: 'vendor_admin', vendorId: house.vendor })
  const [{ phone } = { phone: '' }] = await shop.query<{ phone: string }>('select phone from users where id = $1', [
    person.id,
  ])
  return { house, person, phone }
}
const byWhatsapp = async (phone: string) => (await inbox(shop, phone)).map(({ body }) => body)

describe('a person who blocks the bot', () => {
  it('gets news of orders by WhatsApp, and on Telegram again after unblocking', async () => {
    const { house, person, phone } = await linkedAdmin()
    expect(await member(privateChat(person.chatId), 'member', 'kicked')).toBe('processed')
    const before = telegram.calls.length
    const first = await house.order()
    await until('the news', async () => (await byWhatsapp(phone)).some((body) => body.includes(first.slice(0, 4))))
    expect(telegram.calls.slice(before).filter(({ body }) => body['chat_id'] === String(person.chatId))).toEqual([])

    await member(privateChat(person.chatId), 'kicked', 'member')
    const second = await house.order()
    await until('the news', async () => texts(person.chatId).some((text) => text.includes(second)))
    expect((await byWhatsapp(phone)).filter((body) => body.includes(second.slice(0, 4)))).toEqual([])
  })

  it('gets a WhatsApp message when a customer is waiting', async () => {
    const person = await linked({ role: 'super_admin' })
    const [{ phone } = { phone: '' }] = await shop.query<{ phone: string }>('select phone from users where id = $1', [
      person.id,
    ])
    expect(await member(privateChat(person.chatId), 'member', 'kicked')).toBe('processed')
    await say(newPhone(), 'أين السائق؟')
    await until('the news', async () => (await byWhatsapp(phone)).some((body) => body.includes('/admin')))
  })

  it('gets at most one WhatsApp message an hour while the customer keeps writing', async () => {
    const person = await linked({ role: 'super_admin' })
    const [{ phone } = { phone: '' }] = await shop.query<{ phone: string }>('select phone from users where id = $1', [
      person.id,
    ])
    expect(await member(privateChat(person.chatId), 'member', 'kicked')).toBe('processed')
    const news = async () => (await byWhatsapp(phone)).filter((body) => body.includes('/admin')).length
    /** Of news that Telegram did not take, those that are handled. */
    const handled = async () =>
      (
        await shop.query(
          `select from telegram_messages m join pgboss.job j on j.name = 'telegram-fallback' and j.state = 'completed'
             and (j.data ->> 'id')::int = m.id where m.user_id = $1`,
          [person.id],
        )
      ).length
    const [customer, other] = [newPhone(), newPhone()]
    await say(customer, 'أين السائق؟')
    await until('the news', async () => (await news()) === 1)
    const before = await handled()
    await say(customer, 'أنا أنتظر')
    await until('the next news', async () => (await handled()) > before)
    expect(await news()).toBe(1)
    await say(other, 'أين السائق؟')
    await until('the news of the other', async () => (await news()) === 2)
  })

  it('is recorded at the first refused message if Telegram did not report the block', async () => {
    const { house, person, phone } = await linkedAdmin()
    telegram.decide((_, body) =>
      body['chat_id'] === String(person.chatId)
        ? { status: 403, description: 'Forbidden: bot was blocked by the user' }
        : null,
    )
    const id = await house.order()
    await until('the news', async () => (await byWhatsapp(phone)).some((body) => body.includes(id.slice(0, 4))))
    const rows = await shop.query('select is_blocked from telegram_chats where chat_id = $1', [String(person.chatId)])
    expect(rows).toEqual([{ is_blocked: true }])
  })
})

describe('a message that its customer deletes', () => {
  it('is deleted in the topic, the news of staff and the list of what the bot did not understand', async () => {
    telegram.decide(() => null)
    const words = `secret ${randomUUID()}`
    const person = await linked({ role: 'super_admin' })
    const { phone, threadId } = await conversation(words)
    await until('the news', async () => texts(person.chatId).some((text) => text.includes(words)))
    expect(inTopic(threadId).map(({ text }) => text)).toContain(words)
    const [original] = await shop.query<{ message_id: string; id: number }>(
      'select id, message_id from whatsapp_messages where from_number = $1',
      [phone],
    )
    await shop.query(
      `insert into bot_misses (contact_id, message_id, key, text) select contact_id, id, 'x', content
       from whatsapp_messages where id = $1`,
      [original?.id],
    )
    await runJobTransaction(shop.app.pool, (ctx) =>
      changeMessage(ctx, {
        providerId: `wamid.${randomUUID()}`,
        originalId: original?.message_id ?? '',
        direction: 'incoming',
        customer: { phone, businessScopedId: null, name: null },
        at: new Date(),
        content: null,
      }),
    )
    await until('the deletions', async () => {
      const chats = telegram.calls.flatMap(({ method, body }) => (method === 'deleteMessages' ? [body['chat_id']] : []))
      return [groupId, String(person.chatId)].every((chat) => chats.includes(chat))
    })
    expect(await shop.query('select from telegram_messages where content like $1', [`%${words}%`])).toEqual([])
    await until('the bot to forget it', async () => {
      const missed = await shop.query('select from bot_misses where message_id = $1', [original?.id])
      return missed.length === 0
    })
    const copies = await shop.query('select content from telegram_messages where message_id = $1', [original?.id])
    expect(copies).toEqual([{ content: null }])
  })
})

describe('a group that becomes a supergroup', () => {
  it('is used under its new id, for messages to it and replies from it', async () => {
    const to = -1_009_876_543_210
    const { phone, threadId } = await conversation()
    telegram.decide((_, body) =>
      body['chat_id'] === groupId
        ? {
            status: 400,
            description: 'Bad Request: group chat was upgraded to a supergroup chat',
            movedTo: to,
          }
        : null,
    )
    await say(phone, 'after the move')
    await until('the message', async () =>
      telegram.calls.some(({ body }) => body['chat_id'] === to && body['text'] === 'after the move'),
    )
    const person = await linked()
    const updateId = next()
    telegram.push({
      update_id: updateId,
      message: {
        message_id: updateId,
        date: Math.floor(Date.now() / 1_000),
        chat: { id: to, type: 'supergroup', is_forum: true, title: 'Qatra' },
        from: { id: person.chatId, is_bot: false, first_name: 'Sara' },
        message_thread_id: threadId,
        is_topic_message: true,
        text: 'we are coming',
      },
    })
    await worked(updateId)
    await until('the answer', async () => (await outgoing(phone)).includes('we are coming'))
  })

  it('is recognised by its service messages in either order, also if they are repeated', async () => {
    const [from, to] = [-4_000_001, -1_000_000_000_777]
    const service = (chatId: number, part: object) => {
      const updateId = next()
      const chat = { id: chatId, type: chatId === from ? 'group' : 'supergroup', title: 'Qatra' }
      telegram.push({ update_id: updateId, message: { message_id: updateId, date: 1, chat, from: bot, ...part } })
      return worked(updateId)
    }
    await service(to, { migrate_from_chat_id: from })
    await service(from, { migrate_to_chat_id: to })
    await service(from, { migrate_to_chat_id: to })
    const rows = await shop.query('select moved_to from telegram_chats where chat_id = $1', [String(from)])
    expect(rows).toEqual([{ moved_to: String(to) }])
  })
})
