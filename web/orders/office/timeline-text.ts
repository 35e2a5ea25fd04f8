import { type OrderStatus, orderStatuses, paymentMethods, paymentStatuses } from '@qatra/contract/order-status'
import type { TimelineEntry } from '@qatra/contract/orders-office'
import { useT } from '../../app/i18n.tsx'

const among = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((one) => one === value) ?? null

/** What happened, in a few words. */
export function useEventText() {
  const t = useT()
  const status = (value: string | null) => t(`office.status.${among<OrderStatus>(orderStatuses, value) ?? 'new'}`)
  const nobody = '—'
  return ({ action, field, from, to, fromName, toName, by }: TimelineEntry): string => {
    if (action === 'note') return t('desk.event.note')
    if (action === 'confirmation') return t('desk.event.confirmation')
    if (action === 'attempt') return t('desk.event.attempt')
    if (action === 'created')
      return t(by === null || by.role === 'customer' ? 'desk.event.created' : 'desk.event.createdBySales')
    if (field === 'status') return t('desk.event.status', { from: status(from), to: status(to) })
    if (field === 'assignedDriverId') {
      if (to === null) return t('desk.event.driverRemoved', { name: fromName ?? nobody })
      if (from === null) return t('desk.event.driver', { name: toName ?? nobody })
      return t('desk.event.driverChanged', { from: fromName ?? nobody, to: toName ?? nobody })
    }
    const payment = field === 'paymentStatus' ? among(paymentStatuses, to) : null
    if (payment) return t('desk.event.payment', { to: t(`office.payment.${payment}`) })
    const method = field === 'paymentMethod' ? among(paymentMethods, to) : null
    if (method) return t('desk.event.method', { to: t(`desk.method.${method}`) })
    return t('desk.event.other', { field: field ?? action })
  }
}

/** Who did it, and as whom. */
export function useAuthorText() {
  const t = useT()
  return ({ by, onBehalfOf, action }: TimelineEntry): string | null => {
    if (!by) return t('desk.event.system')
    const name = by.name ?? `#${by.id}`
    if (onBehalfOf) return t('desk.event.behalf', { name, other: onBehalfOf.name ?? `#${onBehalfOf.id}` })
    return by.role === 'customer' && action !== 'created' ? t('desk.event.customer', { name }) : name
  }
}
