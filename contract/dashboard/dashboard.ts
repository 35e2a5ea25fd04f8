import * as z from 'zod/mini'
import { addDays, bahrainDate, startOfBahrainDay, weekdayOf } from '../calendar/calendar.ts'
import { endpoint } from '../endpoint.ts'
import { day, instant, vendorFilter } from '../lib/ids.ts'
import { orderStatuses } from '../orders/order-status.ts'

export const periods = ['today', 'yesterday', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** Bahrain days, both inclusive; `before` cuts the last day off at an instant. */
const span = z.object({ from: day, to: day, before: z.nullable(instant) })
export type Span = z.output<typeof span>

/** All figures exclude cancelled orders. */
const figures = z.object({
  orders: z.number(),
  /** BHD; sum of the order totals. */
  revenue: z.number(),
  /** BHD, rounded to the fils; null without orders. */
  average: z.nullable(z.number()),
  /** Customers whose first order with the vendor, or with the marketplace, was placed in the period. */
  newCustomers: z.number(),
  cancelled: z.number(),
  /** Orders with a price that sales agreed on instead of the product's. */
  agreed: z.number(),
  /** BHD by which agreed prices are below product prices, without VAT; negative if they are above. */
  givenAway: z.number(),
  /** Share of cancelled orders among all placed orders, 0 to 1; null if none was placed. */
  cancellationRate: z.nullable(z.number()),
})
export type Figures = z.output<typeof figures>

const named = { name: z.string(), nameAr: z.nullable(z.string()) }

export const dashboard = z.object({
  period: z.enum(periods),
  /** The vendor of the figures; null for the whole marketplace. */
  vendorId: z.nullable(z.number()),
  now: instant,
  span,
  /** The previous period, cut off after as much time as has passed of the current one. */
  spanBefore: span,
  figures,
  figuresBefore: figures,
  byStatus: z.array(z.object({ status: z.enum(orderStatuses), orders: z.number() })),
  /** The 24 hours of a day in Bahrain. `before`: the same hour of the whole previous day, for periods of one day. */
  byHour: z.array(z.object({ hour: z.number(), orders: z.number(), before: z.nullable(z.number()) })),
  /**
   * Each day of the whole period, future days included, with the matching day of the previous period, if there is one.
   */
  byDay: z.array(
    z.object({
      day,
      orders: z.number(),
      revenue: z.number(),
      dayBefore: z.nullable(day),
      /** Orders of `dayBefore`, and their revenue. */
      before: z.nullable(z.number()),
      revenueBefore: z.nullable(z.number()),
    }),
  ),
  byVendor: z.array(z.object({ vendorId: z.number(), ...named, orders: z.number(), revenue: z.number() })),
  /** The twenty products that are in the most orders. */
  byProduct: z.array(
    z.object({ productId: z.number(), ...named, size: z.string(), orders: z.number(), quantity: z.number() }),
  ),
  /** Null for orders outside of all areas. */
  byArea: z.array(z.object({ areaId: z.nullable(z.number()), ...named, orders: z.number(), revenue: z.number() })),
  /** Orders that need action now, independent of the period. Counting has the same limit as the order list. */
  waiting: z.object({
    new: z.number(),
    withoutDriver: z.number(),
    /** Promised for an earlier day and not delivered. */
    late: z.number(),
    /** With a failed delivery attempt since the last change of status. */
    failed: z.number(),
    /** Promised for today or earlier and not delivered. */
    due: z.number(),
    productsOff: z.number(),
    /** Counting limit. A number at this limit means "or more". */
    most: z.number(),
  }),
})
export type Dashboard = z.output<typeof dashboard>

export const readDashboard = endpoint({
  method: 'GET',
  path: '/api/admin/dashboard',
  allow: 'admin',
  permissions: ['dashboard.read'],
  summary: 'Figures of a period and of the preceding period',
  query: z.object({ period: z._default(z.enum(periods), 'today'), vendorId: vendorFilter }),
  returns: dashboard,
})

/** Days since Saturday, the first day of the week in Bahrain. */
const sinceSaturday = (date: string) => (weekdayOf(date) + 1) % 7

/** The first day of a period and of the next one. */
function bordersOf(period: Period, today: string): [first: string, next: string] {
  if (period === 'today') return [today, addDays(today, 1)]
  if (period === 'yesterday') return [addDays(today, -1), today]
  if (period === 'week') {
    const saturday = addDays(today, -sinceSaturday(today))
    return [saturday, addDays(saturday, 7)]
  }
  const first = `${today.slice(0, 8)}01`
  return [first, firstOfMonth(addDays(first, 31))]
}

const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`

/** Days from `first` to the day before `next`, in order. */
function daysBetween(first: string, next: string): string[] {
  const days: string[] = []
  for (let date = first; date < next; date = addDays(date, 1)) days.push(date)
  return days
}

export interface Spans {
  span: Span
  spanBefore: Span
  /** Every day of the whole period, including future days. */
  days: string[]
  /** Every day of the whole previous period. */
  daysBefore: string[]
}

/**
 * The days of the current period and the part of the previous period to compare it with. A running period is compared
 * with the same elapsed time of the previous one, so that a morning is not compared with a whole day. If the previous
 * month was shorter, all of it is used.
 */
export function spansOf(period: Period, now: Date): Spans {
  const today = bahrainDate(now)
  const [first, next] = bordersOf(period, today)
  const isOver = period === 'yesterday'
  const begins = period === 'week' || period === 'month' ? bordersOf(period, addDays(first, -1))[0] : addDays(first, -1)
  const elapsed = now.getTime() - startOfBahrainDay(first).getTime()
  const until = new Date(startOfBahrainDay(begins).getTime() + elapsed)
  return {
    span: { from: first, to: isOver ? first : today, before: null },
    spanBefore:
      isOver || until >= startOfBahrainDay(first)
        ? { from: begins, to: addDays(first, -1), before: null }
        : { from: begins, to: bahrainDate(until), before: until.toISOString() },
    days: daysBetween(first, next),
    daysBefore: daysBetween(begins, first),
  }
}
