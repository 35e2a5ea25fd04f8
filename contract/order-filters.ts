import * as z from 'zod/mini'
import { dayInput, instantInput } from './dates.ts'
import { vendorFilter } from './ids.ts'
import { orderStatuses, paymentStatuses } from './order-status.ts'
import { wholeNumberQuery } from './page.ts'

/** One value or several with commas between them, each once; nothing at all means no filter. */
const listOf = <Item extends z.ZodMiniType<unknown, string>>(item: Item, most: number) =>
  z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(500)),
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
const sortValues = orderSorts.flatMap((name) => [name, `-${name}`] as const)

/** What narrows the list; the same for the counts, the export and the picking list. */
export const filters = {
  vendorId: vendorFilter,
  /** Ids, or `none` for what nobody drives yet. */
  driverId: listOf(z.union([z.literal('none'), rowNumber]), 50),
  /** Ids, or `none` for what lies outside of every area. */
  areaId: listOf(z.union([z.literal('none'), rowNumber]), 100),
  /** Orders that hold any of these products. */
  productId: listOf(rowNumber, 50),
  /** Orders in which a price other than the product's was agreed on. */
  customPrices: z.optional(z.literal('1')),
  paymentStatus: listOf(z.enum(paymentStatuses), 4),
  /** Bahrain days, both included. */
  from: z.optional(dayInput),
  to: z.optional(dayInput),
  /** Placed before this instant. */
  before: z.optional(instantInput),
  /** Placed in this hour of Bahrain's clock, whatever the day. */
  hour: z.optional(wholeNumberQuery(0, 23)),
  /** Which day `from` and `to` mean: that of placing or the promised one. */
  by: z._default(z.enum(['created', 'promised']), 'created'),
  /** Words of id, phone or name, whatever the spelling. */
  search: z.optional(z.string().check(z.maxLength(100))),
}
export const status = listOf(z.enum(orderStatuses), 5)
export const sort = z._default(z.enum(sortValues), '-createdAt')
