import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { VisitKind } from '@qatra/contract/visit-task'
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

export interface StopRow {
  id: string
  driver_id: number
  status: Order['status']
  lat: number
  lng: number
  /** Position in the saved run; null without one and of a later order. */
  place: number | null
  is_by_hand: boolean | null
}

export interface BoardRow extends StopRow {
  customerName: string
  areaName: string | null
  areaNameAr: string | null
  block: string | null
  units: number
  at: Date | null
  /** Of a stop without an order. */
  visit: VisitKind | null
}

/** Whether an order `o` is a stop of the day $2 from $4 to $5; for today ($6) also an open one of an earlier day. */
export const isStopOfDay = `case
       when o.status = 'delivered' then o.delivered_at >= $4 and o.delivered_at < $5
       else o.promised_date = $2 or ($6 and o.promised_date < $2 and o.status <> 'cancelled')
     end`

/** The same of a visit `v`; one that failed stays on its own day. */
export const isVisitOfDay = `case v.status
       when 'done' then v.happened_at >= $4 and v.happened_at < $5
       when 'cancelled' then false
       else v.day = $2 or ($6 and v.day < $2 and v.status = 'open')
     end`

/**
 * Orders promised for the day or delivered on it, and visits; for today also the open ones of earlier days. Like all
 * statements about drivers, limited to those of the driver's current vendor, unless another one is named.
 */
const stopsOf = (ofOrder = '', ofVisit = '') =>
  `select * from (
   select o.id, o.assigned_driver_id as driver_id, o.status, o.lat, o.lng, array_position(r.order_ids, o.id) as place,
     r.arranged_by is not null as is_by_hand, o.created_at${ofOrder}
   from orders o join users u on u.id = o.assigned_driver_id and o.vendor_id = coalesce($7, u.vendor_id)
   left join driver_runs r on r.driver_id = o.assigned_driver_id and r.day = $2
   where o.assigned_driver_id = any($1::integer[]) and o.created_at >= $3::timestamptz and o.created_at < $5::timestamptz
     and ${isStopOfDay}
   union all
   select 'visit-' || v.id, v.driver_id, case v.status when 'done' then 'delivered' else 'shipped' end, v.lat, v.lng,
     array_position(r.order_ids, 'visit-' || v.id), r.arranged_by is not null, v.created_at${ofVisit}
   from visits v join users u on u.id = v.driver_id and v.vendor_id = coalesce($7, u.vendor_id)
   left join driver_runs r on r.driver_id = v.driver_id and r.day = $2
   where v.driver_id = any($1::integer[]) and ${isVisitOfDay}) stops
   order by created_at, id`
const stopsSql = statement('driver-stops', stopsOf())
const boardSql = statement(
  'driver-board',
  stopsOf(
    `, o.customer_name as "customerName", o.area_name as "areaName", o.area_name_ar as "areaNameAr",
     o.address_parts ->> 'block' as block,
     (select coalesce(sum(i.quantity), 0)::int from order_items i where i.order_id = o.id) as units,
     coalesce(o.delivered_at, (select max(a.happened_at) from delivery_attempts a
       where a.order_id = o.id and a.happened_at >= $4 and a.happened_at < $5)) as at, null as visit`,
    `, v.customer_name, v.area_name, v.area_name_ar, v.address_parts ->> 'block', 0, v.happened_at, v.kind`,
  ),
)

interface StopsOf {
  driverIds: readonly number[]
  day: string
  /** Null: each driver's current one. */
  vendorId?: number | null
}
const inputsOf = ({ now }: Ctx, { driverIds, day, vendorId = null }: StopsOf) => {
  const { oldest, from, until } = boundsOf(day)
  return [driverIds, day, oldest, from, until, day === bahrainDate(now), vendorId]
}

export const readStopRows = (ctx: Ctx, of: StopsOf): Promise<StopRow[]> =>
  run<StopRow>(ctx.db, stopsSql, inputsOf(ctx, of))

/** The same rows with what a board of all drivers shows. */
export const readBoardRows = (ctx: Ctx, of: StopsOf): Promise<BoardRow[]> =>
  run<BoardRow>(ctx.db, boardSql, inputsOf(ctx, of))

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
export const planRun = async (ctx: Ctx, driverId: number, day: string) =>
  planStops(await readStopRows(ctx, { driverIds: [driverId], day }))

/** The order of one driver's stops. */
export function planStops(rows: readonly StopRow[]) {
  const known = new Map(rows.map((row) => [row.id, row]))
  // A saved run without any of these orders belongs to the driver's former vendor.
  const saved = rows.filter(({ place }) => place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  const open = rows.filter(({ status }) => status !== 'cancelled')
  const places = saved.length > 0 ? inSavedOrder(saved) : shortRoute(open.map(placeOf))
  const ids = places.map(({ id }) => id)
  const isOpen = ({ id }: Place) => !isClosed(known.get(id)?.status ?? 'cancelled')
  return {
    ids: [...ids, ...rows.map(({ id }) => id).filter((id) => !ids.includes(id))],
    /** Number of the last stop that is not cancelled. */
    last: ids.findLastIndex((id) => known.get(id)?.status !== 'cancelled') + 1,
    openIds: places.filter(isOpen).map(({ id }) => id),
    isByHand: saved[0]?.is_by_hand ?? false,
    metresLeft: lengthOf(places.filter(isOpen)),
  }

  function inSavedOrder(kept: readonly StopRow[]): Place[] {
    // New stops are not inserted between finished ones.
    const begun = kept.findLastIndex(({ status }) => status === 'delivered') + 1
    const newcomers = open.filter(({ place }) => place === null)
    return newcomers.reduce((places, row) => insertCheapest(places, placeOf(row), begun), placesOf(kept))
  }
}
