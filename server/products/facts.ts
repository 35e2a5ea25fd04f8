import { type Fils, fromBhd, toBhd } from '@qatra/contract/money'
import { duplicateKey, type ProductField, productFields, unitPresets } from '@qatra/contract/product-fields'
import { fold } from '@qatra/contract/text'

/** What people write of a product, money in BHD: the form in which it is sent, checked and kept in the history. */
export interface ProductFacts {
  vendorId: number
  name: string
  nameAr: string | null
  description: string | null
  descriptionAr: string | null
  price: number
  size: string
  imageUrl: string | null
  vatPercentage: number
  isActive: boolean
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
}

/** The same as a row, money in fils. */
export type ProductRow = Omit<ProductFacts, 'price'> & { price: number; duplicateKey: string }

export const toRow = (facts: ProductFacts): ProductRow => ({
  ...facts,
  price: fromBhd(facts.price),
  duplicateKey: duplicateKey(facts.name, facts.size),
})

/** The facts in a row that may hold more. */
export function toFacts(row: ProductFacts): ProductFacts {
  const { vendorId, name, nameAr, description, descriptionAr, size, imageUrl, vatPercentage, isActive } = row
  const { inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit } = row
  return {
    ...{ vendorId, name, nameAr, description, descriptionAr, size, imageUrl, vatPercentage, isActive },
    ...{ inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit },
    // Amounts leave the database as fils; the brand is theirs by the column's definition.
    price: toBhd(row.price as Fils),
  }
}

/** A unit that is offered by name has its Arabic name, unless another was written. */
export function withUnitNames<F extends Pick<ProductFacts, 'inventoryUnit' | 'inventoryUnitAr'>>(facts: F): F {
  if (facts.inventoryUnit === null || facts.inventoryUnitAr !== null) return facts
  const written = fold(facts.inventoryUnit)
  const preset = unitPresets.find(({ en }) => fold(en) === written)
  return preset ? { ...facts, inventoryUnitAr: preset.ar } : facts
}

export interface FactChange {
  field: ProductField
  from: unknown
  to: unknown
}

export const changesBetween = (before: ProductFacts, after: ProductFacts): FactChange[] =>
  productFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }))
