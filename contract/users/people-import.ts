import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { vendorFilter } from '../lib/ids.ts'
import { importQuery, importReport, uploadedFile } from '../lib/upload.ts'

export const PEOPLE_BYTES = 1_000_000
export const PEOPLE_ROWS = 200

/** Columns of a file of staff and drivers. */
export const staffColumns = ['phone', 'name', 'role'] as const
export type StaffColumn = (typeof staffColumns)[number]

const staffImportResult = z.extend(importReport, {
  /** New accounts, or invitations of a vendor's admin. In a dry run, what the import would do. */
  created: z.number(),
  failedRows: z.number(),
})
export type StaffImportResult = z.output<typeof staffImportResult>

export const importPeople = endpoint({
  method: 'POST',
  path: '/api/admin/users/import',
  allow: ['super_admin', 'vendor_admin'],
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary:
    'Add up to 200 drivers and staff, or invite them (vendor admin): a form with a `file` (.xlsx, .csv, or .txt with a person in each line)',
  query: z.extend(importQuery, {
    /** The vendor for which they work. A vendor's admin need not give it. */
    vendorId: vendorFilter,
  }),
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: staffImportResult,
  errors: ['BULK_REFUSED'],
})
