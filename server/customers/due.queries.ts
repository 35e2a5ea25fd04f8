import { addDays, bahrainDate, FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { openStatuses } from '@qatra/contract/orders/order-status'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { DELIVERIES, isQuiet, type Rhythm, rhythmOf, type Said } from './rules.ts'
import { MARKET } from './tables.ts'

interface Deliveries extends Said {
  id: number
  /** The last days with a delivery, newest first. */
  days: string[]
}

const quoted = openStatuses.map((status) => `'${status}'`).join(', ')

// Each customer's own orders are read by their index, so that the time grows with the scope's customers: 0.4 s for 5,000 with
// 25 deliveries each. An interval is faster than the name of the zone, which has no other offset. `$2` null: all customers
// who can be due; not those who ordered nothing for a year.
const deliveriesSql = statement(
  'customer-deliveries',
  `select t.user_id as id, d.days, s.quiet_until::text as "quietUntil",
     (s.created_at at time zone 'Asia/Bahrain')::date::text as "saidOn"
   from customer_totals t
   left join customer_answers s on s.user_id = t.user_id and s.vendor_id = t.vendor_id
   cross join lateral (
     select coalesce(array_agg(day::text order by day desc), '{}') as days from (
       select distinct (o.delivered_at at time zone interval '3 hours')::date as day from orders o
       where o.user_id = t.user_id and ($1 = ${MARKET} or o.vendor_id = $1) and o.status = 'delivered' and not o.is_test
       order by 1 desc limit ${DELIVERIES}) o) d
   join users u on u.id = t.user_id
   where t.vendor_id = $1 and (u.reminders or not $3) and t.order_count - t.cancelled_count >= ${DELIVERIES}
     and ($2::integer[] is not null or t.last_order_at > now() - interval '1 year' and not exists (
       select from orders o where o.user_id = t.user_id and ($1 = ${MARKET} or o.vendor_id = $1)
         and o.status in (${quoted})))
     and ($2::integer[] is null or t.user_id = any ($2))`,
)

interface Wanted {
  ids?: readonly number[]
  /** Only those who asked to be reminded. */
  reminded?: boolean
}

const listDeliveries = ({ db }: Pick<Ctx, 'db'>, scope: number, { ids, reminded = false }: Wanted) =>
  run<Deliveries>(db, deliveriesSql, [scope, ids ?? null, reminded])

/** The rhythm of each of these customers who has one, by their orders in the scope. */
export async function readRhythms(ctx: Pick<Ctx, 'db'>, scope: number, ids: readonly number[]) {
  const rows = ids.length === 0 ? [] : await listDeliveries(ctx, scope, { ids })
  return new Map(
    rows.flatMap(({ id, days }) => {
      const rhythm = rhythmOf(days)
      return rhythm ? [[id, rhythm] as const] : []
    }),
  )
}

/** The rhythm of one customer by all orders. */
export const findRhythm = async (ctx: Pick<Ctx, 'db'>, id: number) =>
  (await readRhythms(ctx, MARKET, [id])).get(id) ?? null

/** Customers who are due until tomorrow, have no open order and are not quiet, the longest due first. */
export async function listDue(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  scope: number,
  wanted: Wanted = {},
): Promise<(Rhythm & { id: number })[]> {
  const today = bahrainDate(now)
  const last = addDays(today, 1)
  const rows = await listDeliveries({ db }, scope, wanted)
  return rows
    .flatMap(({ id, days, ...said }) => {
      const rhythm = rhythmOf(days)
      return rhythm && rhythm.dueDate <= last && !isQuiet(said, days[0], today) ? [{ id, ...rhythm }] : []
    })
    .sort((a, b) => (a.dueDate === b.dueDate ? a.id - b.id : a.dueDate < b.dueDate ? -1 : 1))
}

/** Days after the due date on which a reminder is still sent: a Friday or an outage may lie between. */
const LATE_DAYS = 2

const lastDeliveredSql = statement(
  'customers-last-delivered',
  `select u.id, (
     select o.id from orders o where o.user_id = u.id and o.status = 'delivered' and not o.is_test
     order by o.delivered_at desc limit 1) as "orderId",
     exists (select from customer_answers s where s.user_id = u.id and s.quiet_until > $2::date) as "isQuiet"
   from users u where u.id = any ($1)`,
)

/** Customers to remind today of what is due, with their last delivered order, by the deliveries of all vendors. */
export async function listReminders(ctx: Pick<Ctx, 'db' | 'now'>): Promise<{ orderId: string; dueDate: string }[]> {
  const today = bahrainDate(ctx.now)
  if (weekdayOf(today) === FRIDAY) return []
  const due = (await listDue(ctx, MARKET, { reminded: true })).filter(
    ({ dueDate }) => dueDate <= today && dueDate >= addDays(today, -LATE_DAYS),
  )
  const dueOf = new Map(due.map(({ id, dueDate }) => [id, dueDate]))
  const rows = await run<{ id: number; orderId: string | null; isQuiet: boolean }>(ctx.db, lastDeliveredSql, [
    [...dueOf.keys()],
    today,
  ])
  return rows.flatMap(({ id, orderId, isQuiet }) => {
    const dueDate = dueOf.get(id)
    return orderId && dueDate && !isQuiet ? [{ orderId, dueDate }] : []
  })
}
