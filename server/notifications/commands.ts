import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Kind } from '@qatra/contract/notifications/kinds'
import type { readNotifications as read } from '@qatra/contract/notifications/notifications'
import { and, inArray, lte, sql } from 'drizzle-orm'
import { rungVendorIdsOf } from '../conversations/policy.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { StaffNews } from './event-messages.ts'
import { visibleTo } from './policy.ts'
import { countUnread } from './queries.ts'
import { notificationMarks as marks, notifications, notificationReads as reads } from './tables.ts'

export interface OrderNews extends StaffNews {
  orderId: string
  byId: number | null
  /** Idempotency key. */
  source: string
}

const recordSql = statement(
  'notification-record',
  `insert into notifications (kind, order_id, vendor_id, driver_id, former_driver_id, agent_id, status, by_id, source)
   select n.kind, o.id, o.vendor_id, case when n.names_driver then n.driver_id else o.assigned_driver_id end,
     n.former_driver_id, o.placed_by, n.status, n.by_id, n.source
   from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[], $5::integer[], $6::text[], $7::integer[], $8::text[])
     with ordinality as n (order_id, kind, names_driver, driver_id, former_driver_id, status, by_id, source, number)
   join orders o on o.id = n.order_id
   order by n.number
   on conflict (source) do nothing`,
)

/** Stores events of orders; a trigger notifies all processes. Called by jobs only, since writers are serialized. */
export async function recordOrderNews({ db }: Pick<Ctx, 'db'>, news: readonly OrderNews[]): Promise<void> {
  const column = (value: (one: OrderNews) => unknown) => news.map(value)
  await run(db, recordSql, [
    column(({ orderId }) => orderId),
    column(({ kind }) => kind),
    column(({ driverId }) => driverId !== undefined),
    column(({ driverId = null }) => driverId),
    column(({ formerDriverId = null }) => formerDriverId),
    column(({ status = null }) => status),
    column(({ byId }) => byId),
    column(({ source }) => source),
  ])
}

const recordVisitSql = statement(
  'notification-record-visit',
  `insert into notifications (kind, vendor_id, driver_id, former_driver_id, by_id, source)
   select n.kind, n.vendor_id, n.driver_id, n.former_driver_id, n.by_id, n.source
   from unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::text[])
     with ordinality as n (kind, vendor_id, driver_id, former_driver_id, by_id, source, number)
   order by n.number
   on conflict (source) do nothing`,
)

export interface VisitNews {
  kind: Kind
  vendorId: number
  driverId: number | null
  formerDriverId: number | null
  by: number | null
  /** Idempotency key: `visit`, its id and the job's. */
  source: string
}

/** Stores events of stops without an order. Called by jobs only, as above. */
export const recordVisitNews = ({ db }: Pick<Ctx, 'db'>, news: readonly VisitNews[]) =>
  run(db, recordVisitSql, [
    news.map(({ kind }) => kind),
    news.map(({ vendorId }) => vendorId),
    news.map(({ driverId }) => driverId),
    news.map(({ formerDriverId }) => formerDriverId),
    news.map(({ by }) => by),
    news.map(({ source }) => source),
  ])

export interface ConversationNews {
  kind: Kind
  contactId: number | null
  byId: number | null
  source: string
}

const recordConversationSql = statement(
  'notification-record-conversation',
  `insert into notifications (kind, contact_id, vendor_ids, by_id, source)
   select n.kind, n.contact_id, ${rungVendorIdsOf('n.contact_id')}, n.by_id, n.source
   from unnest($1::text[], $2::integer[], $3::integer[], $4::text[])
     with ordinality as n (kind, contact_id, by_id, source, number)
   order by n.number
   on conflict (source) do nothing`,
)

/** Stores events of conversations and the connection. Called by jobs only, as above. */
export async function recordConversationNews(
  { db }: Pick<Ctx, 'db'>,
  news: readonly ConversationNews[],
): Promise<void> {
  if (news.length === 0) return
  await run(db, recordConversationSql, [
    news.map(({ kind }) => kind),
    news.map(({ contactId }) => contactId),
    news.map(({ byId }) => byId),
    news.map(({ source }) => source),
  ])
}

/** Marks some notifications, or all up to an id, as read; skips those of other users. */
export async function readNotifications(
  ctx: Ctx,
  { ids, upTo }: Parsed<typeof read>['body'],
): Promise<Output<typeof read>> {
  const { id: userId } = userOf(ctx)
  if (ids) {
    const own = ctx.db
      .select({ userId: sql<number>`${userId}::integer`.as('user_id'), notificationId: notifications.id })
      .from(notifications)
      .where(and(inArray(notifications.id, ids), visibleTo(ctx.actor)))
    await ctx.db.insert(reads).select(own).onConflictDoNothing()
  } else if (upTo !== undefined) {
    // Limits `upTo` to existing ids, so that future notifications stay unread.
    const last = sql<number>`least(${upTo}::integer, (select coalesce(max(${notifications.id}), 0) from ${notifications}))`
    const [mark] = await ctx.db
      .insert(marks)
      .values({ userId, readUpTo: last })
      .onConflictDoUpdate({
        target: marks.userId,
        set: { readUpTo: sql`greatest(${marks.readUpTo}, excluded.read_up_to)` },
      })
      .returning()
    const isOld = and(sql`${reads.userId} = ${userId}`, lte(reads.notificationId, mark?.readUpTo ?? 0))
    await ctx.db.delete(reads).where(isOld)
  }
  return { unread: await countUnread(ctx) }
}
