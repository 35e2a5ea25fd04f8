import type { Fils } from '@qatra/contract/money'
import { offeredPaymentMethods, type PaymentMethod } from '@qatra/contract/order-status'

/** A cart item as it stands in the database at the moment of placing. */
export interface PlacingLine {
  productId: number
  quantity: number
  price: Fils
  vatPercentage: number
  isOffered: boolean
}

/** `[product, quantity, price, VAT percentage, whether it is offered]`, as the look at the cart answers a line. */
export type StoredLine = readonly [number, number, Fils, number, boolean]

export const readLines = (stored: readonly StoredLine[] | null): PlacingLine[] =>
  (stored ?? []).map(([productId, quantity, price, vatPercentage, isOffered]) => ({
    productId,
    quantity,
    price,
    vatPercentage,
    isOffered,
  }))

/** Whether the customer would pay more than was shown; less is never held against anybody. */
export const isDearer = (total: Fils, expectedBhd: number | undefined): boolean =>
  expectedBhd !== undefined && total > Math.round(expectedBhd * 1000)

export const isOffered = (method: PaymentMethod) => offeredPaymentMethods.some((offered) => offered === method)
