import type { Fils } from '@qatra/contract/lib/money'
import type { OfferedBottle } from '../bottles/queries.ts'
import type { OpenPictures } from '../media/state.ts'
import type { VendorSnapshot } from '../vendors/snapshot.ts'
import type { BottleColumns, ProductFacts } from './facts.ts'

export interface CatalogueProduct extends Omit<ProductFacts, 'bottle'>, BottleColumns {
  id: number
  price: Fils
  /** Null while it is not offered, whatever the columns say. */
  bottle: OfferedBottle | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** The part of the in-memory catalogue with products and vendors. */
export interface ProductSnapshot extends Pick<VendorSnapshot, 'vendors'> {
  products: ReadonlyMap<number, CatalogueProduct>
  /** Of each vendor the product that most of its latest orders have. */
  mostOrdered: ReadonlySet<number>
  /** Fetch states of external pictures, for the admin pages. */
  pictures: OpenPictures
}
