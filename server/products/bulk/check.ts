import { setImmediate as breathe } from 'node:timers/promises'
import { fieldWords } from '@qatra/contract/fields'
import { duplicateKey, productDefaults, productShape } from '@qatra/contract/product-fields'
import { type BulkFailure, type BulkField, bulkFields, requiredBulkFields } from '@qatra/contract/products-bulk'
import type { Words } from '../../platform/words.ts'
import { type ProductFacts, withUnitNames } from '../facts.ts'
import type { RawFile, RawRow } from './read.ts'
import { isAmbiguous, isFormula, valueOf } from './values.ts'

export interface CheckedRow {
  row: number
  facts: ProductFacts
}

export interface Checked {
  good: CheckedRow[]
  failed: BulkFailure[]
  /** Rows that name a vendor out of reach. */
  foreign: number[]
}

interface Rules {
  words: Words
  /** Null reaches every vendor. */
  ownVendorId: number | null
  hasVendor: (id: number) => boolean
}

/** Rows between which others get a turn. */
const AT_ONCE = 50
const required: ReadonlySet<BulkField> = new Set(requiredBulkFields)

/** What each row of a file comes to by itself and beside the rows before it; the shop's own products are not asked. */
export async function checkRows({ kind, rows }: RawFile, rules: Rules, signal: AbortSignal): Promise<Checked> {
  const checked: Checked = { good: [], failed: [], foreign: [] }
  const seen = new Map<string, number>()
  for (const [i, raw] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    const { values, failed } = checkRow(raw, kind === 'csv', rules)
    const refuse = (field: BulkField, key: string, about?: Record<string, number>) =>
      void failed.push({ row: raw.row, field, reason: rules.words(key, about) })
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
    // Every field of the shape was there, right or by default.
    else checked.good.push({ row: raw.row, facts: withUnitNames({ ...productDefaults, ...values } as ProductFacts) })
  }
  return checked
}

type Values = { [field in BulkField]?: unknown }

/** Right values by field, and what is wrong with the others: one reason for each field. */
function checkRow(raw: RawRow, isCsv: boolean, { words }: Rules): { values: Values; failed: BulkFailure[] } {
  const failed: BulkFailure[] = []
  const values: Values = {}
  const refuse = (field: string, reason: string) => void failed.push({ row: raw.row, field, reason })
  if (raw.isMisshapen) {
    refuse('row', words(isCsv ? 'bulk.extraCells' : 'bulk.noObject'))
    if (!isCsv) return { values, failed }
  }
  for (const field of bulkFields) {
    const written = raw.values[field]
    if (isCsv && typeof written === 'string' && isFormula(written)) {
      refuse(field, words('bulk.formula'))
      continue
    }
    const value = valueOf(field, written)
    if (value === undefined) {
      if (required.has(field)) refuse(field, words('validation.required'))
    } else if (isAmbiguous(field, written)) refuse(field, words('bulk.comma'))
    else {
      const result = productShape[field].safeParse(value)
      const [issue] = result.error?.issues ?? []
      if (issue) {
        const told = fieldWords(issue)
        refuse(field, words(told.key, told.values))
      } else values[field] = result.data
    }
  }
  return { values, failed }
}
