import { addDays, formatDay, formatWeekday, isDay } from '@qatra/contract/calendar/calendar'
import type { Attention } from '@qatra/contract/orders/filters'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { writeSearch } from '../../../lib/search-state.ts'
import { WheelIcon } from '../../../ui/admin/icons.ts'
import { classes } from '../../../ui/class-names.ts'
import { ClockIcon, CloseIcon, type Icon, WarningIcon } from '../../../ui/icons.tsx'
import { type DeskState, deskShape } from './desk-search.ts'
import type { Desk } from './use-desk.ts'

const icons = [
  ['late', ClockIcon],
  ['failed', WarningIcon],
  ['unassigned', WheelIcon],
] as const satisfies readonly (readonly [Attention, Icon])[]

/** The delivery days and, among the orders of the chosen one, those that need action. A day and an action combine. */
export function DayChips({ state, counts }: Desk) {
  const { t, lang } = useLanguage()
  const { data } = counts
  if (!data) return <div aria-hidden="true" className="h-14" />
  const { chips, today, most } = data
  const tomorrow = addDays(today, 1)
  const count = (n: number) => (n >= most ? t('desk.andMore', { count: most }) : n > 0 ? String(n) : null)
  const other = state.day && isDay(state.day) && state.day !== today && state.day !== tomorrow ? state.day : null
  const isOfLaterDay = state.day !== undefined && isDay(state.day) && state.day > today
  /** Late orders belong to today, so their chip leaves a later day. A chip that is on is taken off again. */
  const needing = (attention: Attention): Partial<DeskState> =>
    state.attention === attention
      ? { attention: undefined, day: state.day ?? 'all' }
      : { attention, day: attention === 'late' && isOfLaterDay ? today : state.day }
  return (
    <nav aria-label={t('desk.days')} className="no-print rail items-center gap-2 px-4 pb-3 md:px-6">
      <Chip search={{ day: today }} isOn={state.day === today} count={count(chips.today)}>
        {t('desk.chip.today', { day: `${formatWeekday(today, lang)} ${Number(today.slice(8))}` })}
      </Chip>
      <Chip search={{ day: tomorrow }} isOn={state.day === tomorrow} count={count(chips.tomorrow)}>
        {t('admin.date.tomorrow')}
      </Chip>
      {other && (
        <Chip search={{ day: other }} isOn count={count(chips.day)}>
          {formatDay(other, lang, 'long')}
        </Chip>
      )}
      <span aria-hidden="true" className="mx-1 h-6 w-px flex-none bg-line" />
      {icons.map(([attention, icon]) => (
        <Chip
          key={attention}
          search={{ status: [], ...needing(attention) }}
          isOn={state.attention === attention}
          count={count(chips[attention])}
          icon={icon}
          isRemovable
          isProblem={attention !== 'unassigned' && chips[attention] > 0}
        >
          {t(`desk.chip.${attention}`)}
        </Chip>
      ))}
      <Chip
        search={{ day: 'all' }}
        isOn={state.day === 'all' || (state.day === undefined && state.attention !== undefined)}
        count={null}
      >
        {t('desk.chip.all')}
      </Chip>
    </nav>
  )
}

/** A chip replaces the search and the range of days, and keeps the other filters. */
const replaced = {
  q: '',
  from: undefined,
  to: undefined,
  by: undefined,
}

interface ChipProps {
  search: Partial<DeskState>
  isOn: boolean
  count: string | null
  icon?: Icon
  isProblem?: boolean
  /** Its link takes it off while it is on. */
  isRemovable?: boolean
  children: ReactNode
}

function Chip({ search, isOn, count, icon: Sign, isProblem = false, isRemovable = false, children }: ChipProps) {
  const change = writeSearch(deskShape, { ...replaced, ...search })
  return (
    <Link
      to="."
      // Changes only the search parameters of the current page.
      search={((before: object) => ({ ...before, page: undefined, ...change })) as never}
      resetScroll={false}
      activeOptions={{ exact: true }}
      aria-current={isOn ? 'true' : undefined}
      className={classes(
        'flex h-10 flex-none items-center gap-2 rounded-full ps-4 whitespace-nowrap max-md:h-tap',
        count === null ? 'pe-4' : 'pe-2',
        isOn ? 'bg-gulf font-strong text-on-gulf' : 'bg-well text-ink hover:bg-well-2',
      )}
    >
      {Sign && <Sign size={16} aria-hidden="true" className={isProblem && !isOn ? 'text-clay' : undefined} />}
      {children}
      {count !== null && (
        <b
          className={classes(
            'grid h-6 min-w-6 place-items-center rounded-full bg-surface px-2 text-caption',
            isProblem ? 'text-clay' : 'text-ink',
          )}
        >
          <bdi>{count}</bdi>
        </b>
      )}
      {isRemovable && isOn && <CloseIcon size={14} aria-hidden="true" className={count === null ? '' : 'me-1.5'} />}
    </Link>
  )
}
