import * as z from 'zod/mini'

/** An uploaded file: a part of a form, or the raw request body, which has no name. */
export interface UploadedFile {
  name: string | null
  type: string
  bytes: Uint8Array
}

export const uploadedFile = z.custom<UploadedFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array,
  'validation.required',
)

const yes = /* @__PURE__ */ z.optional(
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text: 'true' | 'false') => text === 'true'),
  ),
)

/** How rows are imported. */
export const importQuery = /* @__PURE__ */ z.object({
  /** Validates only and reports the result of every row. */
  dryRun: yes,
  /** Imports the valid rows and skips the others. Without it, one invalid row rejects the file. */
  partial: yes,
})

/** A column of an uploaded table that has a value. */
export const foundColumn = /* @__PURE__ */ z.object({
  /** As in the file; the letter of a column without a heading. */
  heading: z.string(),
  /** Column name of the API; null if the column is not used. */
  field: z.nullable(z.string()),
})
export type FoundColumn = z.output<typeof foundColumn>

/** Why a row or a cell of an uploaded table is rejected. */
export const bulkFailure = /* @__PURE__ */ z.object({
  /** As a spreadsheet numbers it, with the heading; in JSON the place in the list, from 1. 0 for the file itself. */
  row: z.number(),
  /** Column name of the API; `file` for problems of the file itself. */
  field: z.string(),
  /** In the language of the request. */
  reason: z.string(),
  /** What the cell has, shortened. */
  value: z.optional(z.string()),
})
export type BulkFailure = z.output<typeof bulkFailure>
