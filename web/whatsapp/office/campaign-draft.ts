import type { Input } from '@qatra/contract/endpoint'
import type { createCampaign } from '@qatra/contract/whatsapp-campaigns'
import type { Template } from '@qatra/contract/whatsapp-templates'
import { recipientsIn } from './recipients-file.ts'

export interface Draft {
  name: string
  template: string | null
  source: 'filter' | 'list'
  areaIds: readonly number[]
  vendorIds: readonly number[]
  within: number | null
  notFor: number | null
  minSpend: number | null
  list: string
  values: Record<string, string>
  hasLinks: boolean
  /** As a field of date and time writes it, by Bahrain's clock; empty for at once. */
  at: string
}

export const emptyDraft: Draft = {
  ...{ name: '', template: null, source: 'filter', areaIds: [], vendorIds: [], within: null, notFor: null },
  ...{ minSpend: null, list: '', values: {}, hasLinks: false, at: '' },
}

export const keyOf = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${name} ${language}`

/** What the server is asked about and, with a name, given. */
export function contentOf(draft: Draft, template: Template): Omit<Input<typeof createCampaign>['body'], 'name'> {
  const { within, notFor, minSpend, areaIds, vendorIds } = draft
  const values = Object.fromEntries(Object.entries(draft.values).filter(([, value]) => value.trim() !== ''))
  return {
    ...{ templateName: template.name, language: template.language, globalVariables: values },
    ...{ hasLinks: draft.hasLinks },
    ...(draft.source === 'list'
      ? { recipients: recipientsIn(draft.list) }
      : {
          audience: {
            ...(areaIds.length > 0 && { areaIds: [...areaIds] }),
            ...(vendorIds.length > 0 && { vendorIds: [...vendorIds] }),
            ...(within !== null && { orderedWithinDays: within }),
            ...(notFor !== null && { notOrderedForDays: notFor }),
            ...(minSpend !== null && { minSpend }),
          },
        }),
  }
}
