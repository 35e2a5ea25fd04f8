import { bottleTerms } from '@qatra/contract/bottles'
import type { AdminProduct, NewProduct, ProductChange } from '@qatra/contract/products/admin'
import { productDefaults } from '@qatra/contract/products/fields'
import { noWater, type WaterFacts } from '@qatra/contract/products/water'
import type { useForm } from '../../ui/admin/form/use-form.ts'

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
  /** `exchange:3`; empty without one. */
  bottle: string
}

export type ProductFormState = Pick<
  ReturnType<typeof useForm<ProductValues, never, never, unknown>>,
  'values' | 'errors' | 'set' | 'field' | 'text' | 'failure' | 'isDirty' | 'busy' | 'props'
>

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
  bottle: '',
  ...noWater,
  source: '',
  sourceAr: '',
  filledOn: '',
  vatPercentage: productDefaults.vatPercentage,
  isActive: productDefaults.isActive,
  unitsPerInventoryUnit: productDefaults.unitsPerInventoryUnit,
})

export const bottleKey = ({ typeId, terms }: NonNullable<AdminProduct['bottle']>) => `${terms}:${typeId}`
function bottleOf(key: string): AdminProduct['bottle'] {
  const [written, typeId] = key.split(':')
  const terms = bottleTerms.find((one) => one === written)
  return terms ? { typeId: Number(typeId), terms } : null
}

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
    bottle: product.bottle ? bottleKey(product.bottle) : '',
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
export const bodyOf = ({ vendorId, filledOn, bottle, ...values }: ProductValues) =>
  ({
    ...values,
    bottle: bottleOf(bottle),
    filledOn: filledOn || null,
    ...(vendorId === null ? {} : { vendorId }),
  }) as NewProduct & ProductChange
