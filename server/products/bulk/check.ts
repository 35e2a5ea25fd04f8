import { setImmediate as breathe } from 'node:timers/promises'
import { fieldWords } from '@qatra/contract/lib/fields'
import { rowIdNumber } from '@qatra/contract/lib/ids'
import type { BulkFailure } from '@qatra/contract/lib/upload'
import { type BulkColumn, type BulkField, bulkFields, requiredBulkFields } from '@qatra/contract/products/bulk'
import { duplicateKey, productDefaults, productShape } from '@qatra/contract/products/fields'
import { shownValue, withoutEscape } from '../../lib/table-file/cells.ts'
import type { Translator } from '../../lib/translate.ts'
import { type ProductFacts, withUnitNames } from '../facts.ts'
import type { RawFile, RawRow } from './read.ts'
import { isAmbiguous, isFormula, valueOf } from './values.ts'

export interface CheckedRow {
  row: number
  facts: ProductFacts
}

/** A row with a product's id: the values of the row, and the product's facts after the change. */
export interface ChangedRow extends CheckedRow {
  id: number
  given: Partial<ProductFacts>
}

export interface Checked {
  good: CheckedRow[]
  changed: ChangedRow[]
  failed: BulkFailure[]
  /** Rows that name a vendor out of reach. */
  foreign: number[]
}

interface Rules {
  words: Translator
  /** Null reaches every vendor. */
  ownVendorId: number | null
  /** Of rows that name none. */
  vendorId: number | null
  hasVendor: (id: number) => boolean
  /** By its name in either language. */
  findVendor: (name: string) => number | null
  /** Facts of a product the actor can change, else null. */
  findProduct: (id: number) => ProductFacts | null
}

/** Rows between two yields to the event loop. */
const AT_ONCE = 50
const required: ReadonlySet<BulkField> = new Set(requiredBulkFields)

/** Checks each row alone and for duplicates among earlier rows; does not read stored products. */
export async function checkRows(
  { kind, rows }: Pick<RawFile, 'kind' | 'rows'>,
  rules: Rules,
  signal: AbortSignal,
): Promise<Checked> {
  const checked: Checked = { good: [], changed: [], failed: [], foreign: [] }
  const seen = new Map<string, number>()
  const seenIds = new Map<number, number>()
  for (const [i, raw] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    const failed: BulkFailure[] = []
    const refuse = (field: BulkColumn, key: string, about?: Record<string, number>) =>
      void failed.push({ row: raw.row, field, reason: rules.words(key, about), ...shownValue(raw.values[field]) })
    const id = idOf(raw)
    const stored = typeof id === 'number' ? rules.findProduct(id) : null
    if (id !== null && stored === null) refuse('id', 'bulk.unknownId')
    if (typeof id === 'number') {
      const first = seenIds.get(id)
      if (first === undefined) seenIds.set(id, raw.row)
      else refuse('id', 'bulk.repeatedId', { row: first })
    }
    const given = checkRow(raw, { isTable: kind === 'table', isNew: id === null }, rules, failed)
    const values = { ...(id === null && rules.vendorId !== null && { vendorId: rules.vendorId }), ...stored, ...given }
    const { vendorId, name, size } = values
    const isNamed = failed.some(({ field }) => field === 'vendorId')
    if (id === null && vendorId === undefined && !isNamed) refuse('vendorId', 'bulk.noVendor')
    if (typeof vendorId === 'number') {
      if (rules.ownVendorId !== null && vendorId !== rules.ownVendorId) {
        checked.foreign.push(raw.row)
        refuse('vendorId', 'bulk.foreignVendor')
      } else if (!rules.hasVendor(vendorId)) refuse('vendorId', 'validation.unknownVendor')
      if (typeof name === 'string' && typeof size === 'string') {
        const key = `${vendorId}|${duplicateKey(name, size)}`
        const first = seen.get(key)
        if (first === undefined) seen.set(key, raw.row)
        else refuse('name', 'bulk.repeated', { row: first })
      }
    }
    if (failed.length > 0) checked.failed.push(...failed)
    // Every field has a value or a default.
    else if (typeof id === 'number') {
      checked.changed.push({ row: raw.row, id, given: given as Partial<ProductFacts>, facts: values as ProductFacts })
    } else checked.good.push({ row: raw.row, facts: withUnitNames({ ...productDefaults, ...values } as ProductFacts) })
  }
  return checked
}

type Values = { [field in BulkField]?: unknown }

/** The product's id; null for a new product, undefined for an invalid id. */
function idOf({ values }: RawRow): number | null | undefined {
  const value = valueOf('id', values.id)
  return value === undefined ? null : rowIdNumber.safeParse(value).data
}

/** Of a row that gives none: the vendor of the upload, and the Arabic name. */
const hasDefault = (field: BulkField, { values }: RawRow, isTable: boolean) =>
  field === 'vendorId' || (field === 'name' && isTable && valueOf('nameAr', values.nameAr) !== undefined)

/**
 * Returns valid values by field and adds one failure per invalid field to `failed`. A new product needs all required
 * fields; an update must not clear them.
 */
function checkRow(
  raw: RawRow,
  { isTable, isNew }: { isTable: boolean; isNew: boolean },
  { words, findVendor }: Rules,
  failed: BulkFailure[],
): Values {
  const values: Values = {}
  const refuse = (field: BulkField | 'row', key: string, about?: Record<string, number>) =>
    void failed.push({
      row: raw.row,
      field,
      reason: words(key, about),
      ...(field === 'row' ? {} : shownValue(raw.values[field])),
    })
  if (raw.isMisshapen) {
    refuse('row', isTable ? 'bulk.extraCells' : 'bulk.noObject')
    if (!isTable) return values
  }
  for (const field of bulkFields) {
    const written = raw.values[field]
    if (isTable && typeof written === 'string' && isFormula(written)) {
      refuse(field, 'bulk.formula')
      continue
    }
    const found = valueOf(field, isTable && typeof written === 'string' ? withoutEscape(written) : written)
    const value = field === 'vendorId' && typeof found === 'string' ? (findVendor(found) ?? found) : found
    if (value === undefined) {
      if (hasDefault(field, raw, isTable)) continue
      if (isNew ? required.has(field) : written !== undefined && !(field in productDefaults))
        refuse(field, 'validation.required')
      else if (!isNew && written !== undefined) values[field] = productDefaults[field as keyof typeof productDefaults]
    } else if (isAmbiguous(field, written)) refuse(field, 'bulk.comma')
    else if (field === 'vendorId' && typeof value === 'string') refuse(field, 'bulk.unknownVendor')
    else if (field === 'isActive' && typeof value === 'string') refuse(field, 'bulk.yesOrNo')
    else if (isTable && field === 'vatPercentage' && isShareOfOne(value)) refuse(field, 'bulk.share')
    else {
      const result = productShape[field].safeParse(value)
      const [issue] = result.error?.issues ?? []
      if (issue) {
        const message = fieldWords(issue)
        refuse(field, message.key, message.values)
      } else values[field] = result.data
    }
  }
  if (isNew && values.name === undefined && values.nameAr) values.name = values.nameAr
  return values
}

/** Excel stores 10 % as 0.1. */
const isShareOfOne = (value: unknown) => typeof value === 'number' && value > 0 && value < 1
