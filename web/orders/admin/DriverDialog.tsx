import { formatDay } from '@qatra/contract/calendar/calendar'
import type { Driver } from '@qatra/contract/drivers'
import { includesFolded } from '@qatra/contract/lib/text'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { useState } from 'react'
import { useInLang, useNameIn } from '../../app/names.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { nearDay, today } from '../../ui/admin/day-words.ts'
import { LoadFailed } from '../../ui/admin/LoadFailed.tsx'
import { moveFocusByArrows } from '../../ui/admin/move-focus-by-arrows.ts'
import { classes } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useDrivers } from './drivers.ts'
import { unitsOf } from './next-action.ts'
import { runDayOf } from './order-days.ts'

interface DriverDialogProps {
  /** The orders to be given to a driver; drivers are of their vendor, if it is one. */
  orders: readonly AdminOrder[]
  /** The current driver. */
  current: number | null
  /** Offers to remove the driver. */
  removable: boolean
  /** Offers to start the delivery together with the assignment. */
  startable?: boolean
  onChoose(driver: Driver | null, isStarting: boolean): void
  onClose(): void
}

/** From this number of drivers on they can be searched. */
const MANY = 7

/** The vendor's drivers with their work of the day of these orders; one click assigns. */
export function DriverDialog(props: DriverDialogProps) {
  const { orders, current, removable, startable, onChoose, onClose } = props
  const t = useT()
  const [first, ...others] = orders
  const vendorId = first && others.every((one) => one.vendorId === first.vendorId) ? first.vendorId : null
  const days = new Set(orders.map(runDayOf))
  const [day = today()] = days.size === 1 ? days : [today()]
  const { drivers, initials, isError, refetch } = useDrivers({ vendorId, day, enabled: vendorId !== null })
  const [sought, setSought] = useState('')
  const shown = drivers?.filter((driver) => includesFolded(`${driver.name ?? ''} ${driver.phone}`, sought))
  // Ignore a double click.
  const [isChosen, setIsChosen] = useState(false)
  const [isStarting, setIsStarting] = useState(false)
  const choose = (driver: Driver | null) => {
    if (isChosen) return
    setIsChosen(true)
    onChoose(driver, driver !== null && isStarting)
  }
  return (
    <Dialog
      open
      title={t('desk.drivers')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      {...(removable && vendorId !== null
        ? { action: { label: t('desk.tool.removeDriver'), tone: 'danger', onChoose: () => choose(null) } }
        : {})}
      className="admin"
    >
      <OrdersLine orders={orders} />
      {startable && vendorId !== null && (
        <label className="mt-3 flex min-h-tap cursor-pointer items-center gap-2.5 text-ink">
          <input
            type="checkbox"
            className="tick"
            checked={isStarting}
            onChange={({ currentTarget }) => setIsStarting(currentTarget.checked)}
          />
          {t('desk.driversStart')}
        </label>
      )}
      {vendorId === null ? (
        <p className="mt-3 text-ink">{t('desk.driversMixed')}</p>
      ) : isError ? (
        <div className="mt-3">
          <LoadFailed onRetry={() => void refetch()} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an addition to Tab.
        <div data-first="" onKeyDown={(event) => moveFocusByArrows(event)}>
          {drivers && drivers.length >= MANY && (
            <input
              type="text"
              dir="auto"
              enterKeyHint="search"
              aria-label={t('desk.driversSearch')}
              placeholder={t('desk.driversSearch')}
              value={sought}
              className="mt-3 h-10 w-full rounded-s bg-well px-3 text-as-page text-ink outline-none placeholder:text-ink-3 focus-visible:outline-2 focus-visible:outline-focus max-md:h-tap"
              onChange={({ currentTarget }) => setSought(currentTarget.value)}
              onKeyDown={({ key }) => {
                const [only, second] = shown ?? []
                if (key === 'Enter' && only && !second) choose(only)
              }}
            />
          )}
          {drivers && drivers.length > 0 && <DayLine day={day} />}
          <ul className="-mx-2 grid max-h-[min(25rem,48dvh)] content-start overflow-y-auto">
            {shown?.map((driver) => (
              <li key={driver.id}>
                <DriverChoice
                  driver={driver}
                  initials={initials.get(driver.id)}
                  isCurrent={driver.id === current}
                  onChoose={() => choose(driver)}
                />
              </li>
            ))}
            {!drivers && [0, 1, 2].map((at) => <Skeleton key={at} className="mx-2 my-1.5 h-9" />)}
            {shown?.length === 0 && (
              <li className="px-2 py-1.5 text-ink">
                {t(drivers?.length === 0 ? 'desk.driversNone' : 'desk.driversNotFound')}
              </li>
            )}
          </ul>
        </div>
      )}
    </Dialog>
  )
}

/** What is to be given: the order with its area and units, or the number of orders and units. */
function OrdersLine({ orders }: Pick<DriverDialogProps, 'orders'>) {
  const t = useT()
  const inLang = useInLang()
  const [first] = orders
  const units = t('desk.unitCount', { count: unitsOf(orders) })
  const parts =
    first && orders.length === 1
      ? [t('desk.driversFor', { id: shortId(first.id) }), inLang(first.areaName, first.areaNameAr), units]
      : [t('desk.driversForMany', { count: orders.length }), units]
  return <p>{parts.filter(Boolean).join(' · ')}</p>
}

/** The day whose orders are counted below. */
function DayLine({ day }: { day: string }) {
  const { t, lang } = useLanguage()
  const near = nearDay(day)
  const words = near ? t(`admin.date.${near}`) : formatDay(day, lang, 'long')
  return <p className="mt-3 mb-1 text-caption text-ink-3">{t('desk.driversDay', { day: words })}</p>
}

interface DriverChoiceProps {
  driver: Driver
  initials: string | undefined
  isCurrent: boolean
  onChoose(): void
}

const AREAS_SHOWN = 3

function DriverChoice({ driver: { name, phone, day }, initials, isCurrent, onChoose }: DriverChoiceProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const called = name ?? phone
  const more = day.areas.length - AREAS_SHOWN
  const areas = [
    ...day.areas.slice(0, AREAS_SHOWN).map(nameIn),
    ...(more > 0 ? [t('desk.moreAreas', { count: more })] : []),
  ].join(lang === 'ar' ? '، ' : ', ')
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      className={classes(
        'flex min-h-13 w-full items-center gap-2.5 rounded-s px-2 py-1 text-start text-ink hover:bg-well focus-visible:bg-well',
        isCurrent && 'bg-gulf-soft font-strong',
      )}
      onClick={onChoose}
    >
      <Avatar name={called} initials={initials} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="text-as-page block truncate leading-relaxed">
          {called}
        </span>
        {areas && <span className="block text-caption leading-snug font-regular text-ink-2">{areas}</span>}
      </span>
      <span className="flex-none text-end text-caption leading-relaxed font-regular text-ink-2">
        {isCurrent && <b className="block font-strong text-gulf">{t('desk.driverNow')}</b>}
        <bdi className="block">{t('desk.print.orders', { count: day.orders })}</bdi>
        {day.units > 0 && <bdi className="block text-ink-3">{t('desk.unitCount', { count: day.units })}</bdi>}
      </span>
    </button>
  )
}
