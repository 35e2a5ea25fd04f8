import type { AdminProduct, NewProduct, ProductChange } from '@qatra/contract/products/admin'
import { productDefaults } from '@qatra/contract/products/fields'

/** Values of the form fields. */
export interface ProductValues {
  vendorId: number | null
  name: string
  nameAr: string
  description: string
  descriptionAr: string
  price: number | null
  size: string
  imageUrl: string
  vatPercentage: number | null
  isActive: boolean
  inventoryUnit: string
  inventoryUnitAr: string
  unitsPerInventoryUnit: number | null
}

export const emptyProduct = (vendorId: number | null): ProductValues => ({
  vendorId,
  name: '',
  nameAr: '',
  description: '',
  descriptionAr: '',
  price: null,
  size: '',
  imageUrl: '',
  inventoryUnit: '',
  inventoryUnitAr: '',
  vatPercentage: productDefaults.vatPercentage,
  isActive: productDefaults.isActive,
  unitsPerInventoryUnit: productDefaults.unitsPerInventoryUnit,
})

export function valuesOf(product: AdminProduct): ProductValues {
  const { vendorId, name, price, size, vatPercentage, isActive, unitsPerInventoryUnit } = product
  return {
    vendorId,
    name,
    price,
    size,
    vatPercentage,
    isActive,
    unitsPerInventoryUnit,
    nameAr: product.nameAr ?? '',
    description: product.description ?? '',
    descriptionAr: product.descriptionAr ?? '',
    imageUrl: product.imageUrl ?? '',
    inventoryUnit: product.inventoryUnit ?? '',
    inventoryUnitAr: product.inventoryUnitAr ?? '',
  }
}

/** Body of create and update; an empty number is reported by its field. */
export const bodyOf = ({ vendorId, ...values }: ProductValues) =>
  ({ ...values, ...(vendorId === null ? {} : { vendorId }) }) as NewProduct & ProductChange
