import * as z from 'zod/mini'
import { MOST_CELL_LENGTH, MOST_CELLS } from './csv.ts'
import { instant } from './ids.ts'

/** An uploaded file: a part of a form, or the raw request body, which has no name. */
export interface UploadedFile {
  name: string | null
  type: string
  bytes: Uint8Array
  /** The parsed JSON of the form's part `plan`; see `importPlan`. */
  plan?: unknown
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

/** An import that has been carried out. */
export const pastImport = /* @__PURE__ */ z.object({
  id: z.number(),
  fileName: z.nullable(z.string()),
  /** Whose rows these are; null for the whole market. */
  vendor: z.nullable(z.object({ id: z.number(), name: z.string(), nameAr: z.nullable(z.string()) })),
  rows: z.number(),
  created: z.number(),
  updated: z.number(),
  by: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  createdAt: instant,
  undoneAt: z.nullable(instant),
})
export type PastImport = z.output<typeof pastImport>

export const undoneImport = /* @__PURE__ */ z.object({
  /** What it had made and is deleted. */
  removed: z.number(),
  /** What is as it was before the import. */
  restored: z.number(),
  /** What stays, and why. */
  kept: z.array(bulkFailure),
  keptRows: z.number(),
})
export type UndoneImport = z.output<typeof undoneImport>

/**
 * What is done about one problem: keep the only number of the cell, read its comma as a decimal point, empty the cell,
 * write another value instead of this one, or leave the rows out.
 */
const repairActs = ['number', 'point', 'clear', 'replace', 'skip'] as const
export type RepairAct = (typeof repairActs)[number]

const fieldName = /* @__PURE__ */ z.string().check(z.maxLength(100))
const cellText = /* @__PURE__ */ z.string().check(z.maxLength(MOST_CELL_LENGTH))
const fileRow = /* @__PURE__ */ z.int().check(z.gte(0), z.lte(20_000))

/** Columns of a file by the field that they fill, from 0. */
const mapping = /* @__PURE__ */ z.record(
  fieldName,
  z.array(z.int().check(z.gte(0), z.lt(MOST_CELLS))).check(z.maxLength(20)),
)
export type ImportMapping = z.output<typeof mapping>

/** How a table is to be read: what a person has chosen beside the report of a dry run. The part `plan` of the form. */
export const importPlan = /* @__PURE__ */ z.object({
  /** Row of the headings as a spreadsheet numbers it; 0 for a file without. */
  heading: z.optional(fileRow),
  /** Without it, columns are found by their headings, and in a dry run also by their values. */
  mapping: z.optional(mapping),
  /** For all rows with the problem of a field, and for `replace` with this value. */
  repairs: z._default(
    z
      .array(
        z.object({
          field: fieldName,
          problem: z.string().check(z.maxLength(100)),
          act: z.enum(repairActs),
          value: z.optional(cellText),
          to: z.optional(cellText),
        }),
      )
      .check(z.maxLength(200)),
    [],
  ),
  /** Values in place of single cells. */
  cells: z._default(
    z.array(z.object({ row: fileRow, field: fieldName, value: cellText })).check(z.maxLength(1_000)),
    [],
  ),
  /** Rows of the preview. */
  shown: z._default(z.int().check(z.gte(1), z.lte(200)), 5),
})
export type ImportPlan = z.output<typeof importPlan>

/** How a dry run has read a table. */
const fileReading = /* @__PURE__ */ z.object({
  /** 0 without headings. */
  heading: z.number(),
  /** Texts of the rows above the headings. */
  above: z.string(),
  /** Every column with a heading or a value. */
  columns: z.array(
    z.object({
      at: z.number(),
      heading: z.string(),
      /** The first value. */
      sample: z.string(),
      field: z.nullable(z.string()),
      /** Found by a similar heading or by its values: a person confirms it by sending the mapping. */
      isGuessed: z.boolean(),
    }),
  ),
  /** Read as an earlier file of the vendor with the same headings. */
  isRemembered: z.boolean(),
  /** The first rows as they would be stored; `read` is null for a refused value. */
  preview: z.array(
    z.object({
      row: z.number(),
      cells: z.record(
        z.string(),
        z.object({ written: z.string(), read: z.nullable(z.union([z.string(), z.number(), z.boolean()])) }),
      ),
    }),
  ),
  /** Problems by field and kind, those of most rows first. */
  problems: z.array(
    z.object({
      field: z.string(),
      problem: z.string(),
      /** Of the first row. */
      reason: z.string(),
      count: z.number(),
      /** The first ones. */
      rows: z.array(z.number()),
      /** The most frequent values. */
      values: z.array(z.object({ value: z.string(), count: z.number() })),
      /** Repairs by which at least one of the cells can be read. All rows can be left out. */
      acts: z.array(z.enum(repairActs)),
    }),
  ),
  /** Fields whose number was read without the words beside it. */
  changed: z.array(z.object({ field: z.string(), count: z.number(), value: z.string(), read: z.number() })),
  /** Rows that are left out on purpose. */
  skipped: z.number(),
})
export type FileReading = z.output<typeof fileReading>

/** What an import of a table tells beside its counts. */
export const importReport = /* @__PURE__ */ z.object({
  /** Of a dry run of a table. */
  reading: z.optional(fileReading),
  /** Number of data rows; 0 if the whole file is rejected. */
  rows: z.number(),
  columns: z.array(foundColumn),
  failed: z.array(bulkFailure),
})
export type ImportReport = z.output<typeof importReport>
