import type { Input } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { User, updateProfile } from '@qatra/contract/users/auth'

export interface ProfileForm {
  name: string
  vatNumber: string
  language: Lang
  notificationEnabled: boolean
  marketingConsent: boolean
}

const fields = ['name', 'vatNumber'] as const
export type ProfileField = (typeof fields)[number]

export function startForm(user: User): ProfileForm {
  return {
    name: user.name ?? '',
    vatNumber: user.vatNumber ?? '',
    language: user.language,
    notificationEnabled: user.notificationEnabled,
    marketingConsent: user.marketingConsent,
  }
}

export type ProfileBody = NonNullable<Input<typeof updateProfile>['body']>

export function bodyOf(form: ProfileForm, user: User): ProfileBody {
  const { name, vatNumber, ...preferences } = form
  return {
    ...preferences,
    // A person without a name does not have to enter one.
    ...(name.trim() === '' && user.name === null ? {} : { name }),
    vatNumber: vatNumber.trim() || null,
  }
}

export const fieldAt = ([name]: readonly PropertyKey[]): ProfileField | null =>
  fields.find((one) => one === name) ?? null
