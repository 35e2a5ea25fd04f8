import { formatSize, sizeKey } from '@qatra/contract/products/sizes'
import type { ReferenceData } from '../database/reference-data.ts'
import type { PageFacts } from '../http/pages/page-key.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'
import { vendorsChangeAt } from '../vendors/queries.ts'

type Offers = Pick<ProductSnapshot, 'vendors' | 'products'>
type Facts = Offers & { areas: ReadonlyMap<number, unknown> }

const sizesOf = new WeakMap<Offers, ReadonlySet<string>>()

/** The sizes on offer, in the spellings that links of the shop use. */
function sizesIn(catalogue: Offers): ReadonlySet<string> {
  const known = sizesOf.get(catalogue)
  if (known) return known
  const products = [...catalogue.products.values()].filter((product) => product.isActive)
  const spellings = products.flatMap(({ size }) => [
    size,
    sizeKey(size),
    formatSize(size, 'en'),
    formatSize(size, 'ar'),
  ])
  const sizes = new Set(spellings)
  sizesOf.set(catalogue, sizes)
  return sizes
}

/** Which pages exist, for the page cache. */
export function pageFacts({ current }: Pick<ReferenceData<Facts>, 'current'>): PageFacts {
  return {
    hasVendor: (id) => current().vendors.get(id)?.isActive === true,
    hasProduct: (id) => current().products.get(id)?.isActive === true,
    hasSize: (size) => sizesIn(current()).has(size),
    hasArea: (id) => current().areas.has(id),
    changeAt: (now) => vendorsChangeAt(current(), now),
  }
}
