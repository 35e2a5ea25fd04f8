import { addDays, bahrainDate, FRIDAY } from '@qatra/contract/calendar/calendar'
import type { BoardStop, DriverDay, listDriverDays as days } from '@qatra/contract/driver-board'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { isClosed } from '@qatra/contract/orders/order-status'
import { officeStateAt } from '../calendar/office-hours.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { cashOf } from '../ledger/rules.ts'
import {
  type BoardRow,
  boundsOf,
  isStopOfDay,
  isVisitOfDay,
  planStops,
  readBoardRows,
  readStopRows,
  type StopRow,
} from '../orders/run/queries.ts'
import { readInboxSettings } from '../site/queries.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { readCashSums } from './cash.queries.ts'
import { type DriverRow, listDriverRows } from './drivers.queries.ts'

/** Orders with failed attempts, those among them that left the day since, and each driver's last action. */
const activitiesSql = statement(
  'driver-activities',
  `select driver_id, max(at) as at, array_agg(distinct attempted) filter (where attempted is not null) as attempted,
     count(distinct attempted) filter (where not is_stop)::int as moved
   from (
     select a.driver_id, a.happened_at as at, a.order_id as attempted, ${isStopOfDay} as is_stop
     from delivery_attempts a
     join orders o on o.id = a.order_id
     join users u on u.id = a.driver_id and o.vendor_id = coalesce($7, u.vendor_id)
     where a.driver_id = any($1::integer[]) and a.happened_at >= $4 and a.happened_at < $5
     union all
     select o.assigned_driver_id, o.delivered_at, null, true
     from orders o join users u on u.id = o.assigned_driver_id and o.vendor_id = coalesce($7, u.vendor_id)
     where o.assigned_driver_id = any($1::integer[]) and o.created_at >= $3::timestamptz and o.status = 'delivered'
       and o.delivered_at >= $4 and o.delivered_at < $5
     union all
     select v.driver_id, v.happened_at, case v.status when 'failed' then 'visit-' || v.id end, ${isVisitOfDay}
     from visits v join users u on u.id = v.driver_id and v.vendor_id = coalesce($7, u.vendor_id)
     where v.driver_id = any($1::integer[]) and v.status in ('done', 'failed') and v.happened_at >= $4 and v.happened_at < $5
   ) activities group by driver_id`,
)

interface Activity {
  driver_id: number
  at: Date
  attempted: string[] | null
  moved: number
}

/** Active drivers in reach, and inactive ones with activity on that day. */
export async function listDriverDays(
  ctx: Ctx,
  { date: requestedDay, vendorId }: Parsed<typeof days>['query'],
): Promise<Output<typeof days>> {
  const reach = vendorInReach(ctx.actor, vendorId || null)
  const day = requestedDay ?? bahrainDate(ctx.now)
  const people = await listDriverRows(ctx, reach)
  const rows = await readBoardRows(ctx, { driverIds: people.map(({ id }) => id), day, vendorId: reach })
  const counted = await readDriverDays(ctx, people, { date: day, vendorId: reach, stops: rows })
  const byDriver = Map.groupBy(rows, ({ driver_id: id }) => id)
  const isWorking = await readWorking(ctx)
  const heard = new Map(people.map(({ id, heardAt }) => [id, heardAt]))
  return {
    ...counted,
    now: ctx.now.toISOString(),
    drivers: counted.drivers.map((one) => ({
      ...one,
      heardAt: heard.get(one.driver.id)?.toISOString() ?? null,
      isWorking: isWorking(one.driver.vendorId),
      run: boardOf(byDriver.get(one.driver.id) ?? []),
    })),
  }
}

const closuresSql = statement(
  'driver-closures',
  'select day::text as day, vendor_id as "vendorId" from holidays where day between $1 and $2',
)
const allDay = { opensAt: '00:00', closesAt: '00:00' }
/** Without hours in the settings. */
const everyDayButFriday = Array.from({ length: 7 }, (_, weekday) => (weekday === FRIDAY ? null : allDay))

/** Whether a vendor works at this moment. */
async function readWorking(ctx: Ctx): Promise<(vendorId: number | null) => boolean> {
  const today = bahrainDate(ctx.now)
  const [{ hours }, closures] = await Promise.all([
    readInboxSettings(ctx),
    // Hours of the evening before may end after midnight.
    run<{ day: string; vendorId: number | null }>(ctx.db, closuresSql, [addDays(today, -1), today]),
  ])
  const week = hours.some((day) => day !== null) ? hours : everyDayButFriday
  return (vendorId) => {
    const own = closures.filter((one) => one.vendorId === null || one.vendorId === vendorId)
    return officeStateAt(week, new Set(own.map(({ day }) => day)), ctx.now).hours !== null
  }
}

function boardOf(rows: readonly BoardRow[]): BoardStop[] {
  const known = new Map(rows.map((row) => [row.id, row]))
  return planStops(rows).ids.flatMap((id) => {
    const row = known.get(id)
    if (!row || row.status === 'cancelled') return []
    const { lat, lng, at, place: _, is_by_hand: __, driver_id: ___, ...stop } = row
    return [{ ...stop, mapCoordinates: { lat, lng }, at: at?.toISOString() ?? null }]
  })
}

/** The day of these drivers with the vendor; null: each with the driver's current one. */
export async function readDriverDays(
  ctx: Ctx,
  drivers: readonly DriverRow[],
  {
    date: requestedDay,
    vendorId,
    kept = new Map(),
    stops: known,
  }: {
    date: string | undefined
    vendorId: number | null
    /** Drivers who are listed also without stops and cash. */
    kept?: ReadonlyMap<number, unknown>
    /** If they are read already. */
    stops?: readonly StopRow[]
  },
): Promise<{ date: string; today: string; drivers: DriverDay[] }> {
  const today = bahrainDate(ctx.now)
  const date = requestedDay ?? today
  const ids = drivers.map(({ id }) => id)
  const { oldest, from, until } = boundsOf(date)
  const [stops, sums, activities] = await Promise.all([
    known ?? readStopRows(ctx, { driverIds: ids, day: date, vendorId }),
    readCashSums(ctx, ids, date, vendorId),
    run<Activity>(ctx.db, activitiesSql, [ids, date, oldest, from, until, date === today, vendorId]),
  ])
  const described = drivers.map(({ isActive, ...driver }): DriverDay => {
    const own = stops.filter((stop) => stop.driver_id === driver.id)
    const activity = activities.find((row) => row.driver_id === driver.id)
    const moved = activity?.moved ?? 0
    const count = (is: (stop: (typeof own)[number]) => boolean) => own.filter(is).length
    return {
      driver,
      isActive,
      stops: {
        all: count(({ status }) => status !== 'cancelled') + moved,
        delivered: count(({ status }) => status === 'delivered'),
        attempted: moved + count(({ id, status }) => !isClosed(status) && (activity?.attempted?.includes(id) ?? false)),
        cancelled: count(({ status }) => status === 'cancelled'),
      },
      cash: sums.get(driver.id) ?? cashOf([]),
      lastActAt: activity?.at.toISOString() ?? null,
    }
  })
  return {
    date,
    today,
    drivers: described.filter(
      ({ driver: { id }, isActive, stops: { all }, cash }) => kept.has(id) || isActive || all > 0 || hasCash(cash),
    ),
  }
}

const hasCash = ({ expected, collected, handedOver, counted, shortage }: DriverDay['cash']) =>
  expected !== 0 || collected !== 0 || handedOver !== 0 || counted !== null || shortage !== 0
