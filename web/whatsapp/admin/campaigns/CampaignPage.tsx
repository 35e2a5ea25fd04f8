import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import { exportSends, listSends } from '@qatra/contract/whatsapp/campaigns/sends'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { addressOf, read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../../lib/search-state.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { FilterBar, SearchFilter } from '../../../ui/admin/list/FilterBar.tsx'
import { PAGE_SIZE, useList } from '../../../ui/admin/list/use-list.ts'
import { Tabs } from '../../../ui/admin/Tabs.tsx'
import { ToolbarLink } from '../../../ui/admin/ToolbarButton.tsx'
import { DownloadIcon } from '../../../ui/icons.tsx'
import { CampaignActions } from './CampaignActions.tsx'
import { CampaignFacts } from './CampaignFacts.tsx'
import { CampaignFigures } from './CampaignFigures.tsx'
import { CampaignResults, resultsQuery } from './CampaignResults.tsx'
import { CampaignSends } from './CampaignSends.tsx'
import { CampaignBadge } from './campaign-parts.tsx'
import { DuplicateCampaign } from './DuplicateCampaign.tsx'
import { useSettling } from './use-settling.tsx'

const views = [...api.sendStatuses, 'clicked'] as const
const shape = { status: oneOf(views), q: textIn(100), page: pageNumber }
type State = StateOf<typeof shape>

const filtersOf = ({ status, q }: State) => ({ ...(status && { status }), ...(q && { search: q }) })
const sendsQuery = (id: string, state: State) =>
  read(listSends, { params: { id }, query: { page: state.page, limit: PAGE_SIZE, ...filtersOf(state) } })

function CampaignPage() {
  const { t, lang } = useLanguage()
  const { id = '' } = useParams({ strict: false })
  const { state, table, search } = useList(shape, (state) => sendsQuery(id, state))
  const query = useQuery(read(api.getCampaign, { params: { id } }))
  const settling = useSettling({ id })
  const mayWrite = useUser()?.permissions.includes('campaigns.write') ?? false
  const campaign = query.data
  if (!campaign) return <AdminPageLayout title={t('campaigns.title')}>{null}</AdminPageLayout>
  const countOf = (view: (typeof views)[number]) =>
    view === 'clicked' ? campaign.clicked : (campaign.counts[view] ?? 0)
  return (
    <AdminPageLayout
      title={<bdi>{campaign.name}</bdi>}
      subtitle={<CampaignBadge status={campaign.status} />}
      actions={<CampaignActions campaign={campaign} />}
      head={
        <>
          <div className="grid gap-x-8 gap-y-5 px-4 pt-1 pb-5 md:px-6 desk:grid-cols-[minmax(0,1fr)_340px]">
            <div className="grid min-w-0 content-start gap-5">
              <CampaignFigures campaign={campaign} />
              <CampaignResults campaign={campaign} />
            </div>
            <CampaignFacts campaign={campaign} />
          </div>
          <Tabs
            label={t('campaigns.views')}
            chosen={state.status ?? 'all'}
            items={[
              { key: 'all', label: t('campaigns.all'), count: campaign.totalRecipients, search: { status: undefined } },
              ...views
                .filter((view) => countOf(view) > 0 || view === state.status)
                .map((view) => ({
                  key: view,
                  label: t(`campaigns.send.${view}`),
                  count: countOf(view),
                  search: { status: view },
                })),
            ]}
          />
          <FilterBar
            end={
              <>
                {mayWrite && <DuplicateCampaign campaign={campaign} />}
                <ToolbarLink
                  icon={DownloadIcon}
                  href={addressOf(exportSends.path, { params: { id }, query: { ...filtersOf(state), lang } })}
                  download
                >
                  {t('campaigns.csv')}
                </ToolbarLink>
              </>
            }
          >
            <SearchFilter label={t('campaigns.people.search')} {...search} />
          </FilterBar>
        </>
      }
    >
      <CampaignSends settling={state.status === 'unknown' && mayWrite ? settling : null} table={table} />
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: CampaignPage,
  load: ({ queries, params, search }) => {
    const id = params.id ?? ''
    return Promise.all([
      queries.ensureQueryData(read(api.getCampaign, { params: { id } })),
      queries.ensureQueryData(resultsQuery(id)),
      queries.ensureQueryData(sendsQuery(id, readSearch(shape, search))),
      queries.ensureQueryData(read(listTemplates)),
      queries.ensureQueryData(read(listVendors)),
      queries.ensureQueryData(read(listAreas)),
    ])
  },
  head: ({ t }) => ({ title: t('campaigns.title'), hidden: true }),
}
