import { inLang } from '../lib/lang.ts'
import { fold } from '../lib/text.ts'
import { formatSize, sizeKey, volumeOf } from './sizes.ts'
import { bottleTermsOf, type SoldUnit, type UnitWords } from './unit-name.ts'
import { type UnitNoun, unitNouns, wordsOfUnit } from './unit-words.ts'

const nounOf = /* @__PURE__ */ new Map(unitNouns.flatMap((noun) => wordsOfUnit(noun).map((word) => [fold(word), noun])))

/** Whether a word means single bottles: `24 حبة`, `24 bottles`. */
export const isPieceWord = (word: string): boolean => ['piece', 'bottle'].includes(nounOf.get(fold(word)) ?? '')

const fiveGallons = /* @__PURE__ */ sizeKey('5 gallon')
/** From this many millilitres on, a bottle is sold alone. */
const LARGE = 10_000

/** What is counted: cartons, gallons. Null for a unit in other words, and for small bottles without a unit. */
export function unitNounOf(unit: SoldUnit): UnitNoun | null {
  const named = nounOf.get(fold(unit.inventoryUnit ?? '')) ?? nounOf.get(fold(unit.inventoryUnitAr ?? ''))
  if (named) return named
  const isPlain = !unit.inventoryUnit && !unit.inventoryUnitAr && unit.unitsPerInventoryUnit === 1
  if (!isPlain && bottleTermsOf(unit) === null) return null
  if (sizeKey(unit.size) === fiveGallons) return 'gallon'
  return isPlain && (volumeOf(unit.size) ?? 0) < LARGE ? null : 'bottle'
}

const isNameless = (unit: SoldUnit) => unitNounOf(unit) === null && !unit.inventoryUnit && !unit.inventoryUnitAr

/** `3 cartons of 24`, `4 gallons (exchange)`; only the numbers where the unit is not known: `4`, `3 × 24`. */
export function countText({ t, lang }: UnitWords, unit: SoldUnit, count: number): string {
  const { unitsPerInventoryUnit: pieces } = unit
  const noun = unitNounOf(unit)
  if (noun === null) {
    const name = inLang(lang, unit.inventoryUnit ?? null, unit.inventoryUnitAr ?? null)
    return [count, ...(name ? [name] : []), ...(pieces > 1 ? [pieces] : [])].join(' × ')
  }
  const bottle = bottleTermsOf(unit)
  const units = t(`unit.${noun}`, { count })
  if (bottle) return t(`unit.${bottle}`, { units })
  return pieces > 1 ? t('unit.of', { units, count: pieces }) : units
}

/** `3 cartons of 24 · 500 ml`, `4 gallons (exchange)`; `4 × 500 ml` where the unit is not known. */
export function quantityText(words: UnitWords, unit: SoldUnit, count: number): string {
  const counted = countText(words, unit, count)
  // A gallon without a number is the bottle of five.
  if (unitNounOf(unit) === 'gallon' && sizeKey(unit.size) === fiveGallons) return counted
  return `${counted}${isNameless(unit) ? ' × ' : ' · '}${formatSize(unit.size, words.lang)}`
}

/** A line of a message, the number first: `3 cartons of 24 · Hayrat water 500 ml`, `4 × Hayrat water 500 ml`. */
export const itemText = (words: UnitWords, unit: SoldUnit, { count, name }: { count: number; name: string }): string =>
  `${countText(words, unit, count)}${isNameless(unit) ? ' × ' : ' · '}${name}`

/** `BHD 1.450 a carton` */
export const eachText = ({ t }: UnitWords, unit: SoldUnit, price: string): string =>
  t('unit.each', { price, unit: unitNounOf(unit) ?? 'other' })

/** What a cart holds in sum, by unit: `4 gallons and 3 cartons`. */
export function sumText({ t }: UnitWords, lines: readonly (SoldUnit & { quantity: number })[]): string {
  const sums = new Map<UnitNoun, number>()
  for (const line of lines) {
    const noun = unitNounOf(line) ?? 'piece'
    sums.set(noun, (sums.get(noun) ?? 0) + line.quantity)
  }
  return [...sums]
    .map(([noun, count]) => t(`unit.${noun}`, { count }))
    .reduce((before, next) => (before ? t('unit.and', { before, next }) : next), '')
}
