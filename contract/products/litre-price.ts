import { type Fils, fromBhd, perLitre } from '../lib/money.ts'
import type { Product } from './products.ts'
import { volumeOf } from './sizes.ts'

type Priced = Pick<
  Product,
  'name' | 'nameAr' | 'price' | 'size' | 'inventoryUnit' | 'inventoryUnitAr' | 'unitsPerInventoryUnit'
> & { bottle?: Pick<NonNullable<Product['bottle']>, 'terms'> | null }

/** What is sold with the water, such as the gallon's bottle, is most of the price. */
const isWithMore = /(^|\s)(with|مع)\s/i

/** Price of one litre; null where the size is no volume, the price is not the water's, or it rounds to nothing. */
export function litrePrice(product: Priced): Fils | null {
  const { bottle, name, nameAr, price, size, inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit } = product
  // A bottle that comes back is no part of the price, whatever the names say.
  if (bottle ? bottle.terms === 'sold' : isWithMore.test(`${name} ${nameAr} ${inventoryUnit} ${inventoryUnitAr} `))
    return null
  const volume = volumeOf(size)
  const fils = fromBhd(price)
  return volume !== null && fils > 0 ? perLitre(fils, volume * unitsPerInventoryUnit) || null : null
}
