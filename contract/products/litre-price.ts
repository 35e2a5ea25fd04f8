import { type Fils, fromBhd, perLitre } from '../lib/money.ts'
import type { Product } from './products.ts'
import { volumeOf } from './sizes.ts'

type Priced = Pick<Product, 'price' | 'size' | 'unitsPerInventoryUnit'>

/** Price of one litre; null where the size is no volume, or the price rounds to nothing. */
export function litrePrice({ price, size, unitsPerInventoryUnit }: Priced): Fils | null {
  const volume = volumeOf(size)
  const fils = fromBhd(price)
  return volume !== null && fils > 0 ? perLitre(fils, volume * unitsPerInventoryUnit) || null : null
}
