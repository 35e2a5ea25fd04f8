/** Stops of a driver's run without an order: empty bottles that are collected, deposits that are paid back, service. */

import * as z from 'zod/mini'
import { dayInput, instantInput } from './calendar/dates.ts'
import { attemptReasons } from './drivers.ts'
import { endpoint } from './endpoint.ts'
import { idParams, instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { isWholeFils } from './lib/money.ts'
import { wholeNumberQuery } from './lib/page.ts'
import { freeText } from './lib/text.ts'
import { bottleCount, mostReturned } from './orders/bottles.ts'
import { cashBhd, orderKey } from './orders/cash.ts'
import { paymentInput } from './orders/payments.ts'
import { coordinates } from './places/geo.ts'
import { pinSources } from './places/pin.ts'
import { addressParts } from './users/auth.ts'
import { visitKinds } from './visit-task.ts'

/** `failed` can still be done; `cancelled` is not listed. */
export const visitStatuses = ['open', 'done', 'failed', 'cancelled'] as const

export const visit = z.object({
  id: z.number(),
  vendorId: z.number(),
  kind: z.enum(visitKinds),
  status: z.enum(visitStatuses),
  /** The Bahrain day. */
  date: z.string(),
  customerId: z.number(),
  customerName: z.string(),
  phone: z.string(),
  /** Where the customer has the bottles; null if not known. */
  addressId: z.nullable(z.number()),
  address: z.string(),
  addressParts: z.nullable(addressParts),
  mapCoordinates: coordinates,
  pinSource: z.nullable(z.enum(pinSources)),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  instructions: z.nullable(z.string()),
  /** Empties that are expected; null if not known. */
  bottles: z.nullable(z.number()),
  /** BHD that is to be paid back; null if not known. */
  amount: z.nullable(z.number()),
  note: z.nullable(z.string()),
  driver: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  /** The customer asked for it. */
  isRequested: z.boolean(),
  /** Empties that came back, and BHD that was paid back. */
  returned: z.array(bottleCount),
  paid: z.number(),
  /** Why it failed. */
  reason: z.nullable(z.enum(attemptReasons)),
  reasonNote: z.nullable(z.string()),
  /** When it was done or failed. */
  at: z.nullable(instant),
  /** The Bahrain day on which its bottles and money are booked; null before. */
  bookedOn: z.nullable(z.string()),
  version: z.number(),
})
export type Visit = z.output<typeof visit>

const path = '/api/admin/visits'
const desk = ['super_admin', 'vendor_admin', 'vendor_staff'] as const

const expected = {
  bottles: z.optional(
    z.nullable(
      z.int('validation.number').check(z.gte(1, 'validation.number'), z.lte(mostReturned, 'validation.number')),
    ),
  ),
  /** BHD that is to be paid back. */
  amount: z.optional(z.nullable(cashBhd.check(z.gte(0, 'validation.amount')))),
  note: z.optional(z.nullable(freeText(500))),
  driverId: z.optional(z.nullable(rowIdNumber)),
}

export const listVisits = endpoint({
  method: 'GET',
  path,
  allow: 'admin',
  permissions: ['customers.read'],
  summary: 'Visits of a day, with those of earlier days that are open if it is today; or the open ones of a customer',
  query: z.object({
    vendorId: vendorFilter,
    /** Default: today, or with a customer all days. */
    date: z.optional(dayInput),
    customerId: z.optional(wholeNumberQuery(1, 2_147_483_647)),
  }),
  returns: z.object({ date: z.string(), items: z.array(visit) }),
})

export const createVisit = endpoint({
  method: 'POST',
  path,
  allow: [...desk],
  permissions: ['orders.assign'],
  summary: 'Plan a visit; a customer has one open visit of a kind at an address',
  body: z.object({
    /** Omitted by vendor staff. */
    vendorId: z.optional(rowIdNumber),
    kind: z.enum(visitKinds),
    customerId: rowIdNumber,
    /** One to which the vendor has delivered, or that has bottles. Default: where most bottles are, or the last order went. */
    addressId: z.optional(z.nullable(rowIdNumber)),
    /** Today or later. Default: the next day of delivery. */
    date: z.optional(dayInput),
    ...expected,
  }),
  returns: visit,
  errors: ['CUSTOMER_NOT_FOUND', 'ADDRESS_REQUIRED', 'DRIVER_NOT_AVAILABLE', 'VISIT_EXISTS', 'DAY_CLOSED'],
})

export const changeVisit = endpoint({
  method: 'PATCH',
  path: `${path}/{id}`,
  allow: [...desk, 'driver'],
  permissions: ['orders.status'],
  summary:
    'Move, assign or report a visit. `done` books bottles and money; `open` takes a report back, with notes; a driver reports `done` and `failed` alone',
  params: idParams,
  body: z
    .object({
      date: z.optional(dayInput),
      ...expected,
      status: z.optional(z.enum(['open', 'done', 'failed'])),
      /** Empties that are expected; with `done` those that came back, by type or as a number of the only type. */
      bottles: z.optional(
        z.nullable(
          z.union([
            z.int().check(z.gte(0), z.lte(mostReturned)),
            z.array(bottleCount).check(z.maxLength(20, 'validation.tooManyItems')),
          ]),
        ),
      ),
      /** Negative: paid back to the customer. Only with `done`. */
      payments: z.optional(
        z
          .array(
            z.extend(paymentInput, {
              amount: z
                .number('validation.amount')
                .check(
                  z.gte(-100_000),
                  z.lt(0, 'validation.amount'),
                  z.refine(isWholeFils, 'validation.threeDecimals'),
                ),
            }),
          )
          .check(z.maxLength(10)),
      ),
      /** Of `failed`. */
      reason: z.optional(z.enum(attemptReasons)),
      notes: z.optional(z.nullable(freeText(500))),
      /** A repeated report with the same key does nothing. */
      key: z.optional(orderKey),
      /** Time of the report by the device's clock; the server limits it to a plausible range. */
      at: z.optional(instantInput),
      version: z.optional(z.int()),
    })
    .check(
      z.refine(({ payments, status }) => payments === undefined || status === 'done', {
        path: ['payments'],
        message: 'validation.invalid',
      }),
      z.refine(({ bottles, status }) => !Array.isArray(bottles) || status === 'done', {
        path: ['bottles'],
        message: 'validation.invalid',
      }),
      z.refine(({ reason, status }) => (reason === undefined) === (status !== 'failed'), {
        path: ['reason'],
        message: 'validation.required',
      }),
    ),
  returns: visit,
  errors: [
    'VISIT_NOT_FOUND',
    'VISIT_DONE',
    'VISIT_EXISTS',
    'VERSION_CONFLICT',
    'DRIVER_NOT_AVAILABLE',
    'MORE_THAN_DUE',
    'REFUND_LIMIT',
    'IDEMPOTENCY_KEY_REUSED',
    'DAY_CLOSED',
  ],
})

export const cancelVisit = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  allow: [...desk],
  permissions: ['orders.assign'],
  summary: 'Cancel a visit that is not done',
  params: idParams,
  returns: z.object({ success: z.literal(true) }),
  errors: ['VISIT_NOT_FOUND', 'VISIT_DONE'],
})
