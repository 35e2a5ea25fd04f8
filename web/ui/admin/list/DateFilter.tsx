import { addDays, bahrainDate, FIRST_DAY, formatDay, LAST_DAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { useId, useState } from 'react'
import { type Translate, useLanguage } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { CalendarIcon } from '../../icons.tsx'
import { Popover } from '../Popover.tsx'
import { FilterChip } from './FilterChip.tsx'

export type DayPreset = 'today' | 'yesterday' | 'tomorrow' | 'week' | 'month'
export interface DayRange {
  from: string | undefined
  to: string | undefined
}

/** The dates of a preset, as Bahrain counts them: a week begins on Saturday. */
export function rangeOf(preset: DayPreset, now: Date): { from: string; to: string } {
  const today = bahrainDate(now)
  if (preset === 'week') return { from: addDays(today, -((weekdayOf(today) + 1) % 7)), to: today }
  if (preset === 'month') return { from: `${today.slice(0, 8)}01`, to: today }
  const day = addDays(today, { today: 0, yesterday: -1, tomorrow: 1 }[preset])
  return { from: day, to: day }
}

const usual = ['today', 'yesterday', 'week', 'month'] as const

/** Label of a date range; null if both ends are open. */
export function wordsOfRange(
  { from, to }: DayRange,
  { t, lang, presets = usual, now }: { t: Translate; lang: Lang; presets?: readonly DayPreset[]; now: Date },
): string | null {
  const preset = presets.find((one) => {
    const range = rangeOf(one, now)
    return range.from === from && range.to === to
  })
  if (preset) return t(`admin.date.${preset}`)
  const short = (day: string) => formatDay(day, lang, 'short')
  if (from && to) {
    return from === to
      ? short(from)
      : t('admin.date.between', { from: formatDay(from, lang, 'date'), to: formatDay(to, lang, 'date') })
  }
  if (from) return t('admin.date.since', { day: short(from) })
  return to ? t('admin.date.until', { day: short(to) }) : null
}

interface DateFilterProps extends DayRange {
  label: string
  onChange(range: DayRange): void
  presets?: readonly DayPreset[]
}

/** Days from … to, both included; either may be left open. */
export function DateFilter({ label, from, to, onChange, presets = usual }: DateFilterProps) {
  const { t, lang } = useLanguage()
  const id = useId()
  // The day this filter came on screen; a list that stays open past midnight is renewed with its page.
  const [now] = useState(() => new Date())
  const preset = presets.find((one) => {
    const range = rangeOf(one, now)
    return range.from === from && range.to === to
  })
  const chosen = wordsOfRange({ from, to }, { t, lang, presets, now })
  const clear = () => onChange({ from: undefined, to: undefined })
  return (
    <FilterChip
      label={label}
      icon={CalendarIcon}
      onClear={clear}
      chosen={chosen === null ? null : `${label}: ${chosen}`}
    >
      {(trigger) => (
        <Popover label={label} trigger={trigger} className="w-64 p-3">
          {(close) => (
            <div className="grid gap-3">
              <div className="grid grid-cols-2 gap-1.5">
                {presets.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-pressed={one === preset}
                    className={classes(
                      'h-9 rounded-s px-2 max-md:h-tap',
                      one === preset ? 'bg-gulf-soft font-strong text-gulf' : 'bg-well hover:bg-well-2',
                    )}
                    onClick={() => {
                      onChange(rangeOf(one, now))
                      close()
                    }}
                  >
                    {t(`admin.date.${one}`)}
                  </button>
                ))}
              </div>
              {(['from', 'to'] as const).map((end) => (
                <div key={end} className="grid grid-cols-[56px_1fr] items-center gap-2">
                  <label htmlFor={`${id}-${end}`} className="text-ink-2">
                    {t(`admin.date.${end}`)}
                  </label>
                  <input
                    id={`${id}-${end}`}
                    type="date"
                    lang={lang}
                    value={(end === 'from' ? from : to) ?? ''}
                    min={(end === 'to' && from) || FIRST_DAY}
                    max={(end === 'from' && to) || LAST_DAY}
                    className="h-9 w-full min-w-0 rounded-s px-2 inset-ring inset-ring-line-strong outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus max-md:h-tap"
                    onChange={(event) => onChange({ from, to, [end]: event.target.value || undefined })}
                  />
                </div>
              ))}
            </div>
          )}
        </Popover>
      )}
    </FilterChip>
  )
}
