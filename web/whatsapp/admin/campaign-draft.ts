import { bahrainDate, bahrainTime, isInstant } from '@qatra/contract/calendar'
import type { Input } from '@qatra/contract/endpoint'
import type { Audience, CampaignDetail, previewCampaign } from '@qatra/contract/whatsapp-campaigns'
import type { Template } from '@qatra/contract/whatsapp-templates'
import { recipientsIn } from './recipients-file.ts'

export interface Draft {
  name: string
  template: string | null
  /** `saved`: the list stored with the campaign. */
  source: 'filter' | 'list' | 'saved'
  areaIds: readonly number[]
  vendorIds: readonly number[]
  within: number | null
  notFor: number | null
  minSpend: number | null
  maxSpend: number | null
  speaks: 'ar' | 'en' | null
  list: string
  /** Phones of excluded recipients. */
  excluded: readonly string[]
  values: Record<string, string>
  hasLinks: boolean
  leadsTo: string
  /** Value of a datetime-local field in Bahrain time; empty to send at once. */
  at: string
}

export const emptyDraft: Draft = {
  name: '',
  template: null,
  source: 'filter',
  areaIds: [],
  vendorIds: [],
  within: null,
  notFor: null,
  minSpend: null,
  maxSpend: null,
  speaks: null,
  list: '',
  excluded: [],
  values: {},
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
    source: audience ? 'filter' : 'saved',
    areaIds: audience?.areaIds ?? [],
    vendorIds: audience?.vendorIds ?? [],
    within: audience?.orderedWithinDays ?? null,
    notFor: audience?.notOrderedForDays ?? null,
    minSpend: audience?.minSpend ?? null,
    maxSpend: audience?.maxSpend ?? null,
    speaks: audience?.language ?? null,
    excluded: campaign.excludedPhones,
    values: campaign.globalVariables ?? {},
    hasLinks: campaign.hasLinks,
    leadsTo: campaign.linkRedirectUrl ?? '',
    at: scheduledAt === null ? '' : fieldOf(scheduledAt),
  }
}

const numbersOf = ({ within, notFor, minSpend, maxSpend }: Draft) => [within, notFor, minSpend, maxSpend]

/** Whether the recipients step is complete. */
export const hasPeople = (draft: Draft) =>
  draft.source === 'filter'
    ? !numbersOf(draft).some((number) => number !== null && !(number >= 0))
    : draft.source === 'saved' || draft.list.trim() !== ''

function audienceOf(draft: Draft): Audience {
  const { areaIds, vendorIds, within, notFor, minSpend, maxSpend, speaks } = draft
  return {
    ...(areaIds.length > 0 && { areaIds: [...areaIds] }),
    ...(vendorIds.length > 0 && { vendorIds: [...vendorIds] }),
    ...(within !== null && { orderedWithinDays: within }),
    ...(notFor !== null && { notOrderedForDays: notFor }),
    ...(minSpend !== null && { minSpend }),
    ...(maxSpend !== null && { maxSpend }),
    ...(speaks !== null && { language: speaks }),
  }
}

export type Content = Omit<Input<typeof previewCampaign>['body'], 'people' | 'campaignId'>

/** Request body of the preview and, together with a name, of the saved campaign. */
export function contentOf(draft: Draft, template: Template): Content {
  const values = Object.fromEntries(Object.entries(draft.values).filter(([, value]) => value.trim() !== ''))
  return {
    templateName: template.name,
    language: template.language,
    globalVariables: values,
    hasLinks: draft.hasLinks,
    excludedPhones: [...draft.excluded],
    linkRedirectUrl: draft.hasLinks && draft.leadsTo.trim() !== '' ? draft.leadsTo.trim() : null,
    ...(draft.source === 'list' && { recipients: recipientsIn(draft.list) }),
    ...(draft.source === 'filter' && { audience: audienceOf(draft) }),
  }
}
