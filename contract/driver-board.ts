import * as z from 'zod/mini'
import { bahrainDate } from './calendar/calendar.ts'
import { cashSums, dayQuery, run } from './drivers.ts'
import { endpoint } from './endpoint.ts'
import { instant, vendorFilter } from './lib/ids.ts'
import { isClosed, orderStatuses } from './orders/order-status.ts'
import { type Coordinates, coordinates, distanceInMetres } from './places/geo.ts'
import { visitKinds } from './visit-task.ts'

export const driverDay = z.object({
  driver: run.shape.driver,
  isActive: z.boolean(),
  /** `attempted` could not be delivered on the day; it and `all` also count orders that were moved to another day since. */
  stops: z.object({ all: z.number(), delivered: z.number(), attempted: z.number(), cancelled: z.number() }),
  cash: cashSums,
  /** Time of the driver's last delivery or attempt. */
  lastActAt: z.nullable(instant),
})
export type DriverDay = z.output<typeof driverDay>

const boardStop = z.object({
  id: z.string(),
  status: z.enum(orderStatuses),
  customerName: z.string(),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  block: z.nullable(z.string()),
  mapCoordinates: coordinates,
  /** Pieces of all lines. */
  units: z.number(),
  /** When it was delivered, or when delivery last failed on the day; null before. */
  at: z.nullable(instant),
  /** What a stop without an order is for; null of an order. */
  visit: z.nullable(z.enum(visitKinds)),
})
export type BoardStop = z.output<typeof boardStop>

const boardDay = z.object({
  ...driverDay.shape,
  /** When a device of the driver last called; null if none ever did. */
  heardAt: z.nullable(instant),
  /** Whether the vendor works now: within the hours of the settings, on no closed day. */
  isWorking: z.boolean(),
  /** In driving order; cancelled orders are left out. */
  run: z.array(boardStop),
})
export type BoardDay = z.output<typeof boardDay>

/** A phone shows its run without a call while another app, such as the navigation, is open. */
const SILENT_AFTER_MINUTES = 20

/**
 * Minutes since a device of the driver last called, if that is long ago, the vendor works and stops of this day are open;
 * null otherwise, and before the first call of the day.
 */
export function silentMinutes(
  { heardAt, isWorking, run }: Pick<BoardDay, 'heardAt' | 'isWorking' | 'run'>,
  now: Date,
): number | null {
  if (heardAt === null || !isWorking || !run.some(({ status }) => !isClosed(status))) return null
  const heard = new Date(heardAt)
  const minutes = Math.floor((now.getTime() - heard.getTime()) / 60_000)
  return minutes > SILENT_AFTER_MINUTES && bahrainDate(heard) === bahrainDate(now) ? minutes : null
}

export const listDriverDays = endpoint({
  method: 'GET',
  path: '/api/admin/drivers/day',
  allow: 'admin',
  permissions: ['drivers.read', 'drivers.cash'],
  summary: 'Run, stops and cash of every driver on one day',
  query: z.object({ ...dayQuery.shape, vendorId: vendorFilter }),
  returns: z.object({ date: z.string(), today: z.string(), now: instant, drivers: z.array(boardDay) }),
})

const areaDriver = z.object({
  areaId: z.number(),
  driverId: z.number(),
  /** Orders of the asked day, and deliveries of the four weeks before it. */
  onDay: z.number(),
  usual: z.number(),
})
export type AreaDriver = z.output<typeof areaDriver>

export const listAreaDrivers = endpoint({
  method: 'GET',
  path: '/api/admin/drivers/areas',
  allow: 'admin',
  permissions: ['drivers.read'],
  summary: 'Which active drivers have orders of an area on a day, or delivered there in the four weeks before',
  query: z.object({ ...dayQuery.shape, vendorId: vendorFilter }),
  returns: z.array(areaDriver),
})

interface Place {
  id: number
  centre: Coordinates
}

/**
 * For each area the driver with most orders there on the day, else with most deliveries before; of equals the first one. An
 * area without any has the driver of the nearest area that has one, with the nearest area's id.
 */
export function driversByArea(
  found: readonly AreaDriver[],
  areas: readonly Place[] = [],
): ReadonlyMap<number, AreaDriver> {
  const best = new Map<number, AreaDriver>()
  for (const one of [...found].sort((a, b) => b.onDay - a.onDay || b.usual - a.usual || a.driverId - b.driverId))
    if (!best.has(one.areaId)) best.set(one.areaId, one)
  const served = areas.filter(({ id }) => best.has(id)).sort((a, b) => a.id - b.id)
  const proposed = new Map(best)
  for (const { id, centre } of areas) {
    if (best.has(id)) continue
    const far = (place: Place) => distanceInMetres(centre, place.centre)
    const [first, ...others] = served
    const nearest = first && others.reduce((near, place) => (far(place) < far(near) ? place : near), first)
    const driver = nearest && best.get(nearest.id)
    if (driver) proposed.set(id, driver)
  }
  return proposed
}
