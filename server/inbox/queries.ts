import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fit } from '@qatra/contract/lib/fit'
import { isLang } from '@qatra/contract/lib/lang'
import type { Actor } from '@qatra/contract/users/actor'
import {
  CONVERSATIONS_COUNTED_AHEAD,
  type Conversation,
  type ConversationView,
  type listConversations as list,
} from '@qatra/contract/whatsapp/inbox/inbox'
import type { MessageStatus, Sender } from '@qatra/contract/whatsapp/inbox/message'
import type { listLabels as labels } from '@qatra/contract/whatsapp/inbox/work'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isWindowOpen, windowEnd } from '../conversations/contacts.queries.ts'
import { inReach, isBlockedFor, isStaffInReach, mayUnblock } from '../conversations/policy.ts'
import {
  contacts,
  whatsappMessages as messages,
  whatsappConversationThreads as threads,
} from '../conversations/tables.ts'
import { customerNameFor } from '../customers/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { managedBy } from '../orders/policy.ts'
import { orders } from '../orders/tables.ts'
import { countUpTo } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { findContacts, vendorScope } from './search.queries.ts'

const assignee = alias(users, 'assignee')
const pauser = alias(users, 'pauser')
const blocker = alias(users, 'blocker')
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
  blocker: { id: blocker.id, name: blocker.name },
  isBlocked: isBlockedFor(actor),
  mayUnblock: mayUnblock(actor),
  /** Of the talk with the bot. */
  botLanguage: sql<string | null>`(select s.language from bot_sessions s where s.contact_id = ${contacts.id})`,
  isMuted: sql<boolean>`${actor.user?.id ?? 0}::integer = any(${threads.mutedBy})`,
  /** The order that the customer waits about, if the actor manages it. */
  waitingOrderId: sql<string | null>`(select ${orders.id} from ${orders}
    where ${orders.id} = ${threads.handoffOrderId} and ${managedBy(actor)})`,
  /** The latest order of a waiting customer that is not done. */
  openOrderId: sql<string | null>`case when ${threads.handoffAt} is not null then (select ${orders.id} from ${orders}
    where ${orders.userId} = ${owner.id} and ${orders.status} not in ('delivered', 'cancelled') and ${managedBy(actor)}
    order by ${orders.createdAt} desc limit 1) end`,
  ownName: customerNameFor({ id: owner.id, name: owner.name }, vendorScope(actor)),
})

/** What a waiting customer wrote, not the bot's answer to it. */
const lastId = sql`coalesce(case when ${threads.handoffAt} is not null and ${threads.doneAt} is null then (
  select max(w.id) from whatsapp_messages w where w.contact_id = ${threads.contactId} and w.direction = 'incoming'
    and w.message_type <> 'reaction') end, ${threads.lastMessageId})`

const from = ({ db, actor }: Pick<Ctx, 'db' | 'actor'>) =>
  db
    .select(columnsFor(actor))
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .leftJoin(messages, eq(messages.id, lastId))
    .leftJoin(assignee, and(eq(assignee.id, threads.assignedTo), isStaffInReach(actor, assignee)))
    .leftJoin(pauser, and(eq(pauser.id, threads.pausedBy), isStaffInReach(actor, pauser)))
    .leftJoin(blocker, and(eq(blocker.id, contacts.blockedBy), isStaffInReach(actor, blocker)))
    .leftJoin(owner, and(eq(owner.phone, contacts.phone), isNull(owner.erasedAt)))
type Row = Awaited<ReturnType<typeof from>>[number]

const PREVIEW = 200
const MAX_LABELLED = 1_000
/** Incoming messages show the sender's clock, which is earlier than ours if the provider was late. */
export const momentOf = (row: { direction: string; timestamp: Date | null; createdAt: Date }): string =>
  (row.direction === 'incoming' ? (row.timestamp ?? row.createdAt) : row.createdAt).toISOString()

const iso = (at: Date | null) => at?.toISOString() ?? null

export function describeConversation(
  { contact, thread, last, assignedName, pausedName, waitingOrderId, openOrderId, ownName, ...row }: Row,
  now: Date,
): Conversation {
  const isPaused = thread.pausedUntil !== null && thread.pausedUntil > now
  const isSettled = thread.doneAt !== null || row.isBlocked
  return {
    contactId: contact.id,
    phone: contact.phone,
    businessScopedId: contact.businessScopedId,
    // WhatsApp contacts without a name get the account's name.
    name: contact.name ?? ownName,
    language: [contact.language, row.botLanguage].find(isLang) ?? null,
    last: last && {
      id: last.id,
      direction: last.direction,
      type: last.type,
      text: fit(last.content ?? '', PREVIEW),
      status: last.status satisfies MessageStatus,
      by: last.by as Sender, // only the conversations' commands write it
      at: momentOf(last),
    },
    lastActivity: thread.lastActivity.toISOString(),
    unreadCount: thread.unreadCount,
    assignedTo: thread.assignedTo === null ? null : { id: thread.assignedTo, name: assignedName },
    pausedUntil: isPaused ? iso(thread.pausedUntil) : null,
    pausedBy: isPaused && thread.pausedBy !== null ? { id: thread.pausedBy, name: pausedName } : null,
    waitingSince: isSettled ? null : iso(thread.handoffAt),
    waitingReason: isSettled ? null : thread.handoffReason,
    waitingOrderId: isSettled ? null : waitingOrderId,
    orderId: isSettled ? null : (waitingOrderId ?? openOrderId),
    windowEndsAt: iso(windowEnd(thread.lastIncomingAt)),
    isWindowOpen: isWindowOpen(thread.lastIncomingAt, now),
    optedOutAt: iso(contact.optedOutAt),
    snoozedUntil: iso(thread.snoozedUntil),
    doneAt: iso(thread.doneAt),
    labels: thread.labels,
    isMuted: row.isMuted,
    blocked: !(row.isBlocked && contact.blockedAt)
      ? null
      : {
          at: contact.blockedAt.toISOString(),
          by: row.blocker,
          reason: row.blocker === null && contact.blockedBy !== null ? null : contact.blockedReason,
          mayEnd: row.mayUnblock,
        },
  }
}

export async function listConversations(
  ctx: Ctx,
  { page, limit, view, search, sort }: Parsed<typeof list>['query'],
  waitMinutes: number,
): Promise<Output<typeof list>> {
  const { id: userId } = userOf(ctx)
  const reached = sql`${inView(view, ctx)} and ${inReach(ctx.actor)}`
  const found = await findContacts(ctx, search, reached)
  const where = found ? sql`${threads.contactId} = any(${sql.param(found)}::integer[])` : reached
  const skip = (page - 1) * limit
  const rows = await from(ctx)
    .where(where)
    .orderBy(orderOf(view, userId, sort))
    .limit(limit)
    .offset(skip)
  const counted = ctx.db
    .select({ one: sql`1`.as('one') })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(where)
    .limit(skip + limit + CONVERSATIONS_COUNTED_AHEAD)
  return {
    items: rows.map((row) => describeConversation(row, ctx.now)),
    page,
    limit,
    total: found?.length ?? (await countUpTo(ctx, counted.getSQL())),
    counts: await countViews(ctx, waitMinutes),
    waitMinutes,
  }
}

async function countViews(ctx: Ctx, waitMinutes: number): Promise<Output<typeof list>['counts']> {
  const { id } = userOf(ctx)
  const isUnread = sql`${threads.unreadCount} > 0`
  const [row] = await ctx.db
    .select({
      unread: sql<number>`count(*) filter (where ${isUnread})::int`,
      waiting: sql<number>`count(*) filter (where ${isWaiting} and not ${isOthers(id)})::int`,
      mine: sql<number>`count(*) filter (where ${isMine(id)})::int`,
      late: sql<number>`count(*) filter (where ${isWaiting} and not ${isOthers(id)}
        and ${threads.handoffAt} <= now() - ${waitMinutes} * interval '1 minute')::int`,
    })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(
      sql`(${isUnread} or ${isWaiting} or ${isMine(id)}) and ${inReach(ctx.actor)} and not ${isBlockedFor(ctx.actor)}`,
    )
  return row ?? { unread: 0, waiting: 0, mine: 0, late: 0 }
}

/** Labels of the latest conversations that have any. */
export async function listLabels(ctx: Ctx): Promise<Output<typeof labels>> {
  const labelled = ctx.db
    .select({ labels: threads.labels })
    .from(threads)
    .innerJoin(contacts, eq(contacts.id, threads.contactId))
    .where(sql`${threads.labels} <> '{}' and ${inReach(ctx.actor)}`)
    .orderBy(sql`${threads.lastActivity} desc nulls last`)
    .limit(MAX_LABELLED)
    .as('labelled')
  const count = sql<number>`count(*)::int`
  const label = sql<string>`unnest(${labelled.labels})`
  return ctx.db.select({ label, count }).from(labelled).groupBy(sql`1`).orderBy(sql`2 desc, 1`).limit(50)
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

/** The customer waits for staff: not while the conversation is put aside. */
export const isWaiting = sql`(${threads.handoffAt} is not null and ${threads.doneAt} is null
  and coalesce(${threads.snoozedUntil} <= now(), true))`
export const isMine = (userId: number) => sql`(${threads.assignedTo} = ${userId} and ${threads.doneAt} is null)`
/** Somebody else has it. */
export const isOthers = (userId: number) => sql`coalesce(${threads.assignedTo} <> ${userId}, false)`

/** Filters the conversations that the person reaches. */
function inView(view: ConversationView, { actor }: Pick<Ctx, 'actor'>): SQL {
  const isBlocked = isBlockedFor(actor)
  switch (view) {
    case 'waiting':
      return sql`(${isWaiting} and not ${isBlocked})`
    case 'blocked':
      return isBlocked
    case 'mine':
      return isMine(userOf({ actor }).id)
    case 'done':
      return sql`${threads.doneAt} is not null`
    case 'unread':
      return sql`(${threads.unreadCount} > 0 and not ${isBlocked})`
    case 'snoozed':
      return sql`${threads.snoozedUntil} is not null`
    case 'unassigned':
      return sql`${threads.assignedTo} is null`
    case 'person':
      return sql`${threads.pausedUntil} > now()`
    case 'bot':
      return sql`coalesce(${threads.pausedUntil} <= now(), true)`
    case 'opted-out':
      return sql`contacts.opted_out_at is not null`
    default:
      return sql`true`
  }
}

/** Those that wait: nobody's and one's own before others', the oldest first. Own ones: those that wait, then the latest. */
export function orderOf(view: ConversationView, userId: number, sort: 'latest' | 'unread'): SQL {
  const latest = sql`${threads.lastActivity} desc nulls last, ${threads.id} desc nulls last`
  if (view === 'waiting') return sql`${isOthers(userId)}, ${threads.handoffAt}, ${threads.id}`
  if (view === 'mine') return sql`${isWaiting} desc, case when ${isWaiting} then ${threads.handoffAt} end, ${latest}`
  if (view === 'done') return sql`${threads.doneAt} desc nulls last, ${threads.id} desc nulls last`
  return sort === 'unread' ? sql`(${threads.unreadCount} > 0) desc nulls last, ${latest}` : latest
}
