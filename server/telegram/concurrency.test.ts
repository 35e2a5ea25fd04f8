import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { bindTopic, requestHandoff } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { telegramWorld } from '../test/fixtures/telegram-world.ts'
import { startTelegram } from '../test/simulators/telegram.ts'
import { telegramOf } from './gateway.ts'
import { type Mirroring, mirror } from './topics/mirror.jobs.ts'
import { findConversation } from './topics/mirror.queries.ts'

const telegram = await startTelegram()
const { token, groupId, apiUrl } = telegram
const as = (who: string) => ({
  hasBot: false,
  telegram: { token, groupId, apiUrl: `${apiUrl}/${who}`, webhookSecret: null, isSimulated: false },
})
const shop = await startShop(as('first'))
const second = await startShop(as('second'), { databaseUrl: shop.databaseUrl })
const processes = [shop, second].map(({ app }): Mirroring => {
  const bot = telegramOf(app)
  if (!bot) throw new Error('A bot is configured')
  return { app, telegram: bot, groupId }
})
const world = telegramWorld(telegram, shop)
const elsewhere = telegramWorld(telegram, second)
afterAll(() => telegram.stop())
beforeEach(() =>
  // Slow enough that an unlocked process would interfere.
  telegram.decide(async (method) => {
    if (method === 'createForumTopic') await sleep(500)
    return null
  }),
)

const topicsOf = (phone: string) => [...telegram.topics].filter(([, name]) => name.includes(phone)).map(([id]) => id)
/** A conversation that was not announced to Telegram. */
async function quiet() {
  const phone = newPhone()
  const [row] = await shop.query<{ id: number }>('insert into contacts (phone) values ($1) returning id', [phone])
  const contactId = row?.id ?? 0
  await shop.query('insert into whatsapp_conversation_threads (contact_id, phone_number) values ($1, $2)', [
    contactId,
    phone,
  ])
  return { phone, contactId }
}

describe('two processes that mirror conversations', () => {
  it('create one topic for a new conversation and show simultaneous messages in order', async () => {
    const phones = Array.from({ length: 5 }, newPhone)
    await Promise.all(
      phones.flatMap((phone) => [
        world.say(phone, `${phone} ١`),
        elsewhere.say(phone, `${phone} ٢`),
        world.say(phone, `${phone} ٣`),
      ]),
    )
    for (const phone of phones) {
      const shown = await until('three messages', async () => {
        const texts = telegram.sent(groupId).filter(({ text }) => text.startsWith(phone))
        return texts.length >= 3 && texts
      })
      expect(topicsOf(phone)).toEqual([shown[0]?.threadId])
      expect(new Set(shown.map(({ threadId }) => threadId)).size).toBe(1)
      const written = await shop.query<{ content: string }>(
        `select m.content from whatsapp_messages m join contacts c on c.id = m.contact_id
         where c.phone = $1 and m.direction = 'incoming' order by m.id`,
        [phone],
      )
      // Each once; those of different seconds in the order in which they were written.
      expect(shown.map(({ text }) => text).sort()).toEqual(written.map(({ content }) => content).sort())
    }
  })

  it('create one topic for eight parallel checks', async () => {
    const { phone, contactId } = await quiet()
    await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contactId, 'asked'))
    await shop.query(
      `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, message_type, content, status, sent_by_type)
       select 'wamid.' || $2 || n, $1, $2, 'incoming', 'whatsapp', 'text', 'سؤال ' || n, 'received', 'customer'
       from generate_series(1, 4) n`,
      [contactId, phone],
    )
    async function bring(to: Mirroring): Promise<void> {
      const wait = await mirror(to, contactId, true)
      if (wait === null) return
      await sleep(wait * 1_000)
      await bring(to)
    }
    await Promise.all([...processes, ...processes, ...processes, ...processes].map(bring))
    const [topic, ...others] = topicsOf(phone)
    expect(others).toEqual([])
    expect(world.inTopic(topic ?? 0).map(({ text }) => text)).toEqual(['سؤال 1', 'سؤال 2', 'سؤال 3', 'سؤال 4'])
  })

  it('would create two topics if each only checked whether one exists', async () => {
    const { phone, contactId } = await quiet()
    const careless = async ({ app, telegram: bot }: Mirroring) => {
      const found = await findConversation(app.db, contactId)
      if (found?.telegram_thread_id) return
      const made = await bot.makeTopic(groupId, phone)
      if (made.ok) await runJobTransaction(app.pool, (ctx) => bindTopic(ctx, contactId, made.result))
    }
    await Promise.all(processes.map(careless))
    expect(topicsOf(phone)).toHaveLength(2)
  })
})

describe('polling of Telegram', () => {
  it('is done by one process if several run', async () => {
    await until('somebody to ask', async () => telegram.asked.length > 0)
    await sleep(500)
    expect(new Set(telegram.asked).size).toBe(1)
    expect(telegram.conflicts()).toBe(0)
    const { status } = await world.says(4_711, 'Hello')
    expect(status).toBe('processed')
  })

  it('continues in another process after the first one is killed, without losing an update', async () => {
    const other = await startTelegram()
    const bare = await startShop()
    const { databaseUrl } = bare
    const folder = mkdtempSync(join(tmpdir(), 'qatra-telegram-'))
    const worker = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../test/processes/telegram-worker.ts'),
        databaseUrl,
        folder,
        `${other.apiUrl}/killed`,
        token,
      ],
      { stdio: 'inherit' },
    )
    const died = once(worker, 'exit')
    try {
      const { says } = telegramWorld(other, bare)
      const started = until('the first process', async () => other.asked.includes('killed'))
      await Promise.race([started, died.then(() => Promise.reject(new Error('The first process has ended')))])
      await startShop(
        {
          hasBot: false,
          telegram: { token, groupId: null, apiUrl: `${other.apiUrl}/heir`, webhookSecret: null, isSimulated: false },
        },
        { databaseUrl },
      )
      expect((await says(1_001, 'One')).status).toBe('processed')
      // Longer than it takes the second one to look whether it may ask.
      await sleep(6_000)
      expect(new Set(other.asked)).toEqual(new Set(['killed']))
      worker.kill('SIGKILL')
      await died
      // Written while nobody asks.
      const written = says(1_001, 'Two')
      await until('the second process', async () => other.asked.includes('heir'))
      expect((await written).status).toBe('processed')
      expect(other.conflicts()).toBe(0)
      await until('both answers', async () => other.sent('1001').length === 2)
    } finally {
      worker.kill('SIGKILL')
      await other.stop()
    }
  })

  it('by two processes at once would make Telegram reject one of them', async () => {
    const other = await startTelegram()
    const careless = () =>
      fetch(`${other.apiUrl}/bot${token}/getUpdates`, { method: 'POST', body: JSON.stringify({ timeout: 1 }) })
    const answers = await Promise.all([careless(), careless()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(other.conflicts()).toBe(1)
    await other.stop()
  })
})
