import { setImmediate as breathe } from 'node:timers/promises'
import { fieldWords } from '@qatra/contract/lib/fields'
import { rowIdNumber } from '@qatra/contract/lib/ids'
import {
  type BulkColumn,
  type BulkFailure,
  type BulkField,
  bulkFields,
  requiredBulkFields,
} from '@qatra/contract/products/bulk'
import { duplicateKey, productDefaults, productShape } from '@qatra/contract/products/fields'
import { withoutEscape } from '../../lib/table-file/cells.ts'
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
  hasVendor: (id: number) => boolean
  /** Facts of a product the actor can change, else null. */
  findProduct: (id: number) => ProductFacts | null
}

/** Rows between two yields to the event loop. */
const AT_ONCE = 50
const required: ReadonlySet<BulkField> = new Set(requiredBulkFields)

/** Checks each row alone and for duplicates among earlier rows; does not read stored products. */
export async function checkRows({ kind, rows }: RawFile, rules: Rules, signal: AbortSignal): Promise<Checked> {
  const checked: Checked = { good: [], changed: [], failed: [], foreign: [] }
  const seen = new Map<string, number>()
  const seenIds = new Map<number, number>()
  for (const [i, raw] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    const failed: BulkFailure[] = []
    const refuse = (field: BulkColumn, key: string, about?: Record<string, number>) =>
      void failed.push({ row: raw.row, field, reason: rules.words(key, about) })
    const id = idOf(raw)
    const stored = typeof id === 'number' ? rules.findProduct(id) : null
    if (id !== null && stored === null) refuse('id', 'bulk.unknownId')
    if (typeof id === 'number') {
      const first = seenIds.get(id)
      if (first === undefined) seenIds.set(id, raw.row)
      else refuse('id', 'bulk.repeatedId', { row: first })
    }
    const given = checkRow(raw, { isCsv: kind === 'csv', isNew: id === null }, rules, failed)
    const values = { ...stored, ...given }
    const { vendorId, name, size } = values
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

/**
 * Returns valid values by field and adds one failure per invalid field to `failed`. A new product needs all required
 * fields; an update must not clear them, except the picture.
 */
function checkRow(
  raw: RawRow,
  { isCsv, isNew }: { isCsv: boolean; isNew: boolean },
  { words }: Rules,
  failed: BulkFailure[],
): Values {
  const values: Values = {}
  const refuse = (field: string, reason: string) => void failed.push({ row: raw.row, field, reason })
  if (raw.isMisshapen) {
    refuse('row', words(isCsv ? 'bulk.extraCells' : 'bulk.noObject'))
    if (!isCsv) return values
  }
  for (const field of bulkFields) {
    const written = raw.values[field]
    if (isCsv && typeof written === 'string' && isFormula(written)) {
      refuse(field, words('bulk.formula'))
      continue
    }
    const value = valueOf(field, isCsv && typeof written === 'string' ? withoutEscape(written) : written)
    if (value === undefined) {
      if (isNew ? required.has(field) : written !== undefined && !(field in productDefaults))
        refuse(field, words('validation.required'))
      else if (!isNew && written !== undefined) values[field] = productDefaults[field as keyof typeof productDefaults]
    } else if (isAmbiguous(field, written)) refuse(field, words('bulk.comma'))
    else {
      const result = productShape[field].safeParse(value)
      const [issue] = result.error?.issues ?? []
      if (issue) {
        const message = fieldWords(issue)
        refuse(field, words(message.key, message.values))
      } else values[field] = result.data
    }
  }
  return values
}
