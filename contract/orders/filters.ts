import * as z from 'zod/mini'
import { dayInput, instantInput } from '../calendar/dates.ts'
import { vendorFilter } from '../lib/ids.ts'
import { wholeNumberQuery } from '../lib/page.ts'
import { orderStatuses, paymentStatuses } from './order-status.ts'
import { paymentMeans } from './payments.ts'

/** One or several comma-separated values without duplicates; an empty text means no filter. */
export const listOf = <Item extends z.ZodMiniType<unknown, string>>(item: Item, most: number, mostCharacters = 500) =>
  z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(mostCharacters)),
        z.transform((text: string) => [...new Set(text.split(',').filter((part) => part !== ''))]),
      ),
      z.array(item).check(z.maxLength(most)),
    ),
  )

export const rowNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,8}$/)),
  z.transform((text: string) => Number(text)),
)

export const orderSorts = ['createdAt', 'total', 'customer', 'area'] as const
/** `due`: late orders first, then failed and other open ones, delivered and cancelled last; each by area, then the oldest first. */
export const sortValues = [...orderSorts.flatMap((name) => [name, `-${name}`] as const), 'due'] as const
export type OrderSort = (typeof sortValues)[number]

/**
 * Open orders that need action: `late` is promised for an earlier day, `failed` has a failed attempt since which its
 * customer has neither chosen nor confirmed a day, `unassigned` has no driver, `unconfirmed` is new but not `isReady`.
 */
export const attentions = ['late', 'failed', 'unassigned', 'unconfirmed'] as const
export type Attention = (typeof attentions)[number]

/** Orders of one bulk change; also the largest page of the list. */
export const MOST_AT_ONCE = 100

/** Filters of the order list, also used by its counts, the export and the picking list. */
export const filters = {
  vendorId: vendorFilter,
  /** These orders, as many as can be selected at once. */
  ids: listOf(z.string().check(z.regex(/^[A-Z0-9]{1,20}$/)), MOST_AT_ONCE, MOST_AT_ONCE * 21),
  /** Driver ids, or `none` for orders without a driver. */
  driverId: listOf(z.union([z.literal('none'), rowNumber]), 50),
  /** Area ids, or `none` for orders outside of all areas. */
  areaId: listOf(z.union([z.literal('none'), rowNumber]), 100),
  /** Orders that contain any of these products. */
  productId: listOf(rowNumber, 50),
  /** Orders with a price that differs from the product's by agreement. */
  customPrices: z.optional(z.literal('1')),
  paymentStatus: listOf(z.enum(paymentStatuses), 4),
  /** Orders with a payment by any of these means. */
  means: listOf(z.enum(paymentMeans), paymentMeans.length),
  /**
   * A delivery day; today also has the open orders of earlier days. `next`: today or, if nothing is open for it, the
   * next day with open orders.
   */
  day: z.optional(z.union([z.literal('next'), dayInput])),
  attention: z.optional(z.enum(attentions)),
  /** Bahrain days, both inclusive. */
  from: z.optional(dayInput),
  to: z.optional(dayInput),
  /** Placed before this instant. */
  before: z.optional(instantInput),
  /** Placed in this hour of the day in Bahrain, on any day. */
  hour: z.optional(wholeNumberQuery(0, 23)),
  /** Which date `from` and `to` filter: the date of placement or the promised date. */
  by: z._default(z.enum(['created', 'promised']), 'created'),
  /** Words of the id, phone, name, area, block or a product, normalized before the comparison. */
  search: z.optional(z.string().check(z.maxLength(100))),
}
export const status = listOf(z.enum(orderStatuses), 5)
export const sort = z._default(z.enum(sortValues), '-createdAt')
