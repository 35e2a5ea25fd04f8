import { randomUUID } from 'node:crypto'
import { listWebhookEvents, replayWebhookEvent } from '@qatra/contract/whatsapp/connection/webhooks'
import fc from 'fast-check'
import type { QueryResultRow } from 'pg'
import { describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { applyReceipt } from '../conversations/commands.ts'
import { deleteOldRows } from '../jobs/retention.ts'
import { signatureOf } from '../providers/whatsapp-cloud/signature.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, person, status, text, textCall } from '../test/meta.ts'
import { repeated } from '../test/sample.ts'

const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, appSecret: APP_SECRET, verifyToken: 'a-token' }
const shop = await startShop({ whatsapp, hasBot: false })

interface Event extends QueryResultRow {
  id: number
  webhook_id: string
  event_type: string
  status: string
  error_message: string | null
  deliveries: number
  raw_payload: string
}
const newId = () => `wamid.${randomUUID()}`
const event = async (webhookId: string) =>
  (
    await shop.query<Event>(
      'select e.*, k.deliveries from whatsapp_webhook_events e left join whatsapp_webhook_keys k using (webhook_id) where webhook_id = $1',
      [webhookId],
    )
  )[0]
const settled = (webhookId: string) =>
  until(`the event ${webhookId}`, async () => {
    const row = await event(webhookId)
    return row && !['received', 'processing'].includes(row.status) ? row : null
  })
const messagesOf = (phone: string) =>
  shop.query('select * from whatsapp_messages where from_number = $1 order by id', [phone])
const count = async () => Number((await shop.query('select count(*) from whatsapp_webhook_events'))[0]?.['count'])
/** A sent message without receipts. */
const outgoing = async (messageId: string | null = newId()) => {
  const [row] = await shop.query<{ id: number }>(
    `insert into whatsapp_messages (message_id, direction, channel, status) values ($1, 'outgoing', 'whatsapp', $2) returning id`,
    [messageId, messageId ? 'sent' : 'queued'],
  )
  return { id: row?.id ?? 0, messageId: messageId ?? '' }
}
const statusOf = async (id: number) =>
  (await shop.query<{ status: string }>('select status from whatsapp_messages where id = $1', [id]))[0]?.status

describe('webhook verification', () => {
  const shake = (query: string) => shop.visitor().send('GET', `/api/webhooks/whatsapp?${query}`)
  it('returns the challenge for the correct token', async () => {
    const answer = await shake('hub.mode=subscribe&hub.verify_token=a-token&hub.challenge=1158201444')
    expect([answer.status, answer.body]).toEqual([200, '1158201444'])
    expect(answer.headers['content-type']).toContain('text/plain')
  })
  it.each([
    'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
    'hub.mode=unsubscribe&hub.verify_token=a-token&hub.challenge=1',
    'hub.challenge=1',
    '',
  ])('is refused: %s', async (query) => expect((await shake(query)).status).toBe(403))
  it('is refused if no token is configured', async () => {
    const bare = await startShop({ whatsapp: { ...whatsapp, verifyToken: null } })
    const answer = await bare
      .visitor()
      .send('GET', '/api/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=&hub.challenge=1')
    expect(answer.status).toBe(403)
  })
})

describe('a call without a valid signature', () => {
  const body = () => textCall(newPhone(), newId(), 'مرحبا 👋')
  const flip = (signature: string) => signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  it.each<[string, (bytes: Buffer) => string | null]>([
    ['without a signature', () => null],
    ['with an empty one', () => ''],
    ['with one that is no hash', () => 'sha256=zz'],
    ['with another secret', (bytes) => signatureOf('another-secret', bytes)],
    ['with one bit flipped', (bytes) => flip(signatureOf(APP_SECRET, bytes))],
    ['with the right hash under another name', (bytes) => signatureOf(APP_SECRET, bytes).replace('sha256', 'sha1')],
    ['with more behind it', (bytes) => `${signatureOf(APP_SECRET, bytes)}00`],
  ])('%s is 401 and stored as nothing', async (_, sign) => {
    const before = await count()
    const bytes = Buffer.from(JSON.stringify(body()))
    const answer = await callAsMeta(shop, bytes, { signature: sign(bytes) })
    expect([answer.status, answer.refusal.code, answer.refusal.details]).toEqual([401, 'BAD_SIGNATURE', {}])
    expect(await count()).toBe(before)
  })
  it('returns 401 if one bit of the body is flipped', async () => {
    const bytes = Buffer.from(JSON.stringify(body()))
    const signature = signatureOf(APP_SECRET, bytes)
    const at = bytes.length - 20
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect((await callAsMeta(shop, bytes, { signature })).status).toBe(401)
  })
  it('returns 401 if no secret is configured', async () => {
    const bare = await startShop({ simulator: false, whatsapp: { ...whatsapp, provider: 'web', appSecret: null } })
    expect((await callAsMeta(bare, body())).status).toBe(401)
    expect((await callAsMeta(bare, body(), { signature: signatureOf('', Buffer.from('{}')) })).status).toBe(401)
  })
  it('is rate-limited, while signed calls are accepted', async () => {
    const limited = await startShop({ rateLimits: true, whatsapp, hasBot: false })
    const forged = await Promise.all(
      Array.from({ length: 80 }, () => callAsMeta(limited, body(), { signature: 'sha256=00' })),
    )
    expect(new Set(forged.map((answer) => answer.status))).toEqual(new Set([401, 429]))
    const signed = await Promise.all(Array.from({ length: 40 }, () => callAsMeta(limited, body())))
    expect(new Set(signed.map((answer) => answer.status))).toEqual(new Set([200]))
  })
})

describe('a signed call', () => {
  it('creates one contact, conversation and message, also if repeated in parallel', async () => {
    const [phone, id] = [newPhone(), newId()]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callAsMeta(shop, textCall(phone, id, 'مرحبا 👋'))),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
    expect(await settled(`message:${id}`)).toMatchObject({ status: 'processed', event_type: 'message' })
    expect((await event(`message:${id}`))?.deliveries).toBe(10)
    const stored = await shop.query('select id from whatsapp_webhook_events where webhook_id = $1', [`message:${id}`])
    expect(stored).toHaveLength(1)
    expect(await messagesOf(phone)).toMatchObject([{ message_id: id, content: 'مرحبا 👋', direction: 'incoming' }])
    const rows = await shop.query(
      `select c.name from contacts c join whatsapp_conversation_threads t on t.contact_id = c.id where c.phone = $1`,
      [phone],
    )
    expect(rows).toEqual([{ name: 'Noura' }])
  })

  it('processes all valid messages and receipts of a mixed batch', async () => {
    const phones = [newPhone(), newPhone(), newPhone()]
    const ids = phones.map(newId)
    const sent = await outgoing()
    const body = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            change({
              contacts: phones.slice(0, 2).map((phone) => person(phone, `of ${phone}`)),
              messages: [text(phones[0] ?? '', ids[0] ?? '', 'one'), text(phones[1] ?? '', ids[1] ?? '', 'two')],
            }),
            change({ statuses: [status(sent.messageId, 'delivered')] }),
          ],
        },
        { id: '2', changes: [change({ messages: [text(phones[2] ?? '', ids[2] ?? '', 'three')] }), 'rubbish', null] },
        null,
        7,
      ],
    }
    expect((await callAsMeta(shop, body)).status).toBe(200)
    for (const id of ids) await settled(`message:${id}`)
    expect((await Promise.all(phones.map(messagesOf))).flat().map((row) => row['content'])).toEqual([
      'one',
      'two',
      'three',
    ])
    const names = await shop.query('select name from contacts where phone = any($1) order by phone', [phones])
    expect(names).toEqual([{ name: `of ${phones[0]}` }, { name: `of ${phones[1]}` }, { name: null }])
    await until('the receipt', async () => (await statusOf(sent.id)) === 'delivered')
  })

  it('is answered with 200 for any body, and an invalid body is stored with its error', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const nested = `{"entry":${'{"entry":'.repeat(60)}1${'}'.repeat(60)}}`
    const bodies: [string, string | Buffer, string][] = [
      ['no JSON', 'hello', 'failed'],
      ['nothing', '', 'failed'],
      ['a list', '[]', 'failed'],
      ['a number', '1e999', 'failed'],
      ['brackets', deep, 'failed'],
      ['objects', nested, 'failed'],
      ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'failed'],
      ['NUL', '{"a":"\u0000"}', 'failed'],
      ['an empty object', '{}', 'failed'],
      ['entries that are none', '{"entry":"x","changes":[]}', 'failed'],
    ]
    for (const [name, body, wanted] of bodies) {
      const before = await count()
      const answer = await callAsMeta(shop, body)
      expect([name, answer.status]).toEqual([name, 200])
      const [row] = await shop.query<Event>('select * from whatsapp_webhook_events order by id desc limit 1')
      expect([name, row?.status, await count()]).toEqual([name, wanted, before + 1])
      expect(row?.error_message).toBeTruthy()
    }
  })

  it('stores messages with characters that PostgreSQL rejects', async () => {
    const [phone, id] = [newPhone(), newId()]
    const body = JSON.stringify(textCall(phone, id, 'HERE')).replace(
      'HERE',
      'a\\u0000b \\ud800 \\u202e<script>\\n' + 'x'.repeat(5_000),
    )
    expect((await callAsMeta(shop, body)).status).toBe(200)
    expect((await settled(`message:${id}`)).status).toBe('processed')
    const [message] = await messagesOf(phone)
    expect(message?.['content']).toContain('ab \ufffd \u202e<script>\n')
    expect(message?.['content']).toHaveLength(15 + 5_000)
  })

  it.each([
    ['of an unknown field', call(change({ a: 1 }, 'something_new')), 'unknown', 'ignored'],
    [
      'of a message without an id',
      call(change({ messages: [{ from: '97336000006', type: 'text' }] })),
      'message',
      'failed',
    ],
    [
      'of a message without a sender',
      call(change({ messages: [{ id: 'wamid.nobody', type: 'text' }] })),
      'message',
      'failed',
    ],
    ['of an unknown receipt', call(change({ statuses: [status('wamid.x', 'warned')] })), 'status', 'ignored'],
    ['of errors of the account', call(change({ errors: [{ code: 131031 }] })), 'account', 'ignored'],
    [
      'with keys that poison',
      '{"entry":[{"changes":[{"field":"messages","value":{"__proto__":{"x":1}}}]}]}',
      'unknown',
      'ignored',
    ],
  ])('%s is kept and marked', async (_, body, type, wanted) => {
    expect((await callAsMeta(shop, body)).status).toBe(200)
    const row = await until('the event', async () => {
      const [last] = await shop.query<Event>('select * from whatsapp_webhook_events order by id desc limit 1')
      return last && last.status !== 'received' ? last : null
    })
    expect([row.event_type, row.status]).toEqual([type, wanted])
    expect(row.error_message).toBeTruthy()
  })

  it('is rejected above 2 MB, and JSON is parsed under any content type', async () => {
    const big = Buffer.from(JSON.stringify(textCall(newPhone(), newId(), 'x'.repeat(2_000_000))))
    expect((await callAsMeta(shop, big)).status).toBe(413)
    const [phone, id] = [newPhone(), newId()]
    const body = textCall(phone, id, 'plain')
    expect((await callAsMeta(shop, body, { headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    await settled(`message:${id}`)
  })

  it('for another phone number of the account is ignored', async () => {
    const real = await startShop({
      simulator: false,
      whatsapp: { ...whatsapp, provider: 'cloud', token: 't', phoneNumberId: '42' },
    })
    const [phone, id] = [newPhone(), newId()]
    await callAsMeta(real, textCall(phone, id, 'to another'))
    await until('the event', async () => {
      const [row] = await real.query<Event>('select * from whatsapp_webhook_events')
      return row?.status === 'ignored'
    })
    expect(await real.query('select * from whatsapp_messages')).toEqual([])
  })
})

describe('receipts', () => {
  it('that arrive before the provider id of their message is known are applied later', async () => {
    const id = newId()
    await callAsMeta(shop, call(change({ statuses: [status(id, 'delivered')] })))
    await settled(`status:${id}:delivered`)
    const { id: row } = await outgoing(null)
    const { recordOutcome } = await import('../conversations/commands.ts')
    await recordOutcome(shop.app, row, { ok: true, messageId: id })
    expect(await statusOf(row)).toBe('delivered')
    expect(await shop.query('select * from orphan_receipts where message_id = $1', [id])).toEqual([])
  })

  it('find their message by our reference before the provider id is known', async () => {
    const { id } = await outgoing(null)
    const providerId = newId()
    await callAsMeta(
      shop,
      call(change({ statuses: [status(providerId, 'read', { biz_opaque_callback_data: String(id) })] })),
    )
    await settled(`status:${providerId}:read`)
    expect(await shop.query('select message_id, status from whatsapp_messages where id = $1', [id])).toEqual([
      { message_id: providerId, status: 'read' },
    ])
  })

  it('do not change a message with another provider id', async () => {
    const { id } = await outgoing()
    const foreign = newId()
    await callAsMeta(
      shop,
      call(change({ statuses: [status(foreign, 'failed', { biz_opaque_callback_data: String(id) })] })),
    )
    await settled(`status:${foreign}:failed`)
    expect(await statusOf(id)).toBe('sent')
  })

  it('move the status forward only, in any order and with repetitions', async () => {
    const names = ['sent', 'delivered', 'read', 'failed'] as const
    const decided = (seen: readonly string[]) => seen.find((name) => name !== 'sent') ?? 'sent'
    const ends = (all: readonly string[]) => (decided(all) !== 'failed' && all.includes('read') ? 'read' : decided(all))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }), async (order) => {
        const { id, messageId } = await outgoing()
        for (const name of order) await applyReceipt(shop.app, { messageId, reference: null, status: name })
        expect(await statusOf(id)).toBe(ends(order))
      }),
      { numRuns: repeated(40, 15) },
    )
  })

  it('of two hundred calls in random order lead to the final status', async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => outgoing()))
    const calls = sent.flatMap(({ messageId }) =>
      ['sent', 'delivered', 'read', 'delivered'].flatMap((name) =>
        Array(5).fill(call(change({ statuses: [status(messageId, name)] }))),
      ),
    )
    calls.sort(() => Math.random() - 0.5)
    // A process too busy to store a call answers 503, and Meta repeats it.
    const codeOf = async (body: (typeof calls)[number]): Promise<number> =>
      callAsMeta(shop, body).then(({ status: code }) => (code === 503 ? codeOf(body) : code))
    expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set([200]))
    await until('the last status of all messages', async () =>
      (await Promise.all(sent.map(({ id }) => statusOf(id)))).every((one) => one === 'read'),
    )
  })
})

describe('the list of webhook events', () => {
  const admin = () => shop.visitor().signInAs('+97336000001')

  it('filters events and masks phones everywhere', async () => {
    const [phone, id] = [newPhone(), newId()]
    await callAsMeta(shop, textCall(phone, id, `my number is ${phone}, or ${phone.slice(1)}`))
    await settled(`message:${id}`)
    const { body } = await (await admin()).call(listWebhookEvents, {
      query: { eventType: 'message', status: 'processed', search: id },
    })
    expect(body).toMatchObject({ total: 1, items: [{ webhookId: `message:${id}`, attempts: 1, deliveries: 1 }] })
    const shown = JSON.stringify(body)
    expect(shown).toContain('****')
    expect(shown).not.toContain(phone.slice(4))
    expect((await shop.visitor().send('GET', '/api/admin/whatsapp/webhooks')).status).toBe(401)
    const staff = await shop.visitor().signInAs('+97336000002')
    expect((await staff.call(listWebhookEvents)).status).toBe(403)
    expect((await (await admin()).send('GET', '/api/admin/whatsapp/webhooks?status=new')).status).toBe(400)
  })

  it('replays an event without repeating its effects', async () => {
    const [phone, id] = [newPhone(), newId()]
    await callAsMeta(shop, textCall(phone, id, 'once'))
    const { id: row } = await settled(`message:${id}`)
    const answer = await (await admin()).call(replayWebhookEvent, { params: { id: String(row) } })
    expect([answer.status, answer.body.status]).toEqual([200, 'received'])
    await settled(`message:${id}`)
    expect(await messagesOf(phone)).toHaveLength(1)
    const audit = await shop.query(
      `select action from audit_log where resource = 'webhook-event' and resource_id = $1`,
      [String(row)],
    )
    expect(audit).toEqual([{ action: 'replayed' }])
  })

  it('marks an event as failed after five attempts, with the reason, and replays it', async () => {
    const [phone, id] = [newPhone(), newId()]
    await shop.query(`alter table whatsapp_messages add constraint poison check (content <> 'poison') not valid`)
    await callAsMeta(shop, textCall(phone, id, 'poison'))
    await until('five tries', async () => {
      await shop.query(
        `update pgboss.job set start_after = now() where name = 'webhook-event' and state in ('created', 'retry')`,
      )
      return (await event(`message:${id}`))?.status === 'failed'
    })
    const failed = await event(`message:${id}`)
    expect(failed?.error_message).toContain('23514')
    expect(failed?.error_message).not.toContain('poison')
    await shop.query('alter table whatsapp_messages drop constraint poison')
    await (await admin()).call(replayWebhookEvent, { params: { id: String(failed?.id) } })
    expect((await settled(`message:${id}`)).status).toBe('processed')
    expect(await messagesOf(phone)).toHaveLength(1)
  })

  it('deletes events after 90 days', async () => {
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, created_at)
       values ('old:91', 'unknown', '{}', now() - interval '91 days'), ('old:89', 'unknown', '{}', now() - interval '89 days')`,
    )
    await deleteOldRows(shop.app, ({ table }) => table === 'whatsapp_webhook_events')
    expect([await event('old:91'), (await event('old:89'))?.webhook_id]).toEqual([undefined, 'old:89'])
  })
})
