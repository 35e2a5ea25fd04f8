import { type Coordinates, isChosen } from '@qatra/contract/geo'
import { type Fils, minimumLeft, toBhd } from '@qatra/contract/money'
import { offeredPaymentMethods, type PaymentMethod } from '@qatra/contract/order-status'
import { type ServingVendor, vendorsServing } from '../../areas/queries.ts'
import { AppError, retryLater } from '../../lib/errors.ts'

const HOUR_SECONDS = 3600

/** `limitingOrderAt` is the customer's `maxPerHour`th newest order. @throws TOO_MANY_REQUESTS until it is an hour old */
export function requireBelowHourlyLimit(limitingOrderAt: Date | null, now: Date): void {
  if (limitingOrderAt === null) return
  const seconds = HOUR_SECONDS - (now.getTime() - limitingOrderAt.getTime()) / 1000
  if (seconds > 0) throw retryLater('TOO_MANY_REQUESTS', Math.max(1, Math.ceil(seconds)))
}

/** @throws PAYMENT_METHOD_NOT_OFFERED */
export function requireOfferedPayment(method: PaymentMethod): void {
  if (!offeredPaymentMethods.some((offered) => offered === method)) throw new AppError('PAYMENT_METHOD_NOT_OFFERED')
}

/** @throws ADDRESS_REQUIRED */
export function requireChosenPoint(point: Coordinates): void {
  if (!isChosen(point)) throw new AppError('ADDRESS_REQUIRED')
}

export interface Named {
  id: number
  name: string
  nameAr: string | null
}
const named = ({ id, name, nameAr }: Named): Named => ({ id, name, nameAr })

/** @throws PRODUCT_UNAVAILABLE, naming the products */
export function requireAvailable(products: readonly (Named & { isAvailable: boolean })[]): void {
  const gone = products.filter(({ isAvailable }) => !isAvailable)
  if (gone.length > 0) throw new AppError('PRODUCT_UNAVAILABLE', { products: gone.map(named) })
}

/** @throws MINIMUM_NOT_MET, with the missing amount */
export function requireMinimum(subtotal: Fils, minimum: Fils): void {
  const remaining = minimumLeft(subtotal, minimum)
  if (remaining === 0) return
  throw new AppError('MINIMUM_NOT_MET', {
    required: toBhd(minimum),
    remaining: toBhd(remaining),
    subtotal: toBhd(subtotal),
  })
}

/** The part of the catalogue that says who delivers where. */
export interface DeliveryVendors {
  vendors: ReadonlyMap<number, Named & ServingVendor>
}

/** @throws OUTSIDE_SERVICE_AREA; VENDOR_DOES_NOT_DELIVER, naming the vendors that do */
export function requireCovered(
  catalogue: DeliveryVendors,
  { area, vendorId, isServed }: { area: Named | null; vendorId: number; isServed: boolean },
): void {
  if (!area) throw new AppError('OUTSIDE_SERVICE_AREA')
  if (isServed) return
  throw new AppError('VENDOR_DOES_NOT_DELIVER', {
    vendor: named(catalogue.vendors.get(vendorId) ?? { id: vendorId, name: '', nameAr: null }),
    area: named(area),
    vendors: vendorsServing(catalogue, area.id).map(named),
  })
}

export interface DeliveryChoice {
  deliveryDate?: string | undefined
  expectedDate?: string | undefined
}

/**
 * The delivery day: the chosen one, or the promised day. `days` are those that can be chosen, the promised day first.
 * @throws DATE_NOT_AVAILABLE if the chosen day is none of them; DATE_CHANGED if no day was chosen and the promised day is
 * not the one that the customer saw
 */
export function requireDeliveryDay(days: readonly string[], { deliveryDate, expectedDate }: DeliveryChoice): string {
  const [promisedDate = ''] = days
  if (deliveryDate === undefined) {
    if (expectedDate === undefined || expectedDate === promisedDate) return promisedDate
    throw new AppError('DATE_CHANGED', { promisedDate, days })
  }
  if (!days.includes(deliveryDate)) throw new AppError('DATE_NOT_AVAILABLE', { days })
  return deliveryDate
}

/** A total below the shown one is accepted. @throws PRICE_CHANGED if it is above */
export function requireShownTotal(total: Fils, shownBhd: number | undefined): void {
  if (shownBhd !== undefined && total > Math.round(shownBhd * 1000)) throw new AppError('PRICE_CHANGED')
}
