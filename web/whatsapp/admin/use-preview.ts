import type { Input } from '@qatra/contract/endpoint'
import { type previewCampaign as endpoint, previewCampaign } from '@qatra/contract/whatsapp-campaigns'
import type { Template } from '@qatra/contract/whatsapp-templates'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../app/call.ts'
import { useDebouncedValue } from '../../lib/debounce.ts'
import { contentOf, type Draft, hasPeople } from './campaign-draft.ts'

type Asked = Input<typeof endpoint>['body']
export interface PreviewInput {
  draft: Draft
  template: Template | undefined
  campaignId: string | undefined
  people?: NonNullable<Asked['people']>
}

const TYPING_MS = 300

/** The server's preview of a draft: requested when typing pauses; the previous answer is shown until the next. */
export function usePreview({ draft, template, campaignId, people }: PreviewInput) {
  const asked = useMemo(
    () =>
      template && hasPeople(draft)
        ? { ...contentOf(draft, template), ...(draft.source === 'saved' && campaignId ? { campaignId } : {}) }
        : null,
    [draft, template, campaignId],
  )
  const [rested] = useDebouncedValue(asked, TYPING_MS)
  const body: Asked | null = rested && { ...rested, ...(people ? { people } : {}) }
  const query = useQuery({
    queryKey: [previewCampaign.path, body],
    queryFn: () => call(previewCampaign, { body: body as Asked }), // `enabled` requires a body
    enabled: body !== null,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  })
  return { ...query, isStale: query.isPlaceholderData || rested !== asked }
}
