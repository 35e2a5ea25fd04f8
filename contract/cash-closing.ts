import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { driverDay } from './driver-board.ts'
import { endpoint, tableFile } from './endpoint.ts'
import { instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { freeText } from './lib/text.ts'
import { double, paymentMeans } from './orders/payments.ts'

const closingDriver = z.object({
  ...driverDay.shape,
  /** The last handover: when, and who received it. */
  received: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })),
  /** Notes of handovers, corrections and write-offs, oldest first. */
  reasons: z.array(z.string()),
})

const amountsByMeans = z.partialRecord(z.enum(paymentMeans), z.number())

const unexplainedOrder = z.object({
  id: z.string(),
  amount: z.number(),
  customerName: z.string(),
  deliveredAt: z.nullable(instant),
  driver: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  /** Who said that it was delivered; null if not known. */
  reportedBy: z.nullable(z.object({ name: z.nullable(z.string()), isDriver: z.boolean() })),
  double: z.nullable(double),
})
export type UnexplainedOrder = z.output<typeof unexplainedOrder>

/** Where the money of the deliveries of a day is; BHD. `unexplained` is `delivered` without all other terms. */
export const equation = z.object({
  /** Totals of the deliveries that count on the day without those taken back on it, and their number. */
  delivered: z.number(),
  orders: z.number(),
  withDrivers: z.number(),
  handedOver: z.number(),
  /** Cash that the office received, and by person; `id` is null where the person is not known. */
  inOffice: z.number(),
  inOfficeBy: z.array(z.object({ id: z.nullable(z.number()), name: z.nullable(z.string()), amount: z.number() })),
  /** By means; those without an amount are left out. */
  otherMeans: amountsByMeans,
  onAccount: z.number(),
  /** Deposits that were paid back beside orders, from the money that drivers and office have. */
  paidBack: z.number(),
  /** Not collected on this day. Of it, `otherDays` was paid on other days; negative: more was paid for other days' orders. */
  notCollected: z.number(),
  otherDays: z.number(),
  unexplained: z.number(),
  /** `unexplained` is the first without the second: what is missing of orders, and what was paid beyond their totals. */
  withoutEntry: z.number(),
  paidBeyond: z.number(),
  /**
   * Orders that are not explained: negative was paid beyond the total, positive has no payment, and nobody has said that
   * it was not collected. At most 50.
   */
  unexplainedOrders: z.array(unexplainedOrder),
  /** The same sums by driver, and of the office with `driverId` null: what was taken by means, and what was not collected. */
  byHolder: z.array(
    z.object({
      driverId: z.nullable(z.number()),
      means: amountsByMeans,
      /** Missing in rows of an earlier version. */
      paidBack: z.optional(z.number()),
      notCollected: z.number(),
    }),
  ),
})
export type Equation = z.output<typeof equation>

/** Counts of `bottles`, as they are shown. */
export const bottleCounts = ['loaded', 'delivered', 'returned', 'counted', 'difference'] as const

export const cashClosing = z.object({
  vendorId: z.number(),
  date: z.string(),
  today: z.string(),
  /** Null while the day is open. */
  closed: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })),
  /** When, by whom and why the day was last opened again; null if it never was. */
  reopened: z.nullable(z.object({ at: instant, by: z.nullable(z.string()), reason: z.string() })),
  /** Name of the vendor, for the sheet on paper. */
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  /** The drivers of the day; BHD. Of a closed day as it was when it was closed, but for `shortage`. */
  drivers: z.array(closingDriver),
  sums: z.object({
    stops: z.number(),
    delivered: z.number(),
    attempted: z.number(),
    expected: z.number(),
    handedOver: z.number(),
    /** Of the drivers whose cash was counted or handed over; null while it is 0 and cash of others was not. */
    difference: z.nullable(z.number()),
    inHand: z.number(),
  }),
  /** Of a closed day as it was when it was closed. */
  equation,
  /** Of each driver, and of the office with `driverId` null; `counted`: the empty ones. `difference` is of all of them. */
  bottles: z.array(
    z.object({
      driverId: z.nullable(z.number()),
      typeId: z.number(),
      loaded: z.number(),
      delivered: z.number(),
      returned: z.number(),
      counted: z.nullable(z.number()),
      difference: z.nullable(z.number()),
      /** What should be in the van. */
      expected: z.object({ full: z.number(), empty: z.number() }),
      /** The last count and who made it; the reason is that of the office. */
      count: z.nullable(
        z.object({
          full: z.number(),
          empty: z.number(),
          by: z.nullable(z.string()),
          reason: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  /** Those of `bottles`. */
  bottleTypes: z.array(z.object({ id: z.number(), name: z.string(), nameAr: z.nullable(z.string()) })),
  /** What prevents closing: the day has not begun, its orders are open, a driver still holds cash (negative: too much was handed over). */
  missing: z.object({
    begun: z.boolean(),
    openOrders: z.number(),
    cash: z.array(z.object({ driverId: z.number(), amount: z.number() })),
  }),
})
export type CashClosing = z.output<typeof cashClosing>

/** The vendor: for its staff their own; required for super admins. */
const params = z.object({ date: dayInput })
const permissions = ['drivers.read', 'drivers.cash'] as const

export const getCashClosing = endpoint({
  method: 'GET',
  path: '/api/admin/days/{date}/close',
  allow: 'admin',
  permissions: [...permissions],
  summary: 'Cash of all drivers of a vendor on one day, and what is missing before the day can be closed',
  params,
  query: z.object({ vendorId: vendorFilter }),
  returns: cashClosing,
  errors: ['VENDOR_NOT_FOUND'],
})

export const exportCashClosing = endpoint({
  ...tableFile,
  path: '/api/admin/days/{date}/close.csv',
  allow: 'admin',
  permissions: [...permissions],
  summary: 'The same as a CSV file, with the bottles of each type',
  params,
  query: z.object({ vendorId: vendorFilter, lang: z.optional(z.enum(['ar', 'en'])) }),
  errors: ['VENDOR_NOT_FOUND'],
})

export const closeCash = endpoint({
  method: 'POST',
  path: '/api/admin/days/{date}/close',
  allow: 'admin',
  permissions: [...permissions],
  summary: 'Close the cash of a day: no entry of the day can be written any more',
  params,
  body: z.object({ vendorId: z.optional(rowIdNumber) }),
  returns: cashClosing,
  errors: ['VENDOR_NOT_FOUND', 'CASH_DAY_CLOSED', 'CASH_DAY_INCOMPLETE', 'DAY_NOT_EXPLAINED'],
})

export const reopenCash = endpoint({
  method: 'DELETE',
  path: '/api/admin/days/{date}/close',
  allow: 'admin',
  permissions: [...permissions],
  summary: 'Open a closed day again, with a reason',
  params,
  body: z.object({
    vendorId: z.optional(rowIdNumber),
    reason: freeText(500).check(z.minLength(1, 'validation.required')),
  }),
  returns: cashClosing,
  errors: ['VENDOR_NOT_FOUND', 'CASH_DAY_OPEN'],
})
