import { fils, toBhd } from '@qatra/contract/lib/money'
import { shownPicture } from '@qatra/contract/media'
import {
  type ContactOrder,
  type ConversationAction,
  type ConversationDetail,
  conversationActions,
  type Note,
} from '@qatra/contract/whatsapp/inbox/inbox'
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isStaffInReach, isWrittenInReach } from '../conversations/policy.ts'
import type { contacts } from '../conversations/tables.ts'
import { listBottlesOf } from '../customers/bottle-entries.queries.ts'
import { customerNameFor, scopeOf } from '../customers/policy.ts'
import { customerTotals, MARKET } from '../customers/tables.ts'
import type { Ctx } from '../database/context.ts'
import { auditLog } from '../jobs/tables.ts'
import { managedBy } from '../orders/policy.ts'
import { orderItems, orders } from '../orders/tables.ts'
import { users } from '../users/tables.ts'
import { describeConversation, requireThread } from './queries.ts'
import { conversationNotes } from './tables.ts'

const RECENT_ORDERS = 6
const SHOWN_ITEMS = 4
const MAX_NOTES = 100
const MAX_ACTS = 60

const driver = alias(users, 'driver')
const author = alias(users, 'author')

/** With the figures of the actor's vendor; null for an account without a connection to it. */
async function findAccount({ db, actor }: Ctx, phone: string | null) {
  if (phone === null) return null
  const scope = scopeOf(actor)
  const [row] = await db
    .select({
      id: users.id,
      name: customerNameFor({ id: users.id, name: users.name }, scope === MARKET ? null : scope),
      marketingConsent: users.marketingConsent,
      consentAt: users.consentAt,
      orderCount: customerTotals.orderCount,
      spend: customerTotals.spend,
    })
    .from(users)
    .leftJoin(customerTotals, and(eq(customerTotals.userId, users.id), eq(customerTotals.vendorId, scope)))
    .where(
      and(
        eq(users.phone, phone),
        isNull(users.erasedAt),
        scope === MARKET ? undefined : isNotNull(customerTotals.userId),
      ),
    )
  if (!row) return null
  return {
    ...row,
    orderCount: row.orderCount ?? 0,
    spend: toBhd(fils(row.spend ?? 0)),
    consentAt: row.consentAt?.toISOString() ?? null,
  }
}

async function listOrdersOf({ db, actor }: Ctx, userId: number): Promise<ContactOrder[]> {
  const rows = await db
    .select({ order: orders, driverName: driver.name })
    .from(orders)
    .leftJoin(driver, eq(driver.id, orders.assignedDriverId))
    .where(and(eq(orders.userId, userId), managedBy(actor)))
    .orderBy(desc(orders.createdAt))
    .limit(RECENT_ORDERS)
  if (rows.length === 0) return []
  const ids = rows.map(({ order }) => order.id)
  const items = await db
    .select()
    .from(orderItems)
    .where(and(inArray(orderItems.orderId, ids), gt(orderItems.quantity, 0)))
    .orderBy(orderItems.id)
  return rows.map(({ order, driverName }) => {
    const own = items.filter(({ orderId }) => orderId === order.id)
    const { id, status, vendorId, vendorName, vendorNameAr, promisedDate, areaName, areaNameAr } = order
    return {
      id,
      status,
      vendorId,
      vendorName,
      vendorNameAr,
      promisedDate,
      areaName,
      areaNameAr,
      driverName,
      total: toBhd(fils(order.total)),
      createdAt: order.createdAt.toISOString(),
      items: own.slice(0, SHOWN_ITEMS).map((item) => ({ ...item, imageUrl: shownPicture(item.imageUrl) })),
      itemCount: own.length,
    }
  })
}

export async function listNotes({ db, actor }: Pick<Ctx, 'db' | 'actor'>, contactId: number): Promise<Note[]> {
  const rows = await db
    .select({ note: conversationNotes, by: { id: author.id, name: author.name } })
    .from(conversationNotes)
    .leftJoin(author, eq(author.id, conversationNotes.authorId))
    .where(and(eq(conversationNotes.contactId, contactId), isWrittenInReach(actor, conversationNotes.vendorId)))
    .orderBy(desc(conversationNotes.id))
    .limit(MAX_NOTES)
  return rows.map(({ note: { id, body, createdAt }, by }) => ({ id, body, by, at: createdAt.toISOString() }))
}

const isAction = (action: string): action is ConversationAction['act'] =>
  (conversationActions as readonly string[]).includes(action)

const assignee = alias(users, 'assignee')

/** Actions of staff on a conversation, from the audit log. */
async function listActions({ db, actor }: Ctx, contactId: number): Promise<ConversationAction[]> {
  const rows = await db
    .select({
      id: auditLog.id,
      action: auditLog.action,
      at: auditLog.createdAt,
      by: { id: author.id, name: author.name },
      to: { id: assignee.id, name: assignee.name },
    })
    .from(auditLog)
    .leftJoin(author, eq(author.id, auditLog.userId))
    .leftJoin(
      assignee,
      and(
        sql`${assignee.id} = case when ${auditLog.action} = 'assigned' then (${auditLog.newValues} ->> 'assignedTo')::integer end`,
        isStaffInReach(actor, assignee),
      ),
    )
    .where(
      and(
        eq(auditLog.resource, 'conversation'),
        eq(auditLog.resourceId, String(contactId)),
        inArray(auditLog.action, [...conversationActions]),
        isWrittenInReach(actor, auditLog.vendorId),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(MAX_ACTS)
  return rows.flatMap(({ id, action, at, by, to }) =>
    isAction(action) ? [{ id, act: action, by, to: action === 'assigned' ? to : null, at: at.toISOString() }] : [],
  )
}

const referralOf = ({ referral, referredAt }: Pick<typeof contacts.$inferSelect, 'referral' | 'referredAt'>) =>
  referral && referredAt && { ...referral, at: referredAt.toISOString() }

/** @throws CONTACT_NOT_FOUND */
export async function requireDetail(ctx: Ctx, contactId: number): Promise<ConversationDetail> {
  const row = await requireThread(ctx, contactId)
  const account = await findAccount(ctx, row.contact.phone)
  return {
    ...describeConversation(row, ctx.now),
    account,
    optOutSource: row.contact.optOutSource,
    referral: referralOf(row.contact),
    orders: account ? await listOrdersOf(ctx, account.id) : [],
    bottles: row.contact.phone === null ? [] : await listBottlesOf(ctx, row.contact.phone),
    notes: await listNotes(ctx, contactId),
    acts: await listActions(ctx, contactId),
  }
}
