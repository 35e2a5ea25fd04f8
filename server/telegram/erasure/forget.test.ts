import { setTimeout as sleep } from 'node:timers/promises'
import { eraseAccount } from '@qatra/contract/users/auth'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeVisitor } from '../../test/fixtures/make.ts'
import { telegramWorld } from '../../test/fixtures/telegram-world.ts'
import { startTelegram } from '../../test/simulators/telegram.ts'

const telegram = await startTelegram()
const { token, groupId, apiUrl } = telegram
const shop = await startShop({
  hasBot: false,
  telegram: { token, groupId, apiUrl, webhookSecret: null, isSimulated: false },
})
const { says, linked, texts, say, inTopic, conversation } = telegramWorld(telegram, shop)
const staff = await linked()
afterAll(() => telegram.stop())
beforeEach(() => telegram.decide(() => null))

async function customer() {
  const visitor = await makeVisitor(shop)
  const [row] = await shop.query<{ phone: string }>('select phone from users where id = $1', [visitor.id])
  return Object.assign(visitor, { phone: row?.phone ?? '' })
}
const deletedIn = (chatId: number | string) =>
  telegram.calls.flatMap(({ method, body }) =>
    method === 'deleteMessages' && String(body['chat_id']) === String(chatId) ? (body['message_ids'] as number[]) : [],
  )
const notice = (text: string) =>
  until('the notice to staff', async () => {
    const [row] = await shop.query<{ id: string }>(
      `select telegram_message_id as id from telegram_messages where content like $1 and thread_id is null and status = 'sent'`,
      [`%${text}%`],
    )
    return row && Number(row.id)
  })
const topicOf = (phone: string) => [...telegram.topics].find(([, name]) => name.includes(phone))?.[0]

describe('erasing an account', () => {
  it('deletes the topic and the notifications in private chats of staff', async () => {
    const person = await customer()
    const other = await conversation('لست من يُمحى')
    const { threadId } = await conversation('اسمي مريم وأسكن في الرفاع', person.phone)
    const note = await notice('اسمي مريم')
    const { id } = await says(staff.chatId, 'أهلًا مريم', threadId)
    await person.call(eraseAccount)
    await until('the topic to be gone', async () => !telegram.topics.has(threadId))
    await until('the note to be gone', async () => deletedIn(staff.chatId).includes(note))
    expect(telegram.topics.has(other.threadId)).toBe(true)
    expect(await shop.query('select payload from telegram_updates where id = $1', [id])).toEqual([{ payload: null }])
    expect(await shop.query(`select 1 from telegram_messages where content like '%مريم%'`)).toEqual([])
    const jobs = await shop.query<{ text: string }>(
      `select data::text as text from pgboss.job where name = 'telegram-forget-person'`,
    )
    expect(jobs.map(({ text }) => text).join()).not.toContain(person.phone)
    expect(texts(staff.chatId).some((text) => text.includes('اسمي مريم'))).toBe(true)
  })

  it('renames and closes the topic and posts a notice if the bot may not delete topics', async () => {
    const person = await customer()
    const { threadId } = await conversation('امسحوا بياناتي', person.phone)
    telegram.decide((method) =>
      method === 'deleteForumTopic'
        ? { status: 400, description: 'Bad Request: not enough rights to delete messages' }
        : null,
    )
    await person.call(eraseAccount)
    await until('the topic to be closed', async () => telegram.closed.has(threadId))
    expect(telegram.topics.get(threadId)).toBe('حساب محذوف · Erased account')
    expect(inTopic(threadId).at(-1)?.text).toMatch(/^حذف العميل[^\n]*\nThe customer erased/)
  })

  it('deletes a topic that is being created at the same time', async () => {
    const person = await customer()
    let isMaking = false
    let deleted = 0
    const { promise: erased, resolve: release } = Promise.withResolvers<void>()
    telegram.decide(async (method, { name }) => {
      if (method === 'deleteForumTopic') deleted += 1
      if (method !== 'createForumTopic' || !String(name).includes(person.phone)) return null
      isMaking = true
      await erased
      return null
    })
    await say(person.phone, 'وداعًا')
    await until('the topic to be under way', async () => isMaking)
    await person.call(eraseAccount)
    release()
    await until('the topic to be deleted', async () => deleted > 0)
    await sleep(300)
    expect(topicOf(person.phone)).toBeUndefined()
    expect(telegram.sent(groupId).some(({ text }) => text === 'وداعًا')).toBe(false)
  })

  it('deletes a notification that is being sent at the same time', async () => {
    const person = await customer()
    let isTelling = false
    telegram.decide(async (method, { text, chat_id: chat }) => {
      if (method !== 'sendMessage' || String(chat) !== String(staff.chatId) || !String(text).includes('لحظة أخيرة'))
        return null
      isTelling = true
      await sleep(600)
      return null
    })
    const before = deletedIn(staff.chatId).length
    await say(person.phone, 'لحظة أخيرة')
    await until('the note to be under way', async () => isTelling)
    await person.call(eraseAccount)
    await until('it to be taken back', async () => deletedIn(staff.chatId).length > before)
  })
})
