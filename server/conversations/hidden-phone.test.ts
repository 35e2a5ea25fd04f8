import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { Outgoing } from '../providers/message.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta } from '../test/meta.ts'
import { snooze } from './conversations.commands.ts'
import { queueMessage, type ToSend } from './sending.commands.ts'

let shop: TestShop
beforeAll(async () => {
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  shop = await startShop({ hasBot: false, whatsapp: { ...whatsapp, appSecret: APP_SECRET } })
})

const template: Outgoing = { type: 'template', name: 'news', language: 'ar', body: ['x'], text: 'x' }
const queue = (more: Partial<ToSend> & Pick<ToSend, 'to'>) =>
  runJobTransaction(shop.app.pool, (ctx) => queueMessage(ctx, { message: template, by: { type: 'system' }, ...more }))

describe('a contact who hides the phone', () => {
  it('is identified and answered by id, and merged with the contact of the phone once a receipt names both', async () => {
    const phone = newPhone()
    const write = (body: object) =>
      shop.visitor().send('POST', '/api/simulator/messages', { body: { from: phone, ...body } })
    await write({ body: 'hi', hidesPhone: true, name: 'Latifa' })
    const [contact] = await until('the contact', async () => {
      const rows = await shop.query(`select * from contacts where name = 'Latifa'`)
      return rows.length > 0 && rows
    })
    expect(contact).toMatchObject({ phone: null, business_scoped_id: `BH.sim${phone.slice(1)}` })
    const contactId = Number(contact?.['id'])
    await queue({ to: { contactId }, message: { type: 'text', text: 'Your phone?' }, by: { type: 'bot' } })
    await until('the question', async () => (await inbox(shop, phone)).length === 2)
    // The receipt of a message to the phone names the id of the same account.
    const known = await queue({ to: { phone } })
    const [one] = await until('one contact', async () => {
      const rows = await shop.query('select * from contacts where phone = $1 and business_scoped_id is not null', [
        phone,
      ])
      return rows.length === 1 && rows
    })
    expect(one?.['id']).toBe(known?.contactId)
    await write({ body: 'here I am', hidesPhone: true, name: 'Latifa' })
    const messages = await until('all messages', async () => {
      const rows = await shop.query('select direction from whatsapp_messages where contact_id = $1', [one?.['id']])
      return rows.length === 4 && rows
    })
    expect(messages.filter((row) => row['direction'] === 'incoming')).toHaveLength(2)
    expect(await shop.query('select 1 from contacts where id = $1', [contactId])).toEqual([])
  })

  it('keeps notifications, topic and what the bot did not understand when both contacts are one', async () => {
    const make = async (scopedId: string, topic: string | null) => {
      const [row] = await shop.query<{ id: number }>(
        'insert into contacts (business_scoped_id) values ($1) returning id',
        [scopedId],
      )
      const id = row?.id ?? 0
      await shop.query(
        `insert into whatsapp_conversation_threads (contact_id, telegram_thread_id, thread_name) values ($1, $2, $2)`,
        [id, topic],
      )
      return id
    }
    const [kept, gone] = [await make('BH.kept', null), await make('BH.gone', '77')]
    await shop.query(
      `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, content, status, sent_by_type)
         values ($1, 'incoming', 'whatsapp', 'text', 'zzz', 'received', 'customer') returning id)
       insert into bot_misses (contact_id, message_id, key, text) select $1, id, 'zzz', 'zzz' from m`,
      [gone],
    )
    await shop.query(`insert into notifications (kind, contact_id, source) values ('message-received', $1, 'joined')`, [
      gone,
    ])
    await shop.query('insert into conversation_cases (contact_id) values ($1), ($2)', [kept, gone])
    await shop.query('select join_contacts($1, $2)', [kept, gone])
    const of = async (sql: string) => (await shop.query<{ id: number }>(sql)).map(({ id }) => id)
    expect(await of(`select contact_id as id from bot_misses where key = 'zzz'`)).toEqual([kept])
    expect(await of(`select contact_id as id from notifications where source = 'joined'`)).toEqual([kept])
    // One case is open at most.
    const cases = `select ended_at is null as open from conversation_cases where contact_id = ${kept} order by 1`
    expect((await shop.query<{ open: boolean }>(cases)).map(({ open }) => open)).toEqual([false, true])
    const topic = `select contact_id as id from whatsapp_conversation_threads where telegram_thread_id = '77'`
    expect(await of(`${topic} and thread_name = '77'`)).toEqual([kept])
  })

  it('moves the rows of every table that refers to it when it is joined', async () => {
    const missing = await shop.query(
      `select conrelid::regclass::text from pg_constraint c
       where confrelid = 'contacts'::regclass and conrelid::regclass::text not in
         ('whatsapp_messages', 'early_message_changes', 'whatsapp_conversation_threads', 'conversation_cases')
         and not exists (select from pg_trigger t
           where tgrelid = 'contacts'::regclass and tgname = 'move_' || c.conrelid::regclass::text)`,
    )
    expect(missing).toEqual([])
  })

  it('is brought back from a snooze by the job of the contact that is gone', async () => {
    const make = async (scopedId: string) => {
      const [row] = await shop.query<{ id: number }>(
        'insert into contacts (business_scoped_id) values ($1) returning id',
        [scopedId],
      )
      return row?.id ?? 0
    }
    const [kept, gone] = [await make('BH.stays'), await make('BH.goes')]
    await shop.query('insert into whatsapp_conversation_threads (contact_id) values ($1)', [gone])
    const now = new Date()
    await runJobTransaction(shop.app.pool, (ctx) => snooze({ ...ctx, now }, gone, new Date(now.getTime() + 3_600_000)))
    await shop.query('select join_contacts($1, $2)', [kept, gone])
    await shop.query('update whatsapp_conversation_threads set snoozed_until = now() where contact_id = $1', [kept])
    await shop.query(`update pgboss.job set start_after = now() where name = $1 and state = 'created'`, [
      'conversation-snooze',
    ])
    const thread = await until('the end of the snooze', async () => {
      const [row] = await shop.query<{ reason: string | null }>(
        'select handoff_reason as reason from whatsapp_conversation_threads where contact_id = $1',
        [kept],
      )
      return row?.reason && row
    })
    expect(thread).toEqual({ reason: 'snoozed' })
  })

  it('is brought back within a minute if that job ran before the contacts were merged', async () => {
    const [row] = await shop.query<{ id: number }>(
      `with c as (insert into contacts (business_scoped_id) values ('BH.asleep') returning id)
       insert into whatsapp_conversation_threads (contact_id, snoozed_until) select id, now() from c returning id`,
    )
    const schedules = await shop.query<{ cron: string; data: object }>(
      'select cron, data from pgboss.schedule where name = $1',
      ['conversation-snooze'],
    )
    expect(schedules).toEqual([{ cron: '* * * * *', data: {} }])
    await shop.app.queue.send('conversation-snooze', {})
    await until('the end of the snooze', async () => {
      const [thread] = await shop.query(
        `select from whatsapp_conversation_threads
         where id = $1 and handoff_reason = 'snoozed' and snoozed_until is null`,
        [row?.id],
      )
      return thread !== undefined
    })
  })

  it.each([
    ['', {}],
    [', also not as if it had been asked for', { origin: 'contact_request' }],
  ])('does not get the phone of a contact card that another person sent%s', async (_, asked) => {
    const [stranger, victim] = [newPhone(), newPhone()]
    const scopedId = `BH.${stranger.slice(1)}`
    await callAsMeta(shop, {
      entry: [
        {
          changes: [
            {
              field: 'messages',
              value: {
                contacts: [{ user_id: scopedId, profile: {} }],
                messages: [
                  {
                    id: `wamid.card.${stranger}`,
                    from_user_id: scopedId,
                    type: 'contacts',
                    ...asked,
                    contacts: [{ name: { formatted_name: 'V' }, phones: [{ wa_id: victim.slice(1) }] }],
                  },
                ],
              },
            },
          ],
        },
      ],
    })
    const contact = await until(
      'the contact',
      async () => (await shop.query('select phone from contacts where business_scoped_id = $1', [scopedId]))[0],
    )
    expect(contact).toEqual({ phone: null })
  })
})
