import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pauseAfterStaffReply, requestHandoff } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'
import type { Visitor } from '../test/visitor.ts'

// The bot’s jobs are off here; a conversation waits when a test hands it over.
const shop = await startShop()
await shop.app.queue.stop()
const [sara, khalid] = [
  await makeVisitor(shop, { role: 'super_admin' }),
  await makeVisitor(shop, { role: 'super_admin' }),
]

let sent = 0
async function writes(phone: string, content = 'hello', type: 'text' | 'reaction' = 'text') {
  return runJobTransaction(shop.app.pool, (ctx) =>
    receiveMessage(ctx, {
      providerId: `wamid.work${(sent += 1)}`,
      channel: 'whatsapp',
      type,
      content,
      parts: {},
      contextId: null,
      from: { phone, businessScopedId: null, name: null },
      at: new Date(),
    }),
  )
}
const handOver = (contactId: number) =>
  runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contactId, 'asked'))

async function waiting() {
  const phone = newPhone()
  const { contactId, messageId } = await writes(phone)
  await handOver(contactId)
  return { phone, contactId, messageId, params: { contact: String(contactId) } }
}
const read = async (who: Visitor, contactId: number) =>
  (await who.call(api.getConversation, { params: { contact: String(contactId) } })).body
const idsIn = async (who: Visitor, view: string) =>
  (await who.call(api.listConversations, { query: { view, limit: '100' } as never })).body.items.map(
    ({ contactId }) => contactId,
  )
const jobsOf = async (contactId: number, name: string) =>
  (
    await shop.query<{ data: { event: string; isAwaited?: boolean } }>(
      `select data from pgboss.job where name = $2 and (data ->> 'contactId')::int = $1 order by created_on`,
      [contactId, name],
    )
  ).map(({ data }) => data)

describe('unread messages and rings', () => {
  it('are none while the bot talks, and begin when a person is waited for', async () => {
    const phone = newPhone()
    const { contactId } = await writes(phone)
    await writes(phone)
    expect((await read(sara, contactId)).unreadCount).toBe(0)
    await handOver(contactId)
    expect((await read(sara, contactId)).unreadCount).toBe(1)
    await writes(phone)
    expect((await read(sara, contactId)).unreadCount).toBe(2)
    await handOver(contactId)
    const rings = (await jobsOf(contactId, 'conversation-notifications')).filter(
      ({ event, isAwaited }) => event === 'conversation.waiting' || isAwaited,
    )
    expect(rings.map(({ event }) => event)).toEqual(['conversation.waiting', 'message.received'])
  })

  it('count a message that the customer writes after a reply by staff, and no reaction', async () => {
    const { phone, contactId, params } = await waiting()
    await runJobTransaction(shop.app.pool, (ctx) => pauseAfterStaffReply(ctx, contactId, sara.id))
    expect(await read(sara, contactId)).toMatchObject({ unreadCount: 0, waitingSince: null })
    await writes(phone, '👍', 'reaction')
    expect((await read(sara, contactId)).waitingSince).toBeNull()
    await writes(phone, 'And tomorrow?')
    const { unreadCount, waitingSince } = await read(sara, contactId)
    expect([unreadCount, waitingSince !== null]).toEqual([1, true])
    const { body } = await sara.call(api.readConversation, { params })
    expect(body.unreadCount).toBe(0)
  })
})

describe('the waiting list', () => {
  it('is oldest first, nobody’s and one’s own before those of others', async () => {
    const [first, second, third] = [await waiting(), await waiting(), await waiting()]
    for (const [n, one] of [first, second, third].entries())
      await shop.query(
        `update whatsapp_conversation_threads set handoff_at = now() - ($2 * interval '1 minute') where contact_id = $1`,
        [one.contactId, 30 - n],
      )
    await khalid.call(work.assignConversation, { params: first.params, body: { userId: khalid.id, from: null } })
    const ids = [first, second, third].map(({ contactId }) => contactId)
    const orderFor = async (who: Visitor) => (await idsIn(who, 'waiting')).filter((id) => ids.includes(id))
    expect(await orderFor(sara)).toEqual([second, third, first].map(({ contactId }) => contactId))
    expect(await orderFor(khalid)).toEqual(ids)
  })
})

describe('an assignment', () => {
  it('goes to one of two agents who take the conversation at the same moment; the other reads who has it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { contactId, params } = await waiting()
      const take = (who: Visitor & { id: number }) =>
        who.call(work.assignConversation, { params, body: { userId: who.id, from: null } })
      await shop.query('update users set name = $2 where id = $1', [sara.id, 'Sara'])
      await shop.query('update users set name = $2 where id = $1', [khalid.id, 'Khalid'])
      const answers = await Promise.all([take(sara), take(khalid)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const { assignedTo } = await read(sara, contactId)
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.refusal).toMatchObject({ code: 'CONVERSATION_TAKEN', details: { name: assignedTo?.name } })
    }
  })
})

describe('a resolved conversation', () => {
  it('leaves the waiting list, is undone as it was, and begins anew with the customer’s next message', async () => {
    const { phone, contactId, messageId, params } = await waiting()
    await sara.call(work.assignConversation, { params, body: { userId: sara.id, from: null } })
    const before = await read(sara, contactId)
    const { status } = await sara.call(work.resolveConversation, { params, body: { upTo: messageId } })
    expect(status).toBe(200)
    expect(await idsIn(sara, 'waiting')).not.toContain(contactId)
    expect(await idsIn(sara, 'mine')).not.toContain(contactId)
    expect(await idsIn(sara, 'done')).toContain(contactId)
    const { body: reopened } = await sara.call(work.reopenConversation, { params })
    expect([reopened.waitingSince, reopened.assignedTo?.id]).toEqual([before.waitingSince, sara.id])
    await sara.call(work.resolveConversation, { params, body: { upTo: messageId } })
    await writes(phone, 'One more thing')
    expect(await read(sara, contactId)).toMatchObject({
      doneAt: null,
      waitingSince: null,
      assignedTo: null,
      pausedUntil: null,
      unreadCount: 0,
    })
  })

  it('is refused if the customer wrote meanwhile, also at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { phone, contactId, messageId, params } = await waiting()
      const [answer] = await Promise.all([
        sara.call(work.resolveConversation, { params, body: { upTo: messageId } }),
        writes(phone, 'And bring two more'),
      ])
      const { doneAt, waitingSince } = await read(sara, contactId)
      // Resolved before the message, which then began anew; or refused, and the customer still waits.
      if (answer.status === 200) expect([doneAt, waitingSince]).toEqual([null, null])
      else expect([answer.refusal.code, doneAt, waitingSince !== null]).toEqual(['CONVERSATION_CHANGED', null, true])
    }
    const { phone, messageId, params } = await waiting()
    await writes(phone, 'Later')
    const late = await sara.call(work.resolveConversation, { params, body: { upTo: messageId } })
    expect(late.refusal.code).toBe('CONVERSATION_CHANGED')
  })
})

describe('a snooze', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

  it('sets a conversation aside until its time, within 30 days', async () => {
    const { contactId, params } = await waiting()
    const put = (until: string | null) => sara.call(work.snoozeConversation, { params, body: { until } })
    expect((await put(inSeconds(3_600))).status).toBe(200)
    expect(await idsIn(sara, 'waiting')).not.toContain(contactId)
    expect(await idsIn(sara, 'snoozed')).toContain(contactId)
    expect((await put(null)).body.snoozedUntil).toBeNull()
    expect(await idsIn(sara, 'waiting')).toContain(contactId)
    for (const until of [inSeconds(-5), inSeconds(31 * 86_400)])
      expect((await put(until)).refusal.code).toBe('SNOOZE_NOT_AVAILABLE')
  })

  it('ends with the customer’s next message', async () => {
    const { phone, contactId, params } = await waiting()
    await sara.call(work.snoozeConversation, { params, body: { until: inSeconds(3_600) } })
    await writes(phone, 'Still there?')
    expect(await idsIn(sara, 'waiting')).toContain(contactId)
  })

  it('brings the conversation back by a job while nobody looks, once and only at the last time chosen', async () => {
    const running = await startShop({}, { databaseUrl: shop.databaseUrl })
    onTestFinished(() => running.app.queue.stop())
    const [early, moved] = [await waiting(), await waiting()]
    for (const { contactId } of [early, moved])
      await runJobTransaction(shop.app.pool, (ctx) => pauseAfterStaffReply(ctx, contactId, sara.id))
    for (const { params } of [early, moved])
      await sara.call(work.snoozeConversation, { params, body: { until: inSeconds(2) } })
    await sara.call(work.snoozeConversation, { params: moved.params, body: { until: inSeconds(3_600) } })
    await until('the end of the snooze', async () => (await read(sara, early.contactId)).snoozedUntil === null)
    expect((await read(sara, early.contactId)).waitingSince).not.toBeNull()
    expect(await idsIn(sara, 'waiting')).toContain(early.contactId)
    const rang = (await jobsOf(early.contactId, 'conversation-notifications')).filter(
      ({ event }) => event === 'conversation.waiting',
    )
    expect(rang).toHaveLength(2)
    await until('the older job', async () => {
      const [row] = await shop.query<{ done: number }>(
        `select count(*)::int as done from pgboss.job where name = 'conversation-snooze' and state = 'completed' and data ? 'contactId'`,
      )
      return (row?.done ?? 0) >= 2
    })
    expect((await read(sara, moved.contactId)).snoozedUntil).not.toBeNull()
  })
})

it('labels of two people at the same moment both stay, and at most six', async () => {
  const { contactId, params } = await waiting()
  const label = (who: Visitor, add: string[], remove: string[] = []) =>
    who.call(work.changeLabels, { params, body: { add, remove } })
  await Promise.all([label(sara, ['مشكلة']), label(khalid, ['Delay'])])
  expect([...(await read(sara, contactId)).labels].sort()).toEqual(['Delay', 'مشكلة'])
  expect((await label(sara, ['1', '2', '3', '4', '5'])).refusal.code).toBe('LABELS_FULL')
  expect((await label(sara, [], ['Delay'])).body.labels).toEqual(['مشكلة'])
  const logged = await shop.query(
    `select from audit_log where new_values::text like '%مشكلة%' or old_values::text like '%Delay%'`,
  )
  expect(logged).toHaveLength(0)
  const { body } = await sara.call(work.listLabels)
  expect(body.find((one) => one.label === 'مشكلة')?.count).toBe(1)
})

it('presence reaches colleagues’ streams at once, not one’s own, and is stored nowhere', async () => {
  const { contactId, params } = await waiting()
  const [own, other] = [await listen(shop, sara), await listen(shop, khalid)]
  onTestFinished(() => {
    own.hangUp()
    other.hangUp()
  })
  for (const stream of [own, other]) await stream.until(({ event }) => event === 'ready')
  await sara.call(work.reportPresence, { params, body: { state: 'typing' } })
  const heard = await other.until(({ event }) => event === 'presence')
  expect(heard.data).toMatchObject({ contactId, user: { id: sara.id }, state: 'typing' })
  expect(own.heard.some(({ event }) => event === 'presence')).toBe(false)
})
