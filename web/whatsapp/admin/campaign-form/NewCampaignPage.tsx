import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { createCampaign } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import { emptyDraft } from './campaign-draft.ts'

function NewCampaignPage() {
  const t = useT()
  const { after } = useSearch({ strict: false }) as { after?: unknown } // the address may contain any text
  return (
    <CampaignForm
      title={t('campaigns.new')}
      start={{ ...emptyDraft, after: typeof after === 'string' ? after : null }}
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
