import type { Input } from '@qatra/contract/endpoint'
import { type previewCampaign as endpoint, previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useDebouncedValue } from '../../../lib/debounce.ts'
import { contentOf, type Draft, hasPeople } from './campaign-draft.ts'

type PreviewBody = Input<typeof endpoint>['body']
export interface PreviewInput {
  draft: Draft
  template: Template | undefined
  campaignId: string | undefined
  people?: NonNullable<PreviewBody['people']>
}

const TYPING_MS = 300

/** The server's preview of a draft: requested when typing pauses; the previous answer is shown until the next. */
export function usePreview({ draft, template, campaignId, people }: PreviewInput) {
  const draftBody = useMemo(
    () =>
      template && hasPeople(draft)
        ? { ...contentOf(draft, template), ...(draft.source === 'saved' && campaignId ? { campaignId } : {}) }
        : null,
    [draft, template, campaignId],
  )
  const [debounced] = useDebouncedValue(draftBody, TYPING_MS)
  const body: PreviewBody | null = debounced && { ...debounced, ...(people ? { people } : {}) }
  const query = useQuery({
    queryKey: [previewCampaign.path, body],
    queryFn: () => call(previewCampaign, { body: body as PreviewBody }), // `enabled` requires a body
    enabled: body !== null,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  })
  return { ...query, isStale: query.isPlaceholderData || debounced !== draftBody }
}
