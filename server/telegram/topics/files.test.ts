import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../../demo/contract/simulator.ts'
import { mediaIdOf, simulatedMedia } from '../../../demo/simulators/whatsapp-cloud/media.ts'
import { startShop } from '../../test/app.ts'
import { inbox, until } from '../../test/fixtures/codes.ts'
import { telegramWorld } from '../../test/fixtures/telegram-world.ts'
import { startModels } from '../../test/simulators/models.ts'
import { startTelegram } from '../../test/simulators/telegram.ts'

const telegram = await startTelegram()
const models = await startModels()
const { token, groupId, apiUrl } = telegram
const shop = await startShop({
  hasBot: false,
  models: { bot: null, voice: { url: models.url, model: 'small', key: null, budget: 20 } },
  telegram: { token, groupId, apiUrl, webhookSecret: null, isSimulated: false },
})
const { next, linked, worked, conversation } = telegramWorld(telegram, shop)
afterAll(() => Promise.all([telegram.stop(), models.stop()]))
beforeEach(() => telegram.decide(() => null))

const sends = (phone: string, type: 'image' | 'audio' | 'document' | 'location', more: object = {}) =>
  shop.visitor().call(sendSimulatedMessage, { body: { from: phone, type, ...more } })
const callsIn = (threadId: number, method: string) =>
  telegram.calls.filter((one) => one.method === method && Number(one.body['message_thread_id']) === threadId)
const arrives = (threadId: number, method: string) => until(method, async () => callsIn(threadId, method)[0]?.body)

/** Staff send something in a topic. */
function sendInTopic(fromId: number, threadId: number, content: object) {
  const id = next()
  telegram.push({
    update_id: id,
    message: {
      message_id: id,
      date: Math.floor(Date.now() / 1000),
      chat: { id: Number(groupId), type: 'supergroup', is_forum: true, title: 'Qatra' },
      from: { id: fromId, is_bot: false, first_name: 'Sara' },
      message_thread_id: threadId,
      is_topic_message: true,
      ...content,
    },
  })
  return worked(id)
}
/** The messages that the customer received with their parts, oldest first. */
const received = async (phone: string) =>
  (await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing').reverse()
const bytesOf = async (type: 'audio' | 'document') => {
  const media = await simulatedMedia(mediaIdOf(type, 'test'))
  if (!media) throw new Error('The simulator has none')
  return media.bytes
}

describe('a file of a customer', () => {
  it('appears in the topic by its kind, with the caption, in the order in which it was sent', async () => {
    const { phone, threadId } = await conversation()
    await sends(phone, 'image', { body: 'القارورة مكسورة' })
    const photo = await arrives(threadId, 'sendPhoto')
    expect(photo).toMatchObject({ caption: expect.stringContaining('القارورة مكسورة') })
    const bytes = Buffer.from(await (photo['photo'] as Blob).arrayBuffer())
    expect((await sharp(bytes).metadata()).format).toBe('jpeg')
    models.hear('القارورة تسرّب')
    await sends(phone, 'audio')
    const voice = await arrives(threadId, 'sendVoice')
    expect(voice).toMatchObject({ voice: expect.any(Blob), caption: expect.stringContaining('القارورة تسرّب') })
    await sends(phone, 'document', { body: 'فاتورة أكتوبر.pdf' })
    expect(((await arrives(threadId, 'sendDocument'))['document'] as File).name).toBe('فاتورة أكتوبر.pdf')
    await sends(phone, 'location', { lat: 26.2, lng: 50.5 })
    expect(await arrives(threadId, 'sendLocation')).toMatchObject({ latitude: 26.2, longitude: 50.5 })
    expect(callsIn(threadId, 'sendPhoto')).toHaveLength(1)
  })

  it('is shown as text where Telegram refuses it', async () => {
    const { phone, threadId } = await conversation()
    telegram.decide((method) =>
      method === 'sendPhoto' ? { status: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' } : null,
    )
    await sends(phone, 'image', { body: 'صورة البوابة' })
    await until('the text', async () =>
      callsIn(threadId, 'sendMessage').some(({ body }) => String(body['text']).includes('صورة البوابة')),
    )
  })
})

describe('a file in a topic', () => {
  it('reaches the customer: a picture with its caption, a voice message, a PDF and a place', async () => {
    const sara = await linked()
    const { phone, threadId } = await conversation()
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#0aa' } })
      .png()
      .toBuffer()
    telegram.files.set('small', Buffer.from('x'))
    telegram.files.set('large', png)
    telegram.files.set('voice', await bytesOf('audio'))
    telegram.files.set('bill', await bytesOf('document'))
    await sendInTopic(sara.chatId, threadId, {
      photo: [{ file_id: 'small' }, { file_id: 'large' }],
      caption: 'هذه القارورة الجديدة',
    })
    await sendInTopic(sara.chatId, threadId, { voice: { file_id: 'voice' } })
    await sendInTopic(sara.chatId, threadId, { document: { file_id: 'bill', file_name: 'فاتورة.pdf' } })
    const [mirrored] = await shop.query<{ id: string; quoted: string }>(
      `select t.telegram_message_id as id, m.message_id as quoted from telegram_messages t
       join whatsapp_messages m on m.id = t.message_id where t.thread_id = $1 and m.direction = 'incoming'`,
      [String(threadId)],
    )
    await sendInTopic(sara.chatId, threadId, {
      location: { latitude: 26.2, longitude: 50.5 },
      reply_to_message: { message_id: Number(mirrored?.id) },
    })
    const messages = await until('the messages', async () => {
      const all = await received(phone)
      return all.length >= 4 && all
    })
    expect(messages.map(({ parts }) => parts)).toMatchObject([
      { type: 'image', mimeType: 'image/jpeg' },
      { type: 'audio', mimeType: 'audio/ogg', isVoice: true },
      { type: 'document', mimeType: 'application/pdf', filename: 'فاتورة.pdf' },
      { type: 'location', lat: 26.2, lng: 50.5, replyTo: mirrored?.quoted },
    ])
    expect(messages[0]?.body).toBe('هذه القارورة الجديدة')
    const [row] = await shop.query<{ count: number }>(
      `select count(*)::int from message_files f join whatsapp_messages m on m.id = f.message_id
       where m.to_number = $1 and m.sent_by_user_id = $2`,
      [phone, sara.id],
    )
    expect(row?.count).toBe(3)
  })

  it('is refused with a hint if its kind is not accepted, and is not even fetched for people without the right', async () => {
    const sara = await linked()
    const { phone, threadId } = await conversation()
    telegram.files.set('script', Buffer.from('#!/bin/sh'))
    await sendInTopic(sara.chatId, threadId, { document: { file_id: 'script', file_name: 'x.sh' } })
    await until('the hint', async () =>
      callsIn(threadId, 'sendMessage').some(({ body }) => /cannot be sent|لا يمكن إرسال/.test(String(body['text']))),
    )
    const before = telegram.calls.filter(({ method }) => method === 'getFile').length
    await sendInTopic(99_999, threadId, { document: { file_id: 'script' } })
    expect(telegram.calls.filter(({ method }) => method === 'getFile')).toHaveLength(before)
    expect(await received(phone)).toEqual([])
  })
})
