import type { ClosedDay } from '@qatra/contract/calendar/admin'
import { addDays, formatDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import type { DayLoad } from '@qatra/contract/orders/delivery'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'
import { useInLang, useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'
import { daysOf } from './month.ts'

interface MonthGridProps {
  month: string
  today: string
  closed: readonly ClosedDay[]
  /** Undefined if not known. */
  loads?: readonly DayLoad[] | undefined
  chosen: string | null
  onChoose(day: string): void
  onMonth(month: string): void
}

const friday = 5
const steps: Readonly<Record<string, number>> = { ArrowUp: -7, ArrowDown: 7, Home: -1, End: 1 }

/** Six weeks from Saturday to Friday, with arrow-key navigation. */
export function MonthGrid({ month, today, closed, loads, chosen, onChoose, onMonth }: MonthGridProps) {
  const t = useT()
  const lang = useLang()
  const days = daysOf(month)
  const grid = useRef<HTMLDivElement>(null)
  const focused = chosen && days.includes(chosen) ? chosen : days.includes(today) ? today : month

  function onKey(event: KeyboardEvent, day: string) {
    const towards = lang === 'ar' ? -1 : 1
    const sideways = { ArrowRight: towards, ArrowLeft: -towards }[event.key]
    const step = sideways ?? steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const to = addDays(day, step)
    if (to.slice(0, 7) !== month.slice(0, 7)) onMonth(`${to.slice(0, 7)}-01`)
    onChoose(to)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus())
  }

  return (
    <div ref={grid}>
      <div className="grid grid-cols-7" aria-hidden="true">
        {days.slice(0, 7).map((day) => (
          <span
            key={day}
            className={classes('px-2 pb-1.5 text-caption', weekdayOf(day) === friday ? 'text-ink-3' : 'text-ink-2')}
          >
            <span className="max-md:hidden">{formatDay(day, lang, 'long').split(' ')[0]}</span>
            <span className="md:hidden">
              {t(`admin.calendar.weekday.${weekdayOf(day) as 0 | 1 | 2 | 3 | 4 | 5 | 6}`)}
            </span>
          </span>
        ))}
      </div>
      <ul className="grid grid-cols-7 gap-px overflow-hidden rounded-l bg-line inset-ring inset-ring-line">
        {days.map((day) => (
          <li key={day} className="min-w-0 bg-page">
            <DayCell
              day={day}
              isOutside={!day.startsWith(month.slice(0, 7))}
              isToday={day === today}
              isPast={day < today}
              isChosen={day === chosen}
              isTabStop={day === focused}
              closed={closed.filter((one) => one.day === day)}
              load={loads?.find(({ date }) => date === day)}
              onChoose={() => onChoose(day)}
              onKey={(event) => onKey(event, day)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface DayCellProps {
  day: string
  isOutside: boolean
  isToday: boolean
  isPast: boolean
  isChosen: boolean
  isTabStop: boolean
  closed: readonly ClosedDay[]
  load: DayLoad | undefined
  onChoose(): void
  onKey(event: KeyboardEvent): void
}

function DayCell(props: DayCellProps) {
  const { day, isOutside, isToday, isPast, isChosen, isTabStop, closed, load, onChoose, onKey } = props
  const t = useT()
  const lang = useLang()
  const nameOf = useClosedName()
  const isFriday = weekdayOf(day) === friday
  const label = [
    formatDay(day, lang, 'long'),
    isFriday ? t('admin.calendar.friday') : '',
    ...closed.map((one) => nameOf(one)),
    load ? t('admin.calendar.load', { orders: load.orders, units: load.units }) : '',
  ].filter(Boolean)
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={label.join('، ')}
      aria-pressed={isChosen}
      aria-current={isToday ? 'date' : undefined}
      className={classes(
        'flex h-full min-h-22 w-full min-w-0 flex-col gap-1 p-2 text-start outline-offset-[-3px] max-md:min-h-14 max-md:p-1.5',
        isChosen ? 'bg-gulf-soft inset-ring-2 inset-ring-gulf' : isFriday ? 'bg-well hover:bg-well-2' : 'hover:bg-well',
      )}
      onClick={onChoose}
      onKeyDown={onKey}
    >
      <span
        className={classes(
          'grid size-6 flex-none place-items-center rounded-full text-label',
          isToday
            ? 'bg-gulf font-strong text-on-gulf'
            : isPast || isFriday || isOutside
              ? 'text-ink-3'
              : 'font-strong text-ink',
        )}
      >
        {Number(day.slice(8))}
      </span>
      {closed.slice(0, 2).map((one) => (
        <span
          key={one.id}
          dir="auto"
          className={classes(
            'w-full rounded-s px-1.5 text-start text-caption leading-5.5 max-md:truncate md:line-clamp-3 md:flex-none max-md:h-1.5 max-md:overflow-hidden max-md:text-[0]',
            one.vendorId === null ? 'bg-gulf text-on-gulf' : 'bg-surface text-ink-2 inset-ring inset-ring-line-strong',
            one.isEstimated && 'inset-ring-2 border border-dashed border-on-gulf-2',
          )}
        >
          {nameOf(one)}
        </span>
      ))}
      {closed.length > 2 && (
        <span className="text-caption text-ink-3 max-md:hidden">
          {t('admin.calendar.more', { count: closed.length - 2 })}
        </span>
      )}
      {load && (
        <span className="mt-auto w-full text-caption leading-snug text-ink-2">
          <b className="font-strong text-ink">{load.orders}</b>
          <span className="max-md:hidden"> · {t('admin.calendar.units', { count: load.units })}</span>
        </span>
      )}
    </button>
  )
}

/** Label of a closed day: its occasion, or the closed vendor. */
export function useClosedName() {
  const t = useT()
  const inLang = useInLang()
  const nameIn = useNameIn()
  const { data: vendors } = useQuery(read(listVendors))
  return ({ vendorId, name, nameAr, isEstimated }: ClosedDay) => {
    const own = inLang(name, nameAr)
    if (vendorId === null) return isEstimated ? t('admin.calendar.estimated', { name: own }) : own
    const vendor = vendors?.find(({ id }) => id === vendorId)
    const whose = vendor ? nameIn(vendor) : t('admin.calendar.vendorClosed')
    return own ? `${whose}: ${own}` : t('admin.calendar.closureOf', { name: whose })
  }
}
