import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint } from './endpoint.ts'
import { day, instant, vendorFilter } from './lib/ids.ts'
import { langs } from './lib/lang.ts'
import { paymentMeans } from './orders/payments.ts'

/** The newest rows that a report has at most. */
export const MOST_CORRECTIONS = 10_000

/** `shortage`: cash that a driver could not hand over. `correction`: another change of what was recorded. */
export const correctionKinds = ['shortage', 'correction', 'refund'] as const

/** Null if not known. */
const person = z.object({ id: z.nullable(z.number()), name: z.nullable(z.string()) })
const correction = z.object({
  id: z.number(),
  /** The Bahrain day on which it is booked. */
  date: day,
  at: instant,
  kind: z.enum(correctionKinds),
  /** The driver of a shortage; of others who recorded it. */
  person,
  recordedBy: person,
  means: z.enum(paymentMeans),
  /** BHD; negative: less money is there. */
  amount: z.number(),
  orderId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
})
export type Correction = z.output<typeof correction>

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
  summary: 'Shortages, corrections and refunds, newest first, and their sums by person',
  query: z.object(days),
  returns: z.object({
    rows: z.array(correction),
    /** BHD by kind; the person with the most entries first. */
    sums: z.array(
      z.object({ person, count: z.number(), shortage: z.number(), correction: z.number(), refund: z.number() }),
    ),
  }),
})

export const exportCorrections = endpoint({
  ...access,
  path: '/api/admin/reports/corrections.csv',
  forbidWhileImpersonating: true,
  summary: 'The rows as a CSV file',
  query: z.object({ ...days, lang: z.optional(z.enum(langs)) }),
  produces: 'text/csv; charset=utf-8',
  returns: z.unknown(),
})
