import { type HeldBottles, idleDays } from '@qatra/contract/bottles-admin'
import { bahrainDate, daysBetween } from '@qatra/contract/calendar/calendar'
import { formatCount } from '@qatra/contract/lib/digits'
import { useNameIn } from '../../app/names.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { dayOfYear, today } from '../../ui/admin/day-words.ts'
import { ShareBar } from '../../ui/admin/ShareBar.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Money, Phone } from '../../ui/Bidi.tsx'
import { useVendorColumn } from '../../users/admin/vendor-column.tsx'

/** Days since the last order; null without one. */
export const daysIdle = (at: string | null) => (at === null ? null : daysBetween(bahrainDate(new Date(at)), today()))

function Idle({ at }: { at: string | null }) {
  const { t } = useLanguage()
  const days = daysIdle(at)
  if (days === null) return <span className="text-clay">{t('heldBottles.neverOrdered')}</span>
  return (
    <span className={days >= idleDays ? 'font-strong text-clay' : undefined}>
      {t('heldBottles.days', { count: days })}
    </span>
  )
}

const widest = 20

export function useBottleColumns(): Column<HeldBottles>[] {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const vendors = useVendorColumn<HeldBottles>(({ vendorId }) => [vendorId], { from: 'xl', width: 130 })
  const day = (at: string | null) => (at === null ? '–' : dayOfYear(bahrainDate(new Date(at)), lang))
  return [
    {
      key: 'name',
      title: t('heldBottles.customer'),
      fixed: true,
      cell: ({ name, phone }) => (
        <span className="block truncate font-strong">
          {name ? <bdi>{name}</bdi> : phone ? <Phone phone={phone} /> : t('heldBottles.erased')}
        </span>
      ),
    },
    ...vendors,
    {
      key: 'address',
      title: t('heldBottles.address'),
      cell: ({ address, areaName, areaNameAr }) => (
        <bdi className="block truncate print:whitespace-normal" title={address ?? undefined}>
          <span className={areaName && address ? 'print:hidden' : undefined}>
            {areaName ? nameIn({ name: areaName, nameAr: areaNameAr }) : (address ?? '–')}
          </span>
          {areaName && <span className="hidden print:inline">{address}</span>}
        </bdi>
      ),
    },
    {
      key: 'count',
      title: t('heldBottles.count'),
      width: 120,
      cell: ({ count }) => (
        <span className="flex items-center gap-2">
          <bdi className="min-w-7 font-strong">{formatCount(count)}</bdi>
          <ShareBar parts={[{ share: Math.max(0, Math.min(1, count / widest)) }]} className="max-w-14" />
        </span>
      ),
    },
    {
      key: 'deposit',
      title: t('heldBottles.held'),
      width: 130,
      cell: ({ depositHeld, credit }) => (
        <span className="block leading-snug">
          <Money bhd={depositHeld} />
          {credit !== 0 && (
            <span className="block text-caption text-ink-3">
              {t(credit > 0 ? 'heldBottles.credit' : 'heldBottles.owed')} <Money bhd={Math.abs(credit)} />
            </span>
          )}
        </span>
      ),
    },
    { key: 'idle', title: t('heldBottles.idleFor'), width: 120, cell: ({ lastOrderAt }) => <Idle at={lastOrderAt} /> },
    {
      key: 'delivery',
      title: t('heldBottles.lastDelivery'),
      from: 'lg',
      width: 120,
      cell: ({ lastDeliveryAt }) => day(lastDeliveryAt),
    },
    {
      key: 'contact',
      title: t('heldBottles.lastContact'),
      from: 'desk',
      cell: ({ lastContact }) =>
        lastContact === null ? (
          '–'
        ) : (
          <span className="block truncate" title={lastContact.body}>
            <bdi>{lastContact.body}</bdi>{' '}
            <span className="text-ink-3">
              {lastContact.by} {day(lastContact.at)}
            </span>
          </span>
        ),
    },
  ]
}

export function BottleCard({ row }: { row: HeldBottles }) {
  const { t } = useLanguage()
  const { name, phone, address, count, depositHeld, lastOrderAt } = row
  return (
    <span className="flex items-center gap-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-strong">
          {name ? <bdi>{name}</bdi> : phone ? <Phone phone={phone} /> : t('heldBottles.erased')}
        </span>
        <bdi className="block truncate text-ink-2">{address}</bdi>
        <span className="text-caption text-ink-3">
          {lastOrderAt && t('heldBottles.idleFor')} <Idle at={lastOrderAt} />
        </span>
      </span>
      <span className="grid justify-items-end">
        <span className="font-strong">{t('heldBottles.sum', { count })}</span>
        <Money bhd={depositHeld} className="text-caption text-ink-3" />
      </span>
    </span>
  )
}
