import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import type { Outgoing } from '../providers/message.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, status, textCall } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import { repeatMessage } from './repeating.commands.ts'
import { claimNext, queueMessage, sweepSending, type ToSend } from './sending.commands.ts'
import { sendWaiting } from './sending.jobs.ts'

let meta: MetaServer
let shop: TestShop
beforeAll(async () => {
  meta = await startMeta()
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  shop = await startShop({
    databasePoolSize: 10,
    simulator: false,
    hasBot: false,
    whatsapp: { ...whatsapp, ...cloud, appSecret: APP_SECRET },
  })
})
afterAll(() => meta.stop())
beforeEach(() => meta.reset())

const template = (text = 'x'): Outgoing => ({ type: 'template', name: 'news', language: 'ar', body: [text], text })
const queue = (more: Partial<ToSend> & Pick<ToSend, 'to'>, of = shop) =>
  runJobTransaction(of.app.pool, (ctx) => queueMessage(ctx, { message: template(), by: { type: 'system' }, ...more }))
const kept = (id: number, of = shop) =>
  of.query('select * from whatsapp_messages where id = $1', [id]).then(([row]) => row)
const errorsOf = async (id: number) => [(await kept(id))?.['errors'] ?? []].flat()
const ended = (id: number, status: string) =>
  until(`${status}`, async () => {
    const row = await kept(id)
    return row?.['status'] === status ? row : null
  })
const jobsMayRun = async () => {
  await shop.query(`update whatsapp_messages set send_after = now() where send_after > now() and claimed_at is null`)
  await shop.query(
    `update pgboss.job set start_after = now() where name = 'send-messages' and state in ('created', 'retry')`,
  )
}
const sentTo = (phone: string) => meta.received.filter(({ body }) => body['to'] === phone.slice(1))
const textsOf = () => meta.received.map(({ body }) => JSON.stringify(body).match(/"text":"([^"]+)"/)?.[1])
let writes = 0
/** Opens the service window of a new phone. */
async function customer() {
  const phone = newPhone()
  await callAsMeta(shop, textCall(phone, `wamid.in.${(writes += 1)}`, 'hi'))
  const contactId = await until('the contact', async () => {
    const [row] = await shop.query<{ id: number }>(
      `select c.id from contacts c join whatsapp_messages m on m.contact_id = c.id where c.phone = $1`,
      [phone],
    )
    return row?.id ?? null
  })
  return { phone, contactId }
}

describe('a queued message', () => {
  it('is in the conversation at once, sent after the commit, and stored with its provider id', async () => {
    const phone = newPhone()
    const made = await queue({ to: { phone } })
    const row = await ended(made?.messageId ?? 0, 'sent')
    expect(row).toMatchObject({
      to_number: phone,
      content: 'x',
      sent_by_type: 'system',
      message_id: expect.stringMatching(/^wamid/),
    })
    expect(row?.['sent_at']).toBeTruthy()
    expect(meta.received.map(({ body }) => body['to'])).toEqual([phone.slice(1)])
  })

  it('is neither stored nor sent if its transaction fails', async () => {
    const phone = newPhone()
    const failing = runJobTransaction(shop.app.pool, async (ctx) => {
      await queueMessage(ctx, { to: { phone }, message: template(), by: { type: 'bot' } })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await shop.query('select 1 from whatsapp_messages where to_number = $1', [phone])).toEqual([])
    expect(sentTo(phone)).toEqual([])
  })

  it('is created once per dedupe key, also by concurrent calls', async () => {
    const phone = newPhone()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => queue({ to: { phone }, dedupeKey: `test:${phone}` })),
    )
    const [first, ...others] = made.filter((one) => one !== null)
    expect(others).toEqual([])
    await ended(first?.messageId ?? 0, 'sent')
    expect(sentTo(phone)).toHaveLength(1)
  })

  it('is sent in queue order with several concurrent senders', async () => {
    const { contactId } = await customer()
    meta.reset()
    const texts = Array.from({ length: 12 }, (_, n) => `line ${n}`)
    await runJobTransaction(shop.app.pool, async (ctx) => {
      for (const text of texts)
        await queueMessage(ctx, { to: { contactId }, message: template(text), by: { type: 'bot' } })
    })
    await Promise.all(Array.from({ length: 8 }, () => sendWaiting(shop.app, contactId)))
    await until('all of them', async () => meta.received.length === texts.length)
    expect(textsOf()).toEqual(texts)
  })

  it('is rejected as free text 24 hours after the last incoming message; templates are accepted', async () => {
    const { contactId } = await customer()
    const text: Outgoing = { type: 'text', text: 'hello' }
    expect(await queue({ to: { contactId }, message: text })).toBeTruthy()
    const age = (hours: string) =>
      shop.query(
        `update whatsapp_conversation_threads set last_incoming_at = now() - $2::interval where contact_id = $1`,
        [contactId, hours],
      )
    await age('23:59:00')
    expect(await queue({ to: { contactId }, message: text })).toBeTruthy()
    await age('24:00:01')
    await expect(queue({ to: { contactId }, message: text })).rejects.toMatchObject({ code: 'SERVICE_WINDOW_CLOSED' })
    await expect(queue({ to: { phone: newPhone() }, message: text })).rejects.toMatchObject({
      code: 'SERVICE_WINDOW_CLOSED',
    })
    expect(await queue({ to: { contactId } })).toBeTruthy()
  })

  it("is rejected before any write if it exceeds the provider's limits", async () => {
    const message: Outgoing = { type: 'text', text: 'x'.repeat(5_000) }
    await expect(queue({ to: { phone: newPhone() }, message })).rejects.toMatchObject({ code: 'MESSAGE_REFUSED' })
  })

  it('from staff pauses the bot in the conversation', async () => {
    const { contactId } = await customer()
    await queue({ to: { contactId }, message: { type: 'text', text: 'a person' }, by: { type: 'staff', userId: 1 } })
    const [thread] = await shop.query(
      'select paused_until > now() as paused, human_replied_at is not null as replied from whatsapp_conversation_threads where contact_id = $1',
      [contactId],
    )
    expect(thread).toEqual({ paused: true, replied: true })
  })
})

describe('if the provider', () => {
  it('is busy, the message waits and is sent once', async () => {
    meta.fail(429, 130429)
    const phone = newPhone()
    const made = await queue({ to: { phone } })
    const id = made?.messageId ?? 0
    await until('a refusal', async () => (await errorsOf(id)).length > 0)
    expect(await kept(id)).toMatchObject({
      status: 'queued',
      claimed_at: null,
      errors: [{ kind: 'busy', code: '130429' }],
    })
    meta.reset()
    await jobsMayRun()
    await ended(id, 'sent')
    expect(sentTo(phone)).toHaveLength(1)
  })

  it('names a time to wait, later messages of the contact wait behind the first and are sent in order', async () => {
    const headers = { 'retry-after': '90' }
    meta.decide((body) => (JSON.stringify(body).includes('one') ? { status: 400, code: 131056, headers } : null))
    const { phone, contactId } = await customer()
    const first = await queue({ to: { contactId }, message: template('one') })
    await until('a refusal', async () => (await errorsOf(first?.messageId ?? 0)).length > 0)
    await queue({ to: { contactId }, message: template('two') })
    await sendWaiting(shop.app, contactId)
    expect(sentTo(phone)).toHaveLength(1)
    const [job] = await shop.query(
      `select extract(epoch from start_after - created_on)::int as seconds from pgboss.job
       where name = 'send-messages' and data ->> 'contactId' = $1 and state = 'created' order by start_after desc limit 1`,
      [String(contactId)],
    )
    expect(job).toEqual({ seconds: 90 })
    meta.reset()
    await jobsMayRun()
    await until('both', async () => sentTo(phone).length === 2)
    expect(textsOf()).toEqual(['one', 'two'])
    expect(await kept(first?.messageId ?? 0)).toMatchObject({ status: 'sent', errors: [{ code: '131056' }] })
  })

  it('reports the marketing limit, the template is sent again once, a day later', async () => {
    const { phone, contactId } = await customer()
    const reports = async (id: number, code = 131049) => {
      const wamid = (await ended(id, 'sent'))?.['message_id']
      const failure = { errors: [{ code, title: 'Not delivered to maintain healthy ecosystem engagement' }] }
      await callAsMeta(shop, call(change({ statuses: [status(String(wamid), 'failed', failure)] })))
      await ended(id, 'failed')
    }
    const job = async (id: number) =>
      (
        await shop.query(
          `select id, extract(epoch from start_after - created_on)::int as seconds from pgboss.job
           where name = 'repeat-messages' and data ->> 'messageId' = $1 and state = 'created'`,
          [String(id)],
        )
      )[0]
    const first = (await queue({ to: { contactId } }))?.messageId ?? 0
    await reports(first)
    expect(await job(first)).toMatchObject({ seconds: 86_400 })
    const repeat = (id: number) => runJobTransaction(shop.app.pool, (ctx) => repeatMessage(ctx, id))
    await Promise.all([repeat(first), repeat(first), repeat(first)])
    const [again, ...more] = await shop.query<{ id: number }>(
      'select id from whatsapp_messages where contact_id = $1 and id > $2',
      [contactId, first],
    )
    expect(more).toEqual([])
    await reports(again?.id ?? 0)
    await repeat(again?.id ?? 0)
    expect(sentTo(phone)).toHaveLength(2)
    expect(await shop.query('select 1 from whatsapp_messages where contact_id = $1', [contactId])).toHaveLength(3)
    const other = (await queue({ to: { contactId } }))?.messageId ?? 0
    await reports(other, 131026)
    expect(await job(other)).toBeUndefined()
    const last = (await queue({ to: { contactId } }))?.messageId ?? 0
    await reports(last)
    await shop.query('update contacts set opted_out_at = now() where id = $1', [contactId])
    await repeat(last)
    expect(
      await shop.query('select 1 from whatsapp_messages where contact_id = $1 and id > $2', [contactId, last]),
    ).toEqual([])
  })

  it('stays busy, the message fails after the last retry, and the next one is sent', async () => {
    meta.decide((body) => (JSON.stringify(body).includes('stuck') ? { status: 429, code: 131056 } : null))
    const phone = newPhone()
    const stuck = await queue({ to: { phone }, message: template('stuck') })
    const next = await queue({ to: { phone }, message: template('next') })
    await until('the end', async () => {
      await jobsMayRun()
      await sendWaiting(shop.app, stuck?.contactId ?? 0)
      return (await kept(stuck?.messageId ?? 0))?.['status'] === 'failed'
    })
    await until('the next', async () => {
      await jobsMayRun()
      return (await kept(next?.messageId ?? 0))?.['status'] === 'sent'
    })
    expect(await errorsOf(stuck?.messageId ?? 0)).toHaveLength(9)
  })

  it('rejects the message, its status is failed, with the reason', async () => {
    meta.fail(400, 131026)
    const made = await queue({ to: { phone: newPhone() } })
    expect(await ended(made?.messageId ?? 0, 'failed')).toMatchObject({
      errors: [{ code: '131026', kind: 'undeliverable' }],
    })
  })

  it('returns an ambiguous error, the status is unknown and nothing is resent until a receipt arrives', async () => {
    meta.fail(500, 131000)
    const phone = newPhone()
    const made = await queue({ to: { phone } })
    const id = made?.messageId ?? 0
    await ended(id, 'unknown')
    meta.reset()
    await shop.app.queue.send('send-messages', { contactId: made?.contactId ?? 0 })
    await runJobTransaction(shop.app.pool, sweepSending)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sentTo(phone)).toEqual([])
    await callAsMeta(shop, {
      entry: [
        {
          changes: [
            {
              field: 'messages',
              value: {
                statuses: [
                  {
                    id: 'wamid.late',
                    status: 'delivered',
                    timestamp: '1795251222',
                    biz_opaque_callback_data: String(id),
                  },
                ],
              },
            },
          ],
        },
      ],
    })
    expect(await ended(id, 'delivered')).toMatchObject({ message_id: 'wamid.late' })
  })
})

describe('a worker that stops between claim and response', () => {
  it('leaves one message in status unknown, sends no duplicate, and later messages are sent', async () => {
    const phone = newPhone()
    const { contactId, messageId } = (await queue({ to: { phone } })) ?? { contactId: 0, messageId: 0 }
    await ended(messageId, 'sent')
    await until('the worker to be done', async () => {
      const open = `select 1 from pgboss.job where name = 'send-messages' and state < 'completed' and data ->> 'contactId' = $1`
      return (await shop.query(open, [String(contactId)])).length === 0
    })
    meta.reset()
    const [lost, next] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (contact_id, to_number, direction, channel, payload, message_type)
       select $1, $2, 'outgoing', 'whatsapp', payload, 'template' from whatsapp_messages, generate_series(1, 2) where id = $3 returning id`,
      [contactId, phone, messageId],
    )
    // The claim is committed and the worker stops.
    const claimed = await inTransaction(shop.app.pool, (db) => claimNext({ db }, contactId))
    expect(claimed?.id).toBe(lost?.id)
    await Promise.all(Array.from({ length: 5 }, () => sendWaiting(shop.app, contactId)))
    expect(sentTo(phone)).toEqual([])
    await shop.query(`update whatsapp_messages set claimed_at = now() - interval '3 minutes' where id = $1`, [lost?.id])
    await runJobTransaction(shop.app.pool, sweepSending)
    expect(await kept(lost?.id ?? 0)).toMatchObject({ status: 'unknown', errors: [{ code: 'LOST' }] })
    await ended(next?.id ?? 0, 'sent')
    expect(sentTo(phone)).toHaveLength(1)
  })

  it('would send twice if the call preceded the commit of the claim', async () => {
    // Naive variant: claim, call and result in one transaction, which is rolled back.
    const phone = newPhone()
    const { contactId } = (await queue({ to: { phone } })) ?? { contactId: 0 }
    await until('the worker to be done', async () => {
      const open = `select 1 from pgboss.job where name = 'send-messages' and state < 'completed' and data ->> 'contactId' = $1`
      return sentTo(phone).length === 1 && (await shop.query(open, [String(contactId)])).length === 0
    })
    await shop.query(
      `insert into whatsapp_messages (contact_id, to_number, direction, channel, payload, message_type)
       select contact_id, to_number, direction, channel, payload, message_type from whatsapp_messages where contact_id = $1`,
      [contactId],
    )
    meta.reset()
    const url = `${meta.graphUrl}/null/messages`
    const careless = inTransaction(shop.app.pool, async (db) => {
      const next = await claimNext({ db }, contactId)
      const body = { messaging_product: 'whatsapp', to: phone.slice(1), type: 'text', text: { body: String(next?.id) } }
      await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${meta.token}` },
        body: JSON.stringify(body),
      })
      throw new Error('killed')
    })
    await expect(careless).rejects.toThrow('killed')
    await sendWaiting(shop.app, contactId)
    expect(sentTo(phone)).toHaveLength(2)
  })
})

describe('the simulator', () => {
  it('shows lists and buttons, and the reply contains the id of the tapped row', async () => {
    const sim = await startShop({ hasBot: false })
    const phone = newPhone()
    const write = (body: object) =>
      sim.visitor().send('POST', '/api/simulator/messages', { body: { from: phone, ...body } })
    await write({ body: 'hi' })
    const contactId = await until(
      'the contact',
      async () => (await sim.query<{ id: number }>('select id from contacts where phone = $1', [phone]))[0]?.id,
    )
    const message: Outgoing = {
      type: 'list',
      text: 'اختر',
      button: 'المنتجات',
      sections: [{ rows: [{ id: 'p1', title: 'ماء', description: 'BHD 1' }] }],
    }
    await queue({ to: { contactId }, message, by: { type: 'bot' } }, sim)
    const [shown] = await until('the list', async () => {
      const messages = await inbox(sim, phone)
      return messages.length === 2 && messages
    })
    expect(shown).toMatchObject({
      body: 'اختر\n• ماء',
      parts: { type: 'list', button: 'المنتجات', sections: message.sections },
    })
    expect((await write({ type: 'list', body: 'ماء' })).status).toBe(200)
    const tapped = await until(
      'the tap',
      async () =>
        (
          await sim.query(`select * from whatsapp_messages where from_number = $1 and message_type = 'list'`, [phone])
        )[0],
    )
    expect(tapped).toMatchObject({ content: 'ماء', payload: { id: 'p1', title: 'ماء' }, context_message_id: shown?.id })
  })

  it.each([
    ['9990', 'failed'],
    ['9991', 'sent'],
    ['9992', 'read'],
    ['9993', 'read'],
    ['9994', 'failed'],
    ['1234', 'delivered'],
  ])('a number that ends in %s: %s', async (end, status) => {
    const sim = await startShop({ hasBot: false })
    const made = await queue({ to: { phone: `+9733333${end}` } }, sim)
    await new Promise((resolve) => setTimeout(resolve, 700))
    await until(status, async () => (await kept(made?.messageId ?? 0, sim))?.['status'] === status)
  })
})
