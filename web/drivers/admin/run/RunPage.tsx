import { formatDay } from '@qatra/contract/calendar/calendar'
import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { Link } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { findUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { dayIn, readSearch, useSearchState } from '../../../lib/search-state.ts'
import { MapIcon } from '../../../ui/admin/icons.ts'
import { Money } from '../../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AgainIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { RunHead, RunNews } from './RunHead.tsx'
import { groupsOf, rearranged } from './run-actions.ts'
import { runQuery } from './run-store.ts'
import { StopCard } from './StopCard.tsx'
import { StopList } from './StopList.tsx'
import { StopRow } from './StopRow.tsx'
import { type RunState, useRun } from './use-run.ts'
import { Van } from './Van.tsx'
import { VisitCard } from './VisitCard.tsx'

const shape = { date: dayIn }

/** The driver's run: the next stop with its actions, then the later stops. */
function RunPage() {
  const { t } = useLanguage()
  const [{ date }] = useSearchState(shape)
  const state = useRun(date)
  const { run, query } = state
  return (
    <main id="main" className="mx-auto min-h-dvh max-w-140 bg-page text-body">
      {run ? (
        <>
          <RunHead run={run} />
          <RunNews state={state} />
          {run.stops.length === 0 ? <NoStops state={state} /> : <Stops state={state} />}
          <Van run={run} onReport={state.reportVan} />
          {run.stops.length > 0 && <CashFoot state={state} />}
        </>
      ) : query.isError ? (
        <div className="p-6">
          <EmptyState as="h1" title={t('admin.failed')} text={t('admin.failed.hint')}>
            <Button icon={AgainIcon} onClick={() => void query.refetch()}>
              {t('admin.retry')}
            </Button>
          </EmptyState>
        </div>
      ) : (
        <div className="grid gap-4 p-4">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-13 w-full" />
        </div>
      )}
    </main>
  )
}

type MapProps = { stops: readonly RunStop[]; nextId: string | null }

/** The map's chunk, loaded when idle; not available offline before that. */
function useRunMap() {
  const [Map, setMap] = useState<ComponentType<MapProps> | null>(null)
  const [isMissing, setMissing] = useState(false)
  const fetchMap = () =>
    import('./RunMap.tsx').then(
      ({ RunMap }) => setMap(() => RunMap),
      () => setMissing(true),
    )
  useEffect(() => {
    const timer = setTimeout(() => void fetchMap(), MAP_AFTER_MS)
    return () => clearTimeout(timer)
  }, []) // oxlint-disable-line react/exhaustive-deps -- once
  return { Map, isMissing, fetchMap }
}
const MAP_AFTER_MS = 2_000

function MapOfStops({ open, metresLeft }: { open: readonly RunStop[]; metresLeft: number }) {
  const { t } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { Map, isMissing, fetchMap } = useRunMap()
  return (
    <div className="border-t-8 border-well px-4 py-2">
      <div className="flex items-center justify-between">
        <Button
          tone="link"
          icon={MapIcon}
          aria-expanded={isOpen}
          className="px-0!"
          onClick={() => {
            setOpen(!isOpen)
            if (!Map) void fetchMap()
          }}
        >
          {isOpen ? t('run.hideMap') : t('run.map')}
        </Button>
        <span className="text-label text-ink-2">{t('run.left', { km: (metresLeft / 1000).toFixed(1) })}</span>
      </div>
      {isOpen &&
        (Map ? (
          <Map stops={open} nextId={open[0]?.id ?? null} />
        ) : isMissing ? (
          <p className="py-2 text-ink-2">{t('run.mapMissing')}</p>
        ) : (
          <Skeleton className="h-65 w-full" />
        ))}
    </div>
  )
}

function Stops({ state }: { state: RunState }) {
  const { t, lang } = useLanguage()
  const { run, waiting } = state
  if (!run) return null
  const { next, later, tried, done, cancelled } = groupsOf(run)
  const open = next ? [next, ...later, ...tried] : []
  const isWaiting = (stop: RunStop) => waiting.some((action) => action.kind !== 'van' && action.orderId === stop.id)
  const toFront = (stop: RunStop) => {
    if (next) state.arrange(rearranged(run.stops, stop.id, next.id))
    scrollTo({ top: 0 })
  }
  const list = { all: run.stops, onArrange: state.arrange, onOpen: toFront }
  return (
    <>
      {next ? (
        next.visit ? (
          <VisitCard key={next.id} stop={next} visit={next.visit} state={state} />
        ) : (
          <StopCard key={next.id} stop={next} state={state} />
        )
      ) : (
        <div className="px-4 py-8">
          <EmptyState
            title={t('run.allDone')}
            text={
              run.cash.inHand > 0
                ? t('run.allDoneText', { amount: formatMoney(fromBhd(run.cash.inHand), lang) })
                : t('run.allDoneNoCash')
            }
          />
        </div>
      )}
      {open.length > 1 && <MapOfStops open={open} metresLeft={run.metresLeft} />}
      {later.length > 0 && <StopList title={t('run.later')} stops={later} {...list} />}
      {tried.length > 0 && <StopList title={t('run.triedAgain')} stops={tried} {...list} />}
      <Folded title={t('run.done', { count: done.length })} stops={done} isWaiting={isWaiting} />
      <Folded title={t('run.cancelled', { count: cancelled.length })} stops={cancelled} />
    </>
  )
}

interface FoldedProps {
  title: string
  stops: readonly RunStop[]
  isWaiting?(stop: RunStop): boolean
}

function Folded({ title, stops, isWaiting }: FoldedProps) {
  if (stops.length === 0) return null
  return (
    <details className="border-t-8 border-well px-4">
      <summary className="flex min-h-13 cursor-pointer items-center font-strong">{title}</summary>
      <ul className="pb-3">
        {stops.map((stop) => (
          <li key={stop.id} className="border-b border-line last:border-0">
            <StopRow stop={stop} isWaiting={isWaiting?.(stop) ?? false} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function NoStops({ state: { run } }: { state: RunState }) {
  const { t, lang } = useLanguage()
  if (!run) return null
  const isToday = run.date === run.today
  return (
    <div className="px-4 py-10">
      <EmptyState title={isToday ? t('run.empty') : t('run.emptyDay')} text={t('run.emptyText')}>
        {run.nextDate && (
          <Link to="/admin/run" search={{ date: run.nextDate }} className={buttonClass('gulf')}>
            {t('run.goTo', { day: formatDay(run.nextDate, lang, 'long') })}
          </Link>
        )}
        {!isToday && (
          <Link to="/admin/run" className={buttonClass('quiet', 'normal', 'ms-2')}>
            {t('run.today')}
          </Link>
        )}
      </EmptyState>
    </div>
  )
}

function CashFoot({ state: { run } }: { state: RunState }) {
  const { t } = useLanguage()
  if (!run) return null
  const { expected, collected, handedOver, inHand } = run.cash
  const rows: [string, number][] = [
    [t('run.expected'), expected],
    [t('run.collected'), collected],
    [t('run.handedOver'), handedOver],
  ]
  return (
    <section aria-label={t('run.cashOfDay')} className="border-t-8 border-well px-4 pt-3.5 pb-8">
      <h2 className="mb-1 text-body font-strong">{t('run.cashOfDay')}</h2>
      <dl>
        {rows.map(([term, bhd]) => (
          <div key={term} className="flex justify-between py-1">
            <dt className="text-ink-2">{term}</dt>
            <dd>
              <Money bhd={bhd} />
            </dd>
          </div>
        ))}
        <div className="mt-1 flex justify-between border-t border-line pt-2 text-heading font-strong">
          <dt>{t('run.inHand')}</dt>
          <dd>
            <Money bhd={inHand} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

export const page: Page = {
  Component: RunPage,
  // On a network failure the page shows the saved run.
  load: async ({ queries, search }) => {
    const user = await findUser(queries)
    if (user) await queries.prefetchQuery({ ...runQuery(user.id, readSearch(shape, search).date), retry: false })
  },
  head: ({ t }) => ({ title: t('run.headTitle') }),
}
