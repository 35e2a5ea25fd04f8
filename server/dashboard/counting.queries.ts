import type { Spans } from '@qatra/contract/dashboard/dashboard'
import { type Db, run, statement } from '../database/db.ts'

/** One figure by kind and key; `day` for the kinds that are read per day. */
export interface Counted {
  kind: 'status' | 'hour' | 'area' | 'vendor' | 'product' | 'agreed' | 'cut' | 'agreed-cut'
  key: string
  day: string | null
  is_now: boolean
  orders: number
  /** Fils; pieces for products; for agreed prices the total discount. */
  amount: number
}

/** Start of a Bahrain day. */
const beginOf = (day: string) => `(${day} - interval '3 hours') at time zone 'UTC'`

/** Total discount of an order's agreed prices. */
const agreedIn = (order: string) => `lateral (
      select (list_price - price)::bigint * quantity as less from order_items
      where order_id = ${order} and list_price is not null offset 0) i`

/**
 * Figures of `facts` (scope, vendor_id, id, day, created_at, area_id, status, total, is_now, is_known), one row for
 * each. Days of the previous period (not `is_now`) need only statuses, hours and agreed prices; days with stored
 * figures (`is_known`) only statuses. An order with two lines of one product counts once for it.
 */
const countedSql = `
  sold as not materialized (select * from facts where status <> 'cancelled' and not is_known),
  counted as (
    select scope, day, 'status' as kind, status as key, count(*) as orders, sum(total) as amount
    from facts group by scope, day, status
    union all
    select scope, day, 'hour', extract(hour from created_at at time zone 'UTC' + interval '3 hours')::text, count(*), 0
    from sold group by 1, 2, 4
    union all
    select scope, day, 'area', coalesce(area_id::text, ''), count(*), sum(total) from sold where is_now group by 1, 2, 4
    union all
    select scope, day, 'vendor', vendor_id::text, count(*), sum(total) from sold where is_now and scope = 0 group by 1, 2, 4
    union all
    select s.scope, s.day, 'product', i.product_id::text, count(distinct s.id), sum(i.quantity)
    from sold s cross join lateral (
      select product_id, quantity from order_items where order_id = s.id and product_id is not null and quantity > 0 offset 0) i
    where s.is_now group by 1, 2, 4
    union all
    select s.scope, s.day, 'agreed', '', count(distinct s.id), sum(i.less)::bigint
    from sold s cross join ${agreedIn('s.id')} group by 1, 2)`

/** Stores the figures of one past day ($1), per vendor and for all. */
export const storeSql = statement(
  'dashboard-keep',
  `with facts as materialized (
     select s.scope, o.vendor_id, o.id, $1::date as day, o.created_at, o.area_id, o.status, o.total, true as is_now,
       false as is_known
     from orders o cross join lateral (values (0), (o.vendor_id)) s (scope)
     where o.created_at >= ${beginOf('$1::date')} and o.created_at < ${beginOf('($1::date + 1)')}),
   ${countedSql},
   kept as (
     insert into order_days (day) values ($1::date)
     on conflict (day) do update set statuses_hold = true, counted_at = now())
   insert into order_day_figures (vendor_id, day, kind, key, orders, amount)
   select scope, day, kind, key, orders, amount from counted`,
)

/** Past days since the start of the previous month without complete figures, newest first. */
export const missingSql = statement(
  'dashboard-missing',
  `select d::date as day from generate_series(
     date_trunc('month', bahrain_day(now())::timestamp) - interval '1 month', bahrain_day(now()) - 1, interval '1 day') d
   where not exists (
     select from order_days where day = d::date and statuses_hold)
   order by d desc`,
)

/**
 * One statement, so that stored and counted days are of the same snapshot. $1 vendor, 0 for all · $2 days of the
 * previous period and of the current one until today · $3 first day of the current period · $4 whether hours of the
 * previous period are read · $5 and $6 start and end of the compared part of the last day.
 */
const reading = (ofVendor: string) => `
  with days as materialized (
    select d as day, d >= $3::date as is_now, k.day is not null as is_kept, coalesce(k.statuses_hold, false) as statuses_hold
    from unnest($2::date[]) d left join order_days k on k.day = d),
  facts as materialized (
    select $1::integer as scope, o.vendor_id, o.id, d.day, o.created_at, o.area_id, o.status, o.total, d.is_now,
      d.is_kept as is_known
    from days d cross join lateral (
      select * from orders where created_at >= ${beginOf('d.day')} and created_at < ${beginOf('(d.day + 1)')}
        ${ofVendor} offset 0) o
    where not d.statuses_hold),
  ${countedSql},
  all_counted as (
    select day, kind, key, orders, amount from counted
    union all
    select f.day, f.kind, f.key, f.orders, f.amount from days d join order_day_figures f on f.day = d.day
    where d.is_kept and f.vendor_id = $1 and (d.statuses_hold or f.kind <> 'status')
      and (d.is_now or f.kind = any('{status,hour,agreed}')))
  select kind, key, case when kind = any('{status,agreed}') then day end as day, day >= $3::date as is_now,
    sum(orders)::integer as orders, sum(amount)::bigint as amount
  from all_counted where day >= $3::date or kind = any('{status,agreed}') or $4
  group by 1, 2, 3, 4
  union all
  select 'cut', status, null, false, count(*)::integer, sum(total)::bigint
  from orders where created_at >= $5 and created_at < $6 ${ofVendor} group by status
  union all
  select 'agreed-cut', '', null, false, count(distinct o.id)::integer, coalesce(sum(i.less), 0)::bigint
  from (select id from orders where created_at >= $5 and created_at < $6 and status <> 'cancelled' ${ofVendor} offset 0) o
    cross join ${agreedIn('o.id')}`

const readAllSql = statement('dashboard-all', reading('and $1 = 0'))
const readVendorSql = statement('dashboard-vendor', reading('and vendor_id = $1'))

/** @param cut start and end of the compared part of the last day; equal if there is none */
export function readCounted(
  db: Db,
  {
    vendorId,
    spans,
    hasHoursBefore,
    cut,
  }: { vendorId: number; spans: Spans; hasHoursBefore: boolean; cut: [Date, Date] },
): Promise<Counted[]> {
  const { span, days, daysBefore } = spans
  const values = [vendorId, [...daysBefore, ...days.filter((day) => day <= span.to)], span.from, hasHoursBefore, ...cut]
  return run<Counted>(db, vendorId === 0 ? readAllSql : readVendorSql, values)
}
