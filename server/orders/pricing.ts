import type { Fils } from '@qatra/contract/money'
import { offeredPaymentMethods, type PaymentMethod } from '@qatra/contract/order-status'

/** A cart item in the database at the time of placing. */
export interface PlacingLine {
  productId: number
  quantity: number
  price: Fils
  vatPercentage: number
  isOffered: boolean
}

/** `[product, quantity, price, VAT percentage, isOffered]`, as the snapshot returns a line. */
export type StoredLine = readonly [number, number, Fils, number, boolean]

export const readLines = (stored: readonly StoredLine[] | null): PlacingLine[] =>
  (stored ?? []).map(([productId, quantity, price, vatPercentage, isOffered]) => ({
    productId,
    quantity,
    price,
    vatPercentage,
    isOffered,
  }))

/** Whether the total is above the shown one; a lower total is accepted. */
export const isPriceIncrease = (total: Fils, expectedBhd: number | undefined): boolean =>
  expectedBhd !== undefined && total > Math.round(expectedBhd * 1000)

export const isOffered = (method: PaymentMethod) => offeredPaymentMethods.some((offered) => offered === method)
