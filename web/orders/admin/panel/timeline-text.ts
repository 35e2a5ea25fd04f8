import { slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { attemptReasons } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { formatItemList, parseItemList, productOfPrice } from '@qatra/contract/orders/history'
import {
  type OrderStatus,
  orderStatuses,
  paymentMethods,
  paymentStatuses,
  ratings,
} from '@qatra/contract/orders/order-status'
import type { TimelineEntry } from '@qatra/contract/orders/timeline'
import { useNameIn } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'

const among = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((one) => one === value) ?? null
const noName = '—'

export type TimelineLine = TimelineEntry & { payment?: TimelineEntry }

/** One line an act: what a status change made of the payment joins its line. */
export function linesOf(entries: readonly TimelineEntry[]): TimelineLine[] {
  const statusOf = ({ at, field }: TimelineEntry) =>
    field === 'paymentStatus' ? entries.find((other) => other.at === at && other.field === 'status') : undefined
  return entries
    .filter((entry) => !statusOf(entry))
    .map((entry) => {
      const payment = entries.find((other) => statusOf(other) === entry)
      return payment ? { ...entry, payment } : entry
    })
}

export function useEventText(items: AdminOrder['items'] = []) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const status = (value: string | null) => t(`admin.status.${among<OrderStatus>(orderStatuses, value) ?? 'new'}`)
  const day = (value: string | null) => (value === null ? noName : slotWords(slotOn(value), lang, 'long'))
  const money = (value: string | null) => formatMoney(fromBhd(Number(value ?? 0)), lang)

  const itemsIn = (value: string | null) => formatItemList(parseItemList(value) ?? [], { t, lang }) || noName

  function changed({ field, from, to, notes, fromName, toName }: TimelineEntry): string | null {
    switch (field) {
      case 'status':
        return t('desk.event.status', { from: status(from), to: status(to) })
      case 'assignedDriverId':
        if (to === null) return t('desk.event.driverRemoved', { name: fromName ?? noName })
        if (from === null) return t('desk.event.driver', { name: toName ?? noName })
        return t('desk.event.driverChanged', { from: fromName ?? noName, to: toName ?? noName })
      case 'paymentStatus': {
        const payment = among(paymentStatuses, to)
        return payment && t('desk.event.payment', { to: t(`admin.payment.${payment}`) })
      }
      case 'paymentMethod': {
        const method = among(paymentMethods, to)
        return method && t('desk.event.method', { to: t(`desk.method.${method}`) })
      }
      case 'deliveryFee':
        return t('desk.event.fee', { from: money(from), to: money(to) })
      case 'address':
        return t('desk.event.address')
      case 'buyer':
        return t(notes ? 'desk.event.buyer' : 'desk.event.buyerAdded')
      case 'items':
        return t('desk.event.items', { from: itemsIn(from), to: itemsIn(to) })
      case 'deposit':
        return t('desk.event.deposit', { from: money(from), to: money(to) })
      case 'total':
        return t('desk.event.total', { from: money(from), to: money(to) })
      case 'promisedDate':
        return t('desk.event.promisedDate', { from: day(from), to: day(to) })
      case 'callRequest':
        return t('desk.event.call')
      case 'waterRating':
      case 'driverRating': {
        const rating = among(ratings, to)
        return rating && t(`desk.event.${field}`, { rating: t(`desk.rating.${rating}`) })
      }
      case 'payment':
        return Number(to) < 0
          ? t('desk.event.paidBack', { amount: money(String(-Number(to))) })
          : t('desk.event.paid', { amount: money(to) })
      case 'dayConfirmed':
        return t('desk.event.dayConfirmed', { day: day(to) })
      case 'lateCash':
        return t('desk.event.lateCash', { amount: money(to) })
      case 'coverage':
        return t('desk.event.coverage')
      case 'erasure':
        return t('desk.event.erased')
      case null:
        return null
    }
    const product = productOfPrice(field)
    if (product === null) return null
    const item = items.find(({ productId }) => productId === product)
    const prices = { from: money(from), to: money(to) }
    return item ? t('desk.event.priceOf', { name: nameIn(item), ...prices }) : t('desk.event.price', prices)
  }

  return (line: TimelineLine): string => (line.payment ? `${textOf(line)} · ${textOf(line.payment)}` : textOf(line))

  function textOf(entry: TimelineEntry): string {
    const { action, field, to, by, onBehalfOf } = entry
    switch (action) {
      case 'note':
        return t('desk.event.note')
      case 'confirmation':
        return t('desk.event.confirmation')
      case 'attempted': {
        const reason = among(attemptReasons, to)
        return reason ? t('desk.event.attempt', { reason: t(`admin.attempt.${reason}`) }) : t('desk.event.attemptPlain')
      }
      case 'day-closed':
        // A shipped order also went back to in-progress.
        if (field !== 'status') return t('desk.event.dayClosed', { from: day(entry.from), to: day(to) })
        break
      case 'created':
        if (by === null || by.role === 'customer') return t('desk.event.created')
        return t(onBehalfOf?.role === 'customer' ? 'desk.event.createdFor' : 'desk.event.createdBySales')
    }
    return changed(entry) ?? t('desk.event.other', { field: field ?? action })
  }
}

/** The actor, and whom the actor impersonated. */
export function useAuthorText() {
  const t = useT()
  return ({ by, onBehalfOf, action }: TimelineEntry): string => {
    if (!by) return t('desk.event.system')
    const name = by.name ?? `#${by.id}`
    if (onBehalfOf) return t('desk.event.behalf', { name, other: onBehalfOf.name ?? `#${onBehalfOf.id}` })
    return by.role === 'customer' && action !== 'created' ? t('desk.event.customer', { name }) : name
  }
}
