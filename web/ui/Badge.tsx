import type { OrderStatus, PaymentWord } from '@qatra/contract/orders/order-status'
import type { ReactNode } from 'react'
import { classes } from './class-names.ts'
import {
  BoxIcon,
  CashIcon,
  CheckIcon,
  ClockIcon,
  CloseIcon,
  type Icon,
  MinusIcon,
  NewIcon,
  TruckIcon,
  WarningIcon,
} from './icons.tsx'

const shape = 'inline-flex h-6.5 items-center gap-1.25 rounded-s px-2.25 text-label leading-none whitespace-nowrap'

const states: Record<OrderStatus, { className: string; sign: Icon }> = {
  new: { className: 'bg-new text-new-ink', sign: NewIcon },
  'in-progress': { className: 'bg-progress text-progress-ink', sign: ClockIcon },
  shipped: { className: 'bg-shipped text-shipped-ink', sign: TruckIcon },
  delivered: { className: 'bg-done text-done-ink', sign: CheckIcon },
  cancelled: { className: 'bg-cancel text-cancel-ink', sign: CloseIcon },
}

interface OrderBadgeProps {
  /** Customers see `customerStatus(status)`; the caller passes the text. */
  status: OrderStatus
  /** Staff see a box where customers see a clock. */
  staff?: boolean
  children: ReactNode
}

/** The only use of the four state colours; icon and text have the same meaning. */
export function OrderBadge({ status, staff, children }: OrderBadgeProps) {
  const { className, sign } = states[status]
  const Sign = staff && status === 'in-progress' ? BoxIcon : sign
  return (
    <span className={classes(shape, 'font-strong', className)}>
      <Sign size={14} aria-hidden="true" />
      {children}
    </span>
  )
}

const payments: Record<PaymentWord, { className: string; sign: Icon }> = {
  pending: { className: 'inset-ring inset-ring-line text-ink-2', sign: ClockIcon },
  onDelivery: { className: 'inset-ring inset-ring-line text-ink-2', sign: CashIcon },
  paid: { className: 'bg-gulf-soft text-gulf', sign: CheckIcon },
  paidCash: { className: 'bg-gulf-soft text-gulf', sign: CheckIcon },
  unpaid: { className: 'inset-ring inset-ring-line text-ink-2', sign: MinusIcon },
  failed: { className: 'bg-clay-soft text-clay', sign: WarningIcon },
}

export function PaymentBadge({ status, children }: { status: keyof typeof payments; children: ReactNode }) {
  const { className, sign: Sign } = payments[status]
  return (
    <span className={classes(shape, className)}>
      <Sign size={14} aria-hidden="true" />
      {children}
    </span>
  )
}
