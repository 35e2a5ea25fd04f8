import { westernDigits } from '../lib/digits.ts'

export const partNames = ['block', 'road', 'building', 'flat'] as const
export type PartName = (typeof partNames)[number]
export type Parts = Record<PartName, string>

export const noParts: Parts = { block: '', road: '', building: '', flat: '' }
/** Longest text of each part. */
export const partLengths: Readonly<Record<PartName, number>> = { block: 10, road: 20, building: 20, flat: 20 }
/** Parts that forms require. */
export const neededParts = ['block', 'road', 'building'] as const satisfies readonly PartName[]

export const toParts = (given: Partial<Parts> | null | undefined): Parts => ({ ...noParts, ...given })

/** The non-empty parts, in Western digits. */
export function filledParts(parts: Partial<Parts>): Partial<Parts> {
  const filled = partNames.map((name) => [name, westernDigits(parts[name] ?? '').trim()])
  return Object.fromEntries(filled.filter(([, text]) => text !== ''))
}

type Words = (key: `checkout.address.${PartName | 'join'}`, values: Record<string, string>) => string

/** "Seef, Block 428, Road 2831, Building 1172, Flat 34" in the language of the words. */
export function composeAddress(words: Words, place: string, parts: Partial<Parts>): string {
  const pieces = Object.entries(filledParts(parts)).map(
    ([name, value]) => words(`checkout.address.${name as PartName}`, { value }), // the names of `partNames`
  )
  return [place, ...pieces]
    .filter((piece) => piece !== '')
    .reduce((before, next) => (before ? words('checkout.address.join', { before, next }) : next), '')
}
