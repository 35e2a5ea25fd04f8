import type { Readable } from 'node:stream'
import { plainAmount, toBhd } from '@qatra/contract/lib/money'
import { bulkFields } from '@qatra/contract/products/bulk'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { findAdminProducts, type ProductFilters } from './admin.queries.ts'
import type { CatalogueProduct, ProductSnapshot } from './snapshot.ts'

/** Exports the columns of an upload, so that the file can be edited and uploaded again: the id selects the product. */
export const exportProducts = (catalogue: ProductSnapshot, ctx: Ctx, filters: ProductFilters): Promise<Readable> =>
  csvFile<CatalogueProduct>({
    rows: findAdminProducts(catalogue, ctx, filters),
    columns: {
      id: ({ id }) => id,
      vendorName: ({ vendorId }) => catalogue.vendors.get(vendorId)?.name ?? null,
      ...Object.fromEntries(bulkFields.map((field) => [field, (product) => product[field]])),
      price: ({ price }) => plainAmount(toBhd(price)),
      isActive: ({ isActive }) => String(isActive),
    },
  })
