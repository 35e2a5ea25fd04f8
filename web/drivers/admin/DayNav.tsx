import { addDays, formatDay } from '@qatra/contract/calendar/calendar'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { nearDay } from '../../ui/admin/day-words.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { EndIcon, StartIcon } from '../../ui/icons.tsx'

interface DayNavProps {
  day: string
  /** Later days cannot be reached. */
  last?: string
  onChange(day: string): void
}

const near = { yesterday: 'admin.date.yesterday', today: 'admin.date.today', tomorrow: 'admin.date.tomorrow' } as const

/** The day of a page, with buttons to the days beside it. */
export function DayNav({ day, last, onChange }: DayNavProps) {
  const { t, lang } = useLanguage()
  const word = nearDay(day)
  return (
    <span className="inline-flex items-center rounded-[10px] bg-well text-ink print:bg-transparent">
      <ToolbarButton
        icon={StartIcon}
        className="no-print px-2!"
        aria-label={t('drivers.previous')}
        onClick={() => onChange(addDays(day, -1))}
      >
        {null}
      </ToolbarButton>
      <b className="px-1 text-center font-strong">
        {word && <span className="print:hidden">{t('drivers.near', { near: t(near[word]) })} </span>}
        {formatDay(day, lang, 'long')}
      </b>
      <ToolbarButton
        icon={EndIcon}
        className="no-print px-2!"
        aria-label={t('drivers.nextDay')}
        disabled={last !== undefined && day >= last}
        onClick={() => onChange(addDays(day, 1))}
      >
        {null}
      </ToolbarButton>
    </span>
  )
}
