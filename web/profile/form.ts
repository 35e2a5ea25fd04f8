import { type User, updateProfile } from '@qatra/contract/auth'
import type { Input } from '@qatra/contract/endpoint'
import { fieldWords } from '@qatra/contract/fields'
import type { Lang } from '@qatra/contract/lang'
import type { Translate } from '../app/i18n.tsx'
import { composeAddress, filledParts, type PartName, type Parts, partNames, toParts } from '../checkout/address.ts'

export interface ProfileForm {
  name: string
  parts: Parts
  /** Free-text address that replaces the parts; null if the parts are used. */
  ownAddress: string | null
  instructions: string
  language: Lang
  notificationEnabled: boolean
  marketingConsent: boolean
}

export type ProfileField = 'name' | 'address' | 'instructions' | PartName
export type Problems = Partial<Record<ProfileField, string>>

/** Order of the fields on the page, to focus the first invalid one. */
export const fieldOrder: readonly ProfileField[] = ['name', ...partNames, 'address', 'instructions']

const hasParts = (user: User) => Object.keys(user.addressParts ?? {}).length > 0

export function startForm(user: User): ProfileForm {
  return {
    name: user.name ?? '',
    parts: toParts(user.addressParts),
    ownAddress: hasParts(user) ? null : user.address,
    instructions: user.instructions ?? '',
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
  const { name, parts, ownAddress, instructions, ...preferences } = form
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
  }
}

const known = new Set<PropertyKey>(fieldOrder)
const isField = (name: PropertyKey | undefined): name is ProfileField => name !== undefined && known.has(name)

/** Validates with the same schema as the server. */
export function problemsOf(body: ProfileBody, t: Translate): Problems {
  const problems: Problems = {}
  for (const issue of updateProfile.body?.safeParse(body).error?.issues ?? []) {
    const name = fieldAt(issue.path)
    const { key, values } = fieldWords(issue)
    if (name) problems[name] ??= t(key, values)
  }
  return problems
}

/** Field errors of the server (`details.fields`), which name parts by path. */
export function problemsFrom(fields: Readonly<Record<string, string>> = {}): Problems {
  const problems: Problems = {}
  for (const [path, words] of Object.entries(fields)) {
    const name = fieldAt(path.split('.'))
    if (name) problems[name] = words
  }
  return problems
}

function fieldAt([name, part]: readonly PropertyKey[]): ProfileField | null {
  if (name === 'addressParts' && isField(part)) return part
  return isField(name) ? name : null
}
