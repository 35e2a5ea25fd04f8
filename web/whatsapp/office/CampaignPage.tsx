import { formatDateTime } from '@qatra/contract/calendar'
import * as api from '@qatra/contract/whatsapp-campaigns'
import type { Campaign, Send } from '@qatra/contract/whatsapp-campaigns'
import { formatPhone } from '@qatra/contract/phone'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call, read } from '../../app/call.ts'
import { useLanguage, useT } from '../../app/i18n.tsx'
import type { Page } from '../../app/page.ts'
import { oneOf, pageNumber, useSearchState } from '../../app/search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../ui/office/ConfirmDialog.tsx'
import { DataTable } from '../../ui/office/DataTable.tsx'
import { Desk } from '../../ui/office/Desk.tsx'
import type { Column } from '../../ui/office/table-columns.tsx'
import { Tabs } from '../../ui/office/Tabs.tsx'
import { toast } from '../../ui/Toast.tsx'
import { CampaignBadge, CampaignBar } from './campaign-parts.tsx'

const views = [...api.sendStatuses, 'clicked'] as const
const shape = { status: oneOf(views), page: pageNumber }
const PAGE_SIZE = 50
const acts = {
  start: api.startCampaign,
  pause: api.pauseCampaign,
  resume: api.resumeCampaign,
  cancel: api.cancelCampaign,
} as const
type Act = keyof typeof acts | 'delete'
const refusals = ['CAMPAIGN_STATE', 'CAMPAIGN_EMPTY', 'CAMPAIGN_VARIABLES_MISSING', 'TEMPLATE_NOT_AVAILABLE'] as const

function CampaignPage() {
  const { t, lang } = useLanguage()
  const { id = '' } = useParams({ strict: false })
  const [state, setState] = useSearchState(shape)
  const query = useQuery(read(api.getCampaign, { params: { id } }))
  const sends = useQuery({
    ...read(api.listSends, {
      params: { id },
      query: { page: state.page, limit: PAGE_SIZE, ...(state.status && { status: state.status }) },
    }),
    placeholderData: keepPreviousData,
  })
  const campaign = query.data
  if (!campaign) return <Desk title={t('campaigns.title')}>{null}</Desk>
  const countOf = (view: (typeof views)[number]) =>
    view === 'clicked' ? campaign.clicked : (campaign.counts[view] ?? 0)
  const left = api.exclusionReasons.filter((reason) => (campaign.exclusions[reason] ?? 0) > 0)
  return (
    <Desk
      title={campaign.name}
      subtitle={<CampaignBadge status={campaign.status} />}
      actions={<Acts campaign={campaign} />}
      head={
        <>
          <div className="grid gap-2.5 px-4 pb-4 md:px-6">
            {campaign.statusReason && (
              <p role="status" className="rounded-m bg-clay-soft px-4 py-3 text-clay">
                {t('campaigns.stopped')} <bdi>{campaign.statusReason}</bdi>
              </p>
            )}
            {campaign.quietUntil && (
              <p role="status" className="rounded-m bg-well px-4 py-3">
                {t('campaigns.quiet', { at: formatDateTime(new Date(campaign.quietUntil), lang) })}
              </p>
            )}
            <CampaignBar campaign={campaign} />
            <p className="text-ink-2">
              {t('campaigns.figures', {
                sent: campaign.successfulSends,
                total: campaign.totalRecipients,
                failed: campaign.failedSends,
              })}
              {campaign.hasLinks && ` · ${t('campaigns.clicked', { count: campaign.clicked })}`}
              {campaign.status === 'scheduled' &&
                campaign.scheduledAt &&
                ` · ${t('campaigns.at', { at: formatDateTime(new Date(campaign.scheduledAt), lang) })}`}
            </p>
            {left.length > 0 && (
              <p className="text-ink-3">
                {t('campaigns.leftOut')}{' '}
                {left
                  .map((reason) => `${t(`campaigns.reason.${reason}`)}: ${campaign.exclusions[reason] ?? 0}`)
                  .join(lang === 'ar' ? '، ' : ', ')}
              </p>
            )}
          </div>
          <Tabs
            label={t('campaigns.views')}
            chosen={state.status ?? 'all'}
            items={[
              { key: 'all', label: t('campaigns.all'), count: campaign.totalRecipients, search: { status: undefined } },
              ...views
                .filter((view) => countOf(view) > 0)
                .map((view) => ({
                  key: view,
                  label: t(`campaigns.send.${view}`),
                  count: countOf(view),
                  search: { status: view },
                })),
            ]}
          />
        </>
      }
    >
      <Sends
        rows={sends.data?.items}
        error={sends.error}
        total={sends.data?.total}
        page={state.page}
        onRetry={() => void sends.refetch()}
        onPage={(page) => setState({ page })}
      />
    </Desk>
  )
}

interface SendsProps {
  rows: Send[] | undefined
  error: Error | null
  total: number | undefined
  page: number
  onRetry(): void
  onPage(page: number): void
}

function Sends({ rows, error, total, page: at, onRetry, onPage }: SendsProps) {
  const { t, lang } = useLanguage()
  const whose = ({ phone, name }: Send) => (
    <span className="grid min-w-0">
      {name && <bdi className="truncate font-strong">{name}</bdi>}
      <bdi dir="ltr" className="w-fit">
        {formatPhone(phone)}
      </bdi>
    </span>
  )
  const state = ({ status, errorMessage, errorCode }: Send) => (
    <span className="grid min-w-0">
      <span className="font-strong">{t(`campaigns.send.${status}`)}</span>
      {errorCode && (
        <bdi className="truncate text-caption text-ink-3">{[errorCode, errorMessage].filter(Boolean).join(': ')}</bdi>
      )}
    </span>
  )
  const time = (at: string | null) => (at ? formatDateTime(new Date(at), lang) : '—')
  const columns: Column<Send>[] = [
    { key: 'person', title: t('campaigns.person'), cell: whose },
    { key: 'state', title: t('campaigns.state'), cell: state },
    { key: 'sent', title: t('campaigns.send.sent'), from: 'lg', width: 215, cell: ({ sentAt }) => time(sentAt) },
    { key: 'read', title: t('campaigns.send.read'), from: 'xl', width: 215, cell: ({ readAt }) => time(readAt) },
    { key: 'click', title: t('campaigns.send.clicked'), from: 'xl', width: 215, cell: (one) => time(one.clickedAt) },
  ]
  return (
    <DataTable
      label={t('campaigns.people')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      rowLabel={({ phone }) => phone}
      error={error}
      onRetry={onRetry}
      empty={<EmptyState title={t('campaigns.nobody')} text={t('campaigns.nobody.hint')} />}
      renderCard={(one) => (
        <div className="flex items-start justify-between gap-3">
          {whose(one)}
          <span className="text-end">{state(one)}</span>
        </div>
      )}
      page={at}
      limit={PAGE_SIZE}
      total={total}
      onPage={onPage}
    />
  )
}

function Acts({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Act | null>(null)
  const [busy, setBusy] = useState(false)
  const { id, can } = campaign
  async function act(which: Act) {
    setBusy(true)
    try {
      if (which === 'delete') {
        await call(api.deleteCampaign, { params: { id } })
        void navigate({ to: '/admin/whatsapp/campaigns' })
      } else {
        const changed = await call(acts[which], { params: { id } })
        queries.setQueryData(read(api.getCampaign, { params: { id } }).queryKey, changed)
      }
      toast({ title: t(`campaigns.done.${which}`) })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const { code } = error
      const known = refusals.find((one) => one === code)
      toast({ title: t(known ? `campaigns.error.${known}` : 'campaigns.error.failed') })
    } finally {
      setBusy(false)
      setAsked(null)
      void queries.invalidateQueries({ queryKey: [api.listSends.path] })
      void queries.invalidateQueries({ queryKey: [api.listCampaigns.path] })
    }
  }
  const shown = (['start', 'pause', 'resume', 'cancel', 'delete'] as const).filter(
    (which) => can[which] && !(which === 'resume' && can.start) && !(which === 'cancel' && can.delete),
  )
  return (
    <span className="flex flex-wrap gap-2">
      {shown.map((which) => (
        <Button
          key={which}
          size="small"
          tone={which === 'start' || which === 'resume' ? 'gulf' : 'quiet'}
          busy={busy && asked === null}
          onClick={() => (which === 'pause' ? void act(which) : setAsked(which))}
        >
          {t(`campaigns.act.${which}`)}
        </Button>
      ))}
      <ConfirmDialog
        open={asked !== null}
        tone={asked === 'cancel' || asked === 'delete' ? 'danger' : 'gulf'}
        title={asked ? t(`campaigns.ask.${asked}`) : ''}
        confirm={asked ? t(`campaigns.act.${asked}`) : ''}
        busy={busy}
        onConfirm={() => asked && void act(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>{asked && t(`campaigns.ask.${asked}.hint`, { count: campaign.totalRecipients })}</p>
      </ConfirmDialog>
    </span>
  )
}

export const page: Page = {
  Component: CampaignPage,
  load: ({ queries, params }) => queries.ensureQueryData(read(api.getCampaign, { params: { id: params.id ?? '' } })),
  head: ({ t }) => ({ title: t('campaigns.title'), hidden: true }),
}
