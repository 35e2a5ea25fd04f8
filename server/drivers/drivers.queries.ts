import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { AreaDriver, listAreaDrivers as areas } from '@qatra/contract/driver-board'
import type { Parsed } from '@qatra/contract/endpoint'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { canViewDriver } from './policy.ts'

export interface DriverRow {
  id: number
  name: string | null
  phone: string
  vendorId: number
  isActive: boolean
}

const columns = 'u.id, u.name, u.phone, u.vendor_id as "vendorId", u.is_active as "isActive"'
const areDrivers = `u.role = 'driver' and u.erased_at is null and u.vendor_id is not null`

const driverSql = statement('driver-followed', `select ${columns} from users u where u.id = $1 and ${areDrivers}`)

/** @throws DRIVER_NOT_FOUND, the same for a foreign and an unknown driver */
export async function requireDriver(ctx: Ctx, id: number): Promise<DriverRow> {
  const [driver] = await run<DriverRow>(ctx.db, driverSql, [id])
  if (!driver || !canViewDriver(ctx.actor, driver)) throw new AppError('DRIVER_NOT_FOUND')
  return driver
}

const holderSql = statement(
  'driver-with-cash',
  `select u.id, u.name, case when u.erased_at is null then u.phone else '—' end as phone, v.id as "vendorId",
     u.is_active as "isActive"
   from users u
   join vendors v on v.id = coalesce($2,
     (select min(e.vendor_id) from ledger_entries e where e.holder = 'driver' and e.holder_id = u.id and e.day = $3
      having count(distinct e.vendor_id) = 1),
     (select min(held.vendor_id) from (
        select e.vendor_id from ledger_entries e
        where e.holder = 'driver' and e.holder_id = u.id and e.means = 'cash' and e.kind <> 'counted'
        group by e.vendor_id having sum(case e.kind when 'handed-over' then -e.amount else e.amount end) <> 0) held
      having count(*) = 1),
     u.vendor_id)
   where u.id = $1 and ((${areDrivers} and u.vendor_id = v.id)
     or exists (select from ledger_entries e where e.holder = 'driver' and e.holder_id = u.id and e.vendor_id = v.id))`,
)

/**
 * A driver as a holder of the vendor's cash, also one who has left since. The vendor is the actor's; a super admin may name
 * it, else it is that of the day's entries, of the cash in hand, or the driver's own.
 * @throws DRIVER_NOT_FOUND, FORBIDDEN for a vendor out of reach
 */
export async function requireHolder(
  ctx: Ctx,
  id: number,
  { vendorId, day }: { vendorId: number | undefined; day: string },
): Promise<DriverRow> {
  const [holder] = await run<DriverRow>(ctx.db, holderSql, [id, vendorInReach(ctx.actor, vendorId), day])
  if (!holder || !canViewDriver(ctx.actor, holder)) throw new AppError('DRIVER_NOT_FOUND')
  return holder
}

const driversSql = statement(
  'drivers-of-vendor',
  `select ${columns}, u.last_active_at as "heardAt" from users u
   where ${areDrivers} and ($1::integer is null or u.vendor_id = $1)
   order by u.vendor_id, u.name nulls last, u.id`,
)

const ofDaySql = statement(
  'drivers-of-day',
  `select u.id, u.name, case when u.erased_at is null then u.phone else '—' end as phone, $1::integer as "vendorId",
     u.is_active as "isActive"
   from users u
   where (${areDrivers} and u.vendor_id = $1)
     or u.id in (select e.holder_id from ledger_entries e where e.vendor_id = $1 and e.day = $2 and e.holder = 'driver')
     or u.id = any($3::integer[])
   order by u.name nulls last, u.id`,
)

/**
 * The vendor's drivers of today, and all people who had its cash on that day, whatever their role and vendor are now; with
 * these others.
 */
export const listDriversOfDay = (
  { db }: Ctx,
  { vendorId, day, others }: { vendorId: number; day: string; others: readonly number[] },
): Promise<DriverRow[]> => run<DriverRow>(db, ofDaySql, [vendorId, day, others])

/** Includes inactive drivers, whose past days stay visible. */
export const listDriverRows = ({ db }: Ctx, vendorId: number | null) =>
  run<DriverRow & { heardAt: Date | null }>(db, driversSql, [vendorId])

const areaDriversSql = statement(
  'drivers-of-areas',
  `select * from (
     select o.area_id as "areaId", u.id as "driverId",
       count(*) filter (where o.promised_date = $2 and o.status <> 'cancelled')::int as "onDay",
       count(*) filter (where o.status = 'delivered' and o.promised_date < $2)::int as usual
     from orders o join users u on u.id = o.assigned_driver_id and u.vendor_id = o.vendor_id
     where ($1::integer is null or o.vendor_id = $1) and o.promised_date > $2::date - 28 and o.promised_date <= $2::date
       and o.area_id is not null and ${areDrivers} and u.is_active
     group by 1, 2) found
   where "onDay" > 0 or usual > 0`,
)

export const listAreaDrivers = (
  { db, actor, now }: Ctx,
  { date = bahrainDate(now), vendorId }: Parsed<typeof areas>['query'],
): Promise<AreaDriver[]> => run<AreaDriver>(db, areaDriversSql, [vendorInReach(actor, vendorId || null), date])
