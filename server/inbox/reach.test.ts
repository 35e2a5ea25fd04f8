import { listAudit } from '@qatra/contract/audit'
import { listNotifications } from '@qatra/contract/notifications/notifications'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import { receiveMessage } from '../conversations/incoming.commands.ts'
import { findRungVendorIds, isInReach } from '../conversations/policy.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { meet } from '../test/fixtures/identities.ts'
import { makeBottleType, makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'
import type { Visitor } from '../test/visitor.ts'

const shop = await startShop({ hasBot: false })

/** A customer of these vendors writes; the conversation then waits for staff. */
async function writes(vendorIds: readonly number[], content: string) {
  const phone = newPhone()
  if (vendorIds.length > 0) {
    const { id: userId } = await makeUser(shop, { phone })
    for (const vendorId of vendorIds) await makeOrder(shop, { userId, vendorId })
  }
  const from = { phone, businessScopedId: null, name: null }
  const { contactId } = await runJobTransaction(shop.app.pool, (ctx) =>
    receiveMessage(ctx, {
      providerId: `wamid.reach${phone}`,
      channel: 'whatsapp',
      type: 'text',
      content,
      parts: {},
      contextId: null,
      from,
      at: new Date(),
    }),
  )
  await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, contactId, 'asked'))
  return { contactId, phone }
}
const idsIn = async (who: Visitor, query: object) =>
  (await who.call(api.listConversations, { query: { limit: '100', ...query } as never })).body.items.map(
    ({ contactId }) => contactId,
  )
const paramsOf = (contactId: number) => ({ params: { contact: String(contactId) } })

describe('conversations', () => {
  it('of another vendor’s customers are in no list, search, count, notification, stream or history of an agent', async () => {
    const [agent, boss] = [await meet(shop, 'agent'), await makeVisitor(shop, { role: 'super_admin' })]
    const stream = await listen(shop, agent)
    onTestFinished(() => stream.hangUp())
    await stream.until(({ event }) => event === 'ready')
    const { body: before } = await agent.call(api.listConversations)
    const own = await writes([1], 'غالون الكناري')
    const both = await writes([1, 2], 'غالون الكناري')
    const nobodys = await writes([], 'غالون الكناري')
    const others = await writes([2], 'غالون الكناري')
    const [orderOfOther] = await shop.query<{ id: string }>(
      'select o.id from orders o join users u on u.id = o.user_id where u.phone = $1 and o.vendor_id = 2',
      [both.phone],
    )
    const reached = [own, both, nobodys].map(({ contactId }) => contactId)
    for (const query of [{}, { view: 'waiting' }, { view: 'unread' }, { search: 'غالون الكناري' }]) {
      const found = await idsIn(agent, query)
      expect(
        reached.every((id) => found.includes(id)),
        JSON.stringify(query),
      ).toBe(true)
      expect(found, JSON.stringify(query)).not.toContain(others.contactId)
    }
    expect(await idsIn(agent, { search: others.phone })).toEqual([])
    // A customer of two vendors is not found by the other vendor’s order.
    expect(await idsIn(agent, { search: orderOfOther?.id ?? '' })).toEqual([])
    const { body: after } = await agent.call(api.listConversations)
    expect(after.counts.waiting - before.counts.waiting).toBe(3)
    expect((await agent.call(api.getConversation, paramsOf(others.contactId))).status).toBe(404)
    expect((await boss.call(api.getConversation, paramsOf(others.contactId))).status).toBe(200)

    const heard = await until('the events', async () => {
      const ids = stream.heard.map(({ data }) => data.contactId)
      return reached.every((id) => ids.includes(id)) ? ids : undefined
    })
    expect(heard).not.toContain(others.contactId)
    const told = (await agent.call(listNotifications, { query: { limit: '100' } as never })).body.items
    const contacts = told.map(({ contact }) => contact?.id)
    expect(reached.every((id) => contacts.includes(id))).toBe(true)
    expect(contacts).not.toContain(others.contactId)
  })

  it('show an agent only the orders and figures of the own vendor', async () => {
    const agent = await meet(shop, 'agent')
    const { contactId } = await writes([1, 2], 'hello')
    const { body } = await agent.call(api.getConversation, paramsOf(contactId))
    expect(body.orders.map(({ vendorId }) => vendorId)).toEqual([1])
    expect(body.account?.orderCount).toBe(1)
    const nobodys = await writes([], 'hello')
    expect((await agent.call(api.getConversation, paramsOf(nobodys.contactId))).body.account).toBeNull()
  })

  it('show bottles by type and address, deposits and what is owed, of the own vendor alone and after each delivery', async () => {
    const [agent, boss] = [await meet(shop, 'agent'), await makeVisitor(shop, { role: 'super_admin' })]
    const { contactId, phone } = await writes([1, 2], 'hello')
    const bottles = async (who: Visitor) => (await who.call(api.getConversation, paramsOf(contactId))).body.bottles
    expect(await bottles(agent)).toEqual([])
    const typeIds = [await makeBottleType(shop, 1), await makeBottleType(shop, 2)]
    await shop.query(
      `with home as (insert into addresses (user_id, address, lat, lng)
         select id, 'House 12', 26.2, 50.5 from users where phone = $1 returning id, user_id)
       insert into bottle_balances (vendor_id, customer_id, bottle_type_id, address_id, count, deposit, moved_on)
       select 1, user_id, $2::integer, id, 4, 8000, current_date from home
       union all select 1, user_id, $2, null, 2, 0, current_date from home
       union all select 2, user_id, $3, null, 1, 2000, current_date from home`,
      [phone, ...typeIds],
    )
    const places = [
      { address: 'House 12', count: 4 },
      { address: null, count: 2 },
    ]
    const own = { vendorId: 1, typeId: typeIds[0], count: 6, depositHeld: 8, credit: -4, places }
    expect(await bottles(agent)).toMatchObject([own])
    expect(await bottles(agent)).toHaveLength(1)
    expect(await bottles(boss)).toMatchObject([own, { vendorId: 2, typeId: typeIds[1], count: 1, credit: 0 }])
    await shop.query(`update bottle_balances set count = 0, deposit = 0 where bottle_type_id = $1`, [typeIds[0]])
    expect(await bottles(agent)).toEqual([])
  })

  it('of two vendors’ customer hide notes, acts and orders of the other vendor’s staff', async () => {
    const [agent, other, boss] = [
      await meet(shop, 'agent'),
      await meet(shop, 'other_agent'),
      await makeVisitor(shop, { role: 'super_admin' }),
    ]
    const { contactId, phone } = await writes([1, 2], 'hello')
    const [order] = await shop.query<{ id: string }>(
      'select o.id from orders o join users u on u.id = o.user_id where u.phone = $1 and o.vendor_id = 2',
      [phone],
    )
    for (const [who, body] of [
      [agent, 'of one'],
      [other, 'of two'],
      [boss, 'of the market'],
    ] as const) {
      expect((await who.call(api.addNote, { ...paramsOf(contactId), body: { body } })).body.body).toBe(body)
      await who.call(work.takeOver, { ...paramsOf(contactId), body: {} })
      await who.call(work.handBack, paramsOf(contactId))
    }
    const seen = async (who: Visitor) => {
      const { body } = await who.call(api.getConversation, paramsOf(contactId))
      return {
        notes: body.notes.map((note) => note.body).toSorted(),
        writers: new Set(body.acts.map(({ by }) => by?.id)),
        orderId: body.waitingOrderId,
      }
    }
    const writers = (...people: { id: number }[]) => new Set(people.map(({ id }) => id))
    await shop.query(
      'update whatsapp_conversation_threads set handoff_order_id = $2, handoff_at = now() where contact_id = $1',
      [contactId, order?.id],
    )
    expect(await seen(agent)).toEqual({
      notes: ['of one', 'of the market'],
      writers: writers({ id: agent.userId ?? 0 }, boss),
      orderId: null,
    })
    expect((await seen(other)).orderId).toBe(order?.id)
    expect((await seen(boss)).notes).toEqual(['of one', 'of the market', 'of two'])
    const listed = await agent.call(api.listConversations, { query: { search: phone } })
    expect(listed.body.items[0]?.waitingOrderId).toBeNull()
  })

  it('blocked by a vendor’s agent wait and ring for others, and for nobody once all vendors of the customer blocked', async () => {
    const [agent, other, boss] = [
      await meet(shop, 'agent'),
      await meet(shop, 'other_agent'),
      await makeVisitor(shop, { role: 'super_admin' }),
    ]
    const { contactId } = await writes([1, 2], 'hello')
    const block = (who: Visitor, reason: string | null) =>
      who.call(work.blockContact, { ...paramsOf(contactId), body: { reason } })
    const rung = () => findRungVendorIds(shop.app.db, contactId)
    const waitsFor = () =>
      Promise.all([agent, other, boss].map(async (who) => (await idsIn(who, { view: 'waiting' })).includes(contactId)))
    expect((await block(agent, 'Insults the drivers')).body.blocked).toMatchObject({ mayEnd: true })
    expect([await waitsFor(), await rung()]).toEqual([
      [false, true, true],
      [2, 0],
    ])
    expect(await idsIn(agent, { view: 'blocked' })).toContain(contactId)
    expect((await agent.call(api.getConversation, paramsOf(contactId))).body.waitingSince).toBeNull()
    expect((await other.call(api.getConversation, paramsOf(contactId))).body.blocked).toBeNull()
    const { body: last } = await block(other, 'Calls at night')
    expect([last.blocked?.reason, last.doneAt === null]).toEqual(['Calls at night', false])
    expect([await waitsFor(), await rung()]).toEqual([[false, false, false], [0]])
    expect((await boss.call(api.getConversation, paramsOf(contactId))).body.blocked).toMatchObject({ mayEnd: true })
    // The block of one vendor outlives that of another, and the market's is ended by the market's staff alone.
    expect((await block(other, null)).body.blocked).toBeNull()
    expect((await block(agent, null)).body.blocked).toBeNull()
    expect(await rung()).toEqual([1, 2])
    await block(boss, 'Spam')
    expect((await block(agent, null)).status).toBe(403)
    expect((await agent.call(api.getConversation, paramsOf(contactId))).body.blocked).toMatchObject({ mayEnd: false })
    expect((await block(boss, null)).body.blocked).toBeNull()
  })

  it('keep notes and acts with the vendor for which they were written when the author moves or leaves', async () => {
    const [author, agent, other] = [
      await meet(shop, 'agent'),
      await meet(shop, 'agent'),
      await meet(shop, 'other_agent'),
    ]
    const { contactId } = await writes([1, 2], 'hello')
    await author.call(api.addNote, { ...paramsOf(contactId), body: { body: 'of one' } })
    await author.call(work.takeOver, { ...paramsOf(contactId), body: {} })
    const seen = async (who: Visitor) => {
      const { notes, acts } = (await who.call(api.getConversation, paramsOf(contactId))).body
      return [...notes.map(({ body }) => body), ...acts.map(({ act }) => act)]
    }
    for (const [role, vendorId] of [
      ['vendor_sales', 2],
      ['customer', null],
    ]) {
      await shop.query('update users set role = $2, vendor_id = $3 where id = $1', [author.userId, role, vendorId])
      expect(await seen(agent)).toEqual(['of one', 'taken-over'])
      expect(await seen(other)).toEqual([])
    }
  })

  it('hide the names of another vendor’s staff who have them or answer in them', async () => {
    const [agent, other] = [await meet(shop, 'agent'), await meet(shop, 'other_agent')]
    const { contactId, phone } = await writes([1, 2], 'hello')
    const id = other.userId ?? 0
    await shop.query(`update users set name = 'Huda' where id = $1`, [id])
    await other.call(work.takeOver, { ...paramsOf(contactId), body: {} })
    await other.call(work.assignConversation, { ...paramsOf(contactId), body: { userId: id, from: null } })
    const namesFor = async (who: Visitor) => {
      const { body } = await who.call(api.getConversation, paramsOf(contactId))
      const [listed] = (await who.call(api.listConversations, { query: { search: phone } })).body.items
      return [body.assignedTo, body.pausedBy, listed?.assignedTo, listed?.pausedBy]
    }
    const hidden = { id, name: null }
    expect(await namesFor(agent)).toEqual([hidden, hidden, hidden, hidden])
    const shown = { id, name: 'Huda' }
    expect(await namesFor(other)).toEqual([shown, shown, shown, shown])
    const body = { userId: agent.userId, from: null }
    const taken = await agent.call(work.assignConversation, { ...paramsOf(contactId), body })
    expect(taken.refusal).toMatchObject({ code: 'CONVERSATION_TAKEN', details: { name: null } })
  })

  it('leave an agent’s reach with the first order at another vendor, also in old notifications', async () => {
    const agent = await meet(shop, 'agent')
    const { contactId, phone } = await writes([], 'hello')
    const isTold = async () =>
      (await agent.call(listNotifications, { query: { limit: '100' } as never })).body.items.some(
        ({ contact }) => contact?.id === contactId,
      )
    await until('the notification', isTold)
    const { id: userId } = await makeUser(shop, { phone })
    await makeOrder(shop, { userId, vendorId: 2 })
    expect((await agent.call(api.getConversation, paramsOf(contactId))).status).toBe(404)
    expect(await isTold()).toBe(false)
  })

  it('are in the history of a vendor’s admin only with the permission, and only those in reach', async () => {
    const [agent, other] = [await meet(shop, 'agent'), await meet(shop, 'other_agent')]
    const own = await writes([1], 'hello')
    const others = await writes([2], 'hello')
    await agent.call(api.addNote, { ...paramsOf(own.contactId), body: { body: 'Rings twice' } })
    await other.call(api.addNote, { ...paramsOf(others.contactId), body: { body: 'Rings twice' } })
    const admin = await meet(shop, 'vendor_admin')
    const seen = async () =>
      (await admin.call(listAudit, { query: { resource: 'conversation', limit: '100' } as never })).body.items.map(
        ({ resourceId }) => Number(resourceId),
      )
    expect(await seen()).toEqual([])
    await shop.query(`update users set permissions = '{whatsapp.read}' where id = $1`, [admin.userId])
    const found = await seen()
    expect(found).toContain(own.contactId)
    expect(found).not.toContain(others.contactId)
  })

  it('can be assigned to colleagues who reach them, each with the number of open conversations', async () => {
    const [agent, colleague, stranger] = [
      await meet(shop, 'agent'),
      await meet(shop, 'agent'),
      await meet(shop, 'other_agent'),
    ]
    const { contactId } = await writes([1], 'hello')
    const query = { contact: String(contactId) }
    const { body: people } = await agent.call(work.listAnswerers, { query })
    expect(people.find(({ id }) => id === colleague.userId)?.openCount).toBe(0)
    expect(people.map(({ id }) => id)).not.toContain(stranger.userId)
    const give = (userId: number | null, from: number | null) =>
      agent.call(work.assignConversation, { ...paramsOf(contactId), body: { userId, from } })
    expect((await give(stranger.userId, null)).status).toBe(404)
    expect((await give(colleague.userId, null)).status).toBe(200)
    const { body: after } = await agent.call(work.listAnswerers, { query })
    expect(after.find(({ id }) => id === colleague.userId)?.openCount).toBe(1)
  })
})

it('the filter in SQL and the predicate agree for every caller and kind of customer', async () => {
  const kinds = [[], [1], [2], [1, 2]]
  const made = await Promise.all(kinds.map(async (vendorIds) => ({ vendorIds, ...(await writes(vendorIds, 'agree')) })))
  for (const who of ['agent', 'other_agent', 'vendor_admin', 'vendor_staff', 'super_admin'] as const) {
    const person = await meet(shop, who)
    const { role, vendorId, permissions } = (
      await shop.query<{ role: never; vendorId: number | null; permissions: string[] }>(
        'select role, vendor_id as "vendorId", permissions from users where id = $1',
        [person.userId],
      )
    )[0] ?? { role: 'customer' as never, vendorId: null, permissions: [] }
    const held = who === 'super_admin' ? ['whatsapp.read'] : permissions
    const listed = held.length > 0 ? await idsIn(person, { search: 'agree' }) : []
    for (const one of made) {
      const isListed = listed.includes(one.contactId)
      expect([who, one.vendorIds, isListed]).toEqual([
        who,
        one.vendorIds,
        isInReach({ role, vendorId, permissions: held }, one.vendorIds),
      ])
    }
  }
})
