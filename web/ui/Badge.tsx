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

const states: Record<OrderStatus, { className: string; icon: Icon }> = {
  new: { className: 'bg-new text-new-ink', icon: NewIcon },
  'in-progress': { className: 'bg-progress text-progress-ink', icon: ClockIcon },
  shipped: { className: 'bg-shipped text-shipped-ink', icon: TruckIcon },
  delivered: { className: 'bg-done text-done-ink', icon: CheckIcon },
  cancelled: { className: 'bg-cancel text-cancel-ink', icon: CloseIcon },
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
  const { className, icon } = states[status]
  const StateIcon = staff && status === 'in-progress' ? BoxIcon : icon
  return (
    <span className={classes(shape, 'font-strong', className)}>
      <StateIcon size={14} aria-hidden="true" />
      {children}
    </span>
  )
}

const payments: Record<PaymentWord, { className: string; icon: Icon }> = {
  pending: { className: 'inset-ring inset-ring-line text-ink-2', icon: ClockIcon },
  onDelivery: { className: 'inset-ring inset-ring-line text-ink-2', icon: CashIcon },
  paid: { className: 'bg-gulf-soft text-gulf', icon: CheckIcon },
  unpaid: { className: 'inset-ring inset-ring-line text-ink-2', icon: MinusIcon },
  failed: { className: 'bg-clay-soft text-clay', icon: WarningIcon },
}

export function PaymentBadge({ status, children }: { status: keyof typeof payments; children: ReactNode }) {
  const { className, icon: StateIcon } = payments[status]
  return (
    <span className={classes(shape, className)}>
      <StateIcon size={14} aria-hidden="true" />
      {children}
    </span>
  )
}
