import { formatDay } from '@qatra/contract/calendar/calendar'
import type { BoardDay } from '@qatra/contract/driver-board'
import { addFils, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { nameOrder } from '@qatra/contract/lib/text'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useInLang } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { useDayVisits, VisitDialog } from '../../customers/admin/CollectionVisit.tsx'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { readSearch, useSearchState } from '../../lib/search-state.ts'
import { distinctInitials } from '../../ui/admin/Avatar.tsx'
import { MapIcon, PrintIcon } from '../../ui/admin/icons.ts'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { useScreen } from '../../ui/admin/media.ts'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Attention, AttentionLine, BoardMap } from './BoardMap.tsx'
import { LastAct, type Moment, NextStop, nameOf, silenceOf, stopsOf, VanLoad } from './board.tsx'
import { Difference } from './closing/Difference.tsx'
import { DayNav } from './DayNav.tsx'
import { DriverPanel } from './DriverPanel.tsx'
import { RunOf, useDriverColumns } from './driver-columns.tsx'
import { driverDaysQuery, driversShape } from './drivers-search.ts'

const isPlaced = ({ run }: BoardDay) => run.length > 0

/** The day of every driver: run, next stop, load and cash, with a map; as a list the cash of the day. */
function DriversPage() {
  const { t, lang } = useLanguage()
  const [state, setState] = useSearchState(driversShape)
  const query = useQuery({ ...driverDaysQuery(state.date), refetchInterval: 30_000 })
  const { data } = query
  const isDocked = useScreen('desk')
  const [isMapOpen, setMapOpen] = useState(false)
  const rows = useMemo(() => {
    const compare = nameOrder(lang)
    // Those without stops come last.
    return (
      data &&
      [...data.drivers].sort((a, b) => Number(isPlaced(b)) - Number(isPlaced(a)) || compare(nameOf(a), nameOf(b)))
    )
  }, [data, lang])
  const initials = useMemo(() => distinctInitials(rows?.map(({ driver }) => driver) ?? []), [rows])
  const open = rows?.find(({ driver }) => driver.id === state.driver)
  const moment: Moment = data ?? { date: '', today: '', now: '' }
  const isBoard = state.view !== 'list'
  const columns = useDriverColumns({ isBoard, hasPanel: open !== undefined, moment, initials })
  const user = useUser()
  const mayPrint = user?.permissions.includes('drivers.run') ?? false
  const openDriver = (driver: number) => setState({ driver })
  const map = (className: string) =>
    rows?.some(isPlaced) && (
      <BoardMap
        rows={rows}
        moment={moment}
        initials={initials}
        open={open?.driver.id}
        onOpen={openDriver}
        className={`no-print flex flex-col ${className}`}
      />
    )
  // Above the map of a wide screen, so that the head of the list is one line.
  const isOverMap = isBoard && isDocked && !open
  const actions = (
    <>
      <Segmented
        label={t('drivers.view')}
        value={isBoard ? 'board' : 'list'}
        options={[
          { value: 'board', label: t('drivers.view.board') },
          { value: 'list', label: t('drivers.view.list') },
        ]}
        onChange={(view) => setState({ view: view === 'list' ? view : undefined })}
      />
      {isBoard && !isDocked && rows?.some(isPlaced) && (
        <ToolbarButton icon={MapIcon} aria-expanded={isMapOpen} onClick={() => setMapOpen(!isMapOpen)}>
          {t(isMapOpen ? 'run.hideMap' : 'run.map')}
        </ToolbarButton>
      )}
      {mayPrint && data?.drivers.some(isPlaced) && (
        <Link
          to="/admin/drivers/print"
          search={state.date ? { date: state.date } : {}}
          className={toolbarButtonClass(false, 'max-md:hidden')}
        >
          <PrintIcon size={16} aria-hidden="true" className="text-ink-3" />
          {t('drivers.printAll')}
        </Link>
      )}
    </>
  )
  return (
    <ListPage
      title={t('drivers.title')}
      list={{ query, table: { rows, error: query.error, onRetry: () => void query.refetch() } }}
      subtitle={
        data && (
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <DayNav day={data.date} onChange={(date) => setState({ date: date === data.today ? undefined : date })} />
            {state.date !== undefined && (
              <ToolbarButton className="no-print" onClick={() => setState({ date: undefined })}>
                {t('admin.date.today')}
              </ToolbarButton>
            )}
            <DayTotals rows={data.drivers} moment={data} />
          </span>
        )
      }
      actions={!isOverMap && actions}
      head={
        <>
          <OpenVisits date={moment.date} />
          {isBoard && !isDocked && isMapOpen && map('mb-2 h-80')}
        </>
      }
      panel={
        open && data ? (
          <DriverPanel
            row={open}
            moment={data}
            map={isBoard && map('h-72 border-b border-line')}
            onClose={() => setState({ driver: undefined })}
          />
        ) : (
          isOverMap && (
            <div className="sticky top-0 flex h-[calc(100dvh-var(--top-bar,0px))] min-w-0 flex-col print:hidden">
              <div className="flex min-h-16 flex-none items-center justify-end gap-2 px-4">{actions}</div>
              {map('h-3/5')}
              {data && <Attention rows={data.drivers} moment={data} onOpen={openDriver} />}
            </div>
          )
        )
      }
      label={t('drivers.title')}
      columns={columns}
      isTall={isBoard}
      rowKey={({ driver }) => String(driver.id)}
      rowLabel={nameOf}
      openKey={state.driver === undefined ? undefined : String(state.driver)}
      onOpen={({ driver }) => openDriver(driver.id)}
      isDim={({ isActive }) => !isActive}
      empty={<EmptyState title={t('drivers.empty')} text={t('drivers.emptyText')} />}
      renderCard={(row) => <DriverCard row={row} moment={moment} />}
      cardLines={4}
    />
  )
}

/** The visits of the day that need a driver; one opens in its dialog. */
function OpenVisits({ date }: { date: string }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const visits = useDayVisits(date)
  const [openId, setOpenId] = useState<number | null>(null)
  const open = visits.find(({ id }) => id === openId)
  const waiting = visits.filter(({ driver, status }) => driver === null && status !== 'done')
  return (
    <>
      {waiting.length > 0 && (
        <section aria-label={t('drivers.visitsOpen')} className="no-print border-b border-line px-4 py-2 md:px-6">
          <h2 className="text-caption text-clay">{t('drivers.visitsOpen')}</h2>
          <ul>
            {waiting.map((visit) => (
              <AttentionLine
                key={visit.id}
                onPress={() => setOpenId(visit.id)}
                end={
                  <span className="text-ink-2">
                    {visit.date === date ? t(`run.visit.${visit.kind}`) : formatDay(visit.date, lang, 'medium')}
                  </span>
                }
              >
                <bdi className="font-strong">{visit.customerName}</bdi>
                {[
                  inLang(visit.areaName, visit.areaNameAr),
                  visit.bottles !== null && t('run.visitBottles', { count: visit.bottles }),
                  visit.note,
                ]
                  .filter(Boolean)
                  .map((words) => (
                    <span key={String(words)} className="text-ink-2">
                      {' · '}
                      <bdi>{words}</bdi>
                    </span>
                  ))}
              </AttentionLine>
            ))}
          </ul>
        </section>
      )}
      {open && <VisitDialog visit={open} onClose={() => setOpenId(null)} />}
    </>
  )
}

/** Stops of all drivers, failed ones, silent phones, and the cash with drivers. */
function DayTotals({ rows, moment }: { rows: readonly BoardDay[]; moment: Moment }) {
  const { t, lang } = useLanguage()
  const sum = (of: (row: BoardDay) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [done, all, failed] = [
    sum(({ stops }) => stops.delivered),
    sum(({ stops }) => stops.all),
    sum(({ stops }) => stops.attempted),
  ]
  const silent = rows.filter((row) => silenceOf(row, moment) !== null).length
  const cash = formatMoney(addFils(...rows.map((row) => fromBhd(row.cash.inHand))), lang)
  return (
    <>
      {all > 0 && <bdi>{t('drivers.totals.stops', { done, count: all })}</bdi>}
      {failed > 0 && <bdi className="text-clay">{t('drivers.totals.failed', { count: failed })}</bdi>}
      {silent > 0 && <bdi className="text-clay">{t('drivers.totals.silent', { count: silent })}</bdi>}
      <bdi>{t('drivers.totals.cash', { money: cash })}</bdi>
    </>
  )
}

function DriverCard({ row, moment }: { row: BoardDay; moment: Moment }) {
  const t = useT()
  const stops = stopsOf(row)
  return (
    <span className="grid grid-cols-1 gap-1.5">
      <span className="flex items-baseline justify-between gap-3">
        <bdi className="min-w-0 font-strong wrap-anywhere whitespace-normal">{nameOf(row)}</bdi>
        <span className="text-label">
          {row.isActive ? <LastAct row={row} moment={moment} /> : t('drivers.offDuty')}
        </span>
      </span>
      {row.run.length > 0 && <RunOf row={row} />}
      <span className="flex items-end justify-between gap-3">
        <span className="min-w-0 text-start">
          {row.run.length > 0 && <NextStop row={row} stops={stops} moment={moment} />}
        </span>
        <span className="flex-none text-end">
          <span className="block text-label text-ink-2">{t('drivers.inHand')}</span>
          <Money bhd={row.cash.inHand} className="font-strong" />
        </span>
      </span>
      {stops.length > 0 && (
        <span className="flex items-center gap-3">
          <span className="flex-none text-label text-ink-2">{t('drivers.van')}</span>
          <span className="min-w-0 flex-1">
            <VanLoad stops={stops} />
          </span>
        </span>
      )}
      {row.cash.difference !== null && row.cash.difference !== 0 && (
        <span className="text-ink-2">
          {t('drivers.difference')} <Difference bhd={row.cash.difference} hasCash={row.cash.collected !== 0} />
        </span>
      )}
    </span>
  )
}

export const page: Page = {
  Component: DriversPage,
  showsWaiting: true,
  load: ({ queries, search }) => queries.ensureQueryData(driverDaysQuery(readSearch(driversShape, search).date)),
  head: ({ t }) => ({ title: t('drivers.title') }),
}
