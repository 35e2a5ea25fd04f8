import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { type Campaign, campaignStatuses, listCampaigns } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { useNavigate } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../../lib/search-state.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { useList } from '../../../ui/admin/list/use-list.ts'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { CampaignBadge, CampaignBar } from './campaign-parts.tsx'

const shape = { status: oneOf(campaignStatuses), q: textIn(100), page: pageNumber }
const LIMIT = 25
const campaignsQuery = ({ status, q, page }: StateOf<typeof shape>) =>
  read(listCampaigns, { query: { page, limit: LIMIT, ...(status && { status }), ...(q && { search: q }) } })

function CampaignsPage() {
  const { t, lang } = useLanguage()
  const navigate = useNavigate()
  const list = useList(shape, campaignsQuery, { limit: LIMIT })
  const { state, setState, data } = list
  const open = ({ id }: Campaign) => void navigate({ to: '/admin/whatsapp/campaigns/$id', params: { id } })
  const make = () => void navigate({ to: '/admin/whatsapp/campaigns/new' })
  const when = ({ startedAt, scheduledAt, createdAt }: Campaign) =>
    formatDateTime(new Date(startedAt ?? scheduledAt ?? createdAt), lang)
  // A campaign that has not started shows only its number of recipients.
  const progress = (one: Campaign) =>
    one.startedAt === null ? (
      <span className="text-ink-2">{t('campaigns.goesTo', { count: one.totalRecipients })}</span>
    ) : (
      <span className="grid gap-1.5">
        <CampaignBar campaign={one} />
        <span className="text-caption text-ink-2">
          {t('campaigns.figures', { sent: one.successfulSends, total: one.totalRecipients, failed: one.failedSends })}
        </span>
      </span>
    )
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: t('campaigns.name'),
      cell: (one) => (
        <span className="grid min-w-0">
          <bdi dir="auto" className="truncate text-as-page leading-[1.7] font-strong">
            {one.name}
          </bdi>
          <bdi dir="ltr" className="w-fit truncate text-caption text-ink-3">
            {one.templateName} · {one.language}
          </bdi>
        </span>
      ),
    },
    { key: 'status', title: t('campaigns.state'), width: 130, cell: ({ status }) => <CampaignBadge status={status} /> },
    {
      key: 'progress',
      title: t('campaigns.progress'),
      width: 240,
      cell: progress,
    },
    { key: 'when', title: t('campaigns.when'), width: 220, from: 'lg', cell: when },
  ]
  const newButton = (
    <Button tone="gulf" size="small" icon={PlusIcon} onClick={make}>
      {t('campaigns.new')}
    </Button>
  )
  return (
    <ListPage
      list={list}
      title={t('campaigns.title')}
      isSubtitleWide
      subtitle={data && t('campaigns.count', { count: data.total })}
      actions={newButton}
      head={<SettingsTabs current="campaigns" />}
      search={t('campaigns.search')}
      filters={
        <ChoiceFilter
          label={t('campaigns.state')}
          {...list.choice('status')}
          options={campaignStatuses.map((value) => ({ value, label: t(`campaigns.status.${value}`) }))}
        />
      }
      label={t('campaigns.title')}
      columns={columns}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      onOpen={open}
      isDim={({ status }) => status === 'cancelled'}
      empty={
        state.q !== '' || state.status ? (
          <EmptyState title={t('campaigns.noneFound')} text={t('campaigns.noneFound.hint')}>
            <Button onClick={() => setState({ q: '', status: undefined })}>{t('campaigns.showAll')}</Button>
          </EmptyState>
        ) : (
          <EmptyState title={t('campaigns.empty')} text={t('campaigns.empty.hint')}>
            {newButton}
          </EmptyState>
        )
      }
      cardLines={3}
      renderCard={(one) => (
        <div className="grid gap-2">
          <div className="flex items-start justify-between gap-3">
            <bdi dir="auto" className="min-w-0 font-strong wrap-anywhere">
              {one.name}
            </bdi>
            <CampaignBadge status={one.status} />
          </div>
          {progress(one)}
          <span className="text-caption text-ink-3">{when(one)}</span>
        </div>
      )}
    />
  )
}

export const page: Page = {
  Component: CampaignsPage,
  showsWaiting: true,
  load: ({ queries, search }) => queries.ensureQueryData(campaignsQuery(readSearch(shape, search))),
  head: ({ t }) => ({ title: t('campaigns.title'), hidden: true }),
}
