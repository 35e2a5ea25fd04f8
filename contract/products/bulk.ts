import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { rowId, vendorFilter } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { importQuery, importReport, pastImport, undoneImport, uploadedFile } from '../lib/upload.ts'
import { waterNames } from './water.ts'

export const BULK_BYTES = 4_000_000
export const BULK_ROWS = 1000

/** Columns of a file, required ones first, in the order of the template. */
export const bulkFields = [
  'vendorId',
  'name',
  'price',
  'size',
  'imageUrl',
  'nameAr',
  'description',
  'descriptionAr',
  'vatPercentage',
  'isActive',
  'inventoryUnit',
  'inventoryUnitAr',
  'unitsPerInventoryUnit',
  'bottleType',
  'bottleTerms',
  ...waterNames,
] as const
export type BulkField = (typeof bulkFields)[number]

/** Columns of a file: a row with a product's `id` updates it, a row without one creates a product. */
export const bulkColumns = ['id', ...bulkFields] as const
export type BulkColumn = (typeof bulkColumns)[number]

export const bulkResult = z.extend(importReport, {
  created: z.number(),
  /** Number of updated products; in a dry run, of products that would be updated. Omitted when 0. */
  updated: z.optional(z.number()),
  /** Omitted in a dry run. */
  importId: z.optional(z.number()),
})
export type BulkResult = z.output<typeof bulkResult>

export const bulkProducts = endpoint({
  method: 'POST',
  path: '/api/admin/products/bulk',
  allow: 'admin',
  permissions: ['products.read', 'products.write'],
  summary: 'Create or change up to 1000 products: {"products": [...]}, or a form with a `file` (.xlsx, .csv or .json)',
  query: z.extend(importQuery, {
    /** The vendor of rows that name none. A vendor's own people need not give it. */
    vendorId: vendorFilter,
  }),
  accepts: ['application/json', 'multipart/form-data'],
  body: uploadedFile,
  returns: bulkResult,
  errors: ['BULK_REFUSED'],
})

export const listProductImports = endpoint({
  method: 'GET',
  path: '/api/admin/products/bulk',
  allow: 'admin',
  permissions: ['products.read', 'products.write'],
  summary: 'Uploads of products, newest first',
  query: pageQuery,
  returns: page(pastImport),
})

export const undoProductImport = endpoint({
  method: 'DELETE',
  path: '/api/admin/products/bulk/{importId}',
  allow: 'admin',
  permissions: ['products.read', 'products.write'],
  summary: 'Undo an upload: deletes its products and restores those it changed, unless ordered or changed since',
  params: z.object({ importId: rowId }),
  returns: undoneImport,
  errors: ['IMPORT_NOT_FOUND', 'IMPORT_UNDONE'],
})

export const bulkTemplate = endpoint({
  method: 'GET',
  path: '/api/admin/products/bulk/template.csv',
  allow: 'admin',
  permissions: ['products.read', 'products.write'],
  summary: 'Example of an upload file',
  produces: 'text/csv; charset=utf-8',
  returns: z.string(),
})
