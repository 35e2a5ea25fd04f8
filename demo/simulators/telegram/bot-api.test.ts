import { beforeAll, describe, expect, it } from 'vitest'
import type { Telegram } from '../../../server/providers/telegram/gateway.ts'
import { telegramOf } from '../../../server/telegram/gateway.ts'
import { startShop, type TestShop } from '../../../server/test/app.ts'

let shop: TestShop
let bot: Telegram
let groupId: string
beforeAll(async () => {
  shop = await startShop()
  const made = telegramOf(shop.app)
  if (!made?.groupId) throw new Error('The simulator brings a bot with a group')
  bot = made
  groupId = made.groupId
})

/** Calls a method like the bot's library and returns the raw response. */
async function callMethod(method: string, body: object, token = shop.app.config.telegram.token ?? '') {
  const url = `https://api.telegram.org/bot${token}/${method}`
  const answer = await shop.app.simulatedNetwork?.telegram?.(url, { body: JSON.stringify(body) })
  return { status: answer?.status, body: await answer?.json() }
}
const refusal = (status: number, description: string) => ({
  status,
  body: { ok: false, error_code: status, description },
})

describe('the simulated Bot API', () => {
  it('accepts only its own token and the methods it implements', async () => {
    expect(await callMethod('getMe', {}, '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw')).toEqual(
      refusal(401, 'Unauthorized'),
    )
    expect(await callMethod('sendSticker', {})).toEqual(refusal(404, 'Not Found: method not found'))
    expect(await callMethod('constructor', {})).toEqual(refusal(404, 'Not Found: method not found'))
    expect((await callMethod('getMe', {})).body).toMatchObject({
      ok: true,
      result: { is_bot: true, id: expect.any(Number) },
    })
  })

  it('accepts a message and returns it in Telegram’s format', async () => {
    const made = await bot.makeTopic(groupId, 'Noura')
    if (!made.ok) throw new Error(made.text)
    const threadId = Number(made.result)
    const sent = await callMethod('sendMessage', {
      chat_id: groupId,
      message_thread_id: threadId,
      text: 'a *b* <i>c</i>',
    })
    expect(sent).toMatchObject({
      status: 200,
      body: {
        ok: true,
        result: {
          message_id: expect.any(Number),
          date: expect.any(Number),
          text: 'a *b* <i>c</i>',
          message_thread_id: threadId,
          is_topic_message: true,
          chat: { id: Number(groupId), type: 'supergroup', is_forum: true },
        },
      },
    })
  })

  it('rejects invalid calls like Telegram', async () => {
    const bad = (description: string) => refusal(400, `Bad Request: ${description}`)
    const to = { chat_id: '97336000001' }
    expect(await callMethod('sendMessage', { ...to, text: ' \n' })).toEqual(bad('message text is empty'))
    expect(await callMethod('sendMessage', { ...to, text: 'x'.repeat(4097) })).toEqual(bad('message is too long'))
    expect(await callMethod('sendMessage', { chat_id: '-5', text: 'x' })).toEqual(bad('chat not found'))
    const unknownTopic = { chat_id: groupId, message_thread_id: 2_000_000_000 }
    expect(await callMethod('sendMessage', { ...unknownTopic, text: 'x' })).toEqual(bad('message thread not found'))
    expect(await callMethod('closeForumTopic', unknownTopic)).toEqual(bad('message thread not found'))
    expect(await callMethod('createForumTopic', { ...to, name: 'x' })).toEqual(bad('the chat is not a forum'))
    expect(await callMethod('createForumTopic', { chat_id: groupId, name: ' ' })).toEqual(bad('TOPIC_TITLE_INVALID'))
    expect(await callMethod('sendMessage', { ...to, text: 'x', reply_parameters: { message_id: 1 } })).toEqual(
      bad('message to be replied not found'),
    )
  })

  it('delivers updates either to the webhook or to pollers, never to both', async () => {
    await bot.useWebhook('http://localhost:3000/api/webhooks/telegram', 'Zk3mQ9rT1vX7yB5nD2hJ8pL4')
    expect(await callMethod('getUpdates', { timeout: 0 })).toEqual(
      refusal(409, "Conflict: can't use getUpdates method while webhook is active"),
    )
    await bot.useNoWebhook()
    expect(await callMethod('getUpdates', { timeout: 0 })).toEqual({ status: 200, body: { ok: true, result: [] } })
  })
})

describe('the gateway on the simulated Bot API', () => {
  it('gets the error of a closed, a deleted and an unknown topic', async () => {
    const made = await bot.makeTopic(groupId, 'Noura')
    if (!made.ok) throw new Error(made.text)
    const threadId = made.result
    const to = { chatId: groupId, threadId }
    expect(await bot.send(to, 'one')).toMatchObject({ ok: true })
    expect(await bot.renameTopic(groupId, threadId, 'Noura')).toMatchObject({ ok: false, kind: 'refused' })
    expect(await bot.renameTopic(groupId, threadId, 'Maryam')).toMatchObject({ ok: true })
    expect(await bot.closeTopic(groupId, threadId)).toMatchObject({ ok: true })
    expect(await bot.send(to, 'two')).toMatchObject({ ok: false, kind: 'closed' })
    expect(await bot.reopenTopic(groupId, threadId)).toMatchObject({ ok: true })
    expect(await bot.deleteTopic(groupId, threadId)).toMatchObject({ ok: true })
    expect(await bot.send(to, 'three')).toMatchObject({ ok: false, kind: 'no-topic' })
    expect(await bot.deleteTopic(groupId, threadId)).toMatchObject({ ok: false, kind: 'no-topic' })
    expect(
      await shop.query('select from simulated_telegram_messages where chat_id = $1 and thread_id = $2', [
        groupId,
        threadId,
      ]),
    ).toEqual([])
  })

  it('gets the error of accounts that blocked the bot or request a delay', async () => {
    expect(await bot.send({ chatId: '97333559990', threadId: null }, 'x')).toMatchObject({ ok: false, kind: 'blocked' })
    const slow = { chatId: '97333559993', threadId: null }
    expect(await bot.send(slow, 'x')).toMatchObject({ ok: false, kind: 'busy', retryAfter: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect(await bot.send(slow, 'x')).toMatchObject({ ok: true })
  })

  it('deletes messages of the bot', async () => {
    const chatId = '97336000001'
    const sent = await bot.send({ chatId, threadId: null }, 'about somebody')
    if (!sent.ok) throw new Error(sent.text)
    expect(await bot.deleteMessages(chatId, [sent.result])).toMatchObject({ ok: true })
    expect(await shop.query('select from simulated_telegram_messages where chat_id = $1', [chatId])).toEqual([])
  })
})
