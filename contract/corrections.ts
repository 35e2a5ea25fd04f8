import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint, tableFile } from './endpoint.ts'
import { day, instant, vendorFilter } from './lib/ids.ts'
import { langs } from './lib/lang.ts'
import { wholeNumberQuery } from './lib/page.ts'
import { payment, paymentMeans } from './orders/payments.ts'

/** The newest rows that a report has at most. */
export const MOST_CORRECTIONS = 10_000

/**
 * `shortage`: cash that a driver could not hand over. `writeOff`: of it, what the driver need not make up for. `correction`:
 * another change of what was recorded.
 */
export const correctionKinds = ['shortage', 'writeOff', 'correction', 'refund'] as const

/** Null if not known. */
const person = z.object({ id: z.nullable(z.number()), name: z.nullable(z.string()) })
const correction = z.object({
  id: z.number(),
  vendorId: z.number(),
  /** The Bahrain day on which it is booked. */
  date: day,
  at: instant,
  kind: z.enum(correctionKinds),
  /** The driver of a shortage; of others who recorded it. */
  person,
  recordedBy: person,
  /** Whose cash it is or was; null for the office's. */
  driver: z.nullable(person),
  means: z.enum(paymentMeans),
  /** BHD; negative: less money is there. */
  amount: z.number(),
  orderId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
})
export type Correction = z.output<typeof correction>

/** What a driver's cash of a month differed by, without corrections of orders and refunds. */
const driverDifferences = z.object({
  driver: person,
  vendorId: z.number(),
  /** BHD, negative: less; days that came to nothing are left out. */
  days: z.array(z.object({ date: day, amount: z.number() })),
  shortage: z.number(),
  /** What was too much, and what the driver made up for. */
  over: z.number(),
  writeOff: z.number(),
  /** The sum of the three; negative: the driver still owes it. */
  left: z.number(),
})
export type DriverDifferences = z.output<typeof driverDifferences>

const access = {
  method: 'GET',
  allow: ['super_admin', 'vendor_admin'],
  permissions: ['audit.read'],
} as const
/** Bahrain days, both inclusive. Default: from the first of the month of `to`, to today. */
const days = { from: z.optional(dayInput), to: z.optional(dayInput), vendorId: vendorFilter }

export const listCorrections = endpoint({
  ...access,
  path: '/api/admin/reports/corrections',
  summary: 'Shortages, write-offs, corrections and refunds, newest first, and their sums by person',
  query: z.object(days),
  returns: z.object({
    rows: z.array(correction),
    /** The driver with the largest shortages first. */
    drivers: z.array(driverDifferences),
    /** BHD by kind; the person with the most entries first. */
    sums: z.array(
      z.object({
        person,
        count: z.number(),
        shortage: z.number(),
        writeOff: z.number(),
        correction: z.number(),
        refund: z.number(),
      }),
    ),
  }),
})

const file = { ...access, ...tableFile, query: z.object({ ...days, lang: z.optional(z.enum(langs)) }) } as const

export const exportCorrections = endpoint({
  ...file,
  path: '/api/admin/reports/corrections.csv',
  summary: 'The rows as a CSV file',
})

/** BHD of payments without refunds, and their number. */
const received = {
  count: z.number(),
  total: z.number(),
  /** Those without an amount are left out. */
  means: z.partialRecord(z.enum(paymentMeans), z.number()),
}
const paymentSums = z.object({ ...received, holder: payment.shape.holder })
export type PaymentSums = z.output<typeof paymentSums>

export const listPaymentSums = endpoint({
  ...access,
  path: '/api/admin/reports/payments',
  summary: 'What drivers and people of the office received for orders, by means',
  query: z.object(days),
  returns: z.object({
    /** The one who received most first. */
    rows: z.array(paymentSums),
    sums: z.object(received),
  }),
})

export const exportPaymentSums = endpoint({
  ...file,
  path: '/api/admin/reports/payments.csv',
  summary: 'The same as a CSV file',
})

/** `forfeit`: the deposit of bottles that were written off. */
export const vatKinds = ['invoice', 'creditNote', 'forfeit'] as const
export type VatKind = (typeof vatKinds)[number]

/** BHD; negative where it is given back. `net` is without VAT. */
const vatAmounts = { net: z.number(), vat: z.number() }
const vatRow = z.object({
  vendorId: z.number(),
  /** The Bahrain day on which it counts; once that is closed, nothing joins it. */
  date: day,
  kind: z.enum(vatKinds),
  /** Of the paper; of a forfeit that of its entry. */
  number: z.string(),
  orderId: z.nullable(z.string()),
  /** Percent. The delivery fee has 0, a deposit that can be refunded is not in it. */
  rate: z.number(),
  ...vatAmounts,
})
export type VatRow = z.output<typeof vatRow>

/** Rows on a page of the report. */
export const VAT_ROWS = 500

export const listVat = endpoint({
  ...access,
  path: '/api/admin/reports/vat',
  summary: 'Net and VAT of invoices, credit notes and forfeited deposits by rate, oldest first, with their sums',
  query: z.object({ ...days, page: z._default(wholeNumberQuery(1, 1_000_000), 1) }),
  returns: z.object({
    rows: z.array(vatRow),
    /** Of the days, on all pages. */
    total: z.number(),
    /** Of the days. The highest rate first. */
    sums: z.object({
      ...vatAmounts,
      rates: z.array(z.object({ rate: z.number(), ...vatAmounts })),
      kinds: z.array(z.object({ kind: z.enum(vatKinds), count: z.number(), ...vatAmounts })),
    }),
  }),
})
export type VatSums = z.output<typeof listVat.returns>['sums']

export const exportVat = endpoint({
  ...file,
  path: '/api/admin/reports/vat.csv',
  summary: 'All rows as a CSV file',
})
