import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeOrder, makeUser } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'

const shop = await startShop({ hasBot: false })
let boss: Visitor
let other: Visitor
let otherId: number

beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
  const second = await makeUser(shop, { role: 'super_admin' })
  otherId = second.id
  other = await shop.visitor().signInAs(second.phone)
})

/** A customer sends a message; resolves when it is stored. */
async function writes(phone: string, body: string, more: object = {}) {
  const { body: sent } = await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body, ...more } })
  return until('the message', async () => {
    const rows = await shop.query<{ id: number; contact_id: number }>(
      'select id, contact_id from whatsapp_messages where message_id = $1',
      [sent.id],
    )
    return rows[0]
  })
}
const open = (contact: string | number) => boss.call(api.getConversation, { params: { contact: String(contact) } })
const reply = (who: Visitor, contact: string | number, body: string, key?: string) =>
  who.call(
    api.sendReply,
    { params: { contact: String(contact) }, body: { body } },
    key ? { 'idempotency-key': key } : {},
  )
const messagesOf = async (contact: string | number) =>
  (await boss.call(api.listMessages, { params: { contact: String(contact) }, query: { limit: '100' } as never })).body
    .items
const list = async (query: object) => (await boss.call(api.listConversations, { query: query as never })).body
const closeWindow = (contact: number) =>
  shop.query(
    `update whatsapp_conversation_threads set last_incoming_at = now() - interval '24 hours 1 second'
    where contact_id = $1`,
    [contact],
  )

describe('the list of conversations', () => {
  it('shows the latest sender first, with unread counts, and searches name, phone and text with normalized spelling', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'أبي غالونين إلى البديّع', { name: 'مريم الكعبي' })
    // Without the bot a job notes that the customer waits.
    const found = await until('the unread message', async () =>
      (await list({ view: 'unread' })).items.find(({ contactId }) => contactId === contact),
    )
    const { counts } = await list({})
    expect(found).toMatchObject({ phone, name: 'مريم الكعبي', isWindowOpen: true, pausedUntil: null })
    expect(found?.unreadCount).toBeGreaterThan(0)
    expect(counts.unread).toBeGreaterThan(0)
    for (const search of ['مريم الكعبى', phone, phone.slice(4), 'غالونين الي البديع']) {
      const answer = await list({ search })
      expect(
        answer.items.map(({ contactId }) => contactId),
        search,
      ).toContain(contact)
    }
    expect((await list({ search: 'nobody says this' })).items).toEqual([])
    expect((await list({ search: '%' })).items).toEqual([])
  })

  it("shows the shop's name of a contact without a profile name", async () => {
    const { id, phone } = await makeUser(shop)
    await shop.query(`update users set name = 'ليلى الكواري' where id = $1`, [id])
    const { contact_id: contact } = await writes(phone, 'salam')
    const { items } = await list({ search: 'ليلي الكواري' })
    expect(items.map(({ contactId, name }) => [contactId, name])).toEqual([[contact, 'ليلى الكواري']])
  })

  it('is paginated by the last message, with totals', async () => {
    for (const n of [1, 2, 3]) await writes(newPhone(), `page ${n}`)
    const first = await list({ limit: '2' })
    const second = await list({ limit: '2', page: '2' })
    expect(first.items).toHaveLength(2)
    const ids = [...first.items, ...second.items].map(({ contactId }) => contactId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(first.total).toBeGreaterThanOrEqual(3)
    const times = first.items.map(({ lastActivity }) => lastActivity)
    expect([...times].sort().reverse()).toEqual(times)
  })

  it("finds a contact by a part of the provider's id in any case, and two digits only where a phone begins", async () => {
    const { contact_id: contact } = await writes('+97338765412', 'salam')
    await shop.query(`update contacts set business_scoped_id = 'BH.Xy7Qz' where id = $1`, [contact])
    const found = async (search: string) => (await list({ search })).items.map(({ contactId }) => contactId)
    expect(await found('bh.xy7')).toEqual([contact])
    expect(await found('38')).toContain(contact)
    expect(await found('12')).not.toContain(contact)
  })

  it('counts at most 200 conversations beyond the page', async () => {
    await shop.query(
      `with c as (insert into contacts (phone) select '+9733499' || lpad(n::text, 4, '0') from generate_series(1, 230) n returning id)
       insert into whatsapp_conversation_threads (contact_id, labels, last_activity)
       select id, '{bulk}', now() - interval '1 year' from c`,
    )
    expect((await list({ limit: '10' })).total).toBe(210)
    expect((await list({ limit: '10', search: '+9733499' })).total).toBe(230)
    expect((await boss.call(work.listLabels)).body).toContainEqual({ label: 'bulk', count: 230 })
  })

  it('filters by own, waiting, answered by the bot and without campaigns', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const params = { contact: String(contact) }
    const seen = async (view: string) =>
      (await list({ view, limit: '100' })).items.some(({ contactId }) => contactId === contact)
    expect(await seen('bot')).toBe(true)
    expect(await seen('unassigned')).toBe(true)
    await boss.call(work.takeOver, { params, body: { hours: 2 } })
    expect([await seen('bot'), await seen('person')]).toEqual([false, true])
    await boss.call(work.assignConversation, { params, body: { userId: otherId, from: null } })
    expect([await seen('mine'), await seen('unassigned')]).toEqual([false, false])
    await boss.call(work.changeOptOut, { params, body: { isOut: true } })
    expect(await seen('opted-out')).toBe(true)
  })
})

describe('replies', () => {
  it('are queued and sent, show their actual status, and pause the bot', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'Is anybody there?')
    const answer = await reply(boss, phone, '  Yes, we are.  ')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ text: 'Yes, we are.', direction: 'outgoing', by: { type: 'staff' } })
    await until('delivery', async () =>
      (await messagesOf(contact)).some(({ id, status }) => id === answer.body.id && status === 'delivered'),
    )
    const { body } = await open(contact)
    expect(body.pausedUntil).not.toBeNull()
    expect(body.assignedTo?.id).toBe(answer.body.by.user?.id)
    expect(body.acts.filter(({ act }) => act === 'taken-over')).toHaveLength(1)
    await reply(boss, contact, 'Anything else?')
    expect((await open(contact)).body.acts).toHaveLength(1)
  })

  it('are refused 24 hours after the customer’s last message, and nothing is stored', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    await closeWindow(contact)
    expect((await open(contact)).body.isWindowOpen).toBe(false)
    const before = (await messagesOf(contact)).length
    const { status, refusal } = await reply(boss, contact, 'Too late')
    expect([status, refusal.code]).toEqual([422, 'SERVICE_WINDOW_CLOSED'])
    expect(await messagesOf(contact)).toHaveLength(before)
  })

  it.each([
    ['nothing', { body: '' }],
    ['blanks', { body: ' \n ' }],
    ['too much', { body: 'x'.repeat(4097) }],
    ['control characters', { body: 'a\u0007b' }],
    ['neither words nor template', {}],
    ['both', { body: 'a', template: { name: 'a', language: 'en' } }],
    ['an unknown template', { template: { name: 'nothing_like_it', language: 'en' } }],
  ])('refuses %s', async (_, body) => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const { status } = await boss.call(api.sendReply, { params: { contact: String(contact) }, body: body as never })
    expect(status).toBe(422)
  })

  it('are sent once despite repeated requests, also in parallel', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const key = 'one-and-the-same-key'
    const answers = await Promise.all(Array.from({ length: 6 }, () => reply(boss, contact, 'Once', key)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await messagesOf(contact)).filter(({ text }) => text === 'Once')).toHaveLength(1)
    const others = await reply(boss, contact, 'Other words', key)
    expect([others.status, others.refusal.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    await closeWindow(contact)
    expect((await reply(boss, contact, 'Once', key)).body.id).toBe(answers[0]?.body.id)
  })

  it('of two people at the same time are both kept, in one order, with one assignee', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const [one, two] = await Promise.all([reply(boss, contact, 'From one'), reply(other, contact, 'From two')])
    const texts = (await messagesOf(contact)).map(({ text }) => text)
    expect(texts).toEqual(expect.arrayContaining(['From one', 'From two']))
    const { body } = await open(contact)
    expect(body.last?.id).toBe(Math.max(one.body.id, two.body.id))
    expect(body.acts.filter(({ act }) => act === 'taken-over')).toHaveLength(1)
    await until('both to be sent', async () =>
      (await messagesOf(contact)).filter(({ by }) => by.type === 'staff').every(({ status }) => status !== 'queued'),
    )
  })

  it('show the reason of a failure and can be retried once', async () => {
    const phone = '+97333619990'
    const { contact_id: contact } = await writes(phone, 'hello')
    const { body: sent } = await reply(boss, contact, 'Never arrives')
    const failed = await until('the failure', async () =>
      (await messagesOf(contact)).find(({ id, status }) => id === sent.id && status === 'failed'),
    )
    expect(failed.problem?.code).toBe('131026')
    expect(failed.mayRetry).toBe(true)
    const params = { contact: String(contact), id: String(sent.id) }
    const again = await Promise.all([1, 2, 3].map(() => boss.call(api.retryMessage, { params })))
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(again.map(({ body }) => body.id)).size).toBe(1)
    expect((await messagesOf(contact)).find(({ id }) => id === sent.id)).toMatchObject({
      mayRetry: false,
      isRetried: true,
    })
    const fine = await writes(newPhone(), 'hello')
    const { body: kept } = await reply(boss, fine.contact_id, 'Arrives')
    const refused = await boss.call(api.retryMessage, {
      params: { contact: String(fine.contact_id), id: String(kept.id) },
    })
    expect(refused.refusal.code).toBe('MESSAGE_NOT_FAILED')
    const foreign = await boss.call(api.retryMessage, {
      params: { contact: String(fine.contact_id), id: String(sent.id) },
    })
    expect(foreign.refusal.code).toBe('MESSAGE_NOT_FOUND')
  })

  it('are never resent if they may have been sent', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const { body } = await reply(boss, contact, 'Who knows')
    await until('sending', async () =>
      (await messagesOf(contact)).find(({ id, status }) => id === body.id && status !== 'queued'),
    )
    await shop.query(`update whatsapp_messages set status = 'unknown' where id = $1`, [body.id])
    const { refusal } = await boss.call(api.retryMessage, { params: { contact: String(contact), id: String(body.id) } })
    expect(refusal.code).toBe('MESSAGE_NOT_FAILED')
  })
})

describe('messages of a conversation', () => {
  it('are paginated backwards without gaps or repetitions while others arrive', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'm1')
    for (const n of [2, 3, 4, 5]) await writes(phone, `m${n}`)
    const params = { contact: String(contact) }
    const first = await boss.call(api.listMessages, { params, query: { limit: '2' } as never })
    await writes(phone, 'm6')
    const before = first.body.items.at(-1)?.id ?? 0
    const rest = await boss.call(api.listMessages, { params, query: { limit: '100', before } as never })
    const ids = [...first.body.items, ...rest.body.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const said = [...first.body.items, ...rest.body.items].filter(({ direction }) => direction === 'incoming')
    expect(said.map(({ text }) => text)).toEqual(['m5', 'm4', 'm3', 'm2', 'm1'])
  })

  it('show pictures and files without their media ids', async () => {
    const { contact_id: contact, id } = await writes(newPhone(), 'The gate', { type: 'image' })
    const found = (await messagesOf(contact)).find((one) => one.id === id)
    expect(found?.type).toBe('image')
    const [{ payload } = { payload: {} }] = await shop.query<{ payload: Record<string, unknown> }>(
      'select payload from whatsapp_messages where id = $1',
      [id],
    )
    expect(payload.mediaId).toBeTruthy()
    expect(JSON.stringify(found)).not.toContain(String(payload.mediaId))
  })
})

describe('read marks', () => {
  const unreadOf = async (contact: number) => (await open(contact)).body.unreadCount

  it('cover messages up to the last one seen; later ones stay unread', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'one')
    const second = await writes(phone, 'two')
    await writes(phone, 'three')
    const { body } = await boss.call(api.readConversation, {
      params: { contact: String(contact) },
      body: { upTo: second.id },
    })
    expect(body.unreadCount).toBe(1)
    expect(await unreadOf(contact)).toBe(1)
    await boss.call(api.readConversation, { params: { contact: String(contact) } })
    expect(await unreadOf(contact)).toBe(0)
  })

  it('are not lost while messages arrive and several people read', async () => {
    const phone = newPhone()
    const { contact_id: contact, id } = await writes(phone, 'first')
    await until('the handoff', async () => (await unreadOf(contact)) === 1)
    const [, ...sent] = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? boss : other).call(api.readConversation, { params: { contact: String(contact) }, body: { upTo: id } }),
      ),
      ...Array.from({ length: 8 }, (_, n) => writes(phone, `more ${n}`)),
    ])
    expect(sent.length).toBe(15)
    expect(await unreadOf(contact)).toBe(8)
    const [row] = await shop.query<{ count: number }>(
      `select count(*)::int as count from whatsapp_messages
       where contact_id = $1 and direction = 'incoming' and not read_by_admin`,
      [contact],
    )
    expect(row?.count).toBe(8)
  })

  it('count no message that was read before the handoff', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'first')
    await until('the handoff', async () => (await unreadOf(contact)) === 1)
    const params = { contact: String(contact) }
    await boss.call(api.readConversation, { params })
    await boss.call(work.handBack, { params })
    await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contact, 'no-bot'))
    expect((await open(contact)).body.unreadCount).toBe(0)
  })

  it('count all messages since the last answer if several came before the handoff', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'first')
    await until('the handoff', async () => (await unreadOf(contact)) === 1)
    const params = { contact: String(contact) }
    await boss.call(api.readConversation, { params })
    await boss.call(work.handBack, { params })
    for (const direction of ['incoming', 'outgoing', 'incoming', 'incoming'])
      await shop.query(
        `insert into whatsapp_messages (contact_id, direction, channel, message_type, status)
         values ($1, $2, 'whatsapp', 'text', 'received')`,
        [contact, direction],
      )
    for (let times = 0; times < 2; times += 1)
      await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contact, 'no-bot'))
    expect(await unreadOf(contact)).toBe(2)
  })
})

describe('the bot', () => {
  it('is paused for the given time and answers again when the conversation is handed back', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const params = { contact: String(contact) }
    const { body } = await boss.call(work.takeOver, { params, body: { hours: 2 } })
    const hours = (Date.parse(body.pausedUntil ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(hours).toBeLessThan(2.1)
    expect(body.pausedBy?.id).toBeTypeOf('number')
    await boss.call(work.handBack, { params })
    const after = (await open(contact)).body
    expect(after.pausedUntil).toBeNull()
    expect(after.acts.map(({ act }) => act)).toEqual(['handed-back', 'taken-over'])
    const tooLong = await boss.call(work.takeOver, { params, body: { hours: 73 } })
    expect(tooLong.status).toBe(422)
  })

  it('can be assigned only to users of the inbox', async () => {
    const { contact_id: contact } = await writes(newPhone(), 'hello')
    const params = { contact: String(contact) }
    const { body: people } = await boss.call(work.listAnswerers)
    expect(people.map(({ id }) => id)).toContain(otherId)
    const driver = await makeUser(shop, { role: 'driver', vendorId: 1 })
    expect(people.map(({ id }) => id)).not.toContain(driver.id)
    const { status } = await boss.call(work.assignConversation, { params, body: { userId: driver.id, from: null } })
    expect(status).toBe(404)
    await boss.call(work.assignConversation, { params, body: { userId: otherId, from: null } })
    await boss.call(work.assignConversation, { params, body: { userId: null, from: otherId } })
    const [released, assigned] = (await open(contact)).body.acts
    expect([released?.act, assigned?.act, assigned?.to?.id]).toEqual(['released', 'assigned', otherId])
  })
})

it('order summaries beside a conversation have the unit of sale, and only pictures of our own media', async () => {
  const { id: userId, phone } = await makeUser(shop)
  const { contact_id: contact } = await writes(phone, 'hello')
  const id = await makeOrder(shop, { userId, vendorId: 1, phone })
  for (const [address, shown] of [
    ['https://pictures.example/a.png', null],
    [`/media/${'a'.repeat(64)}`, `/media/${'a'.repeat(64)}`],
  ] as const) {
    const unitOfSale = "inventory_unit = 'Carton', units_per_inventory_unit = 24"
    await shop.query(`update order_items set image_url = $2, ${unitOfSale} where order_id = $1`, [id, address])
    const unit = { inventoryUnit: 'Carton', inventoryUnitAr: null, unitsPerInventoryUnit: 24 }
    expect((await open(contact)).body.orders).toMatchObject([{ id, items: [{ imageUrl: shown, ...unit }] }])
  }
})

describe('notes', () => {
  it('are stored beside the conversation, are never sent, and do not appear in the history', async () => {
    const phone = newPhone()
    const { contact_id: contact } = await writes(phone, 'hello')
    const words = 'Wants the gate code kept secret'
    const { body } = await boss.call(api.addNote, { params: { contact: phone }, body: { body: words } })
    expect(body.by?.id).toBeTypeOf('number')
    expect((await open(contact)).body.notes).toMatchObject([{ body: words }])
    const leaks = await shop.query(
      `select 1 from audit_log where coalesce(new_values::text, '') like $1
       union all select 1 from whatsapp_messages where content = $2`,
      [`%${words}%`, words],
    )
    expect(leaks).toEqual([])
  })
})
