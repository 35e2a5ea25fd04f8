import * as z from 'zod/mini'
import { bahrainDate } from './calendar/calendar.ts'
import { dayInput, instantInput } from './calendar/dates.ts'
import { endpoint } from './endpoint.ts'
import { idParams, instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { freeText } from './lib/text.ts'
import { doorBottle } from './orders/bottles.ts'
import { cashBhd, orderKey } from './orders/cash.ts'
import { listOf, rowNumber } from './orders/filters.ts'
import { orderStatuses, paymentMethods, paymentStatuses } from './orders/order-status.ts'
import { orderItem, orderParams } from './orders/orders.ts'
import { paymentMeans } from './orders/payments.ts'
import { chargeFields } from './orders/totals.ts'
import { coordinates } from './places/geo.ts'
import { pinSources } from './places/pin.ts'
import { product } from './products/products.ts'
import { addressParts } from './users/auth.ts'
import { vanLine } from './van.ts'
import { visitTask } from './visit-task.ts'
import { bottleDifferences } from './vendors/business.ts'

export const attemptReasons = [
  'absent',
  'unreachable',
  'wrong-address',
  'refused',
  'no-cash',
  'closed',
  'other',
] as const
export type AttemptReason = (typeof attemptReasons)[number]

/** `refunded`: a deposit that was paid back, negative. `counted`: of the driver's bag. Of those that are entered, only a `correction` without an order can be negative: a shortage until `written-off`. */
export const cashKinds = ['collected', 'refunded', 'counted', 'handed-over', 'correction', 'written-off'] as const
export type CashKind = (typeof cashKinds)[number]

export const dayQuery = z.object({ date: z.optional(dayInput) })
const person = z.object({ id: z.number(), name: z.nullable(z.string()) })

export const cashSums = z.object({
  /** BHD of the collected cash that the orders cost, or that customers were paid back since. */
  expected: z.number(),
  collected: z.number(),
  /** BHD of the last count; null without a count. */
  counted: z.nullable(z.number()),
  handedOver: z.number(),
  inHand: z.number(),
  /** BHD handed over or counted minus the amount expected by then; null before the first count or handover. */
  difference: z.nullable(z.number()),
  /** BHD of shortages that was written off on the day. */
  writtenOff: z.number(),
  /** BHD of shortages of all days that nobody has made up for or written off. */
  shortage: z.number(),
})
export type CashSums = z.output<typeof cashSums>

export const cashEntry = z.object({
  id: z.number(),
  kind: z.enum(cashKinds),
  amount: z.number(),
  orderId: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  /** Time of the action, and time it was reported. */
  at: instant,
  recordedAt: instant,
  by: z.nullable(person),
  onBehalfOf: z.nullable(person),
})
export type CashEntry = z.output<typeof cashEntry>

export const cashDay = z.object({ ...cashSums.shape, date: z.string(), entries: z.array(cashEntry) })
export type CashDay = z.output<typeof cashDay>

export const runStop = z.object({
  /** Of the order; of a visit `visit-` and its number. */
  id: z.string(),
  /** Null without an account. */
  customerId: z.nullable(z.number()),
  /** What is to be done at a stop without an order, which has no items and costs nothing; null of an order. */
  visit: z.nullable(visitTask),
  /** Position in the run, from 1. */
  number: z.number(),
  status: z.enum(orderStatuses),
  customerName: z.string(),
  phone: z.string(),
  /** Who takes the order, if not the customer. */
  receiverName: z.nullable(z.string()),
  receiverPhone: z.nullable(z.string()),
  address: z.string(),
  addressParts: z.nullable(addressParts),
  mapCoordinates: coordinates,
  /** How the pin was set; null if not known. */
  pinSource: z.nullable(z.enum(pinSources)),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  instructions: z.nullable(z.string()),
  vendorTint: z.nullable(z.string()),
  items: z.array(orderItem),
  /** Types of bottles that come back with the items, or that the customer has. */
  bottles: z.array(doorBottle),
  paymentMethod: z.enum(paymentMethods),
  paymentStatus: z.enum(paymentStatuses),
  ...chargeFields,
  total: z.number(),
  /** BHD received before, at an earlier delivery or by the office. */
  amountPaid: z.number(),
  cashToCollect: z.number(),
  /** BHD in notes that the customer wants change from. */
  payingWith: z.nullable(z.number()),
  /** BHD; the total without what was paid; negative: owed back to the customer. */
  due: z.number(),
  /** BHD that drivers collected for the order, null before the first; and by means, without those that come to nothing. */
  cashCollected: z.nullable(z.number()),
  collectedMeans: z.partialRecord(z.enum(paymentMeans), z.number()),
  promisedDate: z.string(),
  deliveredAt: z.nullable(instant),
  version: z.number(),
  attempts: z.array(z.object({ reason: z.string(), notes: z.nullable(z.string()), at: instant })),
  can: z.object({ deliver: z.boolean(), attempt: z.boolean() }),
})
export type RunStop = z.output<typeof runStop>

export const run = z.object({
  driver: z.object({ ...person.shape, phone: z.string(), vendorId: z.number() }),
  date: z.string(),
  today: z.string(),
  now: instant,
  isByHand: z.boolean(),
  /** Metres along the remaining stops, as the crow flies. */
  metresLeft: z.number(),
  stops: z.array(runStop),
  /** The next later day with stops; null if there is none. */
  nextDate: z.nullable(z.string()),
  cash: cashSums,
  /** BHD that the driver took that day by other means than cash; those without an amount are left out. */
  otherMeans: z.partialRecord(z.enum(paymentMeans), z.number()),
  /** Means of payment that the vendor's drivers take. */
  means: z.array(z.enum(paymentMeans)),
  /** Whether a difference of the expected empties changes what is due at once. */
  bottleDifference: z.enum(bottleDifferences),
  /** Whether the driver chooses between a refund now and credit. */
  refundChoice: z.boolean(),
  /** Fils that the reading person may pay back today, and has; null without a limit. */
  refundLimit: z.nullable(z.object({ limit: z.number(), refunded: z.number() })),
  van: z.array(vanLine),
  products: z.array(z.omit(product, { description: true, descriptionAr: true, isActive: true })),
})
export type Run = z.output<typeof run>

/** Whether a delivery was attempted on this day; attempts on earlier days do not put a stop behind the others. */
export const isTriedOn = (date: string, attempts: RunStop['attempts']) =>
  attempts.some(({ at }) => bahrainDate(new Date(at)) === date)

/** The driver's order of open stops: those that were tried that day come after the others. */
export const untriedFirst = <T>(stops: readonly T[], isTried: (stop: T) => boolean): T[] => [
  ...stops.filter((stop) => !isTried(stop)),
  ...stops.filter(isTried),
]

export const getRun = endpoint({
  method: 'GET',
  path: '/api/admin/drivers/{id}/run',
  allow: 'staff',
  permissions: ['drivers.run'],
  summary: 'Stops of a driver on one day, in driving order',
  params: idParams,
  query: dayQuery,
  returns: run,
  errors: ['DRIVER_NOT_FOUND'],
})

export const listStops = endpoint({
  method: 'GET',
  path: '/api/admin/drivers/stops',
  allow: ['super_admin', 'vendor_admin', 'vendor_staff', 'driver'],
  permissions: ['drivers.run'],
  summary: 'Orders of these drivers’ runs on one day, in driving order',
  query: z.object({ ...dayQuery.shape, driverId: listOf(rowNumber, 50) }),
  returns: z.array(
    z.object({
      driverId: z.number(),
      /** Order ids in driving order, those of cancelled orders last. Numbers count from 1. */
      orderIds: z.array(z.string()),
      /** Number of the last stop that is not cancelled. */
      last: z.number(),
    }),
  ),
})

export const arrangeRun = endpoint({
  method: 'PUT',
  path: '/api/admin/drivers/{id}/run',
  allow: 'staff',
  permissions: ['drivers.run'],
  summary: 'Reorder the stops of a day; later stops are inserted where they fit best',
  params: idParams,
  body: z.object({
    date: z.optional(dayInput),
    /** Null restores the computed order. */
    orderIds: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(500))),
  }),
  returns: run,
  errors: ['DRIVER_NOT_FOUND', 'STOP_UNKNOWN'],
})

export const reportAttempt = endpoint({
  method: 'POST',
  path: '/api/admin/orders/{id}/attempts',
  allow: ['super_admin', 'vendor_admin', 'vendor_staff', 'driver'],
  permissions: ['orders.status'],
  summary: 'Report a failed delivery attempt; the order keeps its status',
  params: orderParams,
  body: z.object({
    reason: z.enum(attemptReasons),
    notes: z.optional(z.nullable(freeText(500))),
    /** Idempotency key from the client: a repeated key writes nothing. */
    key: z.optional(orderKey),
    at: z.optional(instantInput),
  }),
  returns: z.object({ orderId: z.string(), status: z.enum(orderStatuses), attempts: runStop.shape.attempts }),
  errors: ['ORDER_NOT_FOUND', 'ORDER_CLOSED', 'TOO_MANY_REQUESTS'],
})

export const getCash = endpoint({
  method: 'GET',
  path: '/api/admin/drivers/{id}/cash',
  allow: 'staff',
  permissions: ['drivers.cash'],
  summary: 'Cash of a driver on one day: expected, collected, counted, handed over, difference',
  params: idParams,
  query: dayQuery,
  returns: cashDay,
  errors: ['DRIVER_NOT_FOUND'],
})

const ofWriteOff = ['MORE_THAN_SHORTAGE', 'REFUND_LIMIT'] as const
const reasonNeeded = { path: ['notes'], message: 'validation.required' }

export const writeCash = endpoint({
  method: 'POST',
  path: '/api/admin/drivers/{id}/cash',
  allow: 'staff',
  permissions: ['drivers.cash'],
  summary: 'Add an entry to the cash of a driver; entries are never changed. `written-off` needs `orders.refund`',
  params: idParams,
  body: z
    .object({
      kind: z.enum(cashKinds.filter((kind) => kind !== 'collected' && kind !== 'refunded')), // Those are reported with the stop.
      amount: cashBhd,
      orderId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
      notes: z.optional(z.nullable(freeText(500))),
      key: orderKey, // A repeated one writes nothing.
      /** The day the cash belongs to. Default: the day of `at`. */
      date: z.optional(dayInput),
      at: z.optional(instantInput),
      /** Whose cash it is. Default: the actor's vendor; of a super admin that of the driver's entries of the day. */
      vendorId: z.optional(rowIdNumber),
    })
    .check(
      z.refine(
        ({ kind, amount, orderId }) =>
          kind === 'written-off' ? amount > 0 && !orderId : amount >= 0 || (kind === 'correction' && !orderId),
        { path: ['amount'], message: 'validation.amount' },
      ),
      z.refine(({ kind, notes }) => Boolean(notes) || kind === 'counted' || kind === 'handed-over', reasonNeeded),
    ),
  returns: cashDay,
  errors: [...ofWriteOff, 'DRIVER_NOT_FOUND', 'ORDER_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'CASH_DAY_CLOSED'],
})

export const driver = z.object({
  id: z.number(),
  name: z.nullable(z.string()),
  phone: z.string(),
  vendorId: z.number(),
  /** Orders that are shipped or still to be picked up. */
  openOrders: z.number(),
  /** The driver's orders of the asked day, those that are not cancelled; today also the open ones of earlier days. */
  day: z.object({
    orders: z.number(),
    /** Pieces of all lines. */
    units: z.number(),
    /** Those with most orders first. */
    areas: z.array(z.object({ name: z.string(), nameAr: z.nullable(z.string()) })),
  }),
})
export type Driver = z.output<typeof driver>

export const listDrivers = endpoint({
  method: 'GET',
  path: '/api/admin/drivers',
  allow: 'admin',
  permissions: ['drivers.read'],
  summary: 'Active drivers with their orders of a day',
  query: z.object({ ...dayQuery.shape, vendorId: vendorFilter }),
  returns: z.array(driver),
})
