import { addDays, formatDay } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, sameSlot, slotOn } from '@qatra/contract/calendar/slot'
import { useEffect, useId, useRef } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { type OpenDay, withClosedDays } from './days.ts'
import { useToday } from './use-today.ts'

interface DayChipsProps {
  /** Open days, ascending. */
  days: readonly OpenDay[]
  chosen: DeliverySlot | null
  onChoose(slot: DeliverySlot): void
  /** A short line below an open day. */
  noteOf?: ((date: string) => string) | undefined
  className?: string
}

/** A row of days that scrolls sideways. Closed days stand between the open ones and cannot be chosen. */
export function DayChips({ days, chosen, onChoose, noteOf, className }: DayChipsProps) {
  const { t, lang } = useLanguage()
  const name = useId()
  const today = useToday()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const label = row.current?.querySelector('input:checked')?.closest('label')
    if (row.current && label) reveal(row.current, label)
  }, [])
  const nearWord = (date: string) => {
    if (date === today) return t('days.today')
    return date === addDays(today, 1) ? t('days.tomorrow') : null
  }
  return (
    <div
      ref={row}
      role="radiogroup"
      aria-label={t('days.title')}
      className={classes('rail items-stretch gap-2 py-1', className)}
    >
      {withClosedDays(days).map((day) => {
        const { date, isOpen } = day
        const [weekday, number, month] = formatDay(date, lang, 'short').split(' ')
        const long = formatDay(date, lang, 'long')
        const isChosen = sameSlot(slotOn(date), chosen)
        const closed = isOpen ? null : t(day.reason ? `days.reason.${day.reason}` : 'days.closed')
        return (
          <label
            key={date}
            className={classes(
              'relative grid w-18 flex-none content-start justify-items-center rounded-m pt-2 pb-2.25 text-label leading-[1.4]',
              'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus',
              isChosen && 'bg-gulf text-on-gulf',
              isOpen && !isChosen && 'cursor-pointer bg-well text-ink-2 hover:bg-well-2',
              !isOpen && 'text-ink-3 inset-ring inset-ring-line',
            )}
          >
            <input
              type="radio"
              name={name}
              value={date}
              className="sr-only"
              checked={isChosen}
              disabled={!isOpen}
              aria-label={
                closed === null
                  ? [long, noteOf?.(date)].filter(Boolean).join(': ')
                  : t('days.closedOf', { day: long, reason: closed })
              }
              onChange={() => onChoose(slotOn(date))}
            />
            <span aria-hidden="true">{nearWord(date) ?? weekday}</span>
            <span
              aria-hidden="true"
              className={classes('text-heading', isOpen ? !isChosen && 'text-ink' : 'font-regular')}
            >
              {number}
            </span>
            <span aria-hidden="true">{closed ?? month}</span>
            {noteOf && isOpen && (
              <span aria-hidden="true" className="text-caption whitespace-nowrap">
                {noteOf(date)}
              </span>
            )}
          </label>
        )
      })}
    </div>
  )
}

/** Scrolls only the row, not the page. */
function reveal(row: HTMLElement, item: HTMLElement) {
  const [outer, inner] = [row.getBoundingClientRect(), item.getBoundingClientRect()]
  if (inner.left < outer.left || inner.right > outer.right)
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
}
