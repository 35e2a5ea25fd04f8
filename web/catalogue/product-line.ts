import type { Product } from '@qatra/contract/products/products'

/** The product fields that a cart line shows. */
export type ProductLine = Pick<
  Product,
  | 'id'
  | 'vendorId'
  | 'name'
  | 'nameAr'
  | 'size'
  | 'price'
  | 'imageUrl'
  | 'vatPercentage'
  | 'inventoryUnit'
  | 'inventoryUnitAr'
  | 'unitsPerInventoryUnit'
  | 'bottle'
>
