import { westernDigits } from '@qatra/contract/lib/digits'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { Translate } from '../lib/language/i18n.tsx'

export const partNames = ['block', 'road', 'building', 'flat'] as const
export type PartName = (typeof partNames)[number]
export type Parts = Record<PartName, string>

export const noParts: Parts = { block: '', road: '', building: '', flat: '' }
/** Maximum length of each part in the API. */
export const partLengths: Readonly<Record<PartName, number>> = { block: 10, road: 20, building: 20, flat: 20 }
/** Required parts of the address. */
export const neededParts = ['block', 'road', 'building'] as const satisfies readonly PartName[]

export const toParts = (given: AddressParts | null | undefined): Parts => ({ ...noParts, ...given })

/** The non-empty parts, in Western digits. */
export function filledParts(parts: Parts): AddressParts {
  const filled = partNames.map((name) => [name, westernDigits(parts[name]).trim()]).filter(([, text]) => text !== '')
  return Object.fromEntries(filled)
}

/** "Seef, Block 428, Road 2831, Building 1172, Flat 34" in the page's language. */
export function composeAddress(t: Translate, place: string, parts: Parts): string {
  const filled = filledParts(parts)
  const pieces = [place, ...partNames.map((name) => spell(t, name, filled[name]))].filter((piece) => piece !== '')
  return pieces.reduce((before, next) => (before ? t('checkout.address.join', { before, next }) : next), '')
}

const spell = (t: Translate, name: PartName, value: string | undefined) =>
  value === undefined ? '' : t(`checkout.address.${name}`, { value })
