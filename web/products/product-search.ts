import type { Product } from '@qatra/contract/products/products'
import { matchesSearch, productSearchText, searchWords } from '@qatra/contract/products/search'
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

export function findProducts(typed: string, products: readonly Product[], vendors: readonly Vendor[]): Product[] {
  const words = searchWords(typed)
  return products.filter((product) => {
    const vendor = vendors.find(({ id }) => id === product.vendorId)
    return matchesSearch(textOf(product, vendor), words)
  })
}
