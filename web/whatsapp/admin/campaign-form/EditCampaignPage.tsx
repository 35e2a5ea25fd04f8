import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { changeCampaign, getCampaign } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import { draftOf } from './campaign-draft.ts'

function EditCampaignPage() {
  const t = useT()
  const { id = '' } = useParams({ strict: false })
  const { data } = useQuery(read(getCampaign, { params: { id } }))
  // Keeps the version that was opened; saving reports a concurrent change.
  const opened = useRef(data)
  opened.current ??= data
  const campaign = opened.current
  if (!campaign) return <AdminPageLayout title={t('campaigns.edit')}>{null}</AdminPageLayout>
  if (!campaign.can.edit) {
    return (
      <AdminPageLayout title={t('campaigns.edit')}>
        <div className="grid flex-1 place-items-center px-6 py-12">
          <EmptyState title={t('campaigns.begun')} text={t('campaigns.begun.hint')}>
            <Link to="/admin/whatsapp/campaigns/$id" params={{ id }} className={buttonClass('gulf')}>
              {t('campaigns.begun.open')}
            </Link>
          </EmptyState>
        </div>
      </AdminPageLayout>
    )
  }
  return (
    <CampaignForm
      title={t('campaigns.edit')}
      campaign={campaign}
      start={draftOf(campaign)}
      save={(body) => call(changeCampaign, { params: { id }, body: { ...body, version: campaign.version } })}
    />
  )
}

export const page: Page = {
  Component: EditCampaignPage,
  load: async ({ queries, params }) => {
    await Promise.all([
      // Fetch the current version before editing.
      queries.fetchQuery(read(getCampaign, { params: { id: params.id ?? '' } })),
      queries.ensureQueryData(read(listTemplates)),
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(read(listAreas)),
    ])
  },
  head: ({ t }) => ({ title: t('campaigns.edit'), hidden: true }),
}
