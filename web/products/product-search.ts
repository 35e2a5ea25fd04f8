import type { Product } from '@qatra/contract/products/products'
import { productSearchText, searchFor } from '@qatra/contract/products/search'
import type { Vendor } from '@qatra/contract/vendors/vendors'

/** Search text by product; products and vendors are replaced, never changed. */
const texts = new WeakMap<Product, { vendor: Vendor | undefined; text: string }>()

function textOf(product: Product, vendor: Vendor | undefined): string {
  const known = texts.get(product)
  if (known?.vendor === vendor && known) return known.text
  const text = productSearchText(product, vendor)
  texts.set(product, { vendor, text })
  return text
}

export interface Found {
  products: Product[]
  /** False if nothing matches as typed, and these are the nearest. */
  isExact: boolean
}

/** Finds products as `GET /api/products?search=` does. */
export function findProducts(typed: string, products: readonly Product[], vendors: readonly Vendor[]): Found {
  const all = products.map((product) => ({
    product,
    text: textOf(
      product,
      vendors.find(({ id }) => id === product.vendorId),
    ),
  }))
  const { isFound, isExact } = searchFor(
    typed,
    all.map(({ text }) => text),
  )
  return { products: all.flatMap(({ product, text }) => (isFound(text) ? [product] : [])), isExact }
}
