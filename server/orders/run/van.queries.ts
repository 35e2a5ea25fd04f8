/**
 * What drivers' vans carry on a day: what was loaded, without what was handed over, with what came back. A delivery of an
 * earlier day that is booked on this one, as its own was closed, was in neither van of this day.
 */

import { type VanLine, vanLeft } from '@qatra/contract/van'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { AppError } from '../../lib/errors.ts'

/** Bottles and goods of the vendor's drivers on a day, or of one of them; $1 vendor, $2 day, $3 driver or null. */
const vansSql = statement(
  'vans-of-day',
  `with entries as (
     select holder_id as driver_id, bottle_type_id as type_id, product_id, kind, is_empty, amount, id, key, created_by, notes
     from ledger_entries where ledger = 'van' and vendor_id = $1 and day = $2 and ($3::integer is null or holder_id = $3)
   ), moved as (
     select coalesce(o.assigned_driver_id, v.driver_id) as driver_id, e.bottle_type_id as type_id, null::integer as product_id,
       sum(e.amount) filter (where e.kind = 'delivered') as delivered, -sum(e.amount) filter (where e.kind = 'returned') as returned
     from ledger_entries e left join orders o on o.id = e.order_id left join visits v on v.id = e.visit_id
     where e.ledger = 'bottles' and e.vendor_id = $1 and e.day = $2 and num_nonnulls(e.order_id, e.visit_id) = 1
       and ($3::integer is null or coalesce(o.assigned_driver_id, v.driver_id) = $3)
       and (e.happened_at at time zone 'Asia/Bahrain')::date = $2
     group by 1, 2
     union all
     select o.assigned_driver_id, null, i.product_id, sum(i.quantity), 0
     from orders o join order_items i on i.order_id = o.id
     where o.assigned_driver_id in (select driver_id from entries where product_id is not null)
       and o.vendor_id = $1 and o.status = 'delivered' and (o.delivered_at at time zone 'Asia/Bahrain')::date = $2
       and i.product_id in (select product_id from entries)
     group by 1, 3
   ), loads as (
     select driver_id, type_id, product_id, sum(amount) filter (where kind = 'loaded' and not is_empty) as loaded,
       sum(amount) filter (where kind = 'unloaded' and not is_empty) as unloaded,
       sum(case kind when 'loaded' then amount when 'unloaded' then -amount end) filter (where is_empty) as empty,
       (array_agg(amount order by id desc) filter (where kind = 'counted' and not is_empty))[1] as counted_full,
       (array_agg(amount order by id desc) filter (where kind = 'counted' and is_empty))[1] as counted_empty,
       (array_agg(created_by order by id desc) filter (where kind = 'counted'))[1] as counted_by,
       (array_agg(notes order by id desc) filter (where kind = 'counted'))[1] as reason,
       array_remove(array_agg(distinct substring(key from '^\\d+:\\d+:(.+):(?:full|empty)$')), null) as keys
     from entries group by 1, 2, 3
   )
   select coalesce(l.driver_id, m.driver_id) as "driverId", coalesce(l.type_id, m.type_id) as "typeId",
     coalesce(l.product_id, m.product_id) as "productId", l.loaded is not null as "isLoaded",
     coalesce(l.loaded, 0)::int as loaded, coalesce(l.unloaded, 0)::int as unloaded, coalesce(l.empty, 0)::int as empty,
     coalesce(m.delivered, 0)::int as delivered, coalesce(m.returned, 0)::int as returned,
     l.counted_full::int as "countedFull", l.counted_empty::int as "countedEmpty",
     (select name from users where id = l.counted_by) as "countedBy", l.reason, coalesce(l.keys, '{}') as keys
   from loads l full join moved m on l.driver_id = m.driver_id
     and coalesce(l.type_id, 0) = coalesce(m.type_id, 0) and coalesce(l.product_id, 0) = coalesce(m.product_id, 0)
   order by 1 nulls last, 2 nulls last, 3`,
)

interface VanRow extends Omit<Van, 'left' | 'counted' | 'empties' | 'difference'> {
  isLoaded: boolean
  empty: number
  countedFull: number | null
  countedEmpty: number | null
}

export interface Van extends VanLine {
  /** Null: delivered without a driver. */
  driverId: number | null
  countedBy: string | null
  /** Of the last count; null unless the office made it. */
  reason: string | null
}

interface OfDay {
  vendorId: number
  day: string
  /** Default: all. */
  driverId?: number
}

export async function readVans({ db }: Pick<Ctx, 'db'>, { vendorId, day, driverId }: OfDay): Promise<Van[]> {
  const rows = await run<VanRow>(db, vansSql, [vendorId, day, driverId ?? null])
  return rows.map(({ isLoaded, empty, countedFull, countedEmpty, ...row }) => {
    const isCounted = countedFull !== null || countedEmpty !== null
    const counted = isCounted ? { full: countedFull ?? 0, empty: countedEmpty ?? 0 } : null
    return { ...row, counted, ...vanLeft({ ...row, isLoaded, empty, counted }) }
  })
}

export const moreThanVan = ({ typeId, productId, left }: Pick<VanLine, 'typeId' | 'productId' | 'left'>) =>
  new AppError('MORE_THAN_VAN', { typeId, productId, left: Math.max(0, left ?? 0) })
