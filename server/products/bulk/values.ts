import type { BottleTerms } from '@qatra/contract/bottles'
import { westernDigits } from '@qatra/contract/lib/digits'
import { fold } from '@qatra/contract/lib/text'
import type { BulkColumn } from '@qatra/contract/products/bulk'
import { unitPresets } from '@qatra/contract/products/fields'
import { isPieceWord } from '@qatra/contract/products/unit-text'
import { yesOrNo } from '../../import/cells.ts'

/** Whether a spreadsheet would evaluate the cell as a formula; signed numbers are not formulas. */
export function isFormula(cell: string): boolean {
  const text = cell.replace(/^ +/, '')
  if (/^[=@\t\r]/.test(text)) return true
  return /^[+-]/.test(text) && !/^[+-]\d{1,15}(?:[.,]\d{1,15})?$/.test(westernDigits(text).trim())
}

const dinar = '(?:bhd|b\\.?d\\.?|dinars?|\\.?د\\.? ?ب\\.?|دينار(?: بحريني)?)'
const beforeAmount = new RegExp(`^${dinar} ?`)
const afterAmount = new RegExp(` ?${dinar}$`)

/** Longer texts are no numbers. */
const LONGEST = 100

export const plainDigits = (text: string) => westernDigits(text).trim()

/** A price without `BD`, `BHD`, `د.ب` or `دينار`. */
export function withoutDinar(text: string): string {
  if (text.length > LONGEST) return plainDigits(text)
  const folded = fold(text)
  const bare = folded.replace(beforeAmount, '')
  return (bare === folded ? folded.replace(afterAmount, '') : bare).trim()
}

/** `120 mg/L`, `120 ملغ/ل` */
export const withoutMilligrams = (text: string) =>
  plainDigits(text).replace(/ ?(?:mg|ppm|ملغ|ملجم|مغ)(?: ?\/ ?(?:l|ل|لتر))?$/iu, '')

/** `1,500` can mean 1.5 or 1500. */
export const isAmbiguous = (digits: string): boolean => /^[1-9]\d*,\d{3}$/.test(digits)

export function numberIn(digits: string): number | null {
  if (digits.length > LONGEST) return null
  const plain = digits
    .replace(/[\s\u00a0\u066c]/g, '')
    .replace('\u066b', '.')
    .replace(/[%\u066a]$/, '')
    .replace(/^(\d+),(\d{1,3})$/, '$1.$2')
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : null
}

/** `24 حبة`, `24 pcs`, `كرتون 24` */
export function countIn(digits: string): number | null {
  if (digits.length > LONGEST) return null
  const [, count] = /^[\p{L}\p{M}\s()×.]*?(\d{1,5})[\p{L}\p{M}\s().]*$/u.exec(digits) ?? []
  return count === undefined ? null : Number(count)
}

const available = new Set(['available', 'in stock', 'متوفر', 'متاح', 'موجود'].map(fold))
const unavailable = new Set(
  ['unavailable', 'not available', 'out of stock', 'غير متوفر', 'غير متاح', 'غير موجود', 'نفد', 'نفذ', 'موقوف'].map(
    fold,
  ),
)

export function answerIn(text: string): boolean | null {
  const folded = fold(text)
  return available.has(folded) ? true : unavailable.has(folded) ? false : yesOrNo(text)
}

const termsOf: ReadonlyMap<string, BottleTerms> = new Map([
  ...['exchange', 'swap', 'refill', 'تبديل', 'استبدال', 'تعبئة'].map((word) => [fold(word), 'exchange'] as const),
  ...['sold', 'sale', 'with bottle', 'new', 'بيع', 'مباعة', 'مع القارورة', 'جديدة'].map(
    (word) => [fold(word), 'sold'] as const,
  ),
])
export const termsIn = (text: string): BottleTerms | null => termsOf.get(fold(text)) ?? null

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
