import { assignDriver, changeOrderStatus } from '@qatra/contract/orders/admin'
import { getTelegram, linkTelegram, unlinkTelegram } from '@qatra/contract/telegram'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeOrder, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { telegramWorld } from '../test/fixtures/telegram-world.ts'
import { startTelegram } from '../test/simulators/telegram.ts'

const telegram = await startTelegram()
const { token, groupId, apiUrl } = telegram
const shop = await startShop({
  hasBot: false,
  telegram: { token, groupId, apiUrl, webhookSecret: null, isSimulated: false },
})
const world = telegramWorld(telegram, shop)
const { next, write, worked, linked, say, texts, conversation, outgoing } = world
await until('the bot to be asked for its name', async () =>
  telegram.calls.some(({ method }) => method === 'deleteWebhook'),
)
afterAll(() => telegram.stop())
beforeEach(() => telegram.decide(() => null))

describe('a Telegram account', () => {
  it('is linked by a single-use code and unlinked again', async () => {
    const person = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    expect((await person.call(getTelegram)).body).toEqual({
      isOn: true,
      hasGroup: true,
      isLinked: false,
      isSimulated: false,
      botName: 'QatraOfficeBot',
      accountName: null,
    })
    const { body: first } = await person.call(linkTelegram)
    const { body } = await person.call(linkTelegram)
    expect(body.url).toBe(`https://t.me/QatraOfficeBot?start=${body.code}`)
    await worked(write(8001, `/start ${first.code}`).update_id)
    expect((await person.call(getTelegram)).body.isLinked).toBe(false)
    await worked(write(8002, body.code).update_id)
    await worked(write(8003, body.code).update_id)
    const [row] = await shop.query('select telegram_chat_id from users where id = $1', [person.id])
    expect(row).toEqual({ telegram_chat_id: '8002' })
    await until('the answers', async () => texts(8003).length > 0)
    expect(texts(8003)[0]).toContain('انتهت صلاحية')
    const audited = await shop.query(`select 1 from audit_log where action = 'telegram-linked' and user_id = $1`, [
      person.id,
    ])
    expect(audited).toHaveLength(1)
    expect((await person.call(unlinkTelegram)).body.isLinked).toBe(false)
  })

  it('is linked by a code that is not stored in plain text', async () => {
    const person = await makeVisitor(shop, { role: 'super_admin' })
    const { body } = await person.call(linkTelegram)
    const rows = await shop.query('select * from telegram_link_codes where user_id = $1', [person.id])
    expect(JSON.stringify(rows)).not.toContain(body.code)
  })

  it("receives new orders in its scope, according to the person's settings", async () => {
    const house = await makeHousehold(shop)
    const admin = { role: 'vendor_admin', vendorId: house.vendor } as const
    const [own, quiet, other] = [
      await linked(admin),
      await linked(admin),
      await linked({ role: 'vendor_admin', vendorId: 1 }),
    ]
    await shop.query(`update users set notification_types = '{order_updates}' where id = $1`, [quiet.id])
    const id = await house.order()
    await until('the news', async () => texts(own.chatId).some((text) => text.includes(`/admin/orders/${id}`)))
    expect([texts(quiet.chatId), texts(other.chatId)].flat().join()).not.toContain(id)
  })

  it('receives the other kinds of notifications that its person may see, except the person’s own actions', async () => {
    const vendorId = await makeVendor(shop)
    const [admin, colleague, driver, agent] = [
      await linked({ role: 'vendor_admin', vendorId }),
      await linked({ role: 'vendor_staff', vendorId }),
      await linked({ role: 'driver', vendorId }),
      await linked({ role: 'vendor_sales', vendorId }),
    ]
    const id = await makeOrder(shop, { userId: null, vendorId, placedBy: agent.id })
    const heard = (chatId: number) =>
      texts(chatId).flatMap((text) => (text.includes(id) ? [text.split(' ', 2).join(' ')] : []))
    await admin.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    await until('the driver to be told', async () => heard(driver.chatId).length === 1)
    await admin.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    await admin.call(changeOrderStatus, { params: { id }, body: { status: 'cancelled' } })
    await until('everybody to be told', async () =>
      [colleague, driver, agent].every(({ chatId }) => heard(chatId).some((text) => text.startsWith('أُلغي'))),
    )
    expect(heard(driver.chatId)).toEqual(['أُسند إليك', 'أُلغي الطلب'])
    expect(heard(agent.chatId).toSorted()).toEqual(['أُلغي الطلب', 'صار الطلب'])
    expect(heard(colleague.chatId)).toEqual(['أُلغي الطلب'])
    expect(heard(admin.chatId)).toEqual([])
  })
})

describe('a conversation', () => {
  it('has one topic that shows its messages, and replies in it reach the customer once', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('متى يصل الماء؟')
    const update = write(staff.chatId, 'غدًا صباحًا <b>بإذن الله</b>', threadId)
    telegram.push(update)
    await worked(update.update_id)
    await until('the answer', async () => (await outgoing(phone)).length > 0)
    await say(phone, 'شكرًا')
    await until('the thanks', async () => telegram.sent(telegram.groupId).some(({ text }) => text === 'شكرًا'))
    expect(await outgoing(phone)).toEqual(['غدًا صباحًا <b>بإذن الله</b>'])
    expect(
      telegram
        .sent(telegram.groupId)
        .filter((one) => one.threadId === threadId)
        .map(({ text }) => text),
    ).toEqual(['متى يصل الماء؟', 'شكرًا'])
    const [row] = await shop.query(
      `select assigned_to, paused_by, paused_until > now() as paused from whatsapp_conversation_threads where phone_number = $1`,
      [phone],
    )
    expect(row).toEqual({ assigned_to: staff.id, paused_by: staff.id, paused: true })
  })

  it('gets no replies from accounts that are not linked or lack access to the inbox', async () => {
    const { phone, threadId } = await conversation('مرحبا ١')
    const desk = await linked({ role: 'vendor_admin', vendorId: 1 })
    await worked(write(999_999, 'I am nobody', threadId).update_id)
    await worked(write(desk.chatId, 'Not mine to answer', threadId).update_id)
    const gone = await linked()
    await shop.query('update users set is_active = false where id = $1', [gone.id])
    await worked(write(gone.chatId, 'No longer here', threadId).update_id)
    await until(
      'three refusals',
      async () => telegram.sent(telegram.groupId).filter((one) => one.threadId === threadId).length === 4,
    )
    expect(await outgoing(phone)).toEqual([])
  })

  it('accepts no replies after 24 hours and no pictures, and the sender is notified', async () => {
    const staff = await linked()
    const { phone, threadId } = await conversation('مرحبا ٢')
    await worked(write(staff.chatId, undefined, threadId).update_id)
    await shop.query(
      `update whatsapp_conversation_threads set last_incoming_at = now() - interval '25 hours' where phone_number = $1`,
      [phone],
    )
    await worked(write(staff.chatId, 'Too late', threadId).update_id)
    await until(
      'both refusals',
      async () => telegram.sent(telegram.groupId).filter((one) => one.threadId === threadId).length === 3,
    )
    expect(await outgoing(phone)).toEqual([])
  })

  it('gets a new topic if its topic was deleted, without losing messages', async () => {
    const { phone, threadId } = await conversation('مرحبا ٣')
    telegram.topics.delete(threadId)
    await say(phone, 'هل من أحد؟')
    const shown = await until('the new topic', async () =>
      telegram.sent(telegram.groupId).find((one) => one.text === 'هل من أحد؟' && one.threadId !== threadId),
    )
    expect([...telegram.topics].filter(([, name]) => name.includes(phone)).map(([id]) => id)).toEqual([shown.threadId])
  })

  it('respects the delay that Telegram requests, and sends once', async () => {
    const { phone, threadId } = await conversation('مرحبا ٤')
    let refusals = 0
    telegram.decide((method, body) => {
      if (method !== 'sendMessage' || body['text'] !== 'بعد قليل' || refusals > 0) return null
      refusals += 1
      return { status: 429, description: 'Too Many Requests: retry after 2', retryAfter: 2 }
    })
    await say(phone, 'بعد قليل')
    const tries = () => telegram.calls.filter(({ body }) => body['text'] === 'بعد قليل' && body['message_thread_id'])
    await until('the second try', async () => tries().length === 2)
    const [first, second] = tries()
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1_900)
    await until('it to be noted', async () => {
      const [row] = await shop.query<{ status: string }>(
        `select status from telegram_messages where content = 'بعد قليل' and thread_id = $1`,
        [String(threadId)],
      )
      return row?.status === 'sent'
    })
    expect(tries()).toHaveLength(2)
  })

  it("shows long texts, markup and control characters as they are, split at Telegram's limit", async () => {
    const { phone, threadId } = await conversation('مرحبا ٥')
    await say(phone, '<b>&amp;</b> *x* _y_ \u0007 [a](javascript:alert(1))')
    await until('the words', async () =>
      telegram
        .sent(telegram.groupId)
        .some((one) => one.threadId === threadId && one.text.startsWith('<b>&amp;</b> *x*')),
    )
    expect(telegram.calls.filter(({ body }) => body['parse_mode'] !== undefined)).toEqual([])
  })
})

describe('updates', () => {
  it('of unknown kinds are stored and ignored', async () => {
    const ids = [{}, { message: 'no' }, { message: { message_id: 'x' } }, { edited_message: { text: 'x' } }].map(
      (odd) => {
        const update_id = next()
        telegram.push({ update_id, ...odd })
        return update_id
      },
    )
    for (const id of ids) expect(await worked(id)).toBe('ignored')
  })
})

describe('the webhook', () => {
  const secret = 'Zk3mQ9rT1vX7yB5nD2hJ8pL4'
  const call = (of: TestShop, raw: string, given: string | null) =>
    of.visitor().send('POST', '/api/webhooks/telegram', {
      raw: Buffer.from(raw),
      headers: given === null ? {} : { 'x-telegram-bot-api-secret-token': given },
    })

  it('accepts only calls with the secret, each update once', async () => {
    const of = await startShop({
      hasBot: false,
      telegram: { token, groupId, apiUrl, webhookSecret: secret, isSimulated: false },
    })
    await until('the webhook to be told', async () =>
      telegram.calls.some(({ method, body }) => method === 'setWebhook' && body['secret_token'] === secret),
    )
    const update = { update_id: 7, message: { message_id: 1, chat: { id: 5, type: 'private' } } }
    const words = JSON.stringify({ ...update, text: 'a\u0000b' })
    for (const given of [null, '', `${secret}x`, secret.toLowerCase()]) {
      const { status, refusal } = await call(of, words, given)
      expect([status, refusal.code]).toEqual([401, 'BAD_SIGNATURE'])
    }
    expect(await of.query('select id from telegram_updates')).toEqual([])
    const deep = `{"update_id":9,"message":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    for (const body of [words, words, 'no json', '[]', '{"update_id":"x"}', '{"update_id":-1}', deep]) {
      expect((await call(of, body, secret)).status).toBe(200)
    }
    expect((await call(of, `{"x":"${'x'.repeat(2_000_000)}"}`, secret)).status).toBe(413)
    expect(await of.query('select id from telegram_updates order by id')).toEqual([{ id: 7 }, { id: 9 }])
  })
})

describe('a shop without a bot', () => {
  it('reports that it is off, and has no webhook', async () => {
    const none = { token: null, groupId: null, webhookSecret: null, isSimulated: false }
    const of = await startShop({ telegram: { apiUrl, ...none } })
    const person = await makeVisitor(of, { role: 'super_admin' })
    expect((await person.call(getTelegram)).body).toMatchObject({ isOn: false, isLinked: false })
    expect((await person.call(linkTelegram)).status).toBe(409)
    expect((await of.visitor().send('POST', '/api/webhooks/telegram', { raw: Buffer.from('{}') })).status).toBe(404)
  })
})
