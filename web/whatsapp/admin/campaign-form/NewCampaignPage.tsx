import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { createCampaign } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { idIn, manyIds } from '../../../lib/search-state.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { emptyDraft } from './campaign-draft.ts'

function NewCampaignPage() {
  const t = useT()
  const { after, bottles, notFor, vendor } = useSearch({ strict: false }) as Record<string, unknown> // may be any text
  const start = {
    ...emptyDraft,
    after: typeof after === 'string' ? after : null,
    minBottles: idIn.read([String(bottles)]) ?? null,
    notFor: idIn.read([String(notFor)]) ?? null,
    vendorIds: manyIds.read([String(vendor)]),
  }
  return (
    <CampaignForm
      title={t('campaigns.new')}
      start={start}
      save={({ audience, recipients, ...body }) =>
        call(createCampaign, { body: { ...body, ...(recipients ? { recipients } : { audience: audience ?? {} }) } })
      }
    />
  )
}

export const page: Page = {
  Component: NewCampaignPage,
  load: async ({ queries }) => {
    await Promise.all([
      queries.ensureQueryData(read(listTemplates)),
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(read(listAreas)),
    ])
  },
  head: ({ t }) => ({ title: t('campaigns.new'), hidden: true }),
}
