import { westernDigits } from '@qatra/contract/lib/digits'
import type { BulkColumn } from '@qatra/contract/products/bulk'
import { yesOrNo } from '../../lib/table-file/cells.ts'

const numeric: ReadonlySet<BulkColumn> = new Set(['id', 'vendorId', 'price', 'vatPercentage', 'unitsPerInventoryUnit'])
/** Whether a spreadsheet would evaluate the cell as a formula; signed numbers are not formulas. */
export function isFormula(cell: string): boolean {
  const text = cell.replace(/^ +/, '')
  if (/^[=@\t\r]/.test(text)) return true
  return /^[+-]/.test(text) && !/^[+-]\d{1,15}(?:[.,]\d{1,15})?$/.test(westernDigits(text).trim())
}

/** `1,500` can mean 1.5 or 1500. */
export const isAmbiguous = (field: BulkColumn, value: unknown): boolean =>
  numeric.has(field) && typeof value === 'string' && /^\s*[1-9]\d*,\d{3}\s*$/.test(westernDigits(value))

function numberIn(text: string): number | null {
  const plain = westernDigits(text)
    .replace(/[\s\u00a0\u066c]/g, '')
    .replace('\u066b', '.')
    .replace(/[%\u066a]$/, '')
    .replace(/^(\d+),(\d{1,3})$/, '$1.$2')
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : null
}

/** Converts an entered value to the field's type; returns others unchanged, so that the field's schema rejects them. */
export function valueOf(field: BulkColumn, written: unknown): unknown {
  if (written === undefined || written === null) return undefined
  if (typeof written !== 'string') return written
  const text = written.trim()
  if (text === '') return undefined
  if (text.length > 100) return text
  if (numeric.has(field)) return numberIn(text) ?? text
  if (field !== 'isActive') return text
  return yesOrNo(text) ?? text
}
