import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint } from './endpoint.ts'
import { idParams, rowIdNumber } from './lib/ids.ts'
import { freeText } from './lib/text.ts'
import { orderKey } from './orders/cash.ts'

const pieces = z.int('validation.number').check(z.gte(0, 'validation.number'), z.lte(10_000, 'validation.number'))
const count = z.object({ full: pieces, empty: pieces })

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
  /** Of the entries that are in it, as the devices sent them. */
  keys: z.array(z.string()),
})
export type VanLine = z.output<typeof vanLine>

type VanSums = Pick<VanLine, 'loaded' | 'unloaded' | 'delivered' | 'returned' | 'counted'> & {
  isLoaded: boolean
  /** Empty ones that were loaded, less those that were unloaded. */
  empty: number
}

/** What should be in the van, and what is missing of it. */
export function vanLeft({ loaded, unloaded, delivered, returned, counted, isLoaded, empty }: VanSums) {
  const full = loaded - unloaded - delivered
  const empties = empty + returned
  const difference = counted && counted.full + counted.empty - full - empties
  return { left: isLoaded ? full : null, empties, difference }
}

/** A line of an order, or what is handed over of it. */
export interface VanGoods {
  productId: number | null
  quantity: number
  bottleTypeId?: number | null
  /** Null or absent unless the bottle comes back. */
  bottleDeposit?: number | null
}

/** Whether the goods are those of the line: in a bottle that comes back they are counted as bottles, else as pieces of the product. */
export const isInLine = ({ typeId, productId }: Pick<VanLine, 'typeId' | 'productId'>, goods: VanGoods): boolean =>
  typeId === null
    ? goods.productId === productId
    : goods.bottleTypeId === typeId && goods.bottleDeposit !== null && goods.bottleDeposit !== undefined

interface Door {
  ordered: readonly VanGoods[]
  handedOver: readonly VanGoods[]
}

/** What is handed over beyond the order. */
export function beyondOrder({ ordered, handedOver }: Door): VanGoods[] {
  const before = new Map(ordered.map(({ productId, quantity }) => [productId, quantity]))
  return handedOver.filter(({ productId, quantity }) => quantity > (before.get(productId) ?? 0))
}

/**
 * The first line of the van of which too much is handed over, where its load was entered. What was ordered may be handed
 * over in any case: a load that was entered wrongly does not hold it up.
 */
export function moreThanLeft<Line extends Pick<VanLine, 'typeId' | 'productId' | 'left'>>(
  van: readonly Line[],
  door: Door,
): Line | undefined {
  const more = beyondOrder(door)
  const sumOf = (line: Line) =>
    door.handedOver.reduce((sum, goods) => (isInLine(line, goods) ? sum + goods.quantity : sum), 0)
  return van.find(
    (line) => line.left !== null && more.some((goods) => isInLine(line, goods)) && sumOf(line) > line.left,
  )
}

export const writeVan = endpoint({
  method: 'POST',
  path: '/api/admin/drivers/{id}/van',
  allow: 'staff',
  permissions: ['drivers.run'],
  summary:
    'Record what a driver loads, unloads or counts; entries are never changed, a later count replaces an earlier one. A count of the office needs a reason and `drivers.cash`, and no other count of the driver follows it',
  params: idParams,
  body: z
    .object({
      date: dayInput,
      kind: z.enum(['loaded', 'unloaded', 'counted']),
      typeId: z.optional(rowIdNumber),
      productId: z.optional(rowIdNumber),
      ...count.shape,
      /** The count that the office saw: another one is not replaced. Default: none. */
      before: z.optional(z.nullable(count)),
      reason: z.optional(z.nullable(freeText(500))),
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
  errors: ['DRIVER_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'CASH_DAY_CLOSED', 'MORE_THAN_VAN', 'VAN_COUNTED'],
})
