import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  getLegacySummary,
  type LegacyOrder,
  listLegacyOrders,
  retryLegacyOrders,
  syncStatuses,
} from '@qatra/contract/legacy'
import { leftToRight } from '@qatra/contract/lib/text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useInLang } from '../../app/names.ts'
import type { Page, PageRequest } from '../../app/page.ts'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { oneOf, pageNumber, readSearch, type StateOf, textIn } from '../../lib/search-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { OrderBadge } from '../../ui/Badge.tsx'
import { OrderId } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AgainIcon, SendIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { SyncBadge } from './SyncBadge.tsx'
import { SyncPanel } from './SyncPanel.tsx'

const legacyShape = { state: oneOf(syncStatuses), q: textIn(100), page: pageNumber, open: textIn(40) }

const legacyQuery = ({ state, q, page }: StateOf<typeof legacyShape>) =>
  read(listLegacyOrders, { query: { page, limit: PAGE_SIZE, ...(state && { state }), ...(q && { search: q }) } })

const REFRESH_MS = 5_000
/** Columns hidden while the panel is open; it shows them. */
const besidePanel = new Set(['bag', 'problem', 'status'])

function LegacyPage() {
  const t = useT()
  const list = useList(legacyShape, legacyQuery, { refetchInterval: REFRESH_MS })
  const { state, setState, data } = list
  const { data: summary } = useQuery({ ...read(getLegacySummary), refetchInterval: REFRESH_MS })
  const columns = useSyncColumns()
  const { page } = state
  const opened = data?.items.find(({ id }) => id === state.open)
  const counts = summary?.counts
  if (summary && !summary.isOn) {
    return (
      <AdminPageLayout title={t('legacy.title')}>
        <div className="grid flex-1 place-items-center px-6 py-12">
          <div className="max-w-120">
            <EmptyState title={t('legacy.off')} text={t('legacy.off.hint')} />
          </div>
        </div>
      </AdminPageLayout>
    )
  }
  return (
    <ListPage
      list={list}
      title={t('legacy.title')}
      subtitle={summary?.host && <bdi>{t('legacy.to', { host: leftToRight(summary.host) })}</bdi>}
      head={
        <Tabs
          label={t('legacy.views')}
          chosen={state.state ?? 'all'}
          items={[
            { key: 'all', label: t('legacy.all'), search: { state: undefined } },
            ...syncStatuses.map((key) => ({
              key,
              label: t(`legacy.state.${key}`),
              count: counts?.[key],
              search: { state: key },
            })),
          ]}
        />
      }
      search={t('legacy.search')}
      tools={<RetryTools failed={counts?.failed ?? 0} missing={(counts?.failed ?? 0) + (counts?.pending ?? 0)} />}
      panel={opened && <SyncPanel key={opened.id} order={opened} onClose={() => setState({ open: '', page })} />}
      label={t('legacy.list')}
      columns={opened ? columns.filter(({ key }) => !besidePanel.has(key)) : columns}
      rowKey={({ id }) => id}
      rowLabel={({ id }) => id}
      openKey={state.open || undefined}
      onOpen={({ id }) => setState({ open: id, page })}
      empty={
        state.state === 'failed' && state.q === '' ? (
          <EmptyState title={t('legacy.well')} text={t('legacy.well.hint')} />
        ) : (
          <EmptyState title={t('legacy.empty')} text={t('legacy.empty.hint')} />
        )
      }
      renderCard={(order) => <SyncCard order={order} />}
    />
  )
}

function RetryTools({ failed, missing }: { failed: number; missing: number }) {
  const t = useT()
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { busy, run } = useAction(() => toast({ title: t('legacy.notDone'), tone: 'error' }))
  const retry = (scope: 'failed' | 'all') =>
    run(async () => {
      const { changed: count } = await call(retryLegacyOrders, { body: { scope } })
      toast({ title: t('legacy.retried', { count }) })
    }).finally(() => {
      setIsAsking(false)
      for (const { path } of [getLegacySummary, listLegacyOrders]) void queries.invalidateQueries({ queryKey: [path] })
    })
  return (
    <>
      {failed > 0 && (
        <ToolbarButton icon={AgainIcon} onClick={() => void retry('failed')}>
          {t('legacy.retryFailed')}
        </ToolbarButton>
      )}
      {missing > 0 && (
        <ToolbarButton icon={SendIcon} onClick={() => setIsAsking(true)}>
          {t('legacy.retryAll')}
        </ToolbarButton>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('legacy.retryAll.title')}
        confirm={t('legacy.retryAll')}
        busy={busy}
        onConfirm={() => void retry('all')}
        onCancel={() => setIsAsking(false)}
      >
        <p>{t('legacy.retryAll.text')}</p>
      </ConfirmDialog>
    </>
  )
}

function LastProblem({ order }: { order: LegacyOrder }) {
  const problem = order.syncErrors.at(-1)
  if (!problem || order.syncStatus === 'synced') return <span className="text-ink-3">—</span>
  return (
    <bdi className="text-as-page block truncate text-ink-2" title={problem.message}>
      {problem.message}
    </bdi>
  )
}

function useSyncColumns(): Column<LegacyOrder>[] {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  return [
    {
      key: 'order',
      title: t('legacy.order'),
      width: 210,
      cell: ({ id }) => <OrderId id={id} className="font-strong" />,
    },
    {
      key: 'vendor',
      title: t('admin.vendor'),
      from: 'lg',
      cell: (order) => (
        <bdi className="text-as-page block truncate">{inLang(order.vendorName, order.vendorNameAr)}</bdi>
      ),
    },
    {
      key: 'status',
      title: t('legacy.status'),
      from: 'lg',
      width: 150,
      cell: ({ status }) => (
        <OrderBadge status={status} staff>
          {t(`admin.status.${status}`)}
        </OrderBadge>
      ),
    },
    { key: 'state', title: t('legacy.state'), width: 150, cell: (order) => <SyncBadge order={order} /> },
    {
      key: 'bag',
      title: t('legacy.bag'),
      from: 'lg',
      width: 120,
      cell: ({ legacyBagId }) => <bdi dir="ltr">{legacyBagId ?? <span className="text-ink-3">—</span>}</bdi>,
    },
    { key: 'problem', title: t('legacy.problem'), cell: (order) => <LastProblem order={order} /> },
    {
      key: 'lastSync',
      title: t('legacy.lastSync'),
      width: 235,
      cell: ({ lastSyncAt }) =>
        lastSyncAt ? (
          <bdi>{formatDateTime(new Date(lastSyncAt), lang)}</bdi>
        ) : (
          <span className="text-ink-3">{t('legacy.never')}</span>
        ),
    },
  ]
}

function SyncCard({ order }: { order: LegacyOrder }) {
  const inLang = useInLang()
  return (
    <span className="grid gap-1">
      <span className="flex items-center justify-between gap-3">
        <OrderId id={order.id} className="font-strong" />
        <SyncBadge order={order} />
      </span>
      <span className="flex justify-between gap-3 text-ink-2">
        <bdi>{inLang(order.vendorName, order.vendorNameAr)}</bdi>
        <bdi dir="ltr">{order.legacyBagId}</bdi>
      </span>
      {order.syncStatus !== 'synced' && order.syncErrors.length > 0 && <LastProblem order={order} />}
    </span>
  )
}

async function load({ queries, search }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(read(getLegacySummary)),
    queries.ensureQueryData(legacyQuery(readSearch(legacyShape, search))),
  ])
}

export const page: Page = { Component: LegacyPage, load, head: ({ t }) => ({ title: t('legacy.title'), hidden: true }) }
