import { type ClosedDay, closeDay, listClosedDays, openDay } from '@qatra/contract/calendar/admin'
import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { countOrders } from '@qatra/contract/orders/admin'
import { openStatuses } from '@qatra/contract/orders/order-status'
import { getManagedVendor, type ManagedVendor } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshVendors } from '../../catalogue/admin/refresh-vendors.ts'
import { CallError, call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EndIcon, StartIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { DayPanel } from './DayPanel.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import { closedIn, loadsIn, monthOf, monthsOn, monthTitle } from './month.ts'

export const calendarQuery = (at: Date, vendorId: number | null) => closedIn(monthOf(bahrainDate(at)), vendorId)

type CloseBody = NonNullable<Input<typeof closeDay>['body']>

/** Open orders that are promised for the day; 0 if they cannot be counted, since closing reports them too. */
async function countOpenOrders({ day, vendorId }: CloseBody): Promise<number> {
  const vendor = vendorId ? { vendorId: String(vendorId) } : {}
  try {
    const { counts } = await call(countOrders, { query: { by: 'promised', from: day, to: day, ...vendor } })
    return openStatuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  } catch (error) {
    if (error instanceof CallError) return 0
    throw error
  }
}

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
  const [question, setQuestion] = useState<{ body: CloseBody; count: number } | null>(null)
  const { busy, problem, setProblem, run } = useAction(
    (error) => Object.values(error.details.fields ?? {})[0] ?? refusalText(t, error, 'admin.calendar'),
  )
  const { data } = useQuery(closedIn(month, vendor?.id ?? null))
  const closed = data?.items ?? []
  const mayRead = user?.permissions.includes('orders.read') ?? false
  const { data: loads } = useQuery({ ...loadsIn(month, vendor?.id ?? null), enabled: mayRead })

  async function refresh() {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [listClosedDays.path] }),
      queries.invalidateQueries({ queryKey: [getManagedVendor.path] }),
      refreshVendors(queries),
    ])
  }
  async function close(body: CloseBody) {
    const added = await call(closeDay, { body })
    setProblem(null)
    const { openOrders, moved } = added
    const text =
      moved > 0
        ? t('admin.calendar.moved', { count: moved })
        : openOrders > 0
          ? t('admin.calendar.promised', { count: openOrders })
          : null
    toast({
      title: t('admin.calendar.closed', { day: formatDay(added.day, lang, 'long') }),
      ...(text === null ? {} : { text }),
      duration: 9000,
      // Opening the day would not bring its orders back.
      ...(moved > 0 ? {} : { action: { label: t('admin.calendar.undo'), onClick: () => void open(added) } }),
    })
    await refresh()
  }
  /** Asks first what to do with the orders of the day. */
  async function beginClosing(body: CloseBody) {
    const count = await countOpenOrders(body)
    if (count > 0) setQuestion({ body, count })
    else await close(body)
  }
  const answer = (moveOrders: boolean) =>
    run(async () => {
      if (question) await close({ ...question.body, moveOrders })
    }).finally(() => setQuestion(null))

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
          onClick: () => void run(() => close({ day: date, vendorId, name, nameAr, isEstimated })),
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
          loads={loads}
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
        load={loads && (loads.find(({ date }) => date === chosen) ?? null)}
        vendor={vendor}
        isMarket={user?.role === 'super_admin'}
        problem={problem}
        onClose={beginClosing}
        onOpen={open}
      />
      {question && (
        <Dialog
          open
          className="admin"
          title={t('admin.calendar.move.title')}
          safe={{ label: t('admin.calendar.move.cancel'), onChoose: () => setQuestion(null) }}
          action={{ label: t('admin.calendar.move.do'), tone: 'gulf', busy, onChoose: () => void answer(true) }}
        >
          <p>{t('admin.calendar.move.text', { count: question.count })}</p>
          <Button tone="link" className="mt-2 -ms-2" busy={busy} onClick={() => void answer(false)}>
            {t('admin.calendar.move.keep')}
          </Button>
        </Dialog>
      )}
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
