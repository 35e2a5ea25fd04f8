import * as z from 'zod/mini'
import { nameIn } from '../lib/lang.ts'
import { isolated } from '../lib/text.ts'
import { formatSize } from '../products/sizes.ts'
import type { UnitWords } from '../products/unit-name.ts'
import { itemText } from '../products/unit-text.ts'

/**
 * Actions in an order's history. The server writes no others, and the screens have a text for each. `day-closed`: moved
 * because its delivery day was closed.
 */
export const historyActions = ['created', 'updated', 'note', 'confirmation', 'attempted', 'day-closed'] as const
export type HistoryAction = (typeof historyActions)[number]

export const orderFields = [
  'status',
  'paymentStatus',
  'paymentMethod',
  'assignedDriverId',
  'deliveryFee',
  'address',
  /** PO number or branch. */
  'buyer',
  'items',
  'deposit',
  'total',
  'promisedDate',
  'coverage',
  'attempt',
  'callRequest',
  'waterRating',
  'driverRating',
  'payment',
  /** The customer agrees to the day that the order has since a failed attempt. */
  'dayConfirmed',
  'lateCash',
  'confirmation',
  'erasure',
] as const
/** An agreed price is recorded per product. */
export type OrderField = (typeof orderFields)[number] | `items.${number}.price`

/** Value of the field `items`, as JSON. */
const itemList = z.array(
  z.object({
    name: z.string(),
    nameAr: z.nullable(z.string()),
    size: z.string(),
    quantity: z.number(),
    /** Missing in entries from before the unit was kept. */
    inventoryUnit: z.optional(z.nullable(z.string())),
    inventoryUnitAr: z.optional(z.nullable(z.string())),
    unitsPerInventoryUnit: z.optional(z.number()),
  }),
)
export type ItemList = z.output<typeof itemList>

/** Null if the text is no list of items. */
export function parseItemList(text: string | null): ItemList | null {
  try {
    return itemList.parse(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** `3 cartons of 24 · Water 500 ml, 2 × …`, with the items isolated. */
export const formatItemList = (list: ItemList, words: UnitWords): string =>
  list
    .map((item) => {
      const name = `${nameIn(words.lang, item)} ${formatSize(item.size, words.lang)}`
      const unit = { ...item, unitsPerInventoryUnit: item.unitsPerInventoryUnit ?? 1 }
      return isolated(itemText(words, unit, { count: item.quantity, name }))
    })
    .join(words.lang === 'ar' ? '، ' : ', ')

export const productOfPrice = (field: string): number | null => {
  const [, id] = /^items\.(\d+)\.price$/.exec(field) ?? []
  return id === undefined ? null : Number(id)
}
