import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { duplicateCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import { type CampaignDetail, getCampaign, listCampaigns } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { exportSends, listSends, settleSends } from '@qatra/contract/whatsapp/campaigns/sends'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../../lib/search-state.ts'
import { useAction } from '../../../lib/use-action.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { DownloadMenu } from '../../../ui/admin/DownloadMenu.tsx'
import { FilterBar, SearchFilter } from '../../../ui/admin/list/FilterBar.tsx'
import { PAGE_SIZE, useList } from '../../../ui/admin/list/use-list.ts'
import { Tabs } from '../../../ui/admin/Tabs.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { CampaignActions } from './CampaignActions.tsx'
import { CampaignFacts } from './CampaignFacts.tsx'
import { CampaignFigures } from './CampaignFigures.tsx'
import { CampaignResults, resultsQuery } from './CampaignResults.tsx'
import { CampaignSends } from './CampaignSends.tsx'
import { CampaignBadge } from './campaign-parts.tsx'

const none: ReadonlySet<string> = new Set()

/** Selection of sends with an unknown result, and the two actions that set it. */
function useSettling({ id }: Pick<CampaignDetail, 'id'>) {
  const t = useT()
  const queries = useQueryClient()
  const [selected, setSelected] = useState(none)
  const { run } = useAction((error) => toast({ title: refusalText(t, error, 'campaigns') }))
  const settle = (status: 'sent' | 'failed') =>
    run(async () => {
      const body = { sendIds: [...selected].map(Number), status }
      const changed = await call(settleSends, { params: { id }, body })
      queries.setQueryData(read(getCampaign, { params: { id } }).queryKey, changed)
      toast({ title: t('campaigns.settled') })
    }).finally(() => {
      setSelected(none)
      void queries.invalidateQueries({ queryKey: [listSends.path] })
    })
  const bulk = (['sent', 'failed'] as const).map((status) => (
    <ToolbarButton key={status} onClick={() => void settle(status)}>
      {t(`campaigns.settle.${status}`)}
    </ToolbarButton>
  ))
  return { selected, onSelect: setSelected, bulk }
}

const views = [...api.sendStatuses, 'clicked'] as const
const shape = { status: oneOf(views), q: textIn(100), page: pageNumber }
type State = StateOf<typeof shape>

const filtersOf = ({ status, q }: State) => ({ ...(status && { status }), ...(q && { search: q }) })
const sendsQuery = (id: string, state: State) =>
  read(listSends, { params: { id }, query: { page: state.page, limit: PAGE_SIZE, ...filtersOf(state) } })

function CampaignPage() {
  const t = useT()
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
                <DownloadMenu path={exportSends.path} params={{ id }} query={filtersOf(state)} />
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

/** Makes a draft with the same people and values, and opens it. */
export function DuplicateCampaign({ campaign: { id, name } }: { campaign: CampaignDetail }) {
  const t = useT()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { busy, run } = useAction((error) => {
    toast({ title: refusalText(t, error, 'campaigns') })
  })
  const duplicate = () =>
    run(async () => {
      const copy = t('campaigns.copyOf', { name }).slice(0, 255)
      const made = await call(duplicateCampaign, { params: { id }, body: { name: copy } })
      queries.setQueryData(read(getCampaign, { params: { id: made.id } }).queryKey, made)
      void queries.invalidateQueries({ queryKey: [listCampaigns.path] })
      toast({ title: t('campaigns.duplicated') })
      await navigate({ to: '/admin/whatsapp/campaigns/$id', params: { id: made.id } })
    })
  return (
    <ToolbarButton icon={PlusIcon} onClick={() => busy || void duplicate()}>
      {t('campaigns.duplicate')}
    </ToolbarButton>
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
