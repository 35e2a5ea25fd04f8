import { westernDigits } from '@qatra/contract/lib/digits'
import { fold } from '@qatra/contract/lib/text'
import type { BulkColumn } from '@qatra/contract/products/bulk'
import { unitPresets } from '@qatra/contract/products/fields'
import { isPieceWord } from '@qatra/contract/products/unit-text'
import { yesOrNo } from '../../lib/table-file/cells.ts'

const numeric: ReadonlySet<BulkColumn> = new Set(['id', 'vendorId', 'price', 'vatPercentage', 'unitsPerInventoryUnit'])
/** Whether a spreadsheet would evaluate the cell as a formula; signed numbers are not formulas. */
export function isFormula(cell: string): boolean {
  const text = cell.replace(/^ +/, '')
  if (/^[=@\t\r]/.test(text)) return true
  return /^[+-]/.test(text) && !/^[+-]\d{1,15}(?:[.,]\d{1,15})?$/.test(westernDigits(text).trim())
}

const dinar = '(?:bhd|b\\.?d\\.?|dinars?|\\.?د\\.? ?ب\\.?|دينار(?: بحريني)?)'
const beforeAmount = new RegExp(`^${dinar} ?`)
const afterAmount = new RegExp(` ?${dinar}$`)

/** The digits of a cell, a price without `BD`, `BHD`, `د.ب` or `دينار`. */
function plainDigits(field: BulkColumn, text: string): string {
  if (field !== 'price' || text.length > 100) return westernDigits(text).trim()
  const folded = fold(text)
  const bare = folded.replace(beforeAmount, '')
  return (bare === folded ? folded.replace(afterAmount, '') : bare).trim()
}

/** `1,500` can mean 1.5 or 1500. */
export const isAmbiguous = (field: BulkColumn, value: unknown): boolean =>
  numeric.has(field) && typeof value === 'string' && /^[1-9]\d*,\d{3}$/.test(plainDigits(field, value))

function numberIn(field: BulkColumn, text: string): number | null {
  const written = plainDigits(field, text)
  const plain = written
    .replace(/[\s\u00a0\u066c]/g, '')
    .replace('\u066b', '.')
    .replace(/[%\u066a]$/, '')
    .replace(/^(\d+),(\d{1,3})$/, '$1.$2')
  if (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(plain)) return Number(plain)
  // `24 حبة`, `24 pcs`, `كرتون 24`
  const [, count] =
    (field === 'unitsPerInventoryUnit' && /^[\p{L}\p{M}\s()×.]*?(\d{1,5})[\p{L}\p{M}\s().]*$/u.exec(written)) || []
  return count === undefined ? null : Number(count)
}

const available = new Set(['available', 'in stock', 'متوفر', 'متاح', 'موجود'].map(fold))
const unavailable = new Set(
  ['unavailable', 'not available', 'out of stock', 'غير متوفر', 'غير متاح', 'غير موجود', 'نفد', 'نفذ', 'موقوف'].map(
    fold,
  ),
)

function answerIn(text: string): boolean | null {
  const folded = fold(text)
  return available.has(folded) ? true : unavailable.has(folded) ? false : yesOrNo(text)
}

/** Converts an entered value to the field's type; returns others unchanged, so that the field's schema rejects them. */
export function valueOf(field: BulkColumn, written: unknown): unknown {
  if (written === undefined || written === null) return undefined
  if (typeof written !== 'string') return written
  const text = written.trim()
  if (text === '') return undefined
  if (text.length > 100) return text
  if (numeric.has(field)) return numberIn(field, text) ?? text
  if (field !== 'isActive') return text
  return answerIn(text) ?? text
}

const unitOfMany =
  /^(\p{L}[\p{L}\p{M} ]{0,40}?) ?(?:[x×*(:-]|of|من|فيه|فيها|به)? ?(\d{1,4}) ?([\p{L}\p{M}]{1,20})?\)?$/iu

/**
 * Unit and number that a file has in one cell, `كرتون 24` or `Carton of 24`, and both names of a common unit that is
 * written in Arabic.
 */
export function splitUnit(values: Partial<Record<BulkColumn, unknown>>): Partial<Record<BulkColumn, unknown>> {
  const { inventoryUnit: written, inventoryUnitAr, unitsPerInventoryUnit } = values
  if (typeof written !== 'string' || written.length > 100) return values
  const hasUnits = typeof unitsPerInventoryUnit === 'string' && unitsPerInventoryUnit.trim() !== ''
  const found = hasUnits ? null : unitOfMany.exec(westernDigits(written).trim().replace(/\s+/g, ' '))
  const [, name, units, pieces = 'pcs'] = found ?? []
  const isSplit = isPieceWord(pieces)
  const unit = (isSplit && name) || written
  const preset = unitPresets.find(({ ar }) => fold(ar) === fold(unit))
  const hasArabic = typeof inventoryUnitAr === 'string' && inventoryUnitAr.trim() !== ''
  return {
    ...values,
    inventoryUnit: preset?.en ?? unit,
    ...(preset && !hasArabic ? { inventoryUnitAr: preset.ar } : {}),
    ...(isSplit && units !== undefined && { unitsPerInventoryUnit: units }),
  }
}
