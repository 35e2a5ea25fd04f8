import type { Parsed } from '@qatra/contract/endpoint'
import { type CartTotals, cartTotals, type Fils } from '@qatra/contract/lib/money'
import type { placeOrder } from '@qatra/contract/orders/orders'
import { daysOf } from '../../calendar/delivery-days.ts'
import { AppError } from '../../lib/errors.ts'
import type { OrderLine } from '../placing/commands.ts'
import {
  type DeliveryVendors,
  type Named,
  requireAvailable,
  requireBelowHourlyLimit,
  requireChosenPoint,
  requireCovered,
  requireDeliveryDay,
  requireMinimum,
  requireOfferedPayment,
  requireShownTotal,
} from '../placing/rules.ts'

export type CheckoutBody = Parsed<typeof placeOrder>['body']
type CheckedFields = Pick<
  CheckoutBody,
  'paymentMethod' | 'mapCoordinates' | 'expectedTotal' | 'deliveryDate' | 'expectedDate'
>

interface CheckoutVendor {
  id: number
  name: string
  nameAr: string | null
  logoUrl: string | null
  deliveryFee: Fils
  minDeliveryAmount: Fils
  isActive: boolean
  cutOff: string | null
}

/** Customer, cart and the vendor's terms, as stored when the cart was locked. */
export interface CheckoutInputs {
  phone: string
  cartId: number | null
  vendor: CheckoutVendor | null
  /** Whether the vendor delivers to the area. */
  isServed: boolean
  limitingOrderAt: Date | null
  /** Days without delivery of the vendor. */
  closedDays: readonly string[]
  lines: readonly (OrderLine & { isActive: boolean })[] | null
}

interface CheckoutTerms {
  vendor: CheckoutVendor
  lines: OrderLine[]
  totals: CartTotals
  promisedDate: string
}

/** The terms of an order of the cart. Throws the first violated rule, in the order in which the customer can fix them. */
export function requirePlaceable(
  catalogue: DeliveryVendors,
  inputs: CheckoutInputs,
  { body, area, now }: { body: CheckedFields; area: Named | null; now: Date },
): CheckoutTerms {
  const { vendor, isServed } = inputs
  requireBelowHourlyLimit(inputs.limitingOrderAt, now)
  if (vendor === null || inputs.lines === null) throw new AppError('CART_EMPTY')
  requireOfferedPayment(body.paymentMethod ?? 'cash')
  requireChosenPoint(body.mapCoordinates)
  requireAvailable(
    inputs.lines.map(({ productId: id, name, nameAr, isActive }) => {
      return { id, name, nameAr, isAvailable: isActive && vendor.isActive }
    }),
  )
  const lines = inputs.lines.map(({ isActive: _, ...line }) => line)
  const totals = cartTotals(lines, vendor.deliveryFee)
  requireMinimum(totals.subtotal, vendor.minDeliveryAmount)
  requireCovered(catalogue, { area, vendorId: vendor.id, isServed })
  const promisedDate = requireDeliveryDay(daysOf({ cutOff: vendor.cutOff, closedDays: inputs.closedDays }, now), body)
  requireShownTotal(totals.total, body.expectedTotal)
  return { vendor, lines, totals, promisedDate }
}
