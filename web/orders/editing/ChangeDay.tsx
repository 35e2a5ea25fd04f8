import { startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, sameSlot, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { isClosed } from '@qatra/contract/orders/order-status'
import { type Order, rescheduleOrder } from '@qatra/contract/orders/orders'
import { getDeliveryEvent } from '@qatra/contract/orders/receipts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { DayChoice } from '../../delivery/DayChoice.tsx'
import { cacheDays, deliveryDaysQuery } from '../../delivery/days.ts'
import { useToday } from '../../delivery/use-today.ts'
import { addressOf, call, detailsOf } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CalendarIcon, type Icon, InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { orderQuery } from '../api.ts'
import { formerSlot } from '../arrival.ts'
import { useClosureText } from '../closure-text.ts'
import { invalidateOrders } from '../invalidate-orders.ts'
import { vendorOf } from '../OrderCard.tsx'

/** That the day changed, or that a delivery failed. */
export function DayNotice({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const closure = useClosureText()(order)
  if (isClosed(order.status)) return null
  if (order.asksForDay)
    return (
      <Notice icon={WarningIcon} className="bg-clay-soft" tone="text-clay" title={t('days.attempted')}>
        {t('days.attemptedHint', { vendor: nameIn(vendorOf(order)) })}
      </Notice>
    )
  const former = formerSlot(order)
  if (former === null) return null
  return (
    <Notice icon={CalendarIcon} className="bg-gulf-soft" title={t('days.moved')}>
      {closure ?? (
        <>
          {t('days.was')} <s>{slotWords(former, lang, 'long')}</s>
        </>
      )}
    </Notice>
  )
}

interface NoticeProps {
  icon: Icon
  className: string
  tone?: string
  title: string
  children: ReactNode
}

function Notice({ icon: Sign, className, tone, title, children }: NoticeProps) {
  return (
    <div className={classes('mt-4 flex gap-2.5 rounded-m px-3.5 py-3', className)}>
      <Sign size={20} aria-hidden="true" className={classes('mt-0.75 flex-none', tone)} />
      <div className="min-w-0">
        <p>{title}</p>
        <p className="text-label text-ink-2">{children}</p>
      </div>
    </div>
  )
}

/** The day for the calendar of the phone, which opens the file. */
export function CalendarLink({ order: { id, status }, className }: { order: Order; className: string }) {
  const { t, lang } = useLanguage()
  if (isClosed(status)) return null
  return (
    <a href={addressOf(getDeliveryEvent.path, { params: { id }, query: { lang } })} className={className}>
      <CalendarIcon size={20} aria-hidden="true" />
      {t('order.calendar')}
    </a>
  )
}

/** Moves the delivery to another day. */
export function ChangeDay({ order }: { order: Order }) {
  const { t } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  if (!order.can.reschedule) return null
  return (
    <>
      <Button icon={CalendarIcon} onClick={() => setOpen(true)}>
        {t('days.change')}
      </Button>
      {isOpen && <ChangeDayDialog order={order} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Why the day of a shipped order does not change any more. */
export function ShippedNote({ order }: { order: Order }) {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  if (order.status !== 'shipped' || order.can.reschedule) return null
  return (
    <p className="no-print mt-4 flex gap-2 text-label text-ink-2">
      <InfoIcon size={18} aria-hidden="true" className="mt-0.5 flex-none" />
      {t('days.shipped', { vendor: nameIn(vendorOf(order)) })}
    </p>
  )
}

function ChangeDayDialog({ order, onClose }: { order: Order; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [slot, setSlot] = useState<DeliverySlot | null>(null)
  const today = useToday()
  // After a failed attempt the cut-off does not apply.
  const at = order.asksForDay ? startOfBahrainDay(today).toISOString() : undefined
  // Those of an earlier page can be hours old.
  const days = { ...deliveryDaysQuery(order.vendorId, at), refetchOnMount: 'always' as const }
  const { busy, problem, run } = useAction((error) => {
    const { code } = error
    if (code === 'DATE_NOT_AVAILABLE') {
      setSlot(null)
      cacheDays(queries, days, detailsOf(error, code).days)
    }
    if (code === 'RESCHEDULE_CLOSED' || code === 'VERSION_CONFLICT')
      void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
    const { mostMoves } = detailsOf(error, 'RESCHEDULE_CLOSED')
    return mostMoves ? t('days.tooOften') : refusalText(t, error, 'days')
  })
  const chosen = slot ?? slotOf(order)
  const move = () =>
    run(async () => {
      const moved = await call(rescheduleOrder, {
        params: { id: order.id },
        body: { date: chosen.date, version: order.version },
      })
      queries.setQueryData(orderQuery(order.id).queryKey, moved)
      toast({ title: t('days.saved', { day: slotWords(slotOf(moved), lang, 'long') }) })
      onClose()
      void invalidateOrders(queries)
    })
  return (
    <Dialog
      open
      title={t('days.changeTitle')}
      safe={{ label: t('days.keep'), onChoose: onClose }}
      action={{
        label: t('days.do'),
        busy,
        reason: sameSlot(chosen, slotOf(order)) ? t('days.choose') : null,
        onChoose: () => void move(),
      }}
    >
      <div data-first="" className="-mx-5.5 mt-3">
        <DayChoice query={days} chosen={chosen} onChoose={setSlot} className="px-5.5" />
      </div>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
    </Dialog>
  )
}
