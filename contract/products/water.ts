import * as z from 'zod/mini'
import { formatDay } from '../calendar/calendar.ts'
import { dayInput } from '../calendar/dates.ts'
import { inLang, type Lang } from '../lib/lang.ts'
import { mapKeys } from '../orders/totals.ts'

export interface WaterFacts {
  source: string | null
  sourceAr: string | null
  /** Total dissolved solids and sodium, mg/L. */
  tds: number | null
  sodium: number | null
  ph: number | null
  /** Bahrain day on which the stock was filled, or within how many days before the delivery. */
  filledOn: string | null
  filledWithinDays: number | null
}
export const waterNames = ['source', 'sourceAr', 'tds', 'sodium', 'ph', 'filledOn', 'filledWithinDays'] as const
export const noWater = /* @__PURE__ */ mapKeys(waterNames, () => null)

// @__NO_SIDE_EFFECTS__
function measure(
  most: number,
  decimals: number,
  message: 'validation.tds' | 'validation.sodium' | 'validation.ph',
  least = 0,
) {
  const unit = 10 ** decimals
  return z.nullable(
    z.number(message).check(
      z.gte(least, message),
      z.lte(most, message),
      z.refine((value) => Math.round(value * unit) / unit === value, message),
    ),
  )
}

/** The measured facts with their limits; drinking water of Gulf standards is well within them. */
export const waterShape = {
  tds: measure(2000, 0, 'validation.tds'),
  sodium: measure(1000, 1, 'validation.sodium'),
  ph: measure(10, 2, 'validation.ph', 4),
  filledOn: z.nullable(dayInput),
  filledWithinDays: z.nullable(
    z.int('validation.filledWithin').check(z.gte(1, 'validation.filledWithin'), z.lte(365, 'validation.filledWithin')),
  ),
}

/** In answers only those that a product has. */
export const waterFields = {
  source: z.optional(z.nullable(z.string())),
  sourceAr: z.optional(z.nullable(z.string())),
  tds: z.optional(z.nullable(z.number())),
  sodium: z.optional(z.nullable(z.number())),
  ph: z.optional(z.nullable(z.number())),
  filledOn: z.optional(z.nullable(z.string())),
  filledWithinDays: z.optional(z.nullable(z.number())),
}

type ProductKey = keyof typeof import('../messages/product.ar.json')
type Shown = 'source' | 'tds' | 'sodium' | 'ph' | 'filled'
interface Words {
  t: (key: ProductKey, values?: Record<string, string | number>) => string
  lang: Lang
}

/** The facts that a product has, worded, with their units. */
export function waterTexts(
  { t, lang }: Words,
  facts: { [name in keyof WaterFacts]?: WaterFacts[name] | undefined },
): { name: Shown; label: string; text: string }[] {
  const { source = null, sourceAr = null, tds, sodium, ph, filledOn, filledWithinDays } = facts
  const perLitre = (amount: number | null | undefined) =>
    typeof amount === 'number' ? t('catalogue.water.perLitre', { amount: String(amount) }) : null
  const texts: Record<Shown, string | null> = {
    source: inLang(lang, source, sourceAr) || null,
    tds: perLitre(tds),
    sodium: perLitre(sodium),
    ph: typeof ph === 'number' ? String(ph) : null,
    filled: filledOn
      ? formatDay(filledOn, lang, 'long')
      : filledWithinDays
        ? t('catalogue.water.within', { count: filledWithinDays })
        : null,
  }
  return (Object.keys(texts) as Shown[]).flatMap((name) => {
    const text = texts[name]
    return text === null ? [] : [{ name, label: t(`catalogue.water.${name}`), text }]
  })
}
