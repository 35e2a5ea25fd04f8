import type { Fils } from '@qatra/contract/lib/money'
import type { OpenPictures } from '../media/state.ts'
import type { VendorSnapshot } from '../vendors/snapshot.ts'

export interface CatalogueProduct {
  id: number
  vendorId: number
  name: string
  nameAr: string | null
  description: string | null
  descriptionAr: string | null
  price: Fils
  size: string
  imageUrl: string | null
  vatPercentage: number
  isActive: boolean
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** The part of the in-memory catalogue with products and vendors. */
export interface ProductSnapshot extends Pick<VendorSnapshot, 'vendors'> {
  products: ReadonlyMap<number, CatalogueProduct>
  /** Fetch states of external pictures, for the admin pages. */
  pictures: OpenPictures
}
