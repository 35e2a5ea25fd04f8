import { sendSimulatedMessage } from '@qatra/contract/simulator/simulator'
import { linkTelegram } from '@qatra/contract/telegram'
import type { TestShop } from './app.ts'
import { inbox, newPhone, until } from './codes.ts'
import { makeVisitor } from './make.ts'
import type { TelegramServer } from './simulators/telegram.ts'

/** Staff on Telegram and customers on WhatsApp, around one shop. */
export function telegramWorld(telegram: TelegramServer, shop: TestShop) {
  let numbers = 500
  const next = () => (numbers += 1)

  /** Somebody writes to the bot, or in a topic of the group; no text is a picture. */
  function write(fromId: number, text: string | undefined, threadId?: number, from: object = {}) {
    const updateId = next()
    const chat = threadId
      ? { id: Number(telegram.groupId), type: 'supergroup', is_forum: true, title: 'Qatra' }
      : { id: fromId, type: 'private', first_name: 'Sara' }
    const update = {
      update_id: updateId,
      message: {
        message_id: updateId,
        date: Math.floor(Date.now() / 1000),
        chat,
        from: { id: fromId, is_bot: false, first_name: 'Sara', ...from },
        ...(threadId ? { message_thread_id: threadId, is_topic_message: true } : {}),
        ...(text === undefined ? { photo: [{ file_id: 'x' }] } : { text }),
      },
    }
    telegram.push(update)
    return update
  }
  const worked = (updateId: number) =>
    until('the update', async () => {
      const [row] = await shop.query<{ status: string }>('select status from telegram_updates where id = $1', [
        updateId,
      ])
      return row && row.status !== 'received' ? row.status : null
    })
  /** Writes, and waits until the shop has heard it. */
  async function says(fromId: number, text: string | undefined, threadId?: number, from: object = {}) {
    const { update_id: id } = write(fromId, text, threadId, from)
    return { id, status: await worked(id) }
  }

  async function linked(wishes: Parameters<typeof makeVisitor>[1] = { role: 'super_admin' }, from: object = {}) {
    const person = await makeVisitor(shop, wishes)
    const chatId = 70_000 + next()
    const { body } = await person.call(linkTelegram)
    await says(chatId, `/start ${body.code}`, undefined, from)
    return Object.assign(person, { chatId, code: body.code })
  }
  const texts = (chatId: number) => telegram.sent(String(chatId)).map(({ text }) => text)

  /** A customer writes to the shop. */
  const say = async (phone: string, body: string) => {
    const answer = await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, type: 'text', body } })
    if (answer.status >= 300) throw new Error(`The message was refused with ${answer.status}`)
    return answer
  }
  const inTopic = (threadId: number) => telegram.sent(telegram.groupId).filter((one) => one.threadId === threadId)
  /** A conversation that has its topic. */
  async function conversation(words = 'السلام عليكم', phone = newPhone()) {
    await say(phone, words)
    const threadId = await until('the topic', async () => {
      const topic = [...telegram.topics].find(([, name]) => name.includes(phone))?.[0]
      return topic !== undefined && inTopic(topic).some(({ text }) => text === words) && topic
    })
    return { phone, threadId }
  }
  const outgoing = async (phone: string) =>
    (await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing').map(({ body }) => body)

  return { next, write, worked, says, linked, texts, say, inTopic, conversation, outgoing }
}
