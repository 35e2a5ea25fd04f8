import { formatTime } from '@qatra/contract/calendar/calendar'
import { type BoardDay, listDriverDays } from '@qatra/contract/driver-board'
import { type CashEntry, getCash } from '@qatra/contract/drivers'
import { shortId } from '@qatra/contract/orders/order-id'
import { isClosed } from '@qatra/contract/orders/order-status'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useDayVisits, VisitDialog } from '../../customers/admin/CollectionVisit.tsx'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { ContactLinks } from '../../orders/admin/panel/ContactLinks.tsx'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Money, Phone } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { CashIcon, CheckIcon, CloseIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LastAct, type Moment, type ShownStop, type StopState, stopsOf, usePlace } from './board.tsx'
import { CashDialog, type CashQuestion } from './closing/CashDialog.tsx'
import { Difference } from './closing/Difference.tsx'
import { telephone, whatsapp } from './run/run-links.ts'

interface DriverPanelProps {
  row: BoardDay
  moment: Moment
  map?: ReactNode
  onClose(): void
}

/** One driver's day: the run, cash, cash entries and the hand-in. */
export function DriverPanel({ row, moment, map, onClose }: DriverPanelProps) {
  const { date } = moment
  const t = useT()
  const queries = useQueryClient()
  const mayWriteOff = useUser()?.permissions.includes('orders.refund')
  const { driver } = row
  const [dialog, setDialog] = useState<CashQuestion | null>(null)
  const cash = useQuery(read(getCash, { params: { id: String(driver.id) }, query: { date } }))
  const sums = cash.data ?? row.cash
  const { refetch } = cash
  const { collected, inHand } = row.cash
  // A delivery changes the row, which is polled; the first answer about the cash would stay.
  useEffect(() => void refetch({ cancelRefetch: false }), [collected, inHand, refetch])
  const name = driver.name ?? driver.phone
  const hasOpen = row.run.some(({ status }) => !isClosed(status))
  return (
    <SidePanel
      label={name}
      title={<bdi>{name}</bdi>}
      onClose={onClose}
      head={
        <div className="grid gap-3">
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              <Phone phone={driver.phone} className="block text-ink-2" />
              <LastAct row={row} moment={moment} />
            </span>
            <span className="flex gap-2">
              <ContactLinks name={name} chat={whatsapp(driver.phone)} tel={telephone(driver.phone)} />
            </span>
          </span>
          <Button tone="aqua" size="big" icon={CashIcon} onClick={() => setDialog('handed-over')}>
            {t('drivers.handover')}
          </Button>
          <div className="flex flex-wrap gap-2">
            <Link
              to="/admin/drivers/$id"
              params={{ id: String(driver.id) }}
              search={{ date }}
              className={buttonClass('quiet', 'small', 'px-3')}
            >
              {t('drivers.openRun')}
            </Link>
            {hasOpen && (
              <Link
                to="/admin/orders"
                search={{ day: date, driver: driver.id, status: ['new', 'in-progress', 'shipped'] }}
                className={buttonClass('quiet', 'small', 'px-3')}
              >
                {t('drivers.openStops')}
              </Link>
            )}
            <ToolbarButton onClick={() => setDialog('correction')}>{t('drivers.correct')}</ToolbarButton>
            {mayWriteOff && sums.shortage > 0 && (
              <ToolbarButton onClick={() => setDialog('written-off')}>{t('closing.writeOffShort')}</ToolbarButton>
            )}
          </div>
        </div>
      }
    >
      {map}
      {row.run.length > 0 && <RunList row={row} date={date} />}
      <PanelPart title={t('drivers.cash')}>
        <DescriptionList
          items={[
            [t('drivers.expected'), <Money key="e" bhd={sums.expected} />],
            [t('drivers.collected'), <Money key="c" bhd={sums.collected} />],
            [t('drivers.counted'), sums.counted === null ? t('drivers.none') : <Money key="n" bhd={sums.counted} />],
            [t('drivers.handedOver'), <Money key="h" bhd={sums.handedOver} />],
            [t('drivers.inHand'), <Money key="i" bhd={sums.inHand} />],
            [t('drivers.difference'), <Difference key="d" bhd={sums.difference} hasCash={sums.collected !== 0} />],
            ...(sums.shortage > 0
              ? [[t('drivers.shortage'), <Money key="s" bhd={sums.shortage} className="text-clay" />] as const]
              : []),
          ]}
        />
      </PanelPart>
      <PanelPart title={t('drivers.lines')}>
        {cash.isPending && <Skeleton className="h-9" />}
        {cash.isError && !cash.data && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
            {t('admin.failed')}
            <ToolbarButton onClick={() => void refetch()}>{t('admin.retry')}</ToolbarButton>
          </p>
        )}
        {cash.data?.entries.length === 0 && <p className="text-ink-2">{t('drivers.noLines')}</p>}
        <ul className="grid gap-2.5">
          {[...(cash.data?.entries ?? [])].reverse().map((entry) => (
            <EntryLine key={entry.id} entry={entry} />
          ))}
        </ul>
      </PanelPart>
      {dialog && (
        <CashDialog
          kind={dialog}
          driver={driver}
          date={date}
          cash={sums}
          onClose={() => setDialog(null)}
          onSaved={() => {
            void refetch()
            void queries.invalidateQueries({ queryKey: [listDriverDays.path] })
          }}
        />
      )}
    </SidePanel>
  )
}

const signs: Readonly<Record<StopState, string>> = {
  delivered: 'bg-done text-done-ink',
  next: 'bg-aqua text-on-aqua',
  failed: 'bg-clay-soft text-clay',
  waiting: 'bg-well text-ink-2',
}

const lineClass =
  '-mx-2 flex min-h-11 w-[calc(100%+1rem)] items-center gap-2.5 rounded-s px-2 py-1 text-start hover:bg-well'

/** The stops in driving order, each with its state; one opens the order, or the visit in its dialog. */
function RunList({ row, date }: { row: BoardDay; date: string }) {
  const t = useT()
  const visits = useDayVisits(date)
  const [openId, setOpenId] = useState<string | null>(null)
  const visitOf = (stopId: string | null) => visits.find(({ id }) => `visit-${id}` === stopId)
  const open = visitOf(openId)
  return (
    <PanelPart title={t('drivers.runOfDay')}>
      <ol>
        {stopsOf(row).map((stop) => (
          <li key={stop.id} className="border-b border-line last:border-b-0">
            {stop.visit === null ? (
              <Link to="/admin/orders" search={{ open: stop.id }} className={lineClass}>
                <StopLine stop={stop} />
              </Link>
            ) : (
              <button
                type="button"
                className={lineClass}
                disabled={!visitOf(stop.id)}
                onClick={() => setOpenId(stop.id)}
              >
                <StopLine stop={stop} />
              </button>
            )}
          </li>
        ))}
      </ol>
      {open && <VisitDialog visit={open} onClose={() => setOpenId(null)} />}
    </PanelPart>
  )
}

function StopLine({ stop }: { stop: ShownStop }) {
  const { t, lang } = useLanguage()
  const place = usePlace()
  const what = stop.visit ? t(`run.visit.${stop.visit}`) : t('drivers.units', { count: stop.units })
  return (
    <>
      <span
        className={classes(
          'grid size-6.5 flex-none place-items-center rounded-s text-caption font-strong',
          signs[stop.state],
        )}
      >
        {stop.state === 'delivered' ? (
          <CheckIcon size={15} aria-hidden="true" />
        ) : stop.state === 'failed' ? (
          <CloseIcon size={15} aria-hidden="true" />
        ) : (
          stop.number
        )}
        <span className="sr-only"> {t(`drivers.legend.${stop.state}`)}</span>
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{stop.customerName}</bdi>
        <span className="block truncate text-caption text-ink-2">
          {[place(stop), what].filter(Boolean).join(' · ')}
        </span>
      </span>
      {stop.at && (
        <span className={classes('flex-none text-caption', stop.state === 'failed' ? 'text-clay' : 'text-ink-2')}>
          {formatTime(new Date(stop.at), lang)}
        </span>
      )}
    </>
  )
}

function EntryLine({ entry }: { entry: CashEntry }) {
  const { t, lang } = useLanguage()
  const by = entry.by?.name ?? entry.by?.id
  return (
    <li className="flex justify-between gap-3">
      <span className="min-w-0">
        <span className="block">
          {t(`drivers.kind.${entry.kind}`)}
          {entry.orderId && (
            <>
              {' '}
              <bdi dir="ltr" className="text-ink-3">
                {shortId(entry.orderId)}
              </bdi>
            </>
          )}
        </span>
        <span className="block text-caption text-ink-3">
          {formatTime(new Date(entry.at), lang)}
          {by !== undefined &&
            ` · ${
              entry.onBehalfOf
                ? t('drivers.byFor', { name: by, other: entry.onBehalfOf.name ?? entry.onBehalfOf.id })
                : t('drivers.by', { name: by })
            }`}
        </span>
        {entry.notes && (
          <span dir="auto" className="block text-ink-2">
            {entry.notes}
          </span>
        )}
      </span>
      <Money bhd={entry.amount} className="font-strong" />
    </li>
  )
}
