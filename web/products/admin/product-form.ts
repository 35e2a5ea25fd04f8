import type { AdminProduct, NewProduct, ProductChange } from '@qatra/contract/products/admin'
import { productDefaults } from '@qatra/contract/products/fields'
import { noWater, type WaterFacts } from '@qatra/contract/products/water'

/** Values of the form fields. */
export interface ProductValues extends Omit<WaterFacts, 'source' | 'sourceAr' | 'filledOn'> {
  source: string
  sourceAr: string
  filledOn: string
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
  ...noWater,
  source: '',
  sourceAr: '',
  filledOn: '',
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
    source: product.source ?? '',
    sourceAr: product.sourceAr ?? '',
    filledOn: product.filledOn ?? '',
    tds: product.tds ?? null,
    sodium: product.sodium ?? null,
    ph: product.ph ?? null,
    filledWithinDays: product.filledWithinDays ?? null,
  }
}

/** Body of create and update; an empty number is reported by its field. */
export const bodyOf = ({ vendorId, filledOn, ...values }: ProductValues) =>
  ({ ...values, filledOn: filledOn || null, ...(vendorId === null ? {} : { vendorId }) }) as NewProduct & ProductChange
