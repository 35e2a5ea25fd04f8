import { formatPhone } from '@qatra/contract/lib/phone'
import { getTelegram, linkTelegram } from '@qatra/contract/telegram'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountOf } from '../../../server/providers/simulator/tables.ts'
import { telegramOf } from '../../../server/telegram/gateway.ts'
import { startShop, type TestShop } from '../../../server/test/app.ts'
import { inbox, newPhone, until } from '../../../server/test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../../../server/test/fixtures/make.ts'
import { sendSimulatedMessage } from '../../contract/simulator.ts'
import {
  changeSimulatedTopic,
  getSimulatedTelegram,
  type SimulatedTelegramChat,
  writeSimulatedTelegram,
} from '../../contract/telegram.ts'

let shop: TestShop
/** Another process of the same shop. */
let second: TestShop
const further = () => {
  const { secret, telegram } = shop.app.config
  return startShop({ hasBot: false, secret, telegram }, { databaseUrl: shop.databaseUrl })
}
beforeAll(async () => {
  shop = await startShop({ hasBot: false })
  second = await further()
})

const look = async (phone: string, chat = 'bot', of = shop) =>
  (await of.visitor().call(getSimulatedTelegram, { query: { phone, chat } })).body
const write = (from: string, text: string, threadId?: number, of = shop) =>
  of.visitor().call(writeSimulatedTelegram, { body: { from, text, ...(threadId ? { threadId } : {}) } })
const change = (from: string, id: number, act: 'close' | 'reopen' | 'delete', of = shop) =>
  of.visitor().call(changeSimulatedTopic, { params: { id: String(id) }, body: { from, act } })
const say = (phone: string, body: string, of = shop) =>
  of.visitor().call(sendSimulatedMessage, { body: { from: phone, type: 'text', body } })
const queues = async () => {
  const rows = await shop.query<{ name: string }>(`select name from pgboss.queue where name like 'telegram%'`)
  return rows.length
}

/** A member of staff whose phone's account is linked by `/start`. */
async function linked(fields: Parameters<typeof makeVisitor>[1] = { role: 'super_admin' }, phone = newPhone()) {
  const person = await makeVisitor(shop, fields)
  await shop.query('update users set phone = $1 where id = $2', [phone, person.id])
  const { body } = await person.call(linkTelegram)
  await write(phone, `/start ${body.code}`)
  await until('the link', async () => (await person.call(getTelegram)).body.isLinked)
  return { ...person, phone, code: body.code }
}
const topicOf = (phone: string, text: string) =>
  until('the topic', async () => {
    const { chats } = await look('+97336000001')
    const topic = chats.find(({ title, last }: SimulatedTelegramChat) => title?.includes(phone) && last?.text === text)
    return topic && Number(topic.id)
  })
const textsIn = async (chat: string | number, phone = '+97336000001', of = shop) =>
  (await look(phone, String(chat), of)).messages.map(({ text }) => text)

describe('the simulated bot', () => {
  it('is inactive until it is used: it has no queues, and nothing is mirrored', async () => {
    expect(await queues()).toBe(0)
    await say(newPhone(), 'هل من أحد؟')
    expect((await shop.query('select from telegram_messages')).length).toBe(0)
    const person = await makeVisitor(shop, { role: 'super_admin' })
    expect((await person.call(getTelegram)).body).toEqual({
      isOn: true,
      hasGroup: true,
      isLinked: false,
      isSimulated: true,
      accountName: null,
      botName: 'QatraSimulatorBot',
    })
    expect(telegramOf(shop.app)?.name()).toBeNull()
    const { body } = await person.call(linkTelegram)
    expect(body.url).toMatch(/^http:\/\/localhost:3000\/simulator\/telegram\?phone=%2B973\d{8}&start=[\w-]{40,64}$/)
    expect(await queues()).toBeGreaterThan(5)
    expect(telegramOf(shop.app)?.name()).toBe('QatraSimulatorBot')
  })

  it('starts in every process, also in one that started later', async () => {
    const person = await makeVisitor(shop, { role: 'super_admin' })
    const botNameOf = (of: TestShop) => telegramOf(of.app)?.name() ?? null
    await person.call(linkTelegram)
    await until('the second process', async () => botNameOf(second))
    const third = await further()
    expect(botNameOf(third)).toBeNull()
    await person.call(linkTelegram)
    await until('the third process', async () => botNameOf(third))
  })

  it('links an account that sends the code, under the name of the account', async () => {
    const staff = await linked({ role: 'vendor_admin', vendorId: 1 })
    expect((await staff.call(getTelegram)).body.accountName).toBe(formatPhone(staff.phone))
    const messages = await until('the answer', async () => {
      const found = (await look(staff.phone)).messages
      return found.length === 2 && found
    })
    expect(messages.map(({ author, text }) => [author, text.slice(0, 6)])).toEqual([
      ['self', '/start'],
      ['bot', expect.any(String)],
    ])
    await write(staff.phone, '/stop')
    await until('the link to be gone', async () => !(await staff.call(getTelegram)).body.isLinked)
  })

  it('sends notifications of orders to the linked staff in scope', async () => {
    const house = await makeHousehold(shop)
    const own = await linked({ role: 'vendor_admin', vendorId: house.vendor })
    const other = await linked({ role: 'vendor_admin', vendorId: 1 })
    const id = await house.order()
    await until('the news', async () => (await textsIn('bot', own.phone)).at(-1)?.includes(`/admin/orders/${id}`))
    expect((await textsIn('bot', other.phone)).join()).not.toContain(id)
  })

  it('answers an unknown account, in the other process too', async () => {
    const phone = newPhone()
    await write(phone, 'hello', undefined, second)
    await until('the welcome', async () => (await look(phone)).messages.length === 2)
    expect(await textsIn('bot', phone, second)).toEqual(await textsIn('bot', phone))
  })
})

describe('the simulated group', () => {
  it('has a topic per conversation with replies, and a new one after the topic was deleted', async () => {
    const staff = await linked()
    const phone = newPhone()
    await say(phone, 'متى يصل الماء؟', second)
    const topic = await topicOf(phone, 'متى يصل الماء؟')
    expect((await write(staff.phone, 'غدًا بإذن الله', topic, second)).body).toMatchObject({ author: 'self' })
    await until('the answer', async () => (await inbox(shop, phone)).some(({ body }) => body === 'غدًا بإذن الله'))
    const other = newPhone()
    const seen = (await look(other, String(topic))).messages
    expect(seen.map(({ author, name }) => [author, name])).toEqual([
      ['bot', null],
      ['other', formatPhone(staff.phone)],
    ])

    expect((await change(staff.phone, topic, 'delete', second)).status).toBe(200)
    expect((await look(staff.phone)).chats.some(({ id }) => id === String(topic))).toBe(false)
    expect((await write(staff.phone, 'هل من أحد؟', topic)).refusal.code).toBe('TOPIC_NOT_FOUND')
    await say(phone, 'شكرًا')
    expect(await topicOf(phone, 'شكرًا')).not.toBe(topic)
  })

  it('reopens a closed topic for new messages, and rejects messages from people while it is closed', async () => {
    const staff = await linked()
    const phone = newPhone()
    await say(phone, 'صباح الخير')
    const topic = await topicOf(phone, 'صباح الخير')
    await change(staff.phone, topic, 'close')
    expect((await write(staff.phone, 'نعم؟', topic)).refusal.code).toBe('TOPIC_CLOSED')
    await say(phone, 'هل من أحد؟')
    await topicOf(phone, 'هل من أحد؟')
    expect(await textsIn(topic)).toEqual(['صباح الخير', '', 'هل من أحد؟'])
    await change(staff.phone, topic, 'close')
    await change(staff.phone, topic, 'reopen')
    await change(staff.phone, topic, 'reopen')
    const { messages, chats } = await look(staff.phone, String(topic))
    expect(messages.map(({ event }) => event)).toEqual([null, 'closed', null, 'closed', 'reopened'])
    expect(chats.find(({ id }) => id === String(topic))?.isClosed).toBe(false)
    // Closing and reopening a topic is not a reply to the customer.
    await until('the updates', async () => {
      const rows = await shop.query(`select from telegram_updates where status = 'received'`)
      return rows.length === 0
    })
    expect(await textsIn(topic)).toHaveLength(5)
  })

  it('tells senders who are not linked that nothing was sent', async () => {
    await linked()
    const [phone, stranger] = [newPhone(), newPhone()]
    await say(phone, 'مساء الخير')
    const topic = await topicOf(phone, 'مساء الخير')
    const { body } = await write(stranger, 'I am nobody', topic)
    const refusal = await until('the refusal', async () => (await look(stranger, String(topic))).messages.at(2))
    expect(refusal).toMatchObject({ author: 'bot', replyToId: body.id })
    expect((await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing')).toEqual([])
  })
})

describe('simulated accounts', () => {
  const sentTo = async (phone: string) => {
    const rows = await shop.query<{ status: string; error: string | null }>(
      'select status, error from telegram_messages where chat_id = $1 order by id',
      [accountOf(phone)],
    )
    return rows
  }

  it('ending in 9990 have blocked the bot, and those ending in 9993 request a delay of one second', async () => {
    const [blocked, slow] = ['+97333559990', '+97333559993']
    await write(blocked, 'hello')
    await until('the refusal', async () => (await sentTo(blocked))[0]?.status === 'failed')
    expect(await sentTo(blocked)).toEqual([{ status: 'failed', error: '403 Forbidden: bot was blocked by the user' }])
    const before = performance.now()
    await write(slow, 'hello')
    await until('the answer', async () => (await look(slow)).messages.length === 2)
    expect(performance.now() - before).toBeGreaterThan(900)
    await until('the stored status', async () => (await sentTo(slow))[0]?.status === 'sent')
    expect(await sentTo(slow)).toEqual([{ status: 'sent', error: null }])
  })
})

describe('the endpoints of the simulator', () => {
  it('reject invalid messages', async () => {
    const from = newPhone()
    const bad = [
      { from, text: '' },
      { from, text: '   ' },
      { from, text: 'x'.repeat(4097) },
      { from, text: 'x', threadId: 0 },
      { from, text: 'x', threadId: 1.5 },
      { from, text: 'x', threadId: 3_000_000_000 },
      { from: 'nobody', text: 'x' },
      { from, text: 'x', name: 'n'.repeat(65) },
      { text: 'x' },
      [],
    ]
    for (const body of bad) {
      const { status } = await shop.visitor().send('POST', '/api/simulator/telegram', { body })
      expect([status, body]).toEqual([422, body])
    }
    expect((await write(from, 'x', 2_000_000_000)).refusal.code).toBe('TOPIC_NOT_FOUND')
    expect((await change(from, 2_000_000_000, 'delete')).refusal.code).toBe('TOPIC_NOT_FOUND')
    for (const query of ['', '?phone=abc', `?phone=${from.slice(1)}&chat=0`, `?phone=${from.slice(1)}&chat=-1`]) {
      expect((await shop.visitor().send('GET', `/api/simulator/telegram${query}`)).status).toBe(400)
    }
    expect((await look(from)).messages).toEqual([])
  })

  it('store texts sealed and unchanged', async () => {
    const from = newPhone()
    const text = '<b>*مرحبا*</b> [a](javascript:alert(1)) 😀'
    await write(from, text)
    expect((await textsIn('bot', from))[0]).toBe(text)
    const rows = await shop.query<{ sealed_body: string }>(
      'select sealed_body from simulated_telegram_messages where chat_id = $1',
      [accountOf(from)],
    )
    expect(rows.some(({ sealed_body }) => sealed_body.includes('مرحبا'))).toBe(false)
  })

  it.each(['forwarded', 'x-forwarded-for', 'via'])('return 404 for a request with %s', async (name) => {
    const from = newPhone()
    const headers = { [name]: 'x' }
    const statuses = [
      await shop.visitor().call(getSimulatedTelegram, { query: { phone: from } }, headers),
      await shop.visitor().call(writeSimulatedTelegram, { body: { from, text: 'x' } }, headers),
      await shop.visitor().call(changeSimulatedTopic, { params: { id: '1' }, body: { from, act: 'close' } }, headers),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404])
  })

  it('do not exist with a real bot or without the simulator', async () => {
    const { telegram } = shop.app.config
    const real = await startShop({ telegram: { ...telegram, isSimulated: false, token: null } })
    const off = await startShop({ simulator: false })
    for (const other of [real, off]) {
      expect((await other.visitor().call(getSimulatedTelegram, { query: { phone: newPhone() } })).status).toBe(404)
      expect((await write(newPhone(), 'x', undefined, other)).status).toBe(404)
    }
  })
})
