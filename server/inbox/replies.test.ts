import * as cannedReplies from '@qatra/contract/whatsapp/inbox/canned-replies'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { listReplyTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { conversationIn } from '../test/matrix/inbox.ts'
import type { Visitor } from '../test/visitor.ts'

const shop = await startShop()
let boss: Visitor
beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})

const words = { title: 'Thanks', titleAr: 'شكرًا', body: 'Thank you {name}', bodyAr: 'شكرًا {name}' }

describe('canned replies', () => {
  it('are created, changed and deleted, each with an entry in the audit log', async () => {
    const made = await boss.call(cannedReplies.createCannedReply, { body: { shortcut: '/Thanks', ...words } })
    expect(made.body).toMatchObject({ shortcut: 'thanks', isActive: true, ...words })
    const params = { id: String(made.body.id) }
    const changed = await boss.call(cannedReplies.changeCannedReply, {
      params,
      body: { bodyAr: 'شكرًا جزيلًا', isActive: false },
    })
    expect(changed.body).toMatchObject({ bodyAr: 'شكرًا جزيلًا', isActive: false, body: words.body })
    const { body: all } = await boss.call(cannedReplies.listCannedReplies)
    expect(all.items.map(({ id }) => id)).toContain(made.body.id)
    expect((await boss.call(cannedReplies.deleteCannedReply, { params })).status).toBe(200)
    expect((await boss.call(cannedReplies.deleteCannedReply, { params })).refusal.code).toBe('CANNED_REPLY_NOT_FOUND')
    const rows = await shop.query<{ action: string }>(
      `select action from audit_log where resource = 'canned-reply' and resource_id = $1 order by id`,
      [params.id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
  })

  it('have unique names, also under parallel requests', async () => {
    const both = await Promise.all(
      [1, 2].map(() => boss.call(cannedReplies.createCannedReply, { body: { shortcut: 'same', ...words } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const other = await boss.call(cannedReplies.createCannedReply, { body: { shortcut: 'other', ...words } })
    const { refusal } = await boss.call(cannedReplies.changeCannedReply, {
      params: { id: String(other.body.id) },
      body: { shortcut: 'same' },
    })
    expect(refusal.code).toBe('SHORTCUT_TAKEN')
  })

  it.each([
    ['an unknown gap', { body: 'Dear {password}' }],
    ['no words in either language', { bodyAr: ' ', body: '' }, ['bodyAr']],
    ['a name of two words', { shortcut: 'two words' }],
  ])('refuse %s', async (_, wrong, fields = Object.keys(wrong)) => {
    const { status, refusal } = await boss.call(cannedReplies.createCannedReply, {
      body: { shortcut: 'fine', ...words, ...wrong },
    })
    expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(fields)
  })

  it('of a file are added, or complete known ones, each with one language at least; a dry run writes nothing', async () => {
    const old = await boss.call(cannedReplies.createCannedReply, {
      body: { shortcut: 'open-hours', ...words, body: '', title: '' },
    })
    const send = async (lines: readonly string[], query = '') => {
      const form = fileForm('replies.csv', lines.join('\r\n'))
      const path = cannedReplies.importCannedReplies.path + query
      const { body, refusal, status } = await boss.send('POST', path, form)
      return { status, code: refusal.code, body: body as cannedReplies.CannedImportResult }
    }
    const lines = [
      'الاسم المختصر,بالعربية,English',
      '/Late,نعتذر عن التأخير يا {name},',
      'open-hours,,We are open until 9',
      'broken,,',
      'late,مرة أخرى,Again',
      'gap,,Dear {password}',
    ]
    const { body: seen } = await send(lines, '?dryRun=true')
    expect(seen).toMatchObject({ created: 1, updated: 1, unchanged: 0, failedRows: 3 })
    expect(seen.failed.map(({ row, field }) => [row, field])).toEqual([
      [4, 'bodyAr'],
      [5, 'shortcut'],
      [6, 'body'],
    ])
    expect(await send(lines)).toMatchObject({ status: 422, code: 'BULK_REFUSED' })
    expect((await send(lines, '?partial=true')).body).toMatchObject({ created: 1, updated: 1 })
    expect((await send(lines.slice(0, 3))).body).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    const { body: all } = await boss.call(cannedReplies.listCannedReplies, { query: { limit: 100 } })
    const texts = (shortcut: string) =>
      all.items.flatMap((one) => (one.shortcut === shortcut ? [one.bodyAr, one.body] : []))
    expect([texts('late'), texts('open-hours')]).toEqual([
      ['نعتذر عن التأخير يا {name}', ''],
      [words.bodyAr, 'We are open until 9'],
    ])
    const params = { id: String(old.body.id) }
    await boss.call(cannedReplies.changeCannedReply, { params, body: { body: '' } })
    const emptied = await boss.call(cannedReplies.changeCannedReply, { params, body: { bodyAr: '' } })
    expect([emptied.status, Object.keys(emptied.refusal.details.fields ?? {})]).toEqual([422, ['bodyAr']])
  })

  it('replace known placeholders and keep the others', () => {
    expect(
      cannedReplies.fillIn('Hi {name}, {order} comes {date}', { name: 'Sara', order: null, date: 'Saturday' }),
    ).toBe('Hi Sara, {order} comes Saturday')
  })
})

const shipped = {
  name: 'order_shipped_test',
  language: 'en',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hello {{1}}, it comes {{2}}.', example: { body_text: [['Sara', 'today']] } },
    { type: 'FOOTER', text: 'Qatra' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Follow', url: 'https://x.example/{{1}}' }] },
  ],
}

describe('templates', () => {
  const insert = (row: { name: string; category: string; status: string; components: unknown }) =>
    shop.query(
      `insert into whatsapp_templates (name, language, category, status, components) values ($1, 'en', $2, $3, $4)`,
      [row.name, row.category, row.status, JSON.stringify(row.components)],
    )

  it('are sent after the 24 hours, filled in, and only if approved', async () => {
    await insert({ ...shipped, status: 'APPROVED' })
    await insert({ ...shipped, name: 'paused_test', status: 'PAUSED' })
    const { body: offered } = await boss.call(listReplyTemplates)
    expect(offered.map(({ name }) => name)).toContain('order_shipped_test')
    expect(offered.map(({ name }) => name)).not.toContain('paused_test')
    const { contact } = await conversationIn(shop, { hoursAgo: 30 })
    const params = { contact: String(contact) }
    const template = { name: 'order_shipped_test', language: 'en', variables: ['Sara', 'today', 'K7QM', 'abc'] }
    const sent = await boss.call(api.sendReply, { params, body: { template } })
    expect(sent.body).toMatchObject({ type: 'template', parts: { template: 'order_shipped_test' } })
    await until('the template', async () => {
      const { body } = await boss.call(api.listMessages, { params })
      return body.items.some(({ id, status }) => id === sent.body.id && status === 'delivered')
    })
    for (const wrong of [
      { ...template, variables: [] },
      { ...template, name: 'paused_test' },
    ]) {
      const { status, refusal } = await boss.call(api.sendReply, { params, body: { template: wrong } })
      expect([status, refusal.code]).toEqual([422, 'TEMPLATE_NOT_AVAILABLE'])
    }
  })

  it('of marketing are not sent after an opt-out', async () => {
    await insert({
      name: 'offer_test',
      category: 'MARKETING',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'Hi' }],
    })
    const { contact } = await conversationIn(shop)
    const params = { contact: String(contact) }
    await boss.call(work.changeOptOut, { params, body: { isOut: true } })
    const body = { template: { name: 'offer_test', language: 'en' } }
    expect((await boss.call(api.sendReply, { params, body })).refusal.details).toEqual({ reason: 'opted-out' })
    await boss.call(work.changeOptOut, { params, body: { isOut: false } })
    expect((await boss.call(api.sendReply, { params, body })).status).toBe(200)
  })
})

it('messages are in the order of the time at which they were written, also across pages', async () => {
  const phone = newPhone()
  await shop.query('insert into contacts (phone) values ($1)', [phone])
  await shop.query(
    `insert into whatsapp_conversation_threads (contact_id, phone_number) select id, phone from contacts where phone = $1`,
    [phone],
  )
  const written = [
    [20, 'third'],
    [40, 'first'],
    [30, 'second'],
    [10, 'fourth'],
  ] as const
  for (const [secondsAgo, text] of written) {
    await shop.query(
      `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, content, status, sent_by_type, timestamp)
       select 'wamid.' || $2::text || phone, id, phone, 'incoming', 'whatsapp', $2::text, 'received', 'customer',
         now() - $3 * interval '1 second' from contacts where phone = $1`,
      [phone, text, secondsAgo],
    )
  }
  const read = async (before?: number) => {
    const query = { limit: '3', ...(before ? { before } : {}) } as never
    return (await boss.call(api.listMessages, { params: { contact: phone }, query })).body.items
  }
  const all: string[] = []
  for (let page = await read(); page.length > 0; page = await read(page.at(-1)?.id))
    all.push(...page.map(({ text }) => text))
  expect(all).toEqual(['fourth', 'third', 'second', 'first'])
})
