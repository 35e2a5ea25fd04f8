import { type BulkField, bulkFields } from '@qatra/contract/products/bulk'
import { duplicateKey, productDefaults } from '@qatra/contract/products/fields'
import type { RowFailure } from '../../import/problem.ts'
import { isBlank, type ReadRow } from '../../import/rows.ts'
import { type ProductFacts, withUnitNames } from '../facts.ts'
import { columns, type ProductCells } from './columns.ts'

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
  /** Failures of rows that name a vendor out of reach. */
  foreign: RowFailure[]
}

interface Rules {
  /** Null reaches every vendor. */
  ownVendorId: number | null
  /** Of rows that name none. */
  vendorId: number | null
  hasVendor: (id: number) => boolean
  /** By its name in either language. */
  findVendor: (name: string) => number | null
  /** The vendor's type of this name in either language, or without a name its only one. */
  findBottle: (vendorId: number, name: string | undefined) => number | null
  /** Facts of a product the actor can change, else null. */
  findProduct: (id: number) => ProductFacts | null
}

type Row = ReadRow<ProductCells, unknown>

/** Checks each row alone and for duplicates among earlier rows; does not read stored products. */
export async function checkRows(rows: AsyncIterable<Row>, rules: Rules): Promise<Checked> {
  const checked: Checked = { good: [], changed: [], foreign: [] }
  const firstRows = new Map<string | number, number>()
  /** The first row with this key, if it is another one. */
  const earlier = (key: string | number, row: number) => {
    const first = firstRows.get(key)
    if (first === undefined) firstRows.set(key, row)
    return first
  }
  for await (const read of rows) {
    const { row, refuse, refused } = read
    const { id } = read.values
    const isNew = id === undefined
    const stored = id ? rules.findProduct(id) : null
    if (id && stored === null) refuse('id', 'bulk.unknownId')
    const same = id ? earlier(id, row) : undefined
    if (same !== undefined) refuse('id', 'bulk.repeatedId', { row: same })
    const given = givenFacts(read, rules.findVendor)
    const values = { ...(isNew && rules.vendorId !== null && { vendorId: rules.vendorId }), ...stored, ...given }
    const { vendorId, name, size } = values
    if (vendorId === undefined) {
      if (isNew && !refused.has('vendorId')) refuse('vendorId', 'bulk.noVendor')
    } else {
      if (rules.ownVendorId !== null && vendorId !== rules.ownVendorId) {
        refuse('vendorId', 'bulk.foreignVendor')
        read.reportTo(checked.foreign)('vendorId', 'bulk.foreignVendor')
      } else if (!rules.hasVendor(vendorId)) refuse('vendorId', 'validation.unknownVendor')
      const own = stored?.vendorId === vendorId ? stored.bottle : null
      const bottle = refused.has('vendorId')
        ? undefined
        : givenBottle(read, own, (called) => rules.findBottle(vendorId, called))
      if (bottle !== undefined) values.bottle = given.bottle = bottle
      const twin = name && size ? earlier(`${vendorId}|${duplicateKey(name, size)}`, row) : undefined
      if (twin !== undefined) refuse('name', 'bulk.repeated', { row: twin })
    }
    if (refused.size > 0) continue
    // Every field has a value or a default.
    if (id) checked.changed.push({ row, id, given, facts: values as ProductFacts })
    else checked.good.push({ row, facts: withUnitNames({ ...productDefaults, ...values } as ProductFacts) })
  }
  return checked
}

/** The acceptable values by field. A new product needs all required fields; an update must not clear them. */
function givenFacts(read: Row, findVendor: Rules['findVendor']): Partial<ProductFacts> {
  const { written, refuse, refused, isJson } = read
  const { id, vendorId: named, ...cells } = read.values
  const isNew = id === undefined
  const vendorId = typeof named === 'string' ? (findVendor(named) ?? refuse('vendorId', 'bulk.unknownVendor')) : named
  const values = { ...cells, vendorId }
  /** Of a row that gives none: the vendor of the upload, and in a table the Arabic name. */
  const hasDefault = (field: BulkField) =>
    field === 'vendorId' || (field === 'name' && !isJson && !isBlank(written.nameAr))
  const given: { [field in BulkField]?: unknown } = {}
  for (const field of bulkFields) {
    if (field === 'bottleType' || field === 'bottleTerms') continue
    if (refused.has(field)) continue
    const isGiven = written[field] !== undefined
    if (values[field] !== undefined) given[field] = values[field]
    else if (hasDefault(field)) continue
    else if (isNew ? columns[field].isRequired : isGiven && !(field in productDefaults))
      refuse(field, 'validation.required')
    else if (!isNew && isGiven) given[field] = productDefaults[field as keyof typeof productDefaults]
  }
  if (isNew && given.name === undefined && cells.nameAr) given.name = cells.nameAr
  return given as Partial<ProductFacts> // as the columns read them
}

/** The bottle that the row gives a product; undefined if it leaves the stored one. */
function givenBottle(
  { written, values, refuse, refused }: Row,
  stored: ProductFacts['bottle'],
  findBottle: (name: string | undefined) => number | null,
): ProductFacts['bottle'] | undefined {
  const { bottleType: name, bottleTerms } = values
  if (refused.has('bottleType') || refused.has('bottleTerms')) return undefined
  if (!name && !bottleTerms) return written.bottleType === undefined || stored === null ? undefined : null
  const typeId = name ? findBottle(name) : (stored?.typeId ?? findBottle(undefined))
  const terms = bottleTerms ?? stored?.terms
  if (typeId === null) refuse('bottleType', name ? 'bulk.unknownBottle' : 'bulk.noBottle')
  if (!terms) refuse('bottleTerms', 'bulk.bottleTerms')
  if (typeId === null || !terms || (stored?.typeId === typeId && stored.terms === terms)) return undefined
  return { typeId, terms }
}
