import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Driver, listDrivers as list } from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { vendorInReach } from '../../vendors/policy.ts'

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
