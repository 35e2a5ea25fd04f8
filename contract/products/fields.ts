import * as z from 'zod/mini'
import { bottleTerms } from '../bottles.ts'
import { rowIdNumber } from '../lib/ids.ts'
import { priceBhd } from '../lib/money.ts'
import { fold, freeText, hasArabicLetters, hasUnsafeCharacters, withoutInvisible } from '../lib/text.ts'
import { parseUrl } from '../lib/url.ts'
import { ownPicture, pictureProblems } from '../media.ts'
import { sizeKey } from './sizes.ts'
import { wordsOfUnit } from './unit-words.ts'
import { noWater, waterShape } from './water.ts'

/** One trimmed line of text; runs of spaces are collapsed. */
export const line = (max: number) =>
  z.string('validation.text').check(
    z.overwrite((text: string) => withoutInvisible(text).trim().replace(/ {2,}/g, ' ')),
    z.maxLength(max, 'validation.textTooLong'),
    z.refine((text) => !hasUnsafeCharacters(text), 'validation.unsafeCharacters'),
  )
export const requiredLine = (max: number) => line(max).check(z.minLength(1, 'validation.required'))

/** Optional text: an empty text becomes null. */
export const orNone = (text: z.ZodMiniString) =>
  z.nullable(
    z.pipe(
      text,
      z.transform((value: string) => (value === '' ? null : value)),
    ),
  )

/** The server checks the address when it fetches the picture. Until then the shop shows a drawn bottle. */
function isPictureAddress(text: string): boolean {
  if (text === '' || ownPicture.test(text)) return true
  if (!/^https:\/\/[^\s\\]+$/i.test(text) || hasUnsafeCharacters(text)) return false
  const url = parseUrl(text)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== ''
}

/** Fetch state of an external picture; null for stored pictures and when there is no address. */
export const pictureState = /* @__PURE__ */ z.nullable(
  z.object({ state: z.enum(['waiting', 'failed']), problem: z.nullable(z.enum(pictureProblems)) }),
)
export type PictureState = z.output<typeof pictureState>

const pictureAddress = z.string('validation.picture').check(
  z.overwrite((text: string) => text.trim()),
  z.maxLength(500, 'validation.textTooLong'),
  z.refine((text) => text.length > 500 || isPictureAddress(text), 'validation.picture'),
)

const percentage = z.number('validation.percent').check(
  z.gte(0, 'validation.percent'),
  z.lte(100, 'validation.percent'),
  z.refine((value) => Math.round(value * 100) / 100 === value, 'validation.percent'),
)

/** Editable fields of a product with their limits. */
export const productShape = {
  vendorId: rowIdNumber,
  name: requiredLine(200),
  nameAr: orNone(line(200)),
  description: orNone(freeText(1000)),
  descriptionAr: orNone(freeText(1000)),
  price: priceBhd,
  size: requiredLine(50),
  imageUrl: orNone(pictureAddress),
  vatPercentage: percentage,
  isActive: z.boolean('validation.invalid'),
  inventoryUnit: orNone(line(50)),
  inventoryUnitAr: orNone(line(50)),
  unitsPerInventoryUnit: z
    .int('validation.units')
    .check(z.gte(1, 'validation.units'), z.lte(10_000, 'validation.units')),
  source: orNone(line(100)),
  sourceAr: orNone(line(100)),
  /** The bottle in which it is sold, of the same vendor. */
  bottle: /* @__PURE__ */ z.nullable(/* @__PURE__ */ z.object({ typeId: rowIdNumber, terms: z.enum(bottleTerms) })),
  ...waterShape,
}

export type ProductField = keyof typeof productShape
export const productFields = Object.keys(productShape) as ProductField[] // the keys of the object above

/** Defaults of a new product. */
export const productDefaults = {
  nameAr: null,
  description: null,
  descriptionAr: null,
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
  ...noWater,
} as const

/** Suggested stock units; any other text is allowed. */
export const unitPresets = /* @__PURE__ */ (['carton', 'case', 'pallet', 'box', 'pack'] as const).map((noun) => ({
  en: noun.charAt(0).toUpperCase() + noun.slice(1),
  ar: wordsOfUnit(noun).find(hasArabicLetters) ?? noun,
}))

/** Products of one vendor are duplicates if name and volume are equal after normalization. */
export const duplicateKey = (name: string, size: string): string => `${fold(name)}|${sizeKey(size)}`
