import { formatDay, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { listDriverDays } from '@qatra/contract/driver-board'
import { listDrivers } from '@qatra/contract/drivers'
import { holds } from '@qatra/contract/users/permissions'
import { cancelVisit, changeVisit, createVisit, listVisits, type Visit } from '@qatra/contract/visits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deliveryDaysQuery } from '../../delivery/days.ts'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { today } from '../../ui/admin/day-words.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'

const mayPlan = (user: ReturnType<typeof useUser>) =>
  holds(['customers.read', 'orders.assign', 'orders.status'], user?.permissions ?? [])

function useVisitAction() {
  const { t } = useLanguage()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'heldBottles'))
  // After the dialog of the visit has closed.
  const undoing = useAction((error) => toast({ title: refusalText(t, error, 'heldBottles'), tone: 'error' }))
  const send = (work: () => Promise<unknown>, running = run) =>
    running(async () => {
      await work()
      await Promise.all([listVisits, listDriverDays].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })))
    })
  const alert = problem && (
    <p role="alert" className="text-clay">
      {problem}
    </p>
  )
  return { busy, alert, send, undo: (work: () => Promise<unknown>) => void send(work, undoing.run) }
}

interface CollectionVisitProps {
  customerId: number
  vendorId: number
  addressId: number | null
  children?: ReactNode
}

/** The open visits of a customer; without a collection of empties, a button that plans one. */
export function CollectionVisit({ customerId, vendorId, addressId, children }: CollectionVisitProps) {
  const { t } = useLanguage()
  const isAllowed = mayPlan(useUser())
  const query = { customerId: String(customerId), vendorId: String(vendorId) }
  const { data } = useQuery({ ...read(listVisits, { query }), enabled: isAllowed })
  const { busy, alert, send } = useVisitAction()
  if (!data || !isAllowed) return null
  const body = { kind: 'collect-bottles' as const, vendorId, customerId, addressId }
  return (
    <section aria-label={t('heldBottles.visits')} className="grid gap-3 border-b border-line px-5 py-4">
      {children}
      {data.items.map((visit) => (
        <VisitEntry key={visit.id} visit={visit} />
      ))}
      {!data.items.some(({ kind }) => kind === 'collect-bottles') && (
        <Button busy={busy} onClick={() => void send(() => call(createVisit, { body }))}>
          {t('heldBottles.collect')}
        </Button>
      )}
      {alert}
    </section>
  )
}

/** A visit with its day and driver, which can be changed until it is done. */
function VisitEntry({ visit, onChanged }: { visit: Visit; onChanged?(): void }) {
  const { t, lang } = useLanguage()
  const { vendorId, date, driver, note } = visit
  const { data: drivers = [] } = useQuery(read(listDrivers, { query: { vendorId: String(vendorId) } }))
  const { data: days = [] } = useQuery(deliveryDaysQuery(vendorId, startOfBahrainDay(today()).toISOString()))
  const { busy, alert, send, undo } = useVisitAction()
  const dates = [...new Set([date, ...days.map((day) => day.date)])].sort()
  const params = { id: String(visit.id) }
  const change = (body: { date: string } | { driverId: number | null }, title: string) =>
    send(async () => {
      await call(changeVisit, { params, body })
      toast({ title })
      onChanged?.()
    })
  const cancel = () =>
    send(async () => {
      await call(cancelVisit, { params })
      const reopen = () => undo(() => call(changeVisit, { params, body: { status: 'open' } }))
      toast({
        title: t('heldBottles.visitCancelled'),
        action: { label: t('ui.undo'), onClick: reopen },
        duration: 8000,
      })
      onChanged?.()
    })
  return (
    <div className="grid gap-2">
      <p>
        <b className="font-strong">{t(`heldBottles.visit.${visit.kind}`)}</b>
        {visit.bottles !== null && <bdi> · {t('heldBottles.visitBottles', { count: visit.bottles })}</bdi>}
        {visit.isRequested && <span className="block text-caption text-ink-3">{t('heldBottles.visitAsked')}</span>}
        {note && (
          <span dir="auto" className="block text-ink-2">
            {note}
          </span>
        )}
      </p>
      {visit.status === 'done' ? (
        <p>
          {t('heldBottles.visitDone', { day: formatDay(visit.bookedOn ?? date, lang, 'long') })}
          {driver?.name && <bdi> · {driver.name}</bdi>}
        </p>
      ) : (
        <>
          <SelectField
            label={t('heldBottles.visitDriver')}
            placeholder={t('heldBottles.noDriver')}
            value={driver?.id ?? null}
            readOnly={busy}
            options={drivers.map(({ id, name, phone }) => ({ value: id, label: name ?? phone }))}
            onChange={(driverId) => void change({ driverId }, t('heldBottles.visitSaved'))}
          />
          <SelectField
            label={t('heldBottles.visitDay')}
            value={date}
            readOnly={busy}
            options={dates.map((day) => ({ value: day, label: formatDay(day, lang, 'long') }))}
            onChange={(day) =>
              day && void change({ date: day }, t('heldBottles.visitMoved', { day: formatDay(day, lang, 'long') }))
            }
          />
          <Button tone="link" className="justify-self-start px-0!" onClick={() => void cancel()}>
            {t('heldBottles.cancelVisit')}
          </Button>
        </>
      )}
      {alert}
    </div>
  )
}

/** The visits of a day, for those who may plan them. */
export function useDayVisits(date: string): readonly Visit[] {
  const enabled = mayPlan(useUser()) && date !== ''
  return useQuery({ ...read(listVisits, { query: { date } }), enabled }).data?.items ?? []
}

/** One visit over the page; closes when it is changed. */
export function VisitDialog({ visit, onClose }: { visit: Visit; onClose(): void }) {
  const { t } = useLanguage()
  return (
    <Dialog
      open
      className="admin"
      title={<bdi>{visit.customerName}</bdi>}
      safe={{ label: t('admin.close'), onChoose: onClose }}
    >
      <p className="mb-3">
        <bdi>{visit.address}</bdi>{' '}
        <a href={`/admin/customers?open=${visit.customerId}`} className="text-aqua-ink hover:underline">
          {t('heldBottles.toCustomer')}
        </a>
      </p>
      <VisitEntry visit={visit} onChanged={onClose} />
    </Dialog>
  )
}
