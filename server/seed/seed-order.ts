import type { AttemptReason } from '@qatra/contract/drivers'
import type { OrderStatus, PaymentMethod } from '@qatra/contract/order-status'
import type { SeedAddress } from './people.ts'

/** An order of the demo with all that was done to it. */
export interface SeedOrder extends SeedAddress {
  customerPhone: string
  vendorId: number
  items: readonly { productId: number; quantity: number }[]
  placedAt: Date
  /** YYYY-MM-DD */
  promisedDate: string
  status: OrderStatus
  /** Every status after `new` and when it was reached, the last one being `status`. */
  changes: readonly { status: OrderStatus; at: Date; notes?: string }[]
  /** Null while nobody drives it; left out, whoever drives for the vendor did. */
  driverPhone?: string | null
  /** Left out, the history does not tell. */
  assignedAt?: Date | null
  /** Who took it on the telephone. */
  agentPhone?: string
  cancelledBy?: 'customer' | 'staff'
  notes?: readonly { at: Date; text: string }[]
  attempt?: { at: Date; reason: AttemptReason }
  /** Paid so, where not in cash. */
  paidBy?: PaymentMethod
  /** When the driver handed over the cash; without it the driver still holds it. */
  handedOverAt?: Date
}
