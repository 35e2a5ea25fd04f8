import type { Readable } from 'node:stream'
import { toBhd } from '@qatra/contract/money'
import { bulkFields } from '@qatra/contract/products-bulk'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { findAdminProducts, type ProductFilters } from './admin.queries.ts'
import type { CatalogueProduct, ProductSnapshot } from './snapshot.ts'

/** Exports the columns of an upload, so that the file can be edited and uploaded again: the id selects the product. */
const columns = ['id', 'vendorName', ...bulkFields] as const

export function exportProducts(catalogue: ProductSnapshot, ctx: Ctx, filters: ProductFilters): Promise<Readable> {
  const found = findAdminProducts(catalogue, ctx, filters)
  const cellsOf = (product: CatalogueProduct) => ({
    ...product,
    vendorName: catalogue.vendors.get(product.vendorId)?.name ?? null,
    price: toBhd(product.price).toFixed(3),
    isActive: String(product.isActive),
  })
  async function* rows() {
    for (const product of found) {
      const cells = cellsOf(product)
      yield columns.map((column) => cells[column])
    }
  }
  return csvFile(columns, rows())
}
