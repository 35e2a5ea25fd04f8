import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { day, rowId, rowIdNumber, vendorFilter } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { lineText } from '../lib/text.ts'
import { dayInput } from './dates.ts'

/** A day without delivery, for all vendors or for one. */
export const closedDay = z.object({
  id: z.number(),
  /** YYYY-MM-DD */
  day,
  /** Null for a public holiday. */
  vendorId: z.nullable(z.number()),
  name: z.nullable(z.string()),
  nameAr: z.nullable(z.string()),
  /** A Hijri date that is not announced yet. */
  isEstimated: z.boolean(),
  /** Whether the caller can remove it. */
  can: z.object({ remove: z.boolean() }),
})
export type ClosedDay = z.output<typeof closedDay>

const occasion = /* @__PURE__ */ lineText(100)

export const listClosedDays = endpoint({
  method: 'GET',
  path: '/api/admin/calendar',
  allow: 'admin',
  permissions: ['calendar.read'],
  summary: 'Public holidays and closures, by day; staff of a vendor see only its closures',
  query: z.extend(pageQuery, { from: z.optional(dayInput), to: z.optional(dayInput), vendorId: vendorFilter }),
  returns: page(closedDay),
  errors: ['FORBIDDEN'],
})

export const closeDay = endpoint({
  method: 'POST',
  path: '/api/admin/calendar',
  allow: 'admin',
  permissions: ['calendar.closures'],
  summary:
    'Create a closure of a vendor or, as a super admin, a public holiday. With `moveOrders` a job moves the open orders of the day to the next open day; otherwise they keep it',
  body: z.object({
    day: dayInput,
    /** Vendor staff: their own vendor. Super admins: null or omitted applies to all vendors. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    name: z.optional(z.nullable(occasion)),
    nameAr: z.optional(z.nullable(occasion)),
    isEstimated: z.optional(z.boolean()),
    moveOrders: z.optional(z.boolean()),
  }),
  returns: z.extend(closedDay, {
    /** Open orders that are promised for this day. */
    openOrders: z.number(),
    /** How many of them the job moves: all with `moveOrders`, otherwise 0. */
    moved: z.number(),
  }),
  errors: ['FORBIDDEN', 'DAY_TAKEN'],
})

export const openDay = endpoint({
  method: 'DELETE',
  path: '/api/admin/calendar',
  allow: 'admin',
  permissions: ['calendar.closures'],
  summary: 'Delete a closure or holiday, by `id`, or by `day` and `vendorId`',
  query: z.object({ id: z.optional(rowId), day: z.optional(dayInput), vendorId: vendorFilter }),
  returns: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'DAY_PASSED'],
})
