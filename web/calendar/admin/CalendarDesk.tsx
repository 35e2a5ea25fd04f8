import { bahrainDate, formatDay } from '@qatra/contract/calendar'
import { type ClosedDay, closeDay, listClosedDays, openDay } from '@qatra/contract/calendar-admin'
import type { Input } from '@qatra/contract/endpoint'
import { getManagedVendor, type ManagedVendor } from '@qatra/contract/vendors-admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLang, useT } from '../../app/i18n.tsx'
import { useUser } from '../../app/session.ts'
import { call } from '../../lib/api-client.ts'
import { useAction } from '../../lib/use-action.ts'
import { EndIcon, StartIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { refreshVendors } from '../../vendors/admin/api.ts'
import { DayPanel, wordsOf } from './DayPanel.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import { closedIn, monthOf, monthsOn, monthTitle } from './month.ts'

export const calendarQuery = (at: Date, vendorId: number | null) => closedIn(monthOf(bahrainDate(at)), vendorId)

interface CalendarDeskProps {
  /** Shows the closures of this vendor; null shows those of all vendors. */
  vendor: ManagedVendor | null
}

/** A month with Fridays, holidays and closures; a click on a day opens its panel. */
export function CalendarDesk({ vendor }: CalendarDeskProps) {
  const t = useT()
  const lang = useLang()
  const queries = useQueryClient()
  const user = useUser()
  const [today] = useState(() => bahrainDate(new Date()))
  const [month, setMonth] = useState(monthOf(today))
  const [chosen, setChosen] = useState<string | null>(null)
  const { problem, setProblem, run } = useAction(
    (error) => Object.values(error.details.fields ?? {})[0] ?? wordsOf(error, t),
  )
  const { data } = useQuery(closedIn(month, vendor?.id ?? null))
  const closed = data?.items ?? []

  async function refresh() {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [listClosedDays.path] }),
      queries.invalidateQueries({ queryKey: [getManagedVendor.path] }),
      refreshVendors(queries),
    ])
  }
  async function close(body: Input<typeof closeDay>['body']) {
    const added = await call(closeDay, { body })
    setProblem(null)
    const isWarning = added.openOrders > 0
    toast({
      title: t('admin.calendar.closed', { day: formatDay(added.day, lang, 'long') }),
      ...(isWarning ? { text: t('admin.calendar.promised', { count: added.openOrders }) } : {}),
      duration: 9000,
      action: { label: t('admin.calendar.undo'), onAct: () => void open(added) },
    })
    await refresh()
  }
  const open = (day: ClosedDay) =>
    run(async () => {
      await call(openDay, { query: { id: String(day.id) } })
      await refresh()
      const { day: date, vendorId, name, nameAr, isEstimated } = day
      toast({
        title: t('admin.calendar.opened', { day: formatDay(date, lang, 'long') }),
        duration: 9000,
        action: {
          label: t('admin.calendar.undo'),
          onAct: () => void run(() => close({ day: date, vendorId, name, nameAr, isEstimated })),
        },
      })
    })

  const title = monthTitle(month, lang)
  return (
    <div className="grid items-start gap-5 desk:grid-cols-[minmax(0,1fr)_340px]">
      <section aria-label={title}>
        <div className="mb-3 flex items-center gap-2">
          <h2 className="min-w-0 flex-1 text-heading" aria-live="polite">
            {title}
          </h2>
          {month !== monthOf(today) && (
            <button
              type="button"
              className="h-9 rounded-m px-3 text-aqua-ink hover:bg-well"
              onClick={() => setMonth(monthOf(today))}
            >
              {t('admin.date.today')}
            </button>
          )}
          <StepButton label={t('admin.calendar.previous')} onClick={() => setMonth(monthsOn(month, -1))} icon="back" />
          <StepButton label={t('admin.calendar.next')} onClick={() => setMonth(monthsOn(month, 1))} icon="on" />
        </div>
        <MonthGrid
          month={month}
          today={today}
          closed={closed}
          chosen={chosen}
          onChoose={setChosen}
          onMonth={setMonth}
        />
      </section>
      <DayPanel
        key={chosen ?? ''}
        day={chosen}
        today={today}
        closed={closed.filter(({ day }) => day === chosen)}
        vendor={vendor}
        isMarket={user?.role === 'super_admin'}
        problem={problem}
        onClose={close}
        onOpen={open}
      />
    </div>
  )
}

function StepButton({ label, icon, onClick }: { label: string; icon: 'back' | 'on'; onClick(): void }) {
  const Sign = icon === 'back' ? StartIcon : EndIcon
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-9 place-items-center rounded-m bg-well hover:bg-well-2 max-md:size-tap"
      onClick={onClick}
    >
      <Sign size={18} aria-hidden="true" />
    </button>
  )
}
