import type { Driver } from '@qatra/contract/drivers'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { vendorInReach } from '../../vendors/policy.ts'

const driversSql = statement(
  'drivers',
  `select u.id, u.name, u.phone, u.vendor_id as "vendorId",
     (select count(*)::integer from orders o
      where o.assigned_driver_id = u.id and o.vendor_id = u.vendor_id and o.status in ('new', 'in-progress', 'shipped')) as "openOrders"
   from users u
   where u.role = 'driver' and u.is_active and u.erased_at is null and u.vendor_id is not null
     and ($1::integer is null or u.vendor_id = $1)
   order by u.vendor_id, u.name nulls last, u.id`,
)

/** Active drivers in reach; 0 or undefined means all vendors. */
export const listDrivers = (ctx: Ctx, vendorId: number | undefined): Promise<Driver[]> =>
  run<Driver>(ctx.db, driversSql, [vendorInReach(ctx.actor, vendorId || null)])

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
