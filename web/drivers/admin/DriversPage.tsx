import { addDays, formatDay, formatTime } from '@qatra/contract/calendar/calendar'
import type { DriverDay } from '@qatra/contract/drivers'
import { nameOrder } from '@qatra/contract/lib/text'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Page } from '../../app/page.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { readSearch, useSearchState } from '../../lib/search-state.ts'
import { Avatar, distinctInitials } from '../../ui/admin/Avatar.tsx'
import { PrintIcon } from '../../ui/admin/icons.ts'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { EndIcon, StartIcon } from '../../ui/icons.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { Difference } from './closing/Difference.tsx'
import { DriverPanel } from './DriverPanel.tsx'
import { driverDaysQuery, driversShape } from './drivers-search.ts'

const nameOf = ({ driver }: DriverDay) => driver.name ?? driver.phone

const besidePanel = ['driver', 'stops', 'inHand', 'difference']

/** Progress of each driver's day and outstanding cash. */
function DriversPage() {
  const { t, lang } = useLanguage()
  const [state, setState] = useSearchState(driversShape)
  const query = useQuery({ ...driverDaysQuery(state.date), refetchInterval: 30_000 })
  const { data } = query
  const rows = useMemo(() => {
    const compare = nameOrder(lang)
    return data && [...data.drivers].sort((a, b) => compare(nameOf(a), nameOf(b)))
  }, [data, lang])
  const initials = useMemo(() => distinctInitials(rows?.map(nameOf) ?? []), [rows])
  const all = useDriverColumns(initials)
  const open = data?.drivers.find(({ driver }) => driver.id === state.driver)
  // Columns that fit beside the panel.
  const columns = open ? all.filter(({ key }) => besidePanel.includes(key)) : all
  const day = data?.date
  const mayPrint = useUser()?.permissions.includes('drivers.run') ?? false
  const go = (by: number) => day && setState({ date: addDays(day, by) === data.today ? undefined : addDays(day, by) })
  return (
    <ListPage
      title={t('drivers.title')}
      list={{ query, table: { rows, error: query.error, onRetry: () => void query.refetch() } }}
      subtitle={day && formatDay(day, lang, 'long')}
      actions={
        <>
          <ToolbarButton icon={StartIcon} onClick={() => go(-1)}>
            {t('drivers.previous')}
          </ToolbarButton>
          {state.date !== undefined && (
            <ToolbarButton onClick={() => setState({ date: undefined })}>{t('admin.date.today')}</ToolbarButton>
          )}
          <ToolbarButton icon={EndIcon} onClick={() => go(1)}>
            {t('drivers.nextDay')}
          </ToolbarButton>
          {mayPrint && data?.drivers.some(({ stops }) => stops.all > stops.cancelled) && (
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
      }
      panel={open && day && <DriverPanel row={open} date={day} onClose={() => setState({ driver: undefined })} />}
      label={t('drivers.title')}
      columns={columns}
      rowKey={({ driver }) => String(driver.id)}
      rowLabel={nameOf}
      openKey={state.driver === undefined ? undefined : String(state.driver)}
      onOpen={({ driver }) => setState({ driver: driver.id })}
      isDim={({ isActive }) => !isActive}
      empty={<EmptyState title={t('drivers.empty')} text={t('drivers.emptyText')} />}
      renderCard={(row) => <DriverCard row={row} />}
    />
  )
}

function useDriverColumns(initials: ReadonlyMap<string, string>): Column<DriverDay>[] {
  const { t, lang } = useLanguage()
  const money = (key: 'expected' | 'collected' | 'handedOver' | 'inHand'): Column<DriverDay> => ({
    key,
    title: t(`drivers.${key}`),
    cell: ({ cash }) => <Money bhd={cash[key]} />,
    align: 'end',
    width: 106,
    // Columns that fit a narrow screen.
    ...(key === 'expected' || key === 'handedOver' ? { from: 'desk' as const } : {}),
  })
  return [
    {
      key: 'driver',
      title: t('drivers.driver'),
      fixed: true,
      cell: (row) => (
        <span className="flex items-center gap-2.5">
          <Avatar name={nameOf(row)} initials={initials.get(nameOf(row))} />
          <bdi className="truncate font-strong">{nameOf(row)}</bdi>
          {!row.isActive && <span className="text-ink-3">{t('drivers.offDuty')}</span>}
        </span>
      ),
    },
    { key: 'stops', title: t('drivers.stops'), cell: (row) => <StopsDone row={row} />, width: 276 },
    {
      key: 'lastAct',
      title: t('drivers.status'),
      width: 142,
      from: 'xl',
      cell: ({ lastActAt, stops }) =>
        lastActAt
          ? t('drivers.lastAct', { time: formatTime(new Date(lastActAt), lang) })
          : stops.all > 0
            ? t('drivers.idle')
            : t('drivers.none'),
    },
    money('expected'),
    money('collected'),
    money('handedOver'),
    money('inHand'),
    {
      key: 'difference',
      title: t('drivers.difference'),
      align: 'end',
      width: 130,
      cell: ({ cash }) => <Difference bhd={cash.difference} hasCash={cash.collected !== 0} />,
    },
  ]
}

function StopsDone({ row: { stops } }: { row: DriverDay }) {
  const t = useT()
  if (stops.all === 0) return <span className="text-ink-3">{t('drivers.none')}</span>
  return (
    <span className="flex items-center gap-2.5">
      <span className="w-20 flex-none">
        <Progress value={stops.delivered / stops.all} />
      </span>
      <bdi>{t('drivers.doneOf', { done: stops.delivered, all: stops.all })}</bdi>
      {stops.attempted > 0 && <span className="text-clay">{t('drivers.tried', { count: stops.attempted })}</span>}
    </span>
  )
}

function DriverCard({ row }: { row: DriverDay }) {
  const t = useT()
  return (
    <div className="grid grid-cols-1 gap-2">
      <span className="flex items-center justify-between gap-3">
        <bdi className="min-w-0 font-strong wrap-anywhere whitespace-normal">{nameOf(row)}</bdi>
        <StopsDone row={row} />
      </span>
      <span className="flex items-center justify-between gap-3 text-ink-2">
        <span>
          {t('drivers.inHand')} <Money bhd={row.cash.inHand} className="text-ink" />
        </span>
        <span>
          {t('drivers.difference')} <Difference bhd={row.cash.difference} hasCash={row.cash.collected !== 0} />
        </span>
      </span>
    </div>
  )
}

export const page: Page = {
  Component: DriversPage,
  showsWaiting: true,
  load: ({ queries, search }) => queries.ensureQueryData(driverDaysQuery(readSearch(driversShape, search).date)),
  head: ({ t }) => ({ title: t('drivers.title') }),
}
