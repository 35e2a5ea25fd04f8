import { createHmac } from 'node:crypto'
import { getTelegram, linkTelegram } from '@qatra/contract/telegram'
import { beforeAll, describe, expect, it } from 'vitest'
import { simulatedTelegram } from '../../../server/config/messaging.ts'
import { accountOf } from '../../../server/providers/simulator/tables.ts'
import { TELEGRAM_WEBHOOK } from '../../../server/telegram/receiving/webhook.ts'
import { startShop, type TestShop } from '../../../server/test/app.ts'
import { newPhone, until } from '../../../server/test/fixtures/codes.ts'
import { makeVisitor } from '../../../server/test/fixtures/make.ts'
import { changeSimulatedTopic, getSimulatedTelegram, writeSimulatedTelegram } from '../../contract/telegram.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ hasBot: false })
})

const write = (from: string, text: string, of = shop) =>
  of.visitor().call(writeSimulatedTelegram, { body: { from, text } })
const answered = async (phone: string, answers = 1) =>
  until('the answer', async () => {
    const { body } = await shop.visitor().call(getSimulatedTelegram, { query: { phone, chat: 'bot' } })
    return body.messages.filter(({ author }) => author === 'bot').length >= answers
  })

/** A member of staff who has requested a code, and the phone whose account will send it. */
async function waiting() {
  const person = await makeVisitor(shop, { role: 'super_admin' })
  const phone = newPhone()
  await shop.query('update users set phone = $1 where id = $2', [phone, person.id])
  const { body } = await person.call(linkTelegram)
  const isLinked = async () => (await person.call(getTelegram)).body.isLinked
  return { ...person, phone, code: body.code, isLinked }
}

describe('an account of the simulated Telegram', () => {
  it('is not linked to staff without a valid code, not even with the phone of staff', async () => {
    const staff = await waiting()
    const { code } = staff
    const wrong = ['/start', `/start ${code.slice(0, -1)}`, `/start ${code.toLowerCase()}x`, `/start ${'A'.repeat(43)}`]
    for (const [at, text] of wrong.entries()) {
      await write(staff.phone, text)
      await answered(staff.phone, at + 1)
    }
    expect(await staff.isLinked()).toBe(false)
    const { body } = await staff.call(linkTelegram)
    await write(staff.phone, `/start ${code}`)
    await answered(staff.phone, wrong.length + 1)
    expect(await staff.isLinked()).toBe(false)
    await shop.query(`update telegram_link_codes set expires_at = now() - interval '1 second' where user_id = $1`, [
      staff.id,
    ])
    await write(staff.phone, `/start ${body.code}`)
    await answered(staff.phone, wrong.length + 2)
    expect(await staff.isLinked()).toBe(false)
  })

  it('cannot use a code that another account has used, even in parallel requests', async () => {
    const staff = await waiting()
    const phones = Array.from({ length: 8 }, () => newPhone())
    await Promise.all(phones.map((phone) => write(phone, `/start ${staff.code}`)))
    await Promise.all(phones.map((phone) => answered(phone)))
    const rows = await shop.query<{ telegram_chat_id: string }>('select telegram_chat_id from users where id = $1', [
      staff.id,
    ])
    expect(phones.map(accountOf)).toContain(rows[0]?.telegram_chat_id)
    const events = await shop.query(`select from audit_log where resource_id = $1 and action = 'telegram-linked'`, [
      String(staff.id),
    ])
    expect(events).toHaveLength(1)
  })

  it('has an id that no account of the real Telegram can have', () => {
    // Bot API: "it has at most 52 significant bits". So a simulated id can never address a stranger through a real bot.
    for (const phone of ['+97336000001', '+6591234567', '+999999999999999', '+1234567']) {
      expect(Number(accountOf(phone))).toBeGreaterThan(2 ** 52)
      expect(Number.isSafeInteger(Number(accountOf(phone)))).toBe(true)
    }
    expect(accountOf('+6591234567')).not.toBe(accountOf('+65912345670'))
  })

  it('uses topic ids above those of real groups', async () => {
    const [row] = await shop.query<{ next: string }>(
      `select nextval(pg_get_serial_sequence('simulated_telegram_topics', 'id')) as next`,
    )
    expect(Number(row?.next)).toBeGreaterThanOrEqual(1_000_000_000)
  })
})

describe('the webhook of the simulated bot', () => {
  const update = (id: number) => ({
    update_id: id,
    message: {
      message_id: id,
      date: 1,
      text: '/start',
      chat: { id: 1, type: 'private' },
      from: { id: 1, is_bot: false, first_name: 'x' },
    },
  })
  const post = (of: TestShop, secret: string, id: number) =>
    of.visitor().send('POST', TELEGRAM_WEBHOOK, {
      body: update(id),
      headers: { 'x-telegram-bot-api-secret-token': secret },
    })
  const stored = (of: TestShop, id: number) => of.query('select from telegram_updates where id = $1', [id])

  it('accepts neither the secret of another installation nor values that can be guessed', async () => {
    const { telegram, secret, publicUrl } = shop.app.config
    const own = telegram.webhookSecret ?? ''
    const foreign = simulatedTelegram(Buffer.alloc(32, 7), telegram).webhookSecret ?? ''
    const guessed = createHmac('sha256', Buffer.alloc(32)).update('simulated Telegram webhook').digest('base64url')
    const given = [
      foreign,
      guessed,
      '',
      own.slice(1),
      `${own}x`,
      telegram.token ?? '',
      telegram.groupId ?? '',
      publicUrl,
    ]
    for (const [at, one] of given.entries()) {
      expect((await post(shop, one, 900_000 + at)).status).toBe(401)
      expect(await stored(shop, 900_000 + at)).toEqual([])
    }
    expect(own).not.toBe(secret.toString('base64url'))
    expect((await post(shop, own, 900_100)).status).toBe(200)
  })

  it('does not exist with a real bot or without a simulator', async () => {
    const { telegram } = shop.app.config
    const own = telegram.webhookSecret ?? ''
    const real = { ...telegram, isSimulated: false, webhookSecret: 'a-secret-of-the-real-bot-1' }
    const withBot = await startShop({ telegram: { ...real, apiUrl: 'http://127.0.0.1:9' } })
    const without = await startShop({ simulator: false, telegram: { ...real, token: null, webhookSecret: null } })
    expect((await post(withBot, own, 1)).status).toBe(401)
    expect((await post(without, own, 1)).status).toBe(404)
    for (const other of [withBot, without]) {
      expect(await stored(other, 1)).toEqual([])
      expect((await write(newPhone(), '/start', other)).status).toBe(404)
      const topic = { params: { id: '1' }, body: { from: newPhone(), act: 'delete' } } as const
      expect((await other.visitor().call(changeSimulatedTopic, topic)).status).toBe(404)
      // Without the simulator, none of its tables is written.
      const rows = await other.query(
        'select from simulated_telegram_facts union all select from simulated_telegram_messages',
      )
      expect(rows).toEqual([])
    }
  })
})
