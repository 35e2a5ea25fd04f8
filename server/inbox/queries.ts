import type { Output, Parsed } from '@qatra/contract/endpoint'
import { isLang } from '@qatra/contract/lang'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import type { Actor } from '@qatra/contract/users/actor'
import type { Conversation, listConversations as list } from '@qatra/contract/whatsapp/inbox'
import type { MessageStatus, Sender } from '@qatra/contract/whatsapp/message'
import type { listLabels as labels } from '@qatra/contract/whatsapp/work'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isWindowOpen, windowEnd } from '../conversations/contacts.queries.ts'
import { inReach, isStaffInReach } from '../conversations/policy.ts'
import {
  contacts,
  whatsappMessages as messages,
  whatsappConversationThreads as threads,
} from '../conversations/tables.ts'
import { customerNameFor, hasNameKnownTo } from '../customers/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { managedBy } from '../orders/policy.ts'
import { orders } from '../orders/tables.ts'
import { containing, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { inView, isMine, isOthers, isWaiting, orderOf } from './views.queries.ts'

const assignee = alias(users, 'assignee')
const pauser = alias(users, 'pauser')
/** Account with this phone. */
const owner = alias(users, 'owner')

const columnsFor = (actor: Actor) => ({
  contact: contacts,
  thread: threads,
  last: {
    id: messages.id,
    direction: messages.direction,
    type: sql<string>`case when ${messages.revokedAt} is null then ${messages.messageType} else 'revoked' end`,
    content: messages.content,
    status: messages.status,
    by: messages.sentByType,
    timestamp: messages.timestamp,
    createdAt: messages.createdAt,
  },
  assignedName: assignee.name,
  pausedName: pauser.name,
  /** The order that the customer waits about, if the actor manages it. */
  waitingOrderId: sql<string | null>`(select ${orders.id} from ${orders}
    where ${orders.id} = ${threads.handoffOrderId} and ${managedBy(actor)})`,
  ownName: customerNameFor({ id: owner.id, name: owner.name }, vendorOf(actor)),
})
const vendorOf = ({ user }: Actor) => (user?.role === 'super_admin' ? null : (user?.vendorId ?? 0))

const from = ({ db, actor }: Pick<Ctx, 'db' | 'actor'>) =>
  db
    .select(columnsFor(actor))
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .leftJoin(messages, eq(messages.id, threads.lastMessageId))
    .leftJoin(assignee, and(eq(assignee.id, threads.assignedTo), isStaffInReach(actor, assignee)))
    .leftJoin(pauser, and(eq(pauser.id, threads.pausedBy), isStaffInReach(actor, pauser)))
    .leftJoin(owner, and(eq(owner.phone, contacts.phone), isNull(owner.erasedAt)))
type Row = Awaited<ReturnType<typeof from>>[number]

const PREVIEW = 200
/** Incoming messages show the sender's clock, which is earlier than ours if the provider was late. */
export const momentOf = (row: { direction: string; timestamp: Date | null; createdAt: Date }): string =>
  (row.direction === 'incoming' ? (row.timestamp ?? row.createdAt) : row.createdAt).toISOString()

const iso = (at: Date | null) => at?.toISOString() ?? null

export function describeConversation(
  { contact, thread, last, assignedName, pausedName, waitingOrderId, ownName }: Row,
  now: Date,
): Conversation {
  const isPaused = thread.pausedUntil !== null && thread.pausedUntil > now
  return {
    contactId: contact.id,
    phone: contact.phone,
    businessScopedId: contact.businessScopedId,
    // WhatsApp contacts without a name get the account's name.
    name: contact.name ?? ownName,
    language: isLang(contact.language) ? contact.language : null,
    last: last && {
      id: last.id,
      direction: last.direction,
      type: last.type,
      text: (last.content ?? '').slice(0, PREVIEW),
      status: last.status satisfies MessageStatus,
      by: last.by as Sender, // only the conversations' commands write it
      at: momentOf(last),
    },
    lastActivity: thread.lastActivity.toISOString(),
    unreadCount: thread.unreadCount,
    assignedTo: thread.assignedTo === null ? null : { id: thread.assignedTo, name: assignedName },
    pausedUntil: isPaused ? iso(thread.pausedUntil) : null,
    pausedBy: isPaused && thread.pausedBy !== null ? { id: thread.pausedBy, name: pausedName } : null,
    waitingSince: thread.doneAt ? null : iso(thread.handoffAt),
    waitingReason: thread.doneAt ? null : thread.handoffReason,
    waitingOrderId: thread.doneAt ? null : waitingOrderId,
    windowEndsAt: iso(windowEnd(thread.lastIncomingAt)),
    isWindowOpen: isWindowOpen(thread.lastIncomingAt, now),
    optedOutAt: iso(contact.optedOutAt),
    snoozedUntil: iso(thread.snoozedUntil),
    doneAt: iso(thread.doneAt),
    labels: thread.labels,
  }
}

/** A vendor's staff find people only by a name that the vendor knows. */
function knownTo(actor: Actor): SQL {
  const vendorId = vendorOf(actor)
  return vendorId === null ? sql`` : sql` and ${hasNameKnownTo({ id: sql`u.id`, name: sql`u.name` }, vendorId)}`
}

/** Shorter terms match nearly every message. */
const SHORTEST_IN_WORDS = 3
const SHORTEST_ORDER_ID = 4

/** Searches name, phone and id of the contact, order ids and message texts, each as far as the actor knows them. */
function searchFilter(typed: string | undefined, actor: Actor): SQL {
  const text = searchedFor(typed ?? '')
  if (text === '') return sql`true`
  const pattern = containing(text)
  const ways = [
    sql`${contacts.searchText} like ${pattern}`,
    sql`${contacts.businessScopedId} ilike ${pattern}`,
    ...(text.length >= SHORTEST_IN_WORDS
      ? [
          sql`${contacts.id} in (select m.contact_id from whatsapp_messages m where m.search_text like ${pattern})`,
          sql`${contacts.phone} in (select u.phone from users u where u.search_text like ${pattern}${knownTo(actor)})`,
        ]
      : []),
  ]
  const orderId = parseOrderId(typed)
  if (orderId && orderId.length >= SHORTEST_ORDER_ID) {
    const id = containing(orderId.toLowerCase())
    ways.push(sql`${contacts.phone} in (select ${orders.phone} from ${orders} where ${orders.searchText} like ${id}
      and ${managedBy(actor)})`)
  }
  return sql`(${sql.join(ways, sql` or `)})`
}

export async function listConversations(
  ctx: Ctx,
  { page, limit, view, search, sort }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const { id: userId } = userOf(ctx)
  const where = sql`${inView(view, userId)} and ${inReach(ctx.actor)} and ${searchFilter(search, ctx.actor)}`
  const rows = await from(ctx)
    .where(where)
    .orderBy(orderOf(view, userId, sort))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await ctx.db
    .select({ total: sql<number>`count(*)::int` })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(where)
  const items = rows.map((row) => describeConversation(row, ctx.now))
  return { items, page, limit, total: counted?.total ?? 0, counts: await countViews(ctx) }
}

async function countViews(ctx: Ctx): Promise<Output<typeof list>['counts']> {
  const { id } = userOf(ctx)
  const isUnread = sql`${threads.unreadCount} > 0`
  const [row] = await ctx.db
    .select({
      unread: sql<number>`count(*) filter (where ${isUnread})::int`,
      waiting: sql<number>`count(*) filter (where ${isWaiting} and not ${isOthers(id)})::int`,
      mine: sql<number>`count(*) filter (where ${isMine(id)})::int`,
    })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(sql`(${isUnread} or ${isWaiting} or ${isMine(id)}) and ${inReach(ctx.actor)}`)
  return row ?? { unread: 0, waiting: 0, mine: 0 }
}

export async function listLabels(ctx: Ctx): Promise<Output<typeof labels>> {
  const label = sql<string>`unnest(${threads.labels})`.as('label')
  const each = ctx.db
    .select({ label })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(inReach(ctx.actor))
    .as('each')
  const count = sql<number>`count(*)::int`
  return ctx.db
    .select({ label: each.label, count })
    .from(each)
    .groupBy(each.label)
    .orderBy(sql`${count} desc`, each.label)
    .limit(50)
}

/** @throws CONTACT_NOT_FOUND if there is no conversation with the contact */
export async function requireThread(ctx: Pick<Ctx, 'db' | 'actor'>, contactId: number): Promise<Row> {
  const [row] = await from(ctx).where(eq(threads.contactId, contactId))
  if (!row) throw new AppError('CONTACT_NOT_FOUND')
  return row
}

/** Reads the conversation after a change within the same transaction. */
export const requireConversation = async (ctx: Ctx, contactId: number): Promise<Conversation> =>
  describeConversation(await requireThread(ctx, contactId), ctx.now)
