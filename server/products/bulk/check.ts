import type { BulkFailure } from '@qatra/contract/lib/upload'
import { type BulkColumn, type BulkField, bulkFields } from '@qatra/contract/products/bulk'
import { duplicateKey, productDefaults } from '@qatra/contract/products/fields'
import { cellReader, forEachRow, isBlank, reporter } from '../../import/rows.ts'
import type { Table, TableRow } from '../../import/table.ts'
import type { Translator } from '../../lib/translate.ts'
import { type ProductFacts, withUnitNames } from '../facts.ts'
import { columns } from './columns.ts'
import { isFormula, splitUnit } from './values.ts'

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

type Row = TableRow<BulkColumn, unknown>

/** Checks each row alone and for duplicates among earlier rows; does not read stored products. */
export async function checkRows(
  { isJson = false, rows }: Pick<Table<BulkColumn, unknown>, 'isJson' | 'rows'>,
  rules: Rules,
  signal: AbortSignal,
): Promise<Checked> {
  const checked: Checked = { good: [], changed: [], failed: [], foreign: [] }
  const seen = new Map<string, number>()
  const seenIds = new Map<number, number>()
  await forEachRow(rows, signal, (written) => {
    const row = isJson ? written : { ...written, values: splitUnit(written.values) }
    const failed: BulkFailure[] = []
    const refuse = reporter<BulkColumn>(failed, row, rules.words)
    const isNew = isBlank(row.values.id)
    const id = isNew ? null : columns.id.read(row.values.id, (key) => refuse('id', key), { ...rules, isTable: !isJson })
    const stored = id === null ? null : rules.findProduct(id)
    if (!isNew && stored === null) refuse('id', 'bulk.unknownId')
    if (id !== null) {
      const first = seenIds.get(id)
      if (first === undefined) seenIds.set(id, row.row)
      else refuse('id', 'bulk.repeatedId', { row: first })
    }
    const given = readFields(row, { isJson, isNew }, rules, failed)
    const values = { ...(isNew && rules.vendorId !== null && { vendorId: rules.vendorId }), ...stored, ...given }
    const { vendorId, name, size } = values
    const isNamed = failed.some(({ field }) => field === 'vendorId')
    if (isNew && vendorId === undefined && !isNamed) refuse('vendorId', 'bulk.noVendor')
    if (vendorId !== undefined) {
      if (rules.ownVendorId !== null && vendorId !== rules.ownVendorId) {
        checked.foreign.push(row.row)
        refuse('vendorId', 'bulk.foreignVendor')
      } else if (!rules.hasVendor(vendorId)) refuse('vendorId', 'validation.unknownVendor')
      if (name !== undefined && size !== undefined) {
        const key = `${vendorId}|${duplicateKey(name, size)}`
        const first = seen.get(key)
        if (first === undefined) seen.set(key, row.row)
        else refuse('name', 'bulk.repeated', { row: first })
      }
    }
    if (failed.length > 0) checked.failed.push(...failed)
    // Every field has a value or a default.
    else if (id !== null) checked.changed.push({ row: row.row, id, given, facts: values as ProductFacts })
    else checked.good.push({ row: row.row, facts: withUnitNames({ ...productDefaults, ...values } as ProductFacts) })
  })
  return checked
}

/** Of a row that gives none: the vendor of the upload, and the Arabic name. */
const hasDefault = (field: BulkField, { values }: Row, isJson: boolean) =>
  field === 'vendorId' || (field === 'name' && !isJson && !isBlank(values.nameAr))

/**
 * The valid values by field; adds to `failed` what is wrong with the others. A new product needs all required fields; an
 * update must not clear them.
 */
function readFields(
  row: Row,
  { isJson, isNew }: { isJson: boolean; isNew: boolean },
  rules: Rules,
  failed: BulkFailure[],
): Partial<ProductFacts> {
  const values: { [field in BulkField]?: unknown } = {}
  const report = reporter<BulkColumn>(failed, row, rules.words)
  if (row.isMisshapen) {
    report('row', isJson ? 'bulk.noObject' : 'bulk.extraCells')
    if (isJson) return {}
  }
  const cellRules = { ...rules, isTable: !isJson }
  const read = cellReader(columns, row, { isJson, report, scope: 'bulk', isFormula, rules: cellRules })
  for (const field of bulkFields) {
    const before = failed.length
    const value = read(field)
    const isGiven = row.values[field] !== undefined
    if (failed.length > before) continue
    if (value !== undefined) values[field] = value
    else if (hasDefault(field, row, isJson)) continue
    else if (isNew ? columns[field].isRequired : isGiven && !(field in productDefaults))
      report(field, 'validation.required')
    else if (!isNew && isGiven) values[field] = productDefaults[field as keyof typeof productDefaults]
  }
  if (isNew && values.name === undefined && values.nameAr) values.name = values.nameAr
  return values as Partial<ProductFacts> // as the columns read them
}
