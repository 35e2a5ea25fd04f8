import { toBhd } from '@qatra/contract/lib/money'
import { shownPicture } from '@qatra/contract/media'
import type { Product } from '@qatra/contract/products/products'
import { productSearchText, searchFor } from '@qatra/contract/products/search'
import { compareSizes, sizeKey } from '@qatra/contract/products/sizes'
import type { Actor } from '@qatra/contract/users/actor'
import { waterNames } from '@qatra/contract/products/water'
import { AppError } from '../lib/errors.ts'
import { maySeeInactive } from '../vendors/policy.ts'
import type { CatalogueProduct, ProductSnapshot } from './snapshot.ts'

export interface ProductFilter {
  /** 0 or none means all. */
  vendorId?: number | undefined
  /** A size in any spelling. */
  category?: string | undefined
  search?: string | undefined
}

type Offers = Pick<ProductSnapshot, 'vendors' | 'products' | 'mostOrdered'>

interface Offered {
  product: Product
  vendorId: number
  sizeKey: string
  /** Folded search text. */
  words: string
}

export function toProduct(product: CatalogueProduct): Product {
  const { bottle } = product
  return {
    id: product.id,
    vendorId: product.vendorId,
    name: product.name,
    nameAr: product.nameAr,
    description: product.description,
    descriptionAr: product.descriptionAr,
    price: toBhd(product.price),
    size: product.size,
    imageUrl: shownPicture(product.imageUrl),
    vatPercentage: product.vatPercentage,
    isActive: product.isActive,
    inventoryUnit: product.inventoryUnit,
    inventoryUnitAr: product.inventoryUnitAr,
    unitsPerInventoryUnit: product.unitsPerInventoryUnit,
    bottle: bottle && { ...bottle, deposit: toBhd(bottle.deposit) },
    ...Object.fromEntries(waterNames.flatMap((name) => (product[name] === null ? [] : [[name, product[name]]]))),
  }
}

/** Active products of active vendors by vendor, volume, name and id; computed once per snapshot. */
const offers = new WeakMap<Offers, readonly Offered[]>()

function offeredIn(catalogue: Offers): readonly Offered[] {
  const known = offers.get(catalogue)
  if (known) return known
  const offered = [...catalogue.products.values()]
    .filter((product) => product.isActive && catalogue.vendors.get(product.vendorId)?.isActive)
    .sort(inOrder)
    .map((product) => {
      const { vendorId, size } = product
      return {
        product: {
          ...toProduct(product),
          ...(catalogue.mostOrdered.has(product.id) ? { isMostOrdered: true as const } : {}),
        },
        vendorId,
        sizeKey: sizeKey(size),
        words: productSearchText(product, catalogue.vendors.get(vendorId)),
      }
    })
  offers.set(catalogue, offered)
  return offered
}

export const inOrder = (a: CatalogueProduct, b: CatalogueProduct) =>
  a.vendorId - b.vendorId ||
  compareSizes(a.size, b.size) ||
  (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
  a.id - b.id

export function listProducts(catalogue: Offers, { vendorId, category, search }: ProductFilter): Product[] {
  const wantedSize = category && category.trim() !== '' ? sizeKey(category) : null
  const filtered = offeredIn(catalogue)
    .filter((offer) => !vendorId || offer.vendorId === vendorId)
    .filter((offer) => wantedSize === null || offer.sizeKey === wantedSize)
  const texts = filtered.map(({ words }) => words)
  const { isFound } = searchFor(search ?? '', texts)
  return filtered.filter(({ words }) => isFound(words)).map(({ product }) => product)
}

export function requireProduct(catalogue: Offers, actor: Pick<Actor, 'user'>, id: number): Product {
  const product = catalogue.products.get(id)
  const vendor = product && catalogue.vendors.get(product.vendorId)
  if (!product || !vendor || !((product.isActive && vendor.isActive) || maySeeInactive(actor, vendor)))
    throw new AppError('PRODUCT_NOT_FOUND')
  return toProduct(product)
}
