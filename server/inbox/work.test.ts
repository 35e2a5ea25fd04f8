import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as report from '@qatra/contract/whatsapp/inbox/report'
import * as transcript from '@qatra/contract/whatsapp/inbox/transcript'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pauseAfterStaffReply, requestHandoff } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'
import type { Visitor } from '../test/visitor.ts'
import { askRating, takeRating } from './ratings.commands.ts'
import { alarmOfLate, giveInTurn, releaseOfGone } from './turns.commands.ts'

// The bot’s jobs are off here; a conversation waits when a test hands it over.
const shop = await startShop()
await shop.app.queue.stop()
const [sara, khalid] = [
  await makeVisitor(shop, { role: 'super_admin' }),
  await makeVisitor(shop, { role: 'super_admin' }),
]

let sent = 0
async function writes(phone: string, content = 'hello', type: 'text' | 'reaction' | 'button' = 'text', parts = {}) {
  return runJobTransaction(shop.app.pool, (ctx) =>
    receiveMessage(ctx, {
      providerId: `wamid.work${(sent += 1)}`,
      channel: 'whatsapp',
      type,
      content,
      parts,
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

describe('who answers', () => {
  const rule = (people: number[], more: object = {}) => ({ by: 'all' as const, ids: [], labels: [], people, ...more })
  const office = (more: object) => ({ settings: new Map([['inbox', JSON.stringify(more)]]), holidays: new Map() })
  const seen = (who: { id: number }, minutesAgo: number) =>
    shop.query(`update users set last_active_at = now() - $2 * interval '1 minute' where id = $1`, [who.id, minutesAgo])
  const inJob = <T>(act: (ctx: JobContext) => Promise<T>) => runJobTransaction(shop.app.pool, act)
  const give = (contactId: number, rules: object[]) => inJob((ctx) => giveInTurn(ctx, contactId, office({ rules })))

  it('is the next in turn of those on duty, by rules, and recorded; nobody’s without one', async () => {
    await Promise.all([seen(sara, 0), seen(khalid, 0)])
    const both = [rule([sara.id, khalid.id])]
    const owners = []
    for (let round = 0; round < 4; round += 1) {
      const { contactId } = await waiting()
      await give(contactId, both)
      owners.push((await read(sara, contactId)).assignedTo?.id)
    }
    expect(new Set(owners.slice(0, 2))).toEqual(new Set([sara.id, khalid.id]))
    expect(owners.slice(2)).toEqual(owners.slice(0, 2))
    const one = await waiting()
    await sara.call(work.changeLabels, { params: one.params, body: { add: ['Company'] } })
    await give(one.contactId, [rule([sara.id], { by: 'label', labels: ['Company'] }), rule([khalid.id])])
    const { assignedTo, acts } = await read(khalid, one.contactId)
    expect(assignedTo?.id).toBe(sara.id)
    expect(acts[0]).toMatchObject({ act: 'assigned', by: null, to: { id: sara.id } })
    expect((await sara.call(work.changeDuty, { body: { isAway: true } })).body).toEqual({ isAway: true })
    await seen(khalid, 60)
    const none = await waiting()
    await give(none.contactId, both)
    expect((await read(sara, none.contactId)).assignedTo).toBeNull()
    await sara.call(work.changeDuty, { body: { isAway: false } })
    expect((await sara.call(work.getDuty)).body).toEqual({ isAway: false })
  })

  it('loses an owner who is away for longer than the waiting limit', async () => {
    const [kept, left] = [await waiting(), await waiting()]
    await Promise.all([seen(sara, 0), seen(khalid, 30)])
    for (const [{ params }, { id }] of [[kept, sara] as const, [left, khalid] as const])
      await sara.call(work.assignConversation, { params, body: { userId: id, from: null } })
    await inJob((ctx) => releaseOfGone(ctx, office({ waitMinutes: 10 })))
    expect((await read(sara, kept.contactId)).assignedTo?.id).toBe(sara.id)
    expect((await read(sara, left.contactId)).assignedTo).toBeNull()
  })

  it('gets one notice of each wait that is too long', async () => {
    const [late, early] = [await waiting(), await waiting()]
    const since = `update whatsapp_conversation_threads set handoff_at = now() - interval '11 minutes' where contact_id = $1`
    await shop.query(since, [late.contactId])
    for (let round = 0; round < 2; round += 1)
      await inJob((ctx) => alarmOfLate(ctx, office({ waitMinutes: 10 }), new Date()))
    const alarmsOf = async ({ contactId }: typeof late) =>
      (await jobsOf(contactId, 'conversation-notifications')).filter(({ event }) => event === 'conversation.late')
        .length
    expect([await alarmsOf(late), await alarmsOf(early)]).toEqual([1, 0])
    const { counts, waitMinutes } = (await sara.call(api.listConversations, { query: { view: 'waiting' } })).body
    expect([waitMinutes, counts.late > 0]).toEqual([10, true])
  })
})

describe('the question after “done”', () => {
  it('is asked with three buttons, its answer is stored, and neither opens the conversation nor concerns anybody', async () => {
    const { phone, contactId, messageId, params } = await waiting()
    await sara.call(api.sendReply, { params, body: { body: 'Here you are' } })
    await sara.call(work.resolveConversation, { params, body: { upTo: messageId } })
    const [job] = await shop.query<{ data: { caseId: number } }>(
      `select data from pgboss.job where name = 'conversation-ratings' and data ? 'caseId' order by created_on desc limit 1`,
    )
    const caseId = job?.data.caseId ?? 0
    for (let round = 0; round < 2; round += 1) await runJobTransaction(shop.app.pool, (ctx) => askRating(ctx, caseId))
    const sentTo = () =>
      shop.query<{ payload: { type: string; buttons?: { id: string }[] } }>(
        `select payload from whatsapp_messages where contact_id = $1 and direction = 'outgoing' and sent_by_type = 'system' order by id`,
        [contactId],
      )
    const [asked, ...more] = await sentTo()
    const ids = asked?.payload.buttons?.map(({ id }) => id)
    expect([ids, more]).toEqual([['good', 'fair', 'bad'].map((word) => `rate:${caseId}:${word}`), []])
    const [other, pressed] = [await waiting(), await writes(phone, '👎', 'button', { id: `rate:${caseId}:bad` })]
    await runJobTransaction(shop.app.pool, (ctx) => takeRating(ctx, pressed.messageId))
    const stranger = await writes(other.phone, '👍', 'button', { id: `rate:${caseId}:good`, title: '👍' })
    await runJobTransaction(shop.app.pool, (ctx) => takeRating(ctx, stranger.messageId))
    expect(await sentTo()).toHaveLength(2)
    expect(await read(sara, contactId)).toMatchObject({
      doneAt: expect.any(String),
      unreadCount: 0,
      waitingSince: null,
    })
    const { body } = await sara.call(report.getConversationReport)
    const own = body.agents.find(({ agent }) => agent?.id === sara.id)
    expect(own).toMatchObject({ bad: 1, good: 0, answered: expect.any(Number), answerSeconds: expect.any(Number) })
    expect(body.total.count).toBe(body.hours.reduce((sum, { count }) => sum + count, 0))
    const file = await sara.call(report.exportConversationReport, { query: { lang: 'en', by: 'agent' } })
    expect(String(file.body)).toContain('Agent,Conversations,Answered')
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

describe('a conversation', () => {
  it('is searched as texts are compared everywhere, and exported with names and times, which is recorded', async () => {
    const { contactId, phone, params } = await waiting()
    const { messageId } = await writes(phone, 'أبي أغير العنوان إلى السيف')
    const { body: hits } = await sara.call(transcript.searchMessages, { params, query: { search: 'ابي اغير' } })
    expect(hits.map(({ id, direction }) => [id, direction])).toEqual([[messageId, 'incoming']])
    await khalid.call(api.sendReply, { params, body: { body: 'تم' } })
    const path = `/api/admin/whatsapp/conversations/${contactId}/messages.txt?lang=ar`
    const { status, body: file } = await sara.send('GET', path)
    const lines = String(file).trim().split('\r\n')
    expect([status, lines.length]).toEqual([200, 6])
    expect(lines[4]).toContain(': أبي أغير العنوان إلى السيف')
    expect(lines[5]).toMatch(/: تم$/)
    const { acts } = await read(khalid, contactId)
    expect(acts[0]).toMatchObject({ act: 'exported', by: { id: sara.id } })
  })

  it('that is blocked waits for nobody and has no answer of the bot, until it is unblocked', async () => {
    const { contactId, phone, params } = await waiting()
    const { body } = await sara.call(work.blockContact, { params, body: { reason: 'Insults the drivers' } })
    expect([body.blocked?.reason, body.blocked?.by?.id, body.doneAt !== null]).toEqual([
      'Insults the drivers',
      sara.id,
      true,
    ])
    const { messageId } = await writes(phone, 'hello again')
    const [news] = await jobsOf(contactId, 'conversation-without-bot')
    expect(await idsIn(sara, 'waiting')).not.toContain(contactId)
    expect(await idsIn(sara, 'blocked')).toContain(contactId)
    const received = (await jobsOf(contactId, 'bot-turn')).at(-1)
    expect(received).toMatchObject({ messageId, isForPerson: false, isAwaited: false })
    expect(news === undefined || news.isAwaited === false).toBe(true)
    const { body: after } = await khalid.call(work.blockContact, { params, body: { reason: null } })
    expect(after.blocked).toBeNull()
    expect((await read(sara, contactId)).acts.slice(0, 2).map(({ act }) => act)).toEqual(['unblocked', 'blocked'])
  })

  it('is muted for one person', async () => {
    const { contactId, params } = await waiting()
    expect((await sara.call(work.muteConversation, { params, body: { isMuted: true } })).body.isMuted).toBe(true)
    expect([(await read(sara, contactId)).isMuted, (await read(khalid, contactId)).isMuted]).toEqual([true, false])
    expect((await sara.call(work.muteConversation, { params, body: { isMuted: false } })).body.isMuted).toBe(false)
  })

  it('is answered by one of two who saw the same, until the other confirms', async () => {
    const { messageId, params } = await waiting()
    const reply = (who: Visitor, seen?: number) =>
      who.call(api.sendReply, { params, body: { body: 'On our way', ...(seen === undefined ? {} : { seen }) } })
    const answers = await Promise.all([reply(sara, messageId), reply(khalid, messageId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const late = answers.find(({ status }) => status === 409)
    expect(late?.refusal.code).toBe('CONVERSATION_ANSWERED')
    const [second, other] = answers[0]?.status === 409 ? [sara, khalid] : [khalid, sara]
    // One's own earlier reply is no obstacle.
    expect((await reply(other, messageId)).status).toBe(200)
    expect((await reply(second)).status).toBe(200)
  })
})
