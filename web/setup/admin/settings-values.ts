import type { Input } from '@qatra/contract/endpoint'
import type { Settings, saveSettings } from '@qatra/contract/settings/settings'

/** Values of the form by the path of the fact, as errors name them. */
export const factNames = [
  'company.name',
  'company.nameAr',
  'company.address',
  'company.addressAr',
  'company.crNumber',
  'company.vatNumber',
  'support.phone',
  'support.whatsapp',
  'support.email',
  'support.hours',
  'support.hoursAr',
  'social.instagram',
  'social.x',
  'social.tiktok',
  'apps.ios',
  'apps.android',
] as const
export type FactName = (typeof factNames)[number]
export type SettingsValues = Record<FactName, string>
type Body = NonNullable<Input<typeof saveSettings>['body']>

export function valuesOf(settings: Settings): SettingsValues {
  const groups: Partial<Record<string, Record<string, string | null>>> = {
    company: settings.company,
    support: settings.support,
    social: settings.social,
    apps: settings.apps,
  }
  const entries = factNames.map((path) => {
    const [group = '', name = ''] = path.split('.')
    return [path, groups[group]?.[name] ?? '']
  })
  return Object.fromEntries(entries) as SettingsValues // one entry for each name
}

/** Blank facts are null. */
export function bodyOf(values: SettingsValues, version: number): Body {
  const fact = (name: FactName) => values[name].trim() || null
  return {
    company: {
      name: fact('company.name'),
      nameAr: fact('company.nameAr'),
      address: fact('company.address'),
      addressAr: fact('company.addressAr'),
      crNumber: fact('company.crNumber'),
      vatNumber: fact('company.vatNumber'),
    },
    support: {
      phone: fact('support.phone'),
      whatsapp: fact('support.whatsapp'),
      email: fact('support.email'),
      hours: fact('support.hours'),
      hoursAr: fact('support.hoursAr'),
    },
    social: { instagram: fact('social.instagram'), x: fact('social.x'), tiktok: fact('social.tiktok') },
    apps: { ios: fact('apps.ios'), android: fact('apps.android') },
    version,
  }
}

export const isFactName = (path: string): path is FactName => factNames.some((name) => name === path)
