import { listProducts, type Product } from '@qatra/contract/products/products'
import { compareSizes, sizeKey } from '@qatra/contract/products/sizes'
import { listVendors, type Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

export const vendorsQuery = () => read(listVendors)
export const productsQuery = () => read(listProducts)

export const useVendors = (): Vendor[] => useQuery(vendorsQuery()).data ?? []
export const useVendor = (id: number | null): Vendor | null => useVendors().find((vendor) => vendor.id === id) ?? null

/** One chip per volume, sorted; labelled as the first product writes it. */
export function sizesOf(products: readonly Product[]): string[] {
  const sizes = new Map<string, string>()
  for (const { size } of products) if (!sizes.has(sizeKey(size))) sizes.set(sizeKey(size), size)
  return [...sizes.values()].sort(compareSizes)
}

export interface Section {
  vendor: Vendor
  products: Product[]
}

/** Vendors with products to show, in the order of `vendors`. */
export function sectionsOf(
  vendors: readonly Vendor[],
  products: readonly Product[],
  filter: { vendor?: number | undefined; size?: string | undefined },
): Section[] {
  const key = filter.size === undefined ? null : sizeKey(filter.size)
  return vendors
    .filter(({ id }) => filter.vendor === undefined || filter.vendor === id)
    .map((vendor) => ({
      vendor,
      products: products.filter(
        (product) => product.vendorId === vendor.id && (key === null || sizeKey(product.size) === key),
      ),
    }))
    .filter((section) => section.products.length > 0)
}
