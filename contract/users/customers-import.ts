import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant, rowId, vendorFilter } from '../lib/ids.ts'
import { langs } from '../lib/lang.ts'
import { page, pageQuery } from '../lib/page.ts'
import { bulkFailure, importQuery, importReport, pastImport, undoneImport, uploadedFile } from '../lib/upload.ts'

export const CUSTOMER_FILE_BYTES = 8_000_000
export const CUSTOMER_ROWS = 10_000
/** Most failures and differences that one response lists. */
export const MOST_LISTED = 5_000

/** Columns of a file, in the order of the template. Only the phone is required. */
export const customerColumns = [
  'phone',
  'name',
  'area',
  'block',
  'road',
  'building',
  'flat',
  'address',
  'tags',
  'notes',
  'marketingConsent',
  'consentSource',
] as const
/** Of a vendor that exchanges bottles: of its only type or of each, and whether deposits were paid, or how much. */
export type BottleColumn = 'bottles' | `bottles:${string}` | 'depositPaid'
export type CustomerColumn = (typeof customerColumns)[number] | BottleColumn

export const customerImportResult = z.extend(importReport, {
  /** New customers. In a dry run, what the import would do. */
  created: z.number(),
  /** Known customers of whom an empty field was filled, or who got a tag, a note or a vendor. */
  updated: z.number(),
  /** Known customers for whom the file has nothing new. */
  unchanged: z.number(),
  failedRows: z.number(),
  /** Values of the file that are not taken because the customer has another one. These rows do not fail. */
  kept: z.array(bulkFailure),
  keptRows: z.number(),
  /** Opening balances of bottles by type, with the BHD of deposits that customers have paid for them. */
  bottles: z.array(z.object({ typeId: z.number(), customers: z.number(), count: z.number(), deposit: z.number() })),
  /** The last import of the same file that was not undone. */
  earlier: z.nullable(z.object({ id: z.number(), createdAt: instant })),
  /** Null in a dry run, and if nothing changed. */
  importId: z.nullable(z.number()),
})
export type CustomerImportResult = z.output<typeof customerImportResult>

const importing = { allow: 'super', permissions: ['customers.import'] } as const

export const importCustomers = endpoint({
  ...importing,
  method: 'POST',
  path: '/api/admin/customers/import',
  summary:
    'Import up to 10,000 customers: a form with a `file` (.csv or .xlsx). Fills empty fields, overwrites nothing',
  query: z.extend(importQuery, {
    /** The vendor whose customers these are: it sees them, with the tags, notes and bottles of the file. */
    vendorId: vendorFilter,
  }),
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: customerImportResult,
  errors: ['BULK_REFUSED', 'VENDOR_NOT_FOUND'],
})

export const listCustomerImports = endpoint({
  ...importing,
  method: 'GET',
  path: '/api/admin/customers/import',
  summary: 'Imports of customers, newest first',
  query: pageQuery,
  returns: page(pastImport),
})

export const undoCustomerImport = endpoint({
  ...importing,
  method: 'DELETE',
  path: '/api/admin/customers/import/{importId}',
  summary: 'Undo an import: everything it made that nobody has used or changed since',
  params: z.object({ importId: rowId }),
  returns: undoneImport,
  errors: ['IMPORT_NOT_FOUND', 'IMPORT_UNDONE'],
})

export const customerTemplate = endpoint({
  ...importing,
  method: 'GET',
  path: '/api/admin/customers/import/template.csv',
  summary: 'Example of a file of customers',
  query: z.object({
    lang: z.optional(z.enum(langs)),
    /** With the bottles of the vendor, if it exchanges any. */
    vendorId: vendorFilter,
  }),
  produces: 'text/csv; charset=utf-8',
  returns: z.string(),
})
