import { bahrainDate, bahrainTime, isInstant } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { rowsIn } from '@qatra/contract/lib/csv'
import type { Audience } from '@qatra/contract/whatsapp/campaigns/audience'
import type { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import { type CampaignDetail, MOST_RECIPIENTS } from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'

export interface Draft {
  name: string
  template: string | null
  /** The other language of the template, for people who speak it. */
  second: string | null
  /** `saved`: the list stored with the campaign. */
  source: 'filter' | 'list' | 'saved'
  areaIds: readonly number[]
  vendorIds: readonly number[]
  within: number | null
  notFor: number | null
  minSpend: number | null
  maxSpend: number | null
  speaks: 'ar' | 'en' | null
  neverOrdered: boolean
  labels: readonly string[]
  silentFor: number | null
  minBottles: number | null
  /** Campaign whose message the people got, and what they have not done since. */
  after: string | null
  without: 'answer' | 'order'
  list: string
  /** Declaration for the list, and where the people agreed. */
  isDeclared: boolean
  agreedAt: string
  /** Phones of excluded recipients. */
  excluded: readonly string[]
  values: Record<string, string>
  /** Values in the other language. */
  secondValues: Record<string, string>
  hasLinks: boolean
  leadsTo: string
  /** Value of a datetime-local field in Bahrain time; empty to send at once. */
  at: string
}

export const emptyDraft: Draft = {
  name: '',
  template: null,
  second: null,
  source: 'filter',
  areaIds: [],
  vendorIds: [],
  within: null,
  notFor: null,
  minSpend: null,
  maxSpend: null,
  speaks: null,
  neverOrdered: false,
  labels: [],
  silentFor: null,
  minBottles: null,
  after: null,
  without: 'answer',
  list: '',
  isDeclared: false,
  agreedAt: '',
  excluded: [],
  values: {},
  secondValues: {},
  hasLinks: false,
  leadsTo: '',
  at: '',
}

export const keyOf = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${name} ${language}`

const fieldOf = (iso: string) => `${bahrainDate(new Date(iso))}T${bahrainTime(new Date(iso))}`

/** The instant of a datetime field in Bahrain time; null if it is empty or outside the accepted range. */
export function instantOf(at: string): string | null {
  const text = `${at}:00+03:00`
  return isInstant(text) ? new Date(text).toISOString() : null
}

/** Form values of a stored campaign. */
export function draftOf(campaign: CampaignDetail): Draft {
  const { audience, scheduledAt } = campaign
  return {
    ...emptyDraft,
    name: campaign.name,
    template: keyOf({ name: campaign.templateName, language: campaign.language }),
    second: campaign.secondLanguage,
    source: audience ? 'filter' : 'saved',
    areaIds: audience?.areaIds ?? [],
    vendorIds: audience?.vendorIds ?? [],
    within: audience?.orderedWithinDays ?? null,
    notFor: audience?.notOrderedForDays ?? null,
    minSpend: audience?.minSpend ?? null,
    maxSpend: audience?.maxSpend ?? null,
    speaks: audience?.language ?? null,
    neverOrdered: audience?.neverOrdered ?? false,
    labels: audience?.labels ?? [],
    silentFor: audience?.silentForDays ?? null,
    minBottles: audience?.minBottles ?? null,
    after: audience?.followUp?.campaignId ?? null,
    without: audience?.followUp?.without ?? 'answer',
    excluded: campaign.excludedPhones,
    isDeclared: campaign.consent !== null,
    agreedAt: campaign.consent?.source ?? '',
    values: campaign.globalVariables ?? {},
    secondValues: campaign.secondVariables ?? {},
    hasLinks: campaign.hasLinks,
    leadsTo: campaign.linkRedirectUrl ?? '',
    at: scheduledAt === null ? '' : fieldOf(scheduledAt),
  }
}

const numbersOf = ({ within, notFor, silentFor, minBottles, minSpend, maxSpend }: Draft) => [
  within,
  notFor,
  silentFor,
  minBottles,
  minSpend,
  maxSpend,
]

/** Whether the recipients step is complete. */
export const hasPeople = (draft: Draft) =>
  draft.source === 'filter'
    ? !numbersOf(draft).some((number) => number !== null && !(number >= 0))
    : draft.source === 'saved' || draft.list.trim() !== ''

/** Whether the list, if there is one, comes with its declaration. */
export const hasConsent = ({ source, isDeclared, agreedAt }: Draft) =>
  source === 'filter' || (isDeclared && agreedAt.trim() !== '')

function audienceOf(draft: Draft): Audience {
  const { areaIds, vendorIds, within, notFor, minSpend, maxSpend, speaks } = draft
  const { neverOrdered, labels, silentFor, minBottles, after, without } = draft
  return {
    ...(areaIds.length > 0 && { areaIds: [...areaIds] }),
    ...(vendorIds.length > 0 && { vendorIds: [...vendorIds] }),
    ...(within !== null && { orderedWithinDays: within }),
    ...(notFor !== null && { notOrderedForDays: notFor }),
    ...(minSpend !== null && { minSpend }),
    ...(maxSpend !== null && { maxSpend }),
    ...(speaks !== null && { language: speaks }),
    ...(neverOrdered && { neverOrdered }),
    ...(labels.length > 0 && { labels: [...labels] }),
    ...(silentFor !== null && { silentForDays: silentFor }),
    ...(minBottles !== null && { minBottles }),
    ...(after !== null && { followUp: { campaignId: after, without } }),
  }
}

export type Content = Omit<Input<typeof previewCampaign>['body'], 'people' | 'campaignId'>

const filledIn = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))

/** The template in its other language, if it can be sent in both. */
export const otherLanguageOf = (template: Template, usable: readonly Template[]): Template | undefined =>
  usable.find(({ name, language }) => name === template.name && language.slice(0, 2) !== template.language.slice(0, 2))

/** Request body of the preview and, together with a name, of the saved campaign. */
export function contentOf(draft: Draft, template: Template): Content {
  return {
    templateName: template.name,
    language: template.language,
    globalVariables: filledIn(draft.values),
    secondLanguage: draft.second,
    secondVariables: draft.second === null ? null : filledIn(draft.secondValues),
    hasLinks: draft.hasLinks,
    excludedPhones: [...draft.excluded],
    linkRedirectUrl: draft.hasLinks && draft.leadsTo.trim() !== '' ? draft.leadsTo.trim() : null,
    ...(draft.source === 'list' && { recipients: recipientsIn(draft.list) }),
    ...(draft.source === 'filter' && { audience: audienceOf(draft) }),
  }
}

interface Listed {
  phone: string
  variables?: Record<string, string>
}

/**
 * Parses a typed or uploaded list: one number per line, followed by values of the template. A heading names the values:
 * `phone,1,2`; without one they count from 1. Invalid numbers are kept and counted as such.
 */
function recipientsIn(text: string): Listed[] {
  const rows = rowsIn(text.replace(/^\ufeff/, ''))
  const [first = []] = rows
  const hasHeading = !/\d{3}/.test(first[0] ?? '')
  const keys = hasHeading ? first.map((cell) => cell.trim()) : first.map((_, at) => String(at))
  return rows
    .slice(hasHeading ? 1 : 0)
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, MOST_RECIPIENTS)
    .map(([phone = '', ...values]) => {
      const named = values.flatMap((value, at) =>
        value.trim() === '' ? [] : [[keys[at + 1] ?? String(at + 1), value.trim()]],
      )
      return {
        phone: phone.trim().slice(0, 200),
        ...(named.length > 0 ? { variables: Object.fromEntries(named) } : {}),
      }
    })
}
