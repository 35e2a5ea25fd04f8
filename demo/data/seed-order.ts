import type { AttemptReason } from '@qatra/contract/drivers'
import type { OrderStatus, PaymentMethod } from '@qatra/contract/orders/order-status'
import type { SeedAddress } from './people.ts'

export interface SeedItem {
  productId: number
  quantity: number
  /** Bottles for which no empty one is given. */
  newBottles?: number
}

/** A demo order with its history. */
export interface SeedOrder extends SeedAddress {
  customerPhone: string
  vendorId: number
  items: readonly SeedItem[]
  placedAt: Date
  /** YYYY-MM-DD */
  promisedDate: string
  status: OrderStatus
  /** Every status after `new` with its time; the last is `status`. */
  changes: readonly { status: OrderStatus; at: Date; notes?: string }[]
  /** Null without a driver. Default: the vendor's driver. */
  driverPhone?: string | null
  /** If omitted, the history has no assignment. */
  assignedAt?: Date | null
  /** Sales agent who took the order by phone. */
  agentPhone?: string
  cancelledBy?: 'customer' | 'staff'
  notes?: readonly { at: Date; text: string }[]
  attempt?: { at: Date; reason: AttemptReason }
  /** Payment method, if not cash. */
  paidBy?: PaymentMethod
  /** Time of the cash handover; if omitted, the driver still holds the cash. */
  handedOverAt?: Date
}
