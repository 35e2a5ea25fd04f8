import { type FreeBottles, withEmpties } from '@qatra/contract/bottles'
import { type DeliverySlot, datesOf, promiseFields, sameSlot, slotOn } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, minimumLeft, nearestFils, toBhd } from '@qatra/contract/lib/money'
import { offeredPaymentMethods, type PaymentMethod } from '@qatra/contract/orders/order-status'
import type { placeOrder } from '@qatra/contract/orders/orders'
import { type Charges, type OrderTotals, orderTotals } from '@qatra/contract/orders/totals'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import { type ServingVendor, vendorsServing } from '../../areas/queries.ts'
import { depositOf, type OfferedBottle } from '../../bottles/queries.ts'
import { requireOffered, slotsFor } from '../../calendar/delivery-days.ts'
import type { StoredOffer } from '../../cart/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import type { Company } from '../../users/commands.ts'
import type { OrderLine } from './commands.ts'

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

interface ChosenItem {
  productId: number
  quantity: number
}

/** @throws ORDER_EMPTY */
export function requireItems(ctx: Pick<Ctx, 'actor'>, items: readonly unknown[]): void {
  if (items.length === 0) throw invalidFields(ctx, { items: 'validation.emptyOrder' }, 'ORDER_EMPTY')
}

/** @throws INVALID_BODY if a product is in two items */
export function requireDistinct(ctx: Pick<Ctx, 'actor'>, items: readonly ChosenItem[]): void {
  const repeated = items.flatMap(({ productId }, i) =>
    items.findIndex((item) => item.productId === productId) < i
      ? [[`items.${i}.productId`, 'validation.repeatedProduct'] as const]
      : [],
  )
  if (repeated.length > 0) throw invalidFields(ctx, Object.fromEntries(repeated))
}

/** Each item that needs its product, with it. @throws INVALID_BODY, naming the items without one */
export function requireKnown<Item extends ChosenItem>(
  ctx: Pick<Ctx, 'actor'>,
  stored: readonly StoredOffer[],
  items: readonly Item[],
  needsProduct: (item: Item) => boolean = () => true,
): { item: Item; offer: StoredOffer; field: string }[] {
  const offers = new Map(stored.map((offer) => [offer.id, offer]))
  const unknown = items.flatMap((item, i) =>
    !needsProduct(item) || offers.has(item.productId)
      ? []
      : [[`items.${i}.productId`, 'validation.unknownProduct'] as const],
  )
  if (unknown.length > 0) throw invalidFields(ctx, Object.fromEntries(unknown))
  return items.flatMap((item, i) => {
    const offer = offers.get(item.productId)
    return offer && needsProduct(item) ? [{ item, offer, field: `items.${i}.productId` }] : []
  })
}

/** @throws VENDOR_MISMATCH, naming the items of other vendors */
export function requireSameVendor(
  ctx: Pick<Ctx, 'actor'>,
  found: readonly { offer: StoredOffer; field: string }[],
  vendorId: number,
): void {
  const foreign = found.filter(({ offer }) => offer.vendorId !== vendorId)
  if (foreign.length === 0) return
  const fields = Object.fromEntries(foreign.map(({ field }) => [field, 'validation.foreignProduct' as const]))
  throw invalidFields(ctx, fields, 'VENDOR_MISMATCH')
}

/** A product at its own price. */
export function lineOf(offer: StoredOffer, quantity: number, empties = 0): OrderLine {
  const { id: productId, name, nameAr, size, imageUrl, price, vatPercentage } = offer
  const { inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit } = offer
  const unit = { inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit }
  const line = { productId, name, nameAr, size, imageUrl, price, vatPercentage, quantity, ...unit }
  return { ...line, ...bottleOf(offer.bottle, Math.min(empties, quantity)) }
}

/** The bottle of an order's line, as it is today. */
const bottleOf = (bottle: OfferedBottle | null, empties: number) => ({
  bottleTypeId: bottle?.typeId ?? null,
  bottleTerms: bottle?.terms ?? null,
  bottleDeposit: depositOf(bottle),
  empties: depositOf(bottle) === null ? null : empties,
})

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
 * The slot of an order: the chosen one, or the promised one.
 * @throws DATE_NOT_AVAILABLE if the chosen slot is none of them; DATE_CHANGED if none was chosen and the promised one is
 * not what the customer saw
 */
export function requireSlot(
  slots: ReturnType<typeof slotsFor>,
  { deliveryDate, expectedDate }: DeliveryChoice,
): DeliverySlot {
  if (deliveryDate !== undefined) return requireOffered(slots, slotOn(deliveryDate))
  const [promised] = slots
  if (expectedDate === undefined || sameSlot(slotOn(expectedDate), promised)) return promised
  throw new AppError('DATE_CHANGED', { ...promiseFields(promised), days: datesOf(slots) })
}

/** A total below the shown one is accepted. @throws PRICE_CHANGED if it is above */
export function requireShownTotal(total: Fils, shownBhd: number | undefined): void {
  if (shownBhd !== undefined && total > nearestFils(shownBhd)) throw new AppError('PRICE_CHANGED')
}

export type CheckoutBody = Parsed<typeof placeOrder>['body']
type CheckedFields = Pick<
  CheckoutBody,
  'paymentMethod' | 'mapCoordinates' | 'expectedTotal' | 'deliveryDate' | 'expectedDate'
>

interface CheckoutVendor extends Charges {
  id: number
  name: string
  nameAr: string | null
  logoUrl: string | null
  minDeliveryAmount: Fils
  isActive: boolean
  cutOff: string | null
}

/** Customer, cart and the vendor's terms, as stored when the cart was locked. */
export interface CheckoutInputs {
  phone: string
  /** Of the account. */
  company: Company
  cartId: number | null
  vendor: CheckoutVendor | null
  /** Whether the vendor delivers to the area. */
  isServed: boolean
  limitingOrderAt: Date | null
  /** Days without delivery of the vendor. */
  closedDays: readonly string[]
  lines:
    | readonly (Omit<OrderLine, keyof ReturnType<typeof bottleOf>> &
        Pick<StoredOffer, 'isActive' | 'bottle'> & { empties: number | null })[]
    | null
  free: FreeBottles
}

interface CheckoutTerms {
  vendor: CheckoutVendor
  lines: OrderLine[]
  totals: OrderTotals
  slot: DeliverySlot
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
  const lines = withEmpties(inputs.lines, inputs.free).map(
    ({ isActive: _, held: __, isAnswered: ___, bottle, empties, ...line }) => ({
      ...line,
      ...bottleOf(bottle, empties ?? 0),
    }),
  )
  const totals = orderTotals(lines, vendor)
  requireMinimum(totals.subtotal, vendor.minDeliveryAmount)
  requireCovered(catalogue, { area, vendorId: vendor.id, isServed })
  const slot = requireSlot(slotsFor({ cutOff: vendor.cutOff, closedDays: inputs.closedDays }, now), body)
  requireShownTotal(totals.total, body.expectedTotal)
  return { vendor, lines, totals, slot }
}
