import type { User, updateProfile } from '@qatra/contract/auth'
import type { Input } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import type { Translate } from '../app/i18n.tsx'
import { composeAddress, filledParts, type Parts, partNames, toParts } from '../checkout/address.ts'

export interface ProfileForm {
  name: string
  parts: Parts
  /** Free-text address that replaces the parts; null if the parts are used. */
  ownAddress: string | null
  instructions: string
  vatNumber: string
  language: Lang
  notificationEnabled: boolean
  marketingConsent: boolean
}

const fields = ['name', 'address', 'instructions', 'vatNumber', ...partNames] as const
export type ProfileField = (typeof fields)[number]

const hasParts = (user: User) => Object.keys(user.addressParts ?? {}).length > 0

export function startForm(user: User): ProfileForm {
  return {
    name: user.name ?? '',
    parts: toParts(user.addressParts),
    ownAddress: hasParts(user) ? null : user.address,
    instructions: user.instructions ?? '',
    vatNumber: user.vatNumber ?? '',
    language: user.language,
    notificationEnabled: user.notificationEnabled,
    marketingConsent: user.marketingConsent,
  }
}

export type ProfileBody = NonNullable<Input<typeof updateProfile>['body']>

/** Shortest address that the API accepts. */
const SHORTEST = 10

/** Request body. The address keeps its area if its parts are unchanged. */
export function bodyOf(form: ProfileForm, user: User, t: Translate): ProfileBody {
  const { name, parts, ownAddress, instructions, vatNumber, ...preferences } = form
  const filled = filledParts(parts)
  const isSame = JSON.stringify(filled) === JSON.stringify(filledParts(toParts(user.addressParts)))
  const composed = composeAddress(t, '', parts)
  const fromParts = composed.length < SHORTEST ? null : composed
  return {
    ...preferences,
    // A person without a name does not have to enter one.
    ...(name.trim() === '' && user.name === null ? {} : { name }),
    ...(ownAddress === null
      ? { addressParts: filled, ...(isSame ? {} : { address: fromParts }) }
      : { addressParts: null, address: ownAddress.trim() || null }),
    instructions: instructions.trim() || null,
    vatNumber: vatNumber.trim() || null,
  }
}

/** Parts of the address are fields of their own. */
export function fieldAt([name, part]: readonly PropertyKey[]): ProfileField | null {
  const field = name === 'addressParts' ? part : name
  return fields.find((one) => one === field) ?? null
}
