import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { isChosen } from '@qatra/contract/places/geo'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { insertCheapest, lengthOf, type Place, shortRoute } from './route.ts'

/** Orders delivered later than this after placing are not searched for. */
const ORDER_LIVES_DAYS = 60

/** First and last moment of a Bahrain day, and the earliest placing time of its orders. */
export function boundsOf(day: string) {
  return {
    oldest: startOfBahrainDay(addDays(day, -ORDER_LIVES_DAYS)),
    from: startOfBahrainDay(day),
    until: startOfBahrainDay(addDays(day, 1)),
  }
}

interface StopRow {
  id: string
  driver_id: number
  status: Order['status']
  lat: number
  lng: number
}

/** Whether an order `o` is a stop of the day $2 from $4 to $5; for today ($6) also an open one of an earlier day. */
export const isStopOfDay = `case
       when o.status = 'delivered' then o.delivered_at >= $4 and o.delivered_at < $5
       else o.promised_date = $2 or ($6 and o.promised_date < $2 and o.status <> 'cancelled')
     end`

/**
 * Orders promised for the day or delivered on it; for today also the open ones of earlier days. Like all statements about
 * drivers, limited to orders of the driver's current vendor, unless another one is named.
 */
const stopsSql = statement(
  'driver-stops',
  `select o.id, o.assigned_driver_id as driver_id, o.status, o.lat, o.lng
   from orders o join users u on u.id = o.assigned_driver_id and o.vendor_id = coalesce($7, u.vendor_id)
   where o.assigned_driver_id = any($1::integer[]) and o.created_at >= $3::timestamptz and o.created_at < $5::timestamptz
     and ${isStopOfDay}
   order by o.created_at, o.id`,
)

export function readStopRows(
  { db, now }: Ctx,
  driverIds: readonly number[],
  day: string,
  vendorId: number | null = null,
): Promise<StopRow[]> {
  const { oldest, from, until } = boundsOf(day)
  return run<StopRow>(db, stopsSql, [driverIds, day, oldest, from, until, day === bahrainDate(now), vendorId])
}

const savedSql = statement(
  'driver-run-saved',
  `select order_ids as ids, arranged_by is not null as "isByHand" from driver_runs where driver_id = $1 and day = $2`,
)

const placeOf = ({ id, lat, lng }: StopRow): Place => ({ id, at: { lat, lng } })

/** A finished stop of an erased customer has no coordinates: it gets those of the stop before it. */
function placesOf(rows: readonly StopRow[]): Place[] {
  let last = rows.find(isChosen)
  return rows.map((row) => {
    if (isChosen(row)) last = row
    return { ...placeOf(last ?? row), id: row.id }
  })
}

/** The stops in order: the saved order with new stops inserted, or else the shortest route found. */
export async function planRun(ctx: Ctx, driverId: number, day: string) {
  const [rows, [stored]] = await Promise.all([
    readStopRows(ctx, [driverId], day),
    run<{ ids: string[]; isByHand: boolean }>(ctx.db, savedSql, [driverId, day]),
  ])
  const known = new Map(rows.map((row) => [row.id, row]))
  // A saved run without any of these orders belongs to the driver's former vendor.
  const saved = stored?.ids.some((id) => known.has(id)) ? stored : undefined
  const open = rows.filter(({ status }) => status !== 'cancelled')
  const places = saved ? inSavedOrder(saved.ids) : shortRoute(open.map(placeOf))
  const ids = places.map(({ id }) => id)
  const isOpen = ({ id }: Place) => !isClosed(known.get(id)?.status ?? 'cancelled')
  return {
    ids: [...ids, ...rows.map(({ id }) => id).filter((id) => !ids.includes(id))],
    /** Number of the last stop that is not cancelled. */
    last: ids.findLastIndex((id) => known.get(id)?.status !== 'cancelled') + 1,
    openIds: places.filter(isOpen).map(({ id }) => id),
    isByHand: saved?.isByHand ?? false,
    metresLeft: lengthOf(places.filter(isOpen)),
  }

  function inSavedOrder(order: readonly string[]): Place[] {
    const kept = order.flatMap((id) => known.get(id) ?? [])
    // New stops are not inserted between finished ones.
    const begun = kept.findLastIndex(({ status }) => status === 'delivered') + 1
    const newcomers = open.filter(({ id }) => !order.includes(id))
    return newcomers.reduce((places, row) => insertCheapest(places, placeOf(row), begun), placesOf(kept))
  }
}
