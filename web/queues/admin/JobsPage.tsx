import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { listFailedJobs, listQueues, type QueueFigures } from '@qatra/contract/queues'
import { useQuery } from '@tanstack/react-query'
import type { Page, PageRequest } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { readSearch, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { Stat } from '../../ui/admin/Stat.tsx'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { DataTable } from '../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { failedQuery, jobsShape } from './search.ts'
import { ageIn, useQueueName } from './words.ts'

export const REFRESH_MS = 5_000

function JobsPage() {
  const t = useT()
  const [state, setState] = useSearchState(jobsShape)
  const query = useQuery({ ...read(listQueues), refetchInterval: REFRESH_MS })
  const queues = query.data?.queues
  const failed = (queues ?? []).reduce((sum, queue) => sum + queue.failed, 0)
  const columns = useQueueColumns()
  const name = useQueueName()
  return (
    <AdminPageLayout
      title={t('jobs.title')}
      subtitle={<span className="text-ink-3">{t(query.isError ? 'jobs.stale' : 'jobs.live')}</span>}
      head={
        <>
          {queues && <Figures queues={queues} />}
          <Tabs
            label={t('jobs.views')}
            chosen={state.view ?? 'queues'}
            items={[
              { key: 'queues', label: t('jobs.queues'), search: { view: undefined, queue: undefined } },
              { key: 'failed', label: t('jobs.failures'), count: failed, search: { view: 'failed' } },
            ]}
          />
        </>
      }
    >
      {state.view === 'failed' ? (
        <FailedJobs queues={queues ?? []} />
      ) : (
        <DataTable
          label={t('jobs.list')}
          columns={columns}
          rows={queues && [...queues].sort(bySeverity)}
          rowKey={(queue) => queue.name}
          rowLabel={(queue) => name(queue.name)}
          onOpen={(queue) => setState({ view: 'failed', queue: queue.name })}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={<EmptyState title={t('jobs.empty')} text={t('jobs.empty.hint')} />}
          renderCard={(queue) => <QueueCard queue={queue} />}
        />
      )}
    </AdminPageLayout>
  )
}

/** Sort order: failed jobs first, then waiting ones, then by name for a stable list. */
const bySeverity = (a: QueueFigures, b: QueueFigures) =>
  b.failed - a.failed || b.depth - b.later - (a.depth - a.later) || (a.name < b.name ? -1 : 1)

function Figures({ queues }: { queues: readonly QueueFigures[] }) {
  const t = useT()
  const sum = (figure: 'waiting' | 'active' | 'failed' | 'doneLastHour' | 'later') =>
    queues.reduce((total, queue) => total + queue[figure], 0)
  const oldest = Math.max(-1, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? -1))
  const later = sum('later')
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-3 px-4 pb-4 md:grid-cols-4 md:px-6">
      <Stat
        label={t('jobs.stat.waiting')}
        value={sum('waiting')}
        hint={oldest >= 0 ? t('jobs.stat.oldest', { age: ageIn(t, oldest) }) : undefined}
      />
      <Stat
        label={t('jobs.stat.active')}
        value={sum('active')}
        hint={later > 0 ? t('jobs.stat.later', { count: later }) : undefined}
      />
      <Stat
        label={t('jobs.stat.failed')}
        value={<span className={sum('failed') > 0 ? 'text-clay' : undefined}>{sum('failed')}</span>}
        hint={sum('failed') === 0 ? t('jobs.well') : undefined}
      />
      <Stat label={t('jobs.stat.done')} value={sum('doneLastHour')} />
    </div>
  )
}

/** Zero is grey, so that other values are noticed. */
function Count({ of, tone }: { of: number; tone?: 'problem' }) {
  if (of === 0) return <span className="text-ink-3">0</span>
  if (tone !== 'problem') return <b className="font-strong">{of}</b>
  return (
    <b className="inline-flex items-center gap-1 font-strong text-clay">
      <WarningIcon size={14} aria-hidden="true" />
      {of}
    </b>
  )
}

function QueueName({ queue }: { queue: QueueFigures }) {
  const name = useQueueName()(queue.name)
  return (
    <span className="grid min-w-0">
      <bdi className="text-as-page truncate font-strong">{name}</bdi>
      {name !== queue.name && (
        <bdi dir="ltr" className="w-fit text-caption text-ink-3">
          {queue.name}
        </bdi>
      )}
    </span>
  )
}

function useQueueColumns(): Column<QueueFigures>[] {
  const { t, lang } = useLanguage()
  return [
    { key: 'name', title: t('jobs.queue'), cell: (queue) => <QueueName queue={queue} /> },
    { key: 'failed', title: t('jobs.failed'), width: 100, cell: ({ failed }) => <Count of={failed} tone="problem" /> },
    { key: 'waiting', title: t('jobs.waiting'), width: 100, cell: ({ waiting }) => <Count of={waiting} /> },
    { key: 'active', title: t('jobs.active'), width: 100, cell: ({ active }) => <Count of={active} /> },
    { key: 'later', title: t('jobs.later'), from: 'lg', width: 100, cell: ({ later }) => <Count of={later} /> },
    {
      key: 'oldest',
      title: t('jobs.oldest'),
      from: 'lg',
      width: 140,
      cell: ({ oldestSeconds }) =>
        oldestSeconds === null ? <span className="text-ink-3">—</span> : ageIn(t, oldestSeconds),
    },
    { key: 'done', title: t('jobs.done'), width: 110, cell: ({ doneLastHour }) => <Count of={doneLastHour} /> },
    {
      key: 'lastDone',
      title: t('jobs.lastDone'),
      from: 'xl',
      width: 216,
      cell: ({ lastDoneAt }) =>
        lastDoneAt ? (
          <bdi>{formatDateTime(new Date(lastDoneAt), lang)}</bdi>
        ) : (
          <span className="text-ink-3">{t('jobs.never')}</span>
        ),
    },
  ]
}

function QueueCard({ queue }: { queue: QueueFigures }) {
  const t = useT()
  const figures = [
    [t('jobs.failed'), <Count key="failed" of={queue.failed} tone="problem" />],
    [t('jobs.waiting'), <Count key="waiting" of={queue.waiting} />],
    [t('jobs.active'), <Count key="active" of={queue.active} />],
    [t('jobs.done'), <Count key="done" of={queue.doneLastHour} />],
  ] as const
  return (
    <span className="grid gap-1">
      <QueueName queue={queue} />
      <span className="flex flex-wrap gap-x-4 text-caption text-ink-2">
        {figures.map(([label, value]) => (
          <span key={label} className="inline-flex items-center gap-1">
            {label} {value}
          </span>
        ))}
      </span>
    </span>
  )
}

async function load({ queries, search }: PageRequest) {
  const state = readSearch(jobsShape, search)
  await Promise.all([
    queries.ensureQueryData(read(listQueues)),
    state.view === 'failed' && queries.ensureQueryData(read(listFailedJobs, { query: failedQuery(state) })),
  ])
}

export const page: Page = { Component: JobsPage, load, head: ({ t }) => ({ title: t('jobs.title'), hidden: true }) }
