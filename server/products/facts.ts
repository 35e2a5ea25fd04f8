import { isDeepStrictEqual } from 'node:util'
import type { BottleTerms } from '@qatra/contract/bottles'
import { type Fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import { duplicateKey, type ProductField, productFields, unitPresets } from '@qatra/contract/products/fields'
import type { WaterFacts } from '@qatra/contract/products/water'

/** Editable fields of a product, money in BHD: as sent, checked and stored in the history. */
export interface ProductFacts extends WaterFacts {
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
  bottle: { typeId: number; terms: BottleTerms } | null
}

/** The bottle as it is stored. */
export interface BottleColumns {
  bottleTypeId: number | null
  bottleTerms: BottleTerms | null
}

/** The same fields as a row, money in fils. */
type ProductRow = Omit<ProductFacts, 'bottle'> & BottleColumns & { duplicateKey: string }

export const toRow = ({ bottle, ...facts }: ProductFacts): ProductRow => ({
  ...facts,
  bottleTypeId: bottle?.typeId ?? null,
  bottleTerms: bottle?.terms ?? null,
  price: fromBhd(facts.price),
  duplicateKey: duplicateKey(facts.name, facts.size),
})

export const bottleOf = ({ bottleTypeId, bottleTerms }: BottleColumns): ProductFacts['bottle'] =>
  bottleTypeId === null || bottleTerms === null ? null : { typeId: bottleTypeId, terms: bottleTerms }

/** Picks the facts from a row. */
export function toFacts(row: Omit<ProductFacts, 'bottle'> & BottleColumns): ProductFacts {
  const { vendorId, name, nameAr, description, descriptionAr, size, imageUrl, vatPercentage, isActive } = row
  const { inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit } = row
  return {
    vendorId,
    name,
    nameAr,
    description,
    descriptionAr,
    size,
    imageUrl,
    vatPercentage,
    isActive,
    inventoryUnit,
    inventoryUnitAr,
    unitsPerInventoryUnit,
    bottle: bottleOf(row),
    source: row.source,
    sourceAr: row.sourceAr,
    tds: row.tds,
    sodium: row.sodium,
    ph: row.ph,
    filledOn: row.filledOn,
    filledWithinDays: row.filledWithinDays,
    // money columns hold fils
    price: toBhd(row.price as Fils),
  }
}

/** A preset unit gets its Arabic name, unless another one was entered. */
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
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }))
