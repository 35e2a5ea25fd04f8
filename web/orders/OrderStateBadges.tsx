import { customerStatus, paymentWord } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useT } from '../lib/language/i18n.tsx'
import { OrderBadge, PaymentBadge } from '../ui/Badge.tsx'

export function OrderState({ order }: { order: Pick<Order, 'status'> }) {
  const t = useT()
  const status = customerStatus(order.status)
  return <OrderBadge status={status}>{t(`orders.status.${status}`)}</OrderBadge>
}

export function PaymentState({ order }: { order: Pick<Order, 'status' | 'paymentMethod' | 'paymentStatus'> }) {
  const t = useT()
  // The payment of a cancelled order is not pending.
  if (order.status === 'cancelled' && order.paymentStatus === 'pending') return null
  const word = paymentWord(order)
  return <PaymentBadge status={word}>{t(`orders.payment.${word}`)}</PaymentBadge>
}
