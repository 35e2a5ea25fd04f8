import type { Output, Parsed } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { Kind } from '@qatra/contract/notifications/kinds'
import { kindsFor } from '@qatra/contract/notifications/kinds'
import { type listNotifications as list, MOST_UNREAD } from '@qatra/contract/notifications/notifications'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { and, desc, eq, gt, inArray, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../conversations/tables.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { managedBy } from '../orders/policy.ts'
import { orders } from '../orders/tables.ts'
import { visitsOf } from '../orders/visits/queries.ts'
import { visits } from '../orders/visits/tables.ts'
import { users } from '../users/tables.ts'
import { type Reach, visibleTo } from './policy.ts'
import { notificationMarks as marks, notifications, notificationReads as reads } from './tables.ts'

export interface NotificationEvent extends Reach {
  id: number
  orderId: string | null
  /** The order's customer. */
  customerId: number | null
  status: OrderStatus | null
  byId: number | null
  conversation: { assignedTo: number | null; mutedBy: number[] } | null
  at: string
}

type EventRow = Omit<NotificationEvent, 'at'> & { at: Date }

const selectEvents = `select n.id, n.kind, n.order_id as "orderId", o.user_id as "customerId", n.contact_id as "contactId",
    n.vendor_ids as "vendorIds", n.vendor_id as "vendorId", n.driver_id as "driverId", n.former_driver_id as "formerDriverId", n.agent_id as "agentId",
    n.status, n.by_id as "byId", n.created_at as at,
    (select json_build_object('assignedTo', t.assigned_to, 'mutedBy', t.muted_by) from whatsapp_conversation_threads t
      where t.contact_id = n.contact_id) as conversation
  from notifications n left join orders o on o.id = n.order_id`
const sinceSql = statement('notifications-since', `${selectEvents} where n.id > $1 order by n.id limit $2`)
const recentSql = statement(
  'notifications-recent',
  `select * from (
     ${selectEvents} where n.created_at > now() - $1::int * interval '1 hour'
     order by n.id desc limit $2) as recent
   order by id`,
)
const lastSql = statement('notifications-last', 'select coalesce(max(id), 0)::int as id from notifications')

const eventOf = (row: EventRow): NotificationEvent => ({ ...row, at: row.at.toISOString() })

export async function readSince(db: Db, id: number, limit: number): Promise<NotificationEvent[]> {
  return (await run<EventRow>(db, sinceSql, [id, limit])).map(eventOf)
}

export async function readRecent(db: Db, hours: number, limit: number): Promise<NotificationEvent[]> {
  return (await run<EventRow>(db, recentSql, [hours, limit])).map(eventOf)
}

export async function readLastId(db: Db): Promise<number> {
  const [row] = await run<{ id: number }>(db, lastSql)
  return row?.id ?? 0
}

/** A shipped order on a driver's run. */
export interface OnTheWay {
  orderId: string
  customerId: number
  driverId: number
}
const onTheWaySql = statement(
  'orders-on-the-way',
  `select id as "orderId", user_id as "customerId", assigned_driver_id as "driverId" from orders
   where status = 'shipped' and assigned_driver_id = any($1::integer[]) and user_id is not null`,
)

/** Orders whose customers see how many stops these drivers have before them. */
export const listOnTheWay = (db: Db, driverIds: readonly number[]): Promise<OnTheWay[]> =>
  run<OnTheWay>(db, onTheWaySql, [driverIds])

/** Notifications that alert this user, by the current preferences. */
async function alertsOf(ctx: Ctx): Promise<SQL> {
  const { id, role, permissions } = userOf(ctx)
  const [preferences] = await ctx.db
    .select({ notificationEnabled: users.notificationEnabled, notificationTypes: users.notificationTypes })
    .from(users)
    .where(eq(users.id, id))
  const alertKinds = preferences ? kindsFor({ role, permissions, ...preferences }) : []
  if (alertKinds.length === 0) return sql`false`
  const isOthers = or(isNull(notifications.byId), ne(notifications.byId, id))
  return and(visibleTo(ctx.actor), inArray(notifications.kind, alertKinds), isOthers) ?? sql`false`
}

const readBy = (ctx: Ctx) => {
  const { id } = userOf(ctx)
  const ofPerson = and(eq(reads.userId, id), eq(reads.notificationId, notifications.id))
  return {
    upTo: sql`coalesce((select ${marks.readUpTo} from ${marks} where ${marks.userId} = ${id}), 0)`,
    one: ctx.db.select({ one: sql`1` }).from(reads).where(ofPerson),
  }
}

/** Capped count. */
export async function countUnread(ctx: Ctx): Promise<number> {
  const read = readBy(ctx)
  const unread = ctx.db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(await alertsOf(ctx), gt(notifications.id, read.upTo), notExists(read.one)))
    .limit(MOST_UNREAD)
    .as('unread')
  const [row] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(unread)
  return row?.count ?? 0
}

/** Its id is part of the source, see `campaign-stops`. Reasons of our own are codes, which only the campaign explains. */
const stoppedCampaign = sql<ListedRow['campaign']>`case when ${notifications.kind} = 'campaign-stopped' then (
  select json_build_object('id', c.id, 'name', c.name, 'reason', nullif(c.status_reason, c.status_code)) from template_campaigns c
  where c.id::text = split_part(${notifications.source}, ':', 2)) end`

/** Of a kind that rings for it; its id is part of the source. */
const visitId = sql`case when ${notifications.kind} in ('visit-requested', 'visit-cancelled')
  then split_part(${notifications.source}, ':', 2)::integer end`

export async function listNotifications(
  ctx: Ctx,
  { page, limit }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const alerts = await alertsOf(ctx)
  const read = readBy(ctx)
  const rows = await ctx.db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      at: notifications.createdAt,
      isRead: sql<boolean>`${notifications.id} <= ${read.upTo} or exists ${read.one}`,
      orderId: notifications.orderId,
      status: notifications.status,
      byName: users.name,
      reached: orders.id,
      customerName: orders.customerName,
      areaName: orders.areaName,
      areaNameAr: orders.areaNameAr,
      vendorName: orders.vendorName,
      vendorNameAr: orders.vendorNameAr,
      total: orders.total,
      contactId: contacts.id,
      contactName: contacts.name,
      contactPhone: contacts.phone,
      campaign: stoppedCampaign,
      visit: {
        date: visits.day,
        customerName: visits.customerName,
        areaName: visits.areaName,
        areaNameAr: visits.areaNameAr,
        bottles: visits.bottles,
      },
    })
    .from(notifications)
    .leftJoin(contacts, eq(contacts.id, notifications.contactId))
    .leftJoin(orders, and(eq(orders.id, notifications.orderId), managedBy(ctx.actor)))
    .leftJoin(visits, and(eq(visits.id, visitId), visitsOf(ctx.actor)))
    .leftJoin(users, and(eq(users.id, notifications.byId), ne(users.role, 'customer')))
    .where(alerts)
    .orderBy(desc(notifications.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(notifications).where(alerts)
  return { items: rows.map(describe), page, limit, total: counted?.total ?? 0, unread: await countUnread(ctx) }
}

interface ListedRow {
  id: number
  kind: Kind
  at: Date
  isRead: boolean
  orderId: string | null
  status: OrderStatus | null
  byName: string | null
  reached: string | null
  customerName: string | null
  areaName: string | null
  areaNameAr: string | null
  vendorName: string | null
  vendorNameAr: string | null
  total: number | null
  contactId: number | null
  contactName: string | null
  contactPhone: string | null
  campaign: Output<typeof list>['items'][number]['campaign']
  visit: Output<typeof list>['items'][number]['visit']
}

const describe = ({ id, kind, at, isRead, orderId, status, byName, reached, ...order }: ListedRow) => ({
  id,
  kind,
  at: at.toISOString(),
  isRead,
  orderId,
  contact:
    order.contactId === null ? null : { id: order.contactId, name: order.contactName, phone: order.contactPhone },
  campaign: order.campaign,
  visit: order.visit,
  status,
  byName,
  order:
    reached === null
      ? null
      : {
          customerName: order.customerName ?? '',
          areaName: order.areaName,
          areaNameAr: order.areaNameAr,
          vendorName: order.vendorName ?? '',
          vendorNameAr: order.vendorNameAr,
          total: toBhd((order.total ?? 0) as Fils), // money columns hold fils
        },
})
