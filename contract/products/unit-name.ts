import { inLang, type Lang } from '../lib/lang.ts'
import { fold } from '../lib/text.ts'
import { formatSize } from './sizes.ts'

/** A product as it is sold, also the copy of it in an order. Orders before the copy was kept have no unit. */
export interface SoldUnit {
  size: string
  inventoryUnit?: string | null
  inventoryUnitAr?: string | null
  unitsPerInventoryUnit: number
  /** Of a product, and of its copy in an order. */
  bottle?: { terms: string } | null
  bottleTerms?: string | null
}

type UnitKey = keyof typeof import('../messages/unit.ar.json')
/** The texts of the group `unit`. */
type UnitTranslate = (key: UnitKey, values?: Record<string, string | number>) => string

/** A language with its texts. */
export interface UnitWords {
  t: UnitTranslate
  lang: Lang
}

/** A large bottle is filled in exchange for an empty one, or sold with the bottle. */
export type BottleTerms = 'exchange' | 'withBottle'
const terms: readonly [BottleTerms, RegExp][] = [
  ['exchange', /swap|exchange|refill|مقابل|تبديل|استبدال|تعبئه/],
  ['withBottle', /new bottle|with (a |the )?bottle|مع (ال)?قاروره|قاروره جديده/],
]

/** By the terms of the product's bottle, else by the words of its unit; null for other words, and without a unit. */
export function bottleTermsOf(unit: Omit<SoldUnit, 'size' | 'unitsPerInventoryUnit'>): BottleTerms | null {
  const { inventoryUnit, inventoryUnitAr, bottleTerms = unit.bottle?.terms } = unit
  if (bottleTerms) return bottleTerms === 'exchange' ? 'exchange' : 'withBottle'
  const written = fold(`${inventoryUnit ?? ''} ${inventoryUnitAr ?? ''}`)
  return terms.find(([, pattern]) => pattern.test(written))?.[0] ?? null
}

/** `Carton of 24`, `Swap for your empty`, as the card says it; empty without a unit. */
export function unitName({ t, lang }: UnitWords, unit: Omit<SoldUnit, 'size'>): string {
  const name = inLang(lang, unit.inventoryUnit ?? null, unit.inventoryUnitAr ?? null)
  if (!name) return ''
  return unit.unitsPerInventoryUnit > 1 ? t('unit.name', { unit: name, count: unit.unitsPerInventoryUnit }) : name
}

/** What a card is called by: `500 ml × 24`, `5 gallon swap`, `5 gallon + bottle`. */
export function sizeTitle({ t, lang }: UnitWords, unit: SoldUnit): string {
  const size = formatSize(unit.size, lang)
  const bottle = bottleTermsOf(unit)
  if (bottle) return t(`unit.title.${bottle}`, { size })
  return unit.unitsPerInventoryUnit > 1 ? `${size} × ${unit.unitsPerInventoryUnit}` : size
}
