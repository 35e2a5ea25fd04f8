import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Driver, listDrivers as list } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { addFils, fromBhd, zeroFils } from '@qatra/contract/lib/money'
import type { AdminOrder, AdminOrderDetail } from '@qatra/contract/orders/admin'
import type { getConfirmation } from '@qatra/contract/orders/confirmation'
import type { DayLoad, listDayLoads as days } from '@qatra/contract/orders/delivery'
import type { TimelineEntry } from '@qatra/contract/orders/timeline'
import type { OrderView } from '@qatra/contract/orders/views'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { and, asc, count, eq, inArray, isNull, lte, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { type Db, run, statement } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { users } from '../../users/tables.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { findSaleDay, readDoubles, readPayments } from '../payment/queries.ts'
import { adminAbilities, managedBy } from '../policy.ts'
import { owedFor, readOrders, requireOrderRow } from '../queries.ts'
import { orders, orderViews } from '../tables.ts'

/** Orders as the admin pages show them, in the order of their ids. */
export async function readAdminOrders(ctx: Ctx, ids: string[]): Promise<AdminOrder[]> {
  if (ids.length === 0) return []
  const found = await readOrders(ctx, inArray(orders.id, ids), { limit: ids.length, offset: 0 })
  const people = await readPeople(
    ctx,
    found.flatMap(({ assignedDriverId, placedBy }) => [assignedDriverId, placedBy]),
  )
  const described = new Map(
    found.map((order): [string, AdminOrder] => {
      const driver = people.get(order.assignedDriverId ?? 0)
      const agent = order.placedBy === order.userId ? undefined : people.get(order.placedBy ?? 0)
      return [
        order.id,
        {
          ...order,
          driver: driver ? { id: driver.id, name: driver.name, phone: driver.phone } : null,
          agent: agent ? { id: agent.id, name: agent.name } : null,
          can: adminAbilities(
            ctx.actor,
            {
              ...order,
              createdAt: new Date(order.createdAt),
              deliveredAt: order.deliveredAt === null ? null : new Date(order.deliveredAt),
            },
            ctx.now,
          ),
        },
      ]
    }),
  )
  return ids.flatMap((id) => described.get(id) ?? [])
}

async function readPeople({ db }: Ctx, ids: (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map<number, { id: number; name: string | null; phone: string }>()
  const rows = await db
    .select({ id: users.id, name: users.name, phone: users.phone })
    .from(users)
    .where(inArray(users.id, wanted))
  return new Map(rows.map((row) => [row.id, row]))
}

/** @throws ORDER_NOT_FOUND, also for an order out of reach */
export async function requireAdminOrder(ctx: Ctx, typedId: string): Promise<AdminOrderDetail> {
  const row = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [[order], customerOrder, payments, bookedOn] = await Promise.all([
    readAdminOrders(ctx, [row.id]),
    countUntil(ctx, row),
    readPayments(ctx, row.id),
    row.status === 'delivered' ? findSaleDay(ctx, row.id) : null,
  ])
  if (!order) throw new AppError('ORDER_NOT_FOUND')
  const received = addFils(zeroFils, ...payments.map(({ amount }) => fromBhd(amount)))
  const doubles = await readDoubles(ctx, order.due < 0 ? [{ id: row.id, total: owedFor(row), received }] : [])
  const double = doubles.get(row.id) ?? null
  return { ...order, customerOrder, referral: row.referral, payments, double, bookedOn }
}

async function countUntil({ db, actor }: Ctx, order: { userId: number | null; vendorId: number; createdAt: Date }) {
  const mayKnow = isAuthorized({ allow: 'admin', permissions: ['customers.read'] }, actor.user)
  if (order.userId === null || !mayKnow) return null
  const [row] = await db
    .select({ n: count() })
    .from(orders)
    .where(
      and(eq(orders.userId, order.userId), eq(orders.vendorId, order.vendorId), lte(orders.createdAt, order.createdAt)),
    )
  return row?.n ?? null
}

const lastSql = statement(
  'order-last-confirmation',
  `select changed_at as at, new_value as reference from order_audit_history
   where order_id = $1 and action = 'confirmation' order by id desc limit 1`,
)

export async function findLastConfirmation(
  { db }: Ctx,
  orderId: string,
): Promise<{ at: Date; reference: string } | null> {
  const [row] = await run<{ at: Date; reference: string }>(db, lastSql, [orderId])
  return row ?? null
}

interface FoundMessage {
  status: 'queued' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed'
  /** The provider's last error. */
  problem: string | null
}

const messageSql = statement(
  'order-confirmation-message',
  `select status, errors -> -1 ->> 'text' as problem from whatsapp_messages where dedupe_key = $1`,
)

async function findMessage(db: Db, dedupeKey: string): Promise<FoundMessage | null> {
  const [row] = await run<FoundMessage>(db, messageSql, [dedupeKey])
  return row ?? null
}

/** The message's purpose, one per request: repeated runs of its job send it once. */
export const confirmationKey = (orderId: string, reference: string) => `confirmation:${orderId}:${reference}`

/** Delivery status of the last confirmation. */
export async function readConfirmation(ctx: Ctx, typedId: string): Promise<Output<typeof getConfirmation>> {
  const { id } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const last = await findLastConfirmation(ctx, id)
  if (!last) return { status: 'none', at: null, problem: null }
  const message = await findMessage(ctx.db, confirmationKey(id, last.reference))
  // An unknown outcome counts as failed, so that it can be repeated; `problem` tells them apart.
  const status = message?.status === 'unknown' ? 'failed' : (message?.status ?? 'queued')
  return { status, at: last.at.toISOString(), problem: message?.problem ?? null }
}

const driversSql = statement(
  'drivers',
  `with work as materialized (
     select o.assigned_driver_id as driver_id, o.vendor_id, o.area_name, o.area_name_ar,
       (select sum(i.quantity) from order_items i where i.order_id = o.id) as units
     from orders o
     where o.assigned_driver_id is not null and ($1::integer is null or o.vendor_id = $1)
       and ((o.promised_date = $2 and o.status <> 'cancelled')
         or ($3 and o.promised_date < $2 and o.status in ('new', 'in-progress', 'shipped')))
   )
   select u.id, u.name, u.phone, u.vendor_id as "vendorId",
     (select count(*)::integer from orders o
      where o.assigned_driver_id = u.id and o.vendor_id = u.vendor_id and o.status in ('new', 'in-progress', 'shipped')) as "openOrders",
     (select json_build_object('orders', coalesce(sum(a.orders), 0), 'units', coalesce(sum(a.units), 0),
        'areas', coalesce(json_agg(json_build_object('name', a.name, 'nameAr', a.name_ar) order by a.orders desc, a.name)
          filter (where a.name is not null), '[]'))
      from (select w.area_name as name, w.area_name_ar as name_ar, count(*)::integer as orders, sum(w.units)::integer as units
        from work w where w.driver_id = u.id and w.vendor_id = u.vendor_id group by w.area_name, w.area_name_ar) a) as "day"
   from users u
   where u.role = 'driver' and u.is_active and u.erased_at is null and u.vendor_id is not null
     and ($1::integer is null or u.vendor_id = $1)
   order by u.vendor_id, u.name nulls last, u.id`,
)

/** Active drivers in reach; 0 or undefined means all vendors. */
export function listDrivers(ctx: Ctx, { vendorId, date }: Parsed<typeof list>['query']): Promise<Driver[]> {
  const today = bahrainDate(ctx.now)
  const day = date ?? today
  return run<Driver>(ctx.db, driversSql, [vendorInReach(ctx.actor, vendorId || null), day, day === today])
}

/** Days of one answer. */
const MOST_DAYS = 62

const dayLoadsSql = statement(
  'orders-of-days',
  `select o.promised_date::text as date, count(*)::integer as orders, coalesce(sum(i.units), 0)::integer as units
   from orders o left join lateral (select sum(quantity) as units from order_items where order_id = o.id) i on true
   where o.promised_date between $2 and $3 and o.status <> 'cancelled' and ($1::integer is null or o.vendor_id = $1)
   group by 1 order by 1`,
)

export const listDayLoads = (
  { db, actor }: Ctx,
  { from, to, vendorId }: Parsed<typeof days>['query'],
): Promise<DayLoad[]> =>
  run<DayLoad>(db, dayLoadsSql, [
    vendorInReach(actor, vendorId || null),
    from,
    [to, addDays(from, MOST_DAYS - 1)].sort()[0],
  ])

const driverSql = statement(
  'driver-of-vendor',
  `select id from users
   where id = $1 and vendor_id = $2 and role = 'driver' and is_active and erased_at is null
   for share`,
)

/** Whether the person can be assigned orders of this vendor. Locks the row, so that this holds until the transaction ends. */
export async function isDriverOf({ db }: Ctx, driverId: number, vendorId: number): Promise<boolean> {
  const rows = await run(db, driverSql, [driverId, vendorId])
  return rows.length === 1
}

const isDriver = `h.field_changed = 'assignedDriverId'`
/** A moved delivery is one line, also where a shipped order goes back with it. */
const timelineSql = statement(
  'order-timeline',
  `select h.id, h.action, h.changed_at as at, h.field_changed as field, h.old_value as "from", h.new_value as "to", h.notes,
     case when b.id is not null then json_build_object('id', b.id, 'name', b.name, 'role', b.role) end as "by",
     case when f.id = o.user_id then json_build_object('id', f.id, 'name', o.customer_name, 'role', 'customer')
       when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'role', f.role) end as "onBehalfOf",
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.old_value::integer) as "fromName",
     (select coalesce(d.name, d.phone) from users d where ${isDriver} and d.id = h.new_value::integer) as "toName"
   from order_audit_history h
   join orders o on o.id = h.order_id
   left join users b on b.id = h.changed_by
   left join users f on f.id = h.on_behalf_of
   where h.order_id = $1 and h.changed_at >= $3::timestamptz - interval '1 day' and ($2 or h.action <> 'note' and coalesce(h.field_changed, '') not in ('waterRating', 'driverRating'))
     and not (h.field_changed = 'status' and h.old_value = 'shipped' and h.new_value in ('new', 'in-progress')
       and exists (select from order_audit_history m
         where m.order_id = h.order_id and m.changed_at = h.changed_at and m.field_changed = 'promisedDate'))
   order by h.id desc
   limit 500`,
)

/** Newest first. Shows the customer's name from the order, not from the account. Drivers and sales agents get no notes and ratings. */
export async function readTimeline(ctx: Ctx, typedId: string): Promise<TimelineEntry[]> {
  const { id, createdAt } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const mayReadNotes = isAuthorized({ allow: 'admin', permissions: ['orders.read'] }, ctx.actor.user)
  const rows = await run<Omit<TimelineEntry, 'at'> & { at: Date }>(ctx.db, timelineSql, [id, mayReadNotes, createdAt])
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }))
}

/** Views of the actor's vendor; for super admins those of the market, which no vendor has. */
export function viewsInReach({ actor }: Pick<Ctx, 'actor'>): SQL {
  const vendorId = vendorInReach(actor)
  return vendorId === null ? isNull(orderViews.vendorId) : eq(orderViews.vendorId, vendorId)
}

export const listViews = (ctx: Ctx): Promise<OrderView[]> =>
  ctx.db
    .select({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
    .from(orderViews)
    .where(viewsInReach(ctx))
    .orderBy(asc(orderViews.id))
