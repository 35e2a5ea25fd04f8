import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  discardJobs,
  type FailedJob,
  listFailedJobs,
  listQueues,
  type QueueFigures,
  retryJobs,
} from '@qatra/contract/queues'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { FilterBar } from '../../ui/admin/list/FilterBar.tsx'
import { useList } from '../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { DataTable } from '../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AgainIcon, BinIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { failedQuery, type JobsState, jobsShape } from './search.ts'
import { useQueueName } from './words.ts'

const REFRESH_MS = 5_000
const listOf = (state: JobsState) => read(listFailedJobs, { query: failedQuery(state) })
const none: ReadonlySet<string> = new Set()

type Action = 'retry' | 'discard'
/** Target of an action: selected jobs, or all failed jobs of some queues. */
type Reach = { jobs: readonly FailedJob[] } | { queues: readonly QueueFigures[] }

const countOf = (reach: Reach) =>
  'jobs' in reach ? reach.jobs.length : reach.queues.reduce((sum, { failed }) => sum + failed, 0)

function bodiesOf(reach: Reach): { queue: string; ids?: string[] }[] {
  if ('queues' in reach) return reach.queues.map(({ name }) => ({ queue: name }))
  const queues = [...new Set(reach.jobs.map(({ queue }) => queue))]
  return queues.map((queue) => ({
    queue,
    ids: reach.jobs.filter((job) => job.queue === queue).map(({ id }) => id),
  }))
}

/** Jobs that failed permanently, with their errors; they can be retried or discarded. */
export function FailedJobs({ queues }: { queues: readonly QueueFigures[] }) {
  const t = useT()
  const name = useQueueName()
  const list = useList(jobsShape, listOf, { refetchInterval: REFRESH_MS })
  const [selected, setSelected] = useState(none)
  const [confirming, setConfirming] = useState<{ action: Action; reach: Reach } | null>(null)
  const actions = useJobActions(() => {
    setSelected(none)
    setConfirming(null)
  })
  const { queue } = list.state
  const chosen = (list.data?.items ?? []).filter(({ id }) => selected.has(id))
  const reached = queues.filter((one) => one.failed > 0 && (queue === '' || one.name === queue))
  const columns = useFailedColumns()
  return (
    <>
      <FilterBar
        end={
          reached.length > 0 && (
            <>
              <ToolbarButton
                icon={AgainIcon}
                onClick={() => setConfirming({ action: 'retry', reach: { queues: reached } })}
              >
                {t('jobs.retryAll')}
              </ToolbarButton>
              <ToolbarButton
                icon={BinIcon}
                tone="danger"
                onClick={() => setConfirming({ action: 'discard', reach: { queues: reached } })}
              >
                {t('jobs.discardAll')}
              </ToolbarButton>
            </>
          )
        }
      >
        <ChoiceFilter
          label={t('jobs.queue')}
          searchable
          {...list.choice('queue')}
          options={queues.map((one) => ({ value: one.name, label: name(one.name), count: one.failed }))}
        />
      </FilterBar>
      <DataTable
        label={t('jobs.failedList')}
        columns={columns}
        {...list.table}
        rowKey={({ id }) => id}
        rowLabel={(job) => name(job.queue)}
        selected={selected}
        onSelect={setSelected}
        bulk={
          <>
            <ToolbarButton icon={AgainIcon} onClick={() => void actions.run('retry', { jobs: chosen })}>
              {t('jobs.retry')}
            </ToolbarButton>
            <ToolbarButton
              icon={BinIcon}
              tone="danger"
              onClick={() => setConfirming({ action: 'discard', reach: { jobs: chosen } })}
            >
              {t('jobs.discard')}
            </ToolbarButton>
          </>
        }
        empty={<EmptyState title={t('jobs.well')} text={t('jobs.well.hint')} />}
        renderCard={(job) => (
          <FailedCard
            job={job}
            onRetry={() => void actions.run('retry', { jobs: [job] })}
            onDiscard={() => setConfirming({ action: 'discard', reach: { jobs: [job] } })}
          />
        )}
      />
      <ConfirmDialog
        open={confirming !== null}
        tone={confirming?.action === 'discard' ? 'danger' : 'gulf'}
        title={t(confirming?.action === 'discard' ? 'jobs.discard.title' : 'jobs.retryAll.title')}
        confirm={t(confirming?.action === 'discard' ? 'jobs.discard' : 'jobs.retry')}
        busy={actions.busy}
        error={actions.problem}
        onConfirm={() => confirming && void actions.run(confirming.action, confirming.reach)}
        onCancel={() => {
          actions.forget()
          setConfirming(null)
        }}
      >
        {confirming && (
          <p>
            {t(confirming.action === 'discard' ? 'jobs.discard.text' : 'jobs.retryAll.text', {
              count: countOf(confirming.reach),
            })}
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

function useJobActions(onDone: () => void) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, setProblem, run } = useAction(() => {
    toast({ title: t('jobs.notDone'), tone: 'error' })
    return t('jobs.notDone')
  })
  const runOn = (action: Action, reach: Reach) =>
    run(async () => {
      let count = 0
      for (const body of bodiesOf(reach)) {
        count += (await call(action === 'retry' ? retryJobs : discardJobs, { body })).changed
      }
      toast({ title: t(action === 'retry' ? 'jobs.retried' : 'jobs.discarded', { count }) })
      onDone()
    }).finally(() => {
      void queries.invalidateQueries({ queryKey: [listQueues.path] })
      void queries.invalidateQueries({ queryKey: [listFailedJobs.path] })
    })
  return { run: runOn, busy, problem, forget: () => setProblem(null) }
}

function Reason({ job: { reason } }: { job: FailedJob }) {
  const t = useT()
  const code = reason.code ?? reason.type
  return (
    <span className="grid min-w-0">
      <bdi className="text-as-page truncate" title={reason.message}>
        {reason.message || t('jobs.reason.none')}
      </bdi>
      {code && (
        <bdi dir="ltr" className="w-fit text-caption text-ink-3">
          {code}
        </bdi>
      )}
    </span>
  )
}

function Payload({ job }: { job: FailedJob }) {
  const text = job.payload.map(({ name, value }) => `${name} ${value}`).join(' · ')
  return (
    <bdi dir="ltr" className="text-as-page block truncate text-caption text-ink-2" title={text}>
      {text || '—'}
    </bdi>
  )
}

function useFailedColumns(): Column<FailedJob>[] {
  const { t, lang } = useLanguage()
  const name = useQueueName()
  return [
    {
      key: 'queue',
      title: t('jobs.queue'),
      width: 190,
      cell: (job) => <bdi className="font-strong">{name(job.queue)}</bdi>,
    },
    { key: 'reason', title: t('jobs.reason'), cell: (job) => <Reason job={job} /> },
    { key: 'payload', title: t('jobs.payload'), from: 'lg', cell: (job) => <Payload job={job} /> },
    {
      key: 'at',
      title: t('jobs.at'),
      width: 235,
      cell: ({ failedAt, tries }) => (
        <span className="grid">
          <bdi>{formatDateTime(new Date(failedAt), lang)}</bdi>
          <span className="text-caption text-ink-3">{t('jobs.tries', { count: tries })}</span>
        </span>
      ),
    },
  ]
}

function FailedCard({ job, onRetry, onDiscard }: { job: FailedJob; onRetry(): void; onDiscard(): void }) {
  const { t, lang } = useLanguage()
  const name = useQueueName()
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <b className="font-strong">{name(job.queue)}</b>
        <span className="flex-none text-caption text-ink-3">{formatDateTime(new Date(job.failedAt), lang)}</span>
      </div>
      <Reason job={job} />
      <Payload job={job} />
      <div className="mt-1 flex gap-2">
        <ToolbarButton icon={AgainIcon} onClick={onRetry}>
          {t('jobs.retry')}
        </ToolbarButton>
        <ToolbarButton icon={BinIcon} tone="danger" onClick={onDiscard}>
          {t('jobs.discard')}
        </ToolbarButton>
      </div>
    </div>
  )
}
