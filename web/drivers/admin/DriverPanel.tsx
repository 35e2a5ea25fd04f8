import { formatTime } from '@qatra/contract/calendar/calendar'
import { type CashEntry, type DriverDay, getCash, listDriverDays } from '@qatra/contract/drivers'
import { shortId } from '@qatra/contract/orders/order-id'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Money, Phone } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { CashIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { CashDialog, type CashQuestion } from './closing/CashDialog.tsx'
import { Difference } from './closing/Difference.tsx'

interface DriverPanelProps {
  row: DriverDay
  date: string
  onClose(): void
}

/** One driver's day: cash, cash entries and the hand-in. */
export function DriverPanel({ row, date, onClose }: DriverPanelProps) {
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
  return (
    <SidePanel
      label={name}
      title={<bdi>{name}</bdi>}
      onClose={onClose}
      head={
        <div className="grid gap-3">
          <Phone phone={driver.phone} className="text-ink-2" />
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
            <ToolbarButton onClick={() => setDialog('correction')}>{t('drivers.correct')}</ToolbarButton>
            {mayWriteOff && sums.shortage > 0 && (
              <ToolbarButton onClick={() => setDialog('written-off')}>{t('closing.writeOffShort')}</ToolbarButton>
            )}
          </div>
        </div>
      }
    >
      <PanelPart>
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
