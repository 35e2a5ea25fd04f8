import * as z from 'zod/mini'
import { addDays, bahrainDate, startOfBahrainDay, weekdayOf } from './calendar.ts'
import { endpoint } from './endpoint.ts'
import { day, instant, vendorFilter } from './ids.ts'
import { orderStatuses } from './order-status.ts'

export const periods = ['today', 'yesterday', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** Bahrain days, both included; `before` ends the last of them at an instant. */
const span = z.object({ from: day, to: day, before: z.nullable(instant) })
export type Span = z.output<typeof span>

/** Orders are those that were not cancelled, and so are all numbers made of them. */
const figures = z.object({
  orders: z.number(),
  /** BHD; the totals of these orders. */
  revenue: z.number(),
  /** BHD, rounded to the fils; null without orders. */
  average: z.nullable(z.number()),
  /** Customers whose very first order, of the vendor or of the market, was placed then. */
  newCustomers: z.number(),
  cancelled: z.number(),
  /** Orders in which sales agreed on another price than the product's. */
  agreed: z.number(),
  /** BHD that these prices are below the products' own, VAT aside; less than 0 where they are above. */
  givenAway: z.number(),
  /** Cancelled orders among all that were placed, 0 to 1; null where nothing was placed. */
  cancellationRate: z.nullable(z.number()),
})
export type Figures = z.output<typeof figures>

const named = { name: z.string(), nameAr: z.nullable(z.string()) }

export const dashboard = z.object({
  period: z.enum(periods),
  /** The vendor whose figures these are; null for the whole market. */
  vendorId: z.nullable(z.number()),
  now: instant,
  span,
  /** The period before, ending where as much of it had gone by as has of this one. */
  spanBefore: span,
  figures,
  figuresBefore: figures,
  byStatus: z.array(z.object({ status: z.enum(orderStatuses), orders: z.number() })),
  /** The 24 hours of Bahrain's clock. `before`: the same hour of the whole day before, for periods of one day. */
  byHour: z.array(z.object({ hour: z.number(), orders: z.number(), before: z.nullable(z.number()) })),
  /** Each day of the whole period, those to come too, beside its day of the period before, where there is one. */
  byDay: z.array(
    z.object({
      day,
      orders: z.number(),
      revenue: z.number(),
      dayBefore: z.nullable(day),
      before: z.nullable(z.number()),
    }),
  ),
  byVendor: z.array(z.object({ vendorId: z.number(), ...named, orders: z.number(), revenue: z.number() })),
  /** The twenty in the most orders. */
  byProduct: z.array(
    z.object({ productId: z.number(), ...named, size: z.string(), orders: z.number(), quantity: z.number() }),
  ),
  /** Null for orders from outside of every area. */
  byArea: z.array(z.object({ areaId: z.nullable(z.number()), ...named, orders: z.number(), revenue: z.number() })),
  /** What waits for somebody now, whatever the period. Counted as far as the order list counts. */
  waiting: z.object({
    new: z.number(),
    withoutDriver: z.number(),
    /** Promised for today or earlier, and not delivered yet. */
    due: z.number(),
    productsOff: z.number(),
    /** A number as large as this means "or more". */
    most: z.number(),
  }),
})
export type Dashboard = z.output<typeof dashboard>

export const readDashboard = endpoint({
  method: 'GET',
  path: '/api/admin/dashboard',
  allow: 'admin',
  permissions: ['dashboard.read'],
  summary: 'Figures of a period, and of the period before',
  query: z.object({ period: z._default(z.enum(periods), 'today'), vendorId: vendorFilter }),
  returns: dashboard,
})

/** Days since Saturday, the first of Bahrain's week. */
const sinceSaturday = (date: string) => (weekdayOf(date) + 1) % 7

/** The first day of a period and of the one after it. */
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

/** Days from the first to the one before the next, in order. */
function daysBetween(first: string, next: string): string[] {
  const days: string[] = []
  for (let date = first; date < next; date = addDays(date, 1)) days.push(date)
  return days
}

export interface Spans {
  span: Span
  spanBefore: Span
  /** Every day of the whole period, those to come too. */
  days: string[]
  /** Every day of the whole period before. */
  daysBefore: string[]
}

/**
 * Which days a period has now, and which part of the period before it is compared with: a period that is not over yet
 * with what of the one before had gone by after as much time, so that a morning is not held against a whole day. Where the
 * month before was shorter, all of it.
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
