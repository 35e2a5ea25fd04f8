import * as z from 'zod/mini'
import { rowIdNumber } from '../../lib/ids.ts'

/** Recipients by filter: customers who consented to offers. Multiple conditions are combined with AND. */
export const audience = z.object({
  /** The last order was delivered to one of these areas. */
  areaIds: z.optional(z.array(rowIdNumber).check(z.maxLength(500))),
  /** Has ordered from one of these vendors, or with `minBottles` holds their bottles. */
  vendorIds: z.optional(z.array(rowIdNumber).check(z.maxLength(500))),
  /** The last order was placed within this number of days. */
  orderedWithinDays: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(3650, 'validation.number'))),
  /** The last order was placed at least this number of days ago; with `minBottles`, at `vendorIds`, or never. */
  notOrderedForDays: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(3650, 'validation.number'))),
  /** BHD; sum of all orders that were not cancelled. */
  minSpend: z.optional(z.number().check(z.gte(0, 'validation.number'), z.lte(1_000_000, 'validation.number'))),
  maxSpend: z.optional(z.number().check(z.gte(0, 'validation.number'), z.lte(1_000_000, 'validation.number'))),
  language: z.optional(z.enum(['ar', 'en'])),
  /** No order at all; cancelled ones count. */
  neverOrdered: z.optional(z.boolean()),
  /** The conversation has one of these labels. */
  labels: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(24))).check(z.maxLength(50))),
  /** Neither wrote nor ordered within this number of days, or ever. */
  silentForDays: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(3650, 'validation.number'))),
  /** Holds at least this number of bottles of one of `vendorIds`, or of one vendor. */
  minBottles: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(10_000, 'validation.number'))),
  /**
   * Received the message of this campaign, and since then has not ordered, or (`answer`) has neither ordered nor
   * written.
   */
  followUp: z.optional(z.object({ campaignId: z.uuid(), without: z.enum(['answer', 'order']) })),
})
export type Audience = z.output<typeof audience>
