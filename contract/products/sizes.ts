import type { Lang } from '../lib/lang.ts'
import { fold } from '../lib/text.ts'

export const presetSizes = ['200ml', '330ml', '500ml', '600ml', '1.5L', '5 gallon'] as const

const gallon = 3785.411784
/** Millilitres per unit, by the folded spelling of the unit. */
const units: Readonly<Record<string, number>> = {
  ...spelt(1, 'ml mls millilitre millilitres milliliter milliliters مل ملل مليلتر ملليلتر ملي'),
  ...spelt(10, 'cl centilitre centilitres centiliter centiliters سل سنتيلتر'),
  ...spelt(1000, 'l lt ltr ltrs litre litres liter liters لتر لترات ليتر ليترات ل'),
  ...spelt(gallon, 'gal gallon gallons غالون غالونات جالون جالونات'),
}

/** Millilitres, rounded to three decimals, or null if the text is not a size. */
export function volumeOf(size: string): number | null {
  if (size.length > 100) return null
  const written = /^([0-9]{1,6}(?:[.,٫][0-9]{1,6})?) ?-? ?(\p{L}{1,12})\.?$/u.exec(fold(size))
  const [, amount = '', unit = ''] = written ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  if (factor === undefined) return null
  // A comma before exactly three digits is a thousands separator, otherwise a decimal one.
  const number = Number(
    /^[1-9][0-9]{0,2},[0-9]{3}$/.test(amount) ? amount.replace(',', '') : amount.replace(/[,٫]/, '.'),
  )
  const volume = Math.round(number * factor * 1000) / 1000
  return volume > 0 ? volume : null
}

/** The same key for all spellings of a volume; for other sizes, the folded text. */
export function sizeKey(size: string): string {
  const volume = volumeOf(size)
  return volume === null ? fold(size) : `${volume}ml`
}

/** Compares by volume; sizes without a volume sort last, by text. */
export function compareSizes(a: string, b: string): number {
  const [volumeA, volumeB] = [volumeOf(a), volumeOf(b)]
  if (volumeA !== null && volumeB !== null) return volumeA - volumeB
  if (volumeA !== null) return -1
  if (volumeB !== null) return 1
  const [textA, textB] = [fold(a), fold(b)]
  return textA < textB ? -1 : textA > textB ? 1 : 0
}

const unitWords = {
  ml: { en: 'ml', ar: 'مل' },
  l: { en: 'L', ar: 'لتر' },
  gallon: { en: 'gallon', ar: 'غالون' },
} as const

/** `500 ml`, `1.5 L`, `5 gallon`, or the Arabic equivalent. A text that is not a size is returned unchanged. */
export function formatSize(size: string, lang: Lang): string {
  const volume = volumeOf(size)
  if (volume === null) return size.trim()
  const gallons = Math.round((volume / gallon) * 2) / 2
  if (gallons > 0 && Math.abs(volume - gallons * gallon) < 0.001) return `${gallons} ${unitWords.gallon[lang]}`
  return volume < 1000 ? `${volume} ${unitWords.ml[lang]}` : `${litres(volume)} ${unitWords.l[lang]}`
}

const litres = (volume: number) => Math.round(volume) / 1000

const silhouettes = [
  ['b-200', 200],
  ['b-330', 330],
  ['b-500', 500],
  ['b-600', 600],
  ['b-1500', 1500],
  ['b-5g', 5 * gallon],
] as const
export type Silhouette = (typeof silhouettes)[number][0]

/** The drawn bottle with the nearest volume ratio; half a litre for sizes without a volume. */
export function silhouetteOf(size: string): Silhouette {
  const volume = volumeOf(size) ?? 500
  const distance = (drawn: number) => Math.abs(Math.log(volume / drawn))
  return silhouettes.reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best))[0]
}

function spelt(factor: number, spellings: string): Record<string, number> {
  return Object.fromEntries(spellings.split(' ').map((unit) => [fold(unit), factor]))
}
