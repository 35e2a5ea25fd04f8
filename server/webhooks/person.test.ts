import { eraseAccount, exportAccount } from '@qatra/contract/users/auth'
import { describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { startShop } from '../test/app.ts'
import { newPhone, signInByCode, until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { APP_SECRET, callAsMeta, person, status, text, textCall } from '../test/meta.ts'
import type { Visitor } from '../test/visitor.ts'
import { eraseSql } from './commands.ts'
import { listSql } from './queries.ts'

const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, appSecret: APP_SECRET, verifyToken: 'a-token' }
const shop = await startShop({ databasePoolSize: 10, whatsapp, hasBot: false })
let counter = 0
const newId = () => `wamid.person${(counter += 1)}`

const stored = (webhookId: string) =>
  until('the event', async () => {
    const [row] = await shop.query<Record<string, unknown>>(
      `select * from whatsapp_webhook_events where webhook_id = $1 and status not in ('received', 'processing')`,
      [webhookId],
    )
    return row
  })
/** Selects these events only, since receipts of the sign-in code can arrive at any time. */
async function exported(visitor: Visitor, ...webhookIds: string[]) {
  const { webhookEvents } = (await visitor.call(exportAccount)).body as { webhookEvents: Exported[] }
  return webhookEvents.filter(({ webhookId }) => webhookIds.includes(webhookId))
}
interface Exported {
  webhookId: string
  payload: string
}
const idsLeft = async (...webhookIds: string[]) =>
  (
    await shop.query<{ webhook_id: string }>(
      'select webhook_id from whatsapp_webhook_events where webhook_id = any($1) order by id',
      [webhookIds],
    )
  ).map((row) => row.webhook_id)

describe('webhook events of a person', () => {
  it('store sender and recipient in columns, also for receipts, number changes and preferences', async () => {
    const [phone, next] = [newPhone(), newPhone()]
    const [message, receipt, system] = [newId(), newId(), newId()]
    await callAsMeta(shop, textCall(phone, message, 'hello'))
    await stored(`message:${message}`)
    await callAsMeta(
      shop,
      call(
        change({ statuses: [status(receipt, 'sent', { recipient_id: phone.slice(1), recipient_user_id: 'BH.r1' })] }),
      ),
    )
    const moved = {
      id: system,
      from: phone.slice(1),
      type: 'system',
      system: { wa_id: next.slice(1), user_id: 'BH.n1' },
    }
    await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [moved] })))
    const columns = async (webhookId: string) => {
      const row = await stored(webhookId)
      return ['sender_phone', 'sender_scoped_id', 'recipient_phone', 'recipient_scoped_id'].map((name) => row[name])
    }
    expect(await columns(`message:${message}`)).toEqual([phone, null, null, null])
    expect(await columns(`status:${receipt}:sent`)).toEqual([null, null, phone, 'BH.r1'])
    expect(await columns(`message:${system}`)).toEqual([phone, null, next, 'BH.n1'])
    // Staff can read the payload, so it must not contain the recipient.
    expect((await stored(`status:${receipt}:sent`))['raw_payload']).not.toContain(phone.slice(4))
  })

  it('do not store the number of an erased recipient', async () => {
    const phone = newPhone()
    const visitor = await signInByCode(shop, phone)
    expect((await visitor.call(eraseAccount)).status).toBe(200)
    const late = newId()
    await callAsMeta(shop, call(change({ statuses: [status(late, 'read', { recipient_id: phone.slice(1) })] })))
    const row = await stored(`status:${late}:read`)
    expect(JSON.stringify(row)).not.toContain(phone.slice(4))
  })

  it('do not store the number of a recipient who is being erased', async () => {
    const visitor = await makeVisitor(shop)
    const { phone } = visitor
    await shop.query(
      `insert into contacts (phone, business_scoped_id) values ($1, $2)
       on conflict (phone) do update set business_scoped_id = excluded.business_scoped_id`,
      [phone, `BH.${phone.slice(1)}`],
    )
    const holder = await shop.app.pool.connect()
    await holder.query('begin')
    await holder.query('lock table simulated_telegram_messages in share mode')
    const leaving = visitor.call(eraseAccount)
    // The erasure has deleted the webhook events, but is not committed.
    await until('the erasure to wait', async () => (await lockWaits(shop, 'delete%simulated_telegram_messages%')) > 0)
    const [late, hidden] = [newId(), newId()]
    const recipients = {
      [late]: { recipient_id: phone.slice(1) },
      [hidden]: { recipient_id: undefined, recipient_user_id: `BH.${phone.slice(1)}` },
    }
    let isDone = false
    const receiving = Promise.all(
      Object.entries(recipients).map(([id, recipient]) =>
        callAsMeta(shop, call(change({ statuses: [status(id, 'read', recipient)] }))),
      ),
    ).finally(() => {
      isDone = true
    })
    await until(
      'the receipts to wait or to be stored',
      async () => isDone || (await lockWaits(shop, '%webhook_events%')) === 2,
    )
    await holder.query('commit')
    holder.release()
    expect((await leaving).status).toBe(200)
    expect((await receiving).map((answer) => answer.status)).toEqual([200, 200])
    for (const id of [late, hidden])
      expect(await stored(`status:${id}:read`)).toMatchObject({ recipient_phone: null, recipient_scoped_id: null })
  })

  it('are stored separately for each person of a webhook call', async () => {
    const [one, two] = [newPhone(), newPhone()]
    const preference = (phone: string) => ({
      wa_id: phone.slice(1),
      category: 'marketing_messages',
      value: 'stop',
      timestamp: String(Math.floor(Date.now() / 1000)),
    })
    await callAsMeta(
      shop,
      call(
        change(
          { contacts: [person(one), person(two)], user_preferences: [preference(one), preference(two)] },
          'user_preferences',
        ),
      ),
    )
    const rows = await shop.query<{ sender_phone: string; raw_payload: string }>(
      'select sender_phone, raw_payload from whatsapp_webhook_events where sender_phone = any($1) order by id',
      [[one, two]],
    )
    expect(rows.map((row) => row.sender_phone)).toEqual([one, two])
    expect(rows[0]?.raw_payload).not.toContain(two.slice(1))
    expect(rows[1]?.raw_payload).not.toContain(one.slice(1))
    await until('both to be opted out', async () => {
      const contacts = await shop.query('select 1 from contacts where phone = any($1) and opted_out_at is not null', [
        [one, two],
      ])
      return contacts.length === 2
    })
  })

  it('are exported and erased by sender and recipient, not by numbers in texts', async () => {
    const [phone, stranger] = [newPhone(), newPhone()]
    const visitor = await signInByCode(shop, phone)
    const [mine, receipt, about, pending] = [newId(), newId(), newId(), newId()]
    await callAsMeta(shop, textCall(phone, mine, 'my own words'))
    await callAsMeta(shop, call(change({ statuses: [status(receipt, 'sent', { recipient_id: phone.slice(1) })] })))
    await callAsMeta(shop, textCall(stranger, about, `secret of a stranger, call ${phone} or ${phone.slice(1)}`))
    for (const id of [`message:${mine}`, `status:${receipt}:sent`, `message:${about}`]) await stored(id)
    // Not processed yet: erasing it would lose a message.
    const unprocessed = JSON.stringify(
      change({ contacts: [person(stranger)], messages: [text(stranger, pending, phone)] }),
    )
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, field, raw_payload, sender_phone)
       values ($1, 'message', 'messages', $2, $3)`,
      [`message:${pending}`, unprocessed, stranger],
    )
    const own = [`message:${mine}`, `status:${receipt}:sent`]
    const events = await exported(visitor, ...own, `message:${about}`, `message:${pending}`)
    expect(events.map(({ webhookId }) => webhookId).sort()).toEqual(own)
    expect(JSON.stringify(events)).toContain('my own words')
    const whole = JSON.stringify((await visitor.call(exportAccount)).body)
    expect(whole).not.toContain('stranger')
    expect(whole).not.toContain(stranger.slice(1))
    expect((await visitor.call(eraseAccount)).status).toBe(200)
    expect(
      await idsLeft(`message:${mine}`, `status:${receipt}:sent`, `message:${about}`, `message:${pending}`),
    ).toEqual([`message:${about}`, `message:${pending}`])
  })

  it('are found by the business-scoped id if the event has no number', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const visitor = await signInByCode(shop, phone)
    const contacts = `insert into contacts (phone, business_scoped_id) values ($1, $2)
      on conflict (phone) do update set business_scoped_id = excluded.business_scoped_id`
    await shop.query(contacts, [phone, 'BH.canary7f3a'])
    await shop.query(contacts, [other, 'BH.canary7f3a9'])
    const [mine, theirs] = [newId(), newId()]
    for (const [id, user] of [
      [mine, 'BH.canary7f3a'],
      [theirs, 'BH.canary7f3a9'],
    ] as const) {
      const message = { id, from_user_id: user, timestamp: '1760000000', type: 'text', text: { body: 'x' } }
      await callAsMeta(shop, call(change({ contacts: [{ user_id: user }], messages: [message] })))
      await stored(`message:${id}`)
    }
    const events = await exported(visitor, `message:${mine}`, `message:${theirs}`)
    expect(events.map(({ webhookId }) => webhookId)).toEqual([`message:${mine}`])
    expect((await visitor.call(eraseAccount)).status).toBe(200)
    expect(await idsLeft(`message:${mine}`, `message:${theirs}`)).toEqual([`message:${theirs}`])
  })

  it('are found by index', async () => {
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, status, sender_phone)
       select 'many:' || n, 'message', '{}', 'processed', '+9735' || n from generate_series(1, 20000) n`,
    )
    await shop.query(
      `insert into whatsapp_webhook_keys (webhook_id) select 'many:' || n from generate_series(1, 20000) n`,
    )
    await shop.query('analyze whatsapp_webhook_events, whatsapp_webhook_keys')
    const [month] = await shop.query<{ name: string }>(
      `select tableoid::regclass::text as name from whatsapp_webhook_events where webhook_id = 'many:1'`,
    )
    for (const [{ text: sql }, values] of [
      [listSql, ['+97351', 10]],
      [eraseSql, ['+97351']],
    ] as const) {
      const plan = JSON.stringify(await shop.query(`explain (format json) ${sql}`, [...values]))
      // Of the partitions without rows, a sequential scan is cheaper.
      for (const name of [month?.name, 'whatsapp_webhook_keys'])
        expect(plan).not.toMatch(new RegExp(`"Seq Scan"[^{}]*"Relation Name":"${name}"`))
      for (const column of ['sender_phone', 'sender_scoped_id', 'recipient_phone', 'recipient_scoped_id'])
        expect(plan).toContain(`${month?.name}_${column}_idx"`)
    }
  })
})
