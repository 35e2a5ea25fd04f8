import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { vendorFilter } from '../lib/ids.ts'
import { bulkFailure, foundColumn, uploadedFile } from '../lib/upload.ts'

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
] as const
export type BulkField = (typeof bulkFields)[number]
/** The vendor of a row without one is that of the upload. */
export const requiredBulkFields = ['vendorId', 'name', 'price', 'size'] as const satisfies readonly BulkField[]

/** Columns of a file: a row with a product's `id` updates it, a row without one creates a product. */
export const bulkColumns = ['id', ...bulkFields] as const
export type BulkColumn = (typeof bulkColumns)[number]

const yesOrNo = z.optional(z.enum(['true', 'false']))

export const bulkResult = z.object({
  created: z.number(),
  /** Number of updated products; in a dry run, of products that would be updated. Omitted when 0. */
  updated: z.optional(z.number()),
  failed: z.array(bulkFailure),
  /** Number of data rows; 0 if the whole file is rejected. */
  rows: z.number(),
  columns: z.array(foundColumn),
})
export type BulkResult = z.output<typeof bulkResult>

export const bulkProducts = endpoint({
  method: 'POST',
  path: '/api/admin/products/bulk',
  allow: 'admin',
  permissions: ['products.read', 'products.write'],
  summary: 'Create or change up to 1000 products: {"products": [...]}, or a form with a `file` (.xlsx, .csv or .json)',
  query: z.object({
    /** Validates only and reports the result of every row. */
    dryRun: yesOrNo,
    /** Imports the valid rows and skips the others. Without it, one invalid row rejects the file. */
    partial: yesOrNo,
    /** The vendor of rows that name none. A vendor's own people need not give it. */
    vendorId: vendorFilter,
  }),
  accepts: ['application/json', 'multipart/form-data'],
  body: uploadedFile,
  returns: bulkResult,
  errors: ['BULK_REFUSED'],
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
