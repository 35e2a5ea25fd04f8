import { formatTime } from '@qatra/contract/calendar/calendar'
import type { BoardDay } from '@qatra/contract/driver-board'
import { formatAmount, fromBhd } from '@qatra/contract/lib/money'
import type { ReactNode } from 'react'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { useVendorColumn } from '../../users/admin/vendor-column.tsx'
import { LastAct, type Moment, NextStop, nameOf, Segments, stopsOf, VanLoad } from './board.tsx'
import { Difference } from './closing/Difference.tsx'

interface ColumnOptions {
  isBoard: boolean
  hasPanel: boolean
  moment: Moment
  initials: ReadonlyMap<number, string>
}

/** Columns of the board, and of the list with the cash of the day. */
export function useDriverColumns({ isBoard, hasPanel, moment, initials }: ColumnOptions): Column<BoardDay>[] {
  const { t, lang } = useLanguage()
  const driver = (more: (row: BoardDay) => ReactNode): Column<BoardDay> => ({
    key: 'driver',
    title: t('drivers.driver'),
    fixed: true,
    least: 160,
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={nameOf(row)} initials={initials.get(row.driver.id)} />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-strong">{nameOf(row)}</bdi>
          {more(row)}
        </span>
      </span>
    ),
  })
  const ofMarket = useVendorColumn<BoardDay>(({ driver: { vendorId } }) => [vendorId], { width: 112, yields: 4 })
  if (isBoard) {
    return [
      {
        ...driver((row) => (row.isActive ? <LastAct row={row} moment={moment} /> : t('drivers.offDuty'))),
        title: t('drivers.driverAndAct'),
      },
      ...ofMarket,
      { key: 'stops', title: t('drivers.stops'), width: 160, cell: (row) => <RunOf row={row} /> },
      {
        key: 'next',
        title: t('drivers.next'),
        cell: (row) => <NextStop row={row} stops={stopsOf(row)} moment={moment} />,
        yields: 2,
      },
      { key: 'load', title: t('drivers.van'), width: 116, cell: (row) => <VanLoad stops={stopsOf(row)} />, yields: 3 },
      {
        key: 'inHand',
        title: t('drivers.cashWith'),
        width: 92,
        align: 'end',
        cell: ({ cash }) => <bdi className="font-strong">{formatAmount(fromBhd(cash.inHand))}</bdi>,
      },
    ]
  }
  const money = (key: 'expected' | 'collected' | 'handedOver' | 'inHand'): Column<BoardDay> => ({
    key,
    title: t(`drivers.${key}`),
    cell: ({ cash }) => <Money bhd={cash[key]} />,
    align: 'end',
    width: 106,
    // Columns that fit a narrow screen.
    ...(key === 'expected' || key === 'handedOver' ? { from: 'desk' as const } : {}),
  })
  const listed: Column<BoardDay>[] = [
    driver((row) => !row.isActive && <span className="text-ink-3">{t('drivers.offDuty')}</span>),
    ...ofMarket,
    { key: 'stops', title: t('drivers.stops'), cell: (row) => <RunOf row={row} />, width: 244 },
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
  return hasPanel ? listed.filter(({ key }) => besidePanel.includes(key)) : listed
}
/** Columns of the list that fit beside the panel. */
const besidePanel = ['driver', 'stops', 'inHand', 'difference']

/** The segments of the run, and how far it is. */
export function RunOf({ row }: { row: BoardDay }) {
  const t = useT()
  const { stops } = row
  if (row.run.length === 0) return <span className="text-ink-3">{t('drivers.none')}</span>
  return (
    <>
      <Segments stops={stopsOf(row)} />
      <span className="mt-1 flex justify-between gap-3">
        <bdi className="text-ink-2">{t('drivers.doneOf', { done: stops.delivered, all: stops.all })}</bdi>
        {stops.attempted > 0 && <span className="text-clay">{t('drivers.tried', { count: stops.attempted })}</span>}
      </span>
    </>
  )
}
