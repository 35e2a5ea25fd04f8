import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint } from './endpoint.ts'
import { idParams, rowIdNumber } from './lib/ids.ts'
import { orderKey } from './orders/cash.ts'

const pieces = z.int('validation.number').check(z.gte(0, 'validation.number'), z.lte(10_000, 'validation.number'))

/** Bottles of one type, or pieces of a product without a bottle that comes back, in a driver's van on one day. */
export const vanLine = z.object({
  typeId: z.nullable(z.number()),
  productId: z.nullable(z.number()),
  /** Full ones. */
  loaded: z.number(),
  unloaded: z.number(),
  delivered: z.number(),
  /** Empty ones that customers gave back. */
  returned: z.number(),
  /** Full ones that should be in the van; null where no load was entered. */
  left: z.nullable(z.number()),
  /** Empty ones that should be in the van. */
  empties: z.number(),
  /** The last count; null before the first. */
  counted: z.nullable(z.object({ full: z.number(), empty: z.number() })),
  /** Counted without what should be there; negative: missing. */
  difference: z.nullable(z.number()),
})
export type VanLine = z.output<typeof vanLine>

export const writeVan = endpoint({
  method: 'POST',
  path: '/api/admin/drivers/{id}/van',
  allow: 'staff',
  permissions: ['drivers.run'],
  summary:
    'Record what a driver loads, unloads or counts; entries are never changed, a later count replaces an earlier one',
  params: idParams,
  body: z
    .object({
      date: dayInput,
      kind: z.enum(['loaded', 'unloaded', 'counted']),
      typeId: z.optional(rowIdNumber),
      productId: z.optional(rowIdNumber),
      full: pieces,
      empty: pieces,
      key: orderKey, // A repeated one writes nothing.
    })
    .check(
      z.refine(({ typeId, productId }) => (typeId === undefined) !== (productId === undefined), {
        path: ['typeId'],
        message: 'validation.required',
      }),
      z.refine(({ kind, full, empty }) => kind === 'counted' || full + empty > 0, {
        path: ['full'],
        message: 'validation.required',
      }),
    ),
  returns: z.array(vanLine),
  errors: ['DRIVER_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'CASH_DAY_CLOSED'],
})
