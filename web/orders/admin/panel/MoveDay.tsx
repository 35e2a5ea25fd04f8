import { addDays, bahrainDate, formatDay, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, sameSlot, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { listDayLoads } from '@qatra/contract/orders/delivery'
import { shortId } from '@qatra/contract/orders/order-id'
import { unshipped } from '@qatra/contract/orders/order-status'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DayChoice } from '../../../delivery/DayChoice.tsx'
import { deliveryDaysQuery } from '../../../delivery/days.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { today } from '../../../ui/admin/day-words.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { CalendarIcon } from '../../../ui/icons.tsx'

import type { OrderActions } from '../use-order-actions.ts'

/** Opens the dialog, beside the day of an order. */
export function MoveDayTool({ order, actions }: { order: AdminOrderDetail; actions: OrderActions }) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  if (!order.can.reschedule) return null
  return (
    <>
      <ToolbarButton icon={CalendarIcon} className="no-print" onClick={() => setIsOpen(true)}>
        {t('desk.day.move')}
      </ToolbarButton>
      {isOpen && (
        <MoveDayDialog
          vendorId={order.vendorId}
          current={slotOf(order)}
          hint={t(order.status === 'shipped' ? 'desk.day.hintShipped' : 'desk.day.hint', {
            id: shortId(order.id),
            status: t(`admin.status.${unshipped(order)}`),
          })}
          onClose={() => setIsOpen(false)}
          onChoose={(slot, reason) => {
            setIsOpen(false)
            void actions.reschedule(slot, reason)
          }}
        />
      )}
    </>
  )
}

/** As far as days can be chosen. */
const LOADS_OF_DAYS = 60

interface MoveDayDialogProps {
  /** Vendor of the orders; null if they belong to several. */
  vendorId: number | null
  current: DeliverySlot | null
  hint: string
  onChoose(slot: DeliverySlot, reason: string): void
  onClose(): void
}

/** The open days of the vendor. The cut-off does not bind staff. */
export function MoveDayDialog({ vendorId, current, hint, onChoose, onClose }: MoveDayDialogProps) {
  const { t, lang } = useLanguage()
  const [at] = useState(() => startOfBahrainDay(bahrainDate(new Date())).toISOString())
  const [slot, setSlot] = useState<DeliverySlot | null>(null)
  const [reason, setReason] = useState('')
  const [from] = useState(today)
  const query = { from, to: addDays(from, LOADS_OF_DAYS), ...(vendorId === null ? {} : { vendorId: String(vendorId) }) }
  const { data: loads } = useQuery({ ...read(listDayLoads, { query }), enabled: vendorId !== null })
  const loadOn = (date: string) => loads?.find((load) => load.date === date)
  const shown = slot ?? current
  return (
    <Dialog
      open
      className="admin max-w-140"
      title={t('desk.day.title')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{
        label: slot ? t('desk.day.to', { day: slotWords(slot, lang, 'short') }) : t('desk.day.move'),
        tone: 'gulf',
        reason: slot === null || sameSlot(slot, current) ? t('days.choose') : null,
        onChoose: () => slot && onChoose(slot, reason.trim()),
      }}
    >
      <p>{hint}</p>
      {vendorId === null ? (
        <p className="mt-3 text-ink">{t('desk.day.mixed')}</p>
      ) : (
        <>
          <div data-first="" className="-mx-5.5 mt-3">
            <DayChoice
              query={deliveryDaysQuery(vendorId, at)}
              chosen={slot ?? current}
              onChoose={setSlot}
              noteOf={loads && ((date) => t('desk.day.orders', { count: loadOn(date)?.orders ?? 0 }))}
              className="px-5.5"
            />
          </div>
          {loads && shown && (
            <p role="status" className="mt-2">
              {t('desk.day.load', { day: formatDay(shown.date, lang, 'long') })}{' '}
              <b className="font-strong text-ink">
                {t('desk.day.orders', { count: loadOn(shown.date)?.orders ?? 0 })} ·{' '}
                {t('desk.unitCount', { count: loadOn(shown.date)?.units ?? 0 })}
              </b>
            </p>
          )}
          <TextField
            label={t('desk.reason')}
            className="mt-3 text-ink"
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </>
      )}
    </Dialog>
  )
}
