import type { Parsed } from '@qatra/contract/endpoint'
import { formatMoney, fromBhd, partOf, toBhd } from '@qatra/contract/money'
import { holds } from '@qatra/contract/permissions'
import type { placeSalesOrder } from '@qatra/contract/sales'
import { areaAt } from '../../areas/queries.ts'
import type { AreaSnapshot, CatalogueArea } from '../../areas/snapshot.ts'
import type { StoredOffer } from '../../cart/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { translatorFor } from '../../lib/translate.ts'
import type { PriceFloor } from '../../vendors/floors.queries.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import type { CatalogueVendor } from '../../vendors/snapshot.ts'
import { type DeliveryVendors, requireAvailable, requireChosenPoint, requireCovered } from '../placing/rules.ts'
import type { OrderLine } from '../placing/write.commands.ts'

export type SalesInput = Parsed<typeof placeSalesOrder>['body']

/** Products and floors of the agreed prices, as stored when the order is placed. */
export interface SalesInputs {
  offers: readonly StoredOffer[]
  floors: readonly PriceFloor[]
}

/**
 * Checks that depend on the input alone. @throws ORDER_EMPTY, INVALID_BODY if a product is in two lines, FORBIDDEN
 * without the permission for an option
 */
export function requireSensible(
  ctx: Pick<Ctx, 'actor'>,
  { items, ignoreCoverage, reason, vendorId }: Pick<SalesInput, 'items' | 'ignoreCoverage' | 'reason' | 'vendorId'>,
): void {
  const { permissions } = userOf(ctx)
  vendorInReach(ctx.actor, vendorId)
  if (items.length === 0) throw invalidFields(ctx, { items: 'validation.emptyOrder' }, 'ORDER_EMPTY')
  if (ignoreCoverage && !holds(['sales.ignore-coverage'], permissions)) throw new AppError('FORBIDDEN')
  if (items.some((item) => typeof item.customPrice === 'number') && !holds(['sales.custom-price'], permissions))
    throw new AppError('FORBIDDEN')
  if (ignoreCoverage && !reason) throw invalidFields(ctx, { reason: 'validation.overrideReason' })
  const repeated = items.flatMap(({ productId }, i) =>
    items.findIndex((item) => item.productId === productId) < i ? [[`items.${i}.productId`, again] as const] : [],
  )
  if (repeated.length > 0) throw invalidFields(ctx, Object.fromEntries(repeated))
}
const again = 'validation.repeatedProduct'

/**
 * The lines at the stored prices, all of one vendor: the actor's own, or for a super admin the first line's.
 * @throws INVALID_BODY, VENDOR_MISMATCH, PRODUCT_UNAVAILABLE and PRICE_BELOW_FLOOR, each naming its lines
 */
export function requireLines(
  ctx: Pick<Ctx, 'actor'>,
  inputs: SalesInputs,
  { items, vendorId: requestedVendorId }: Pick<SalesInput, 'items' | 'vendorId'>,
): { vendorId: number; lines: OrderLine[] } {
  const offers = new Map(inputs.offers.map((offer) => [offer.id, offer]))
  const found = items.flatMap((item, i) => {
    const offer = offers.get(item.productId)
    return offer ? [{ item, offer, field: `items.${i}.productId` }] : []
  })
  const unknown = items.flatMap(({ productId }, i) =>
    offers.has(productId) ? [] : [[`items.${i}.productId`, 'validation.unknownProduct'] as const],
  )
  const [first] = found
  if (unknown.length > 0 || !first) throw invalidFields(ctx, Object.fromEntries(unknown))
  const vendorId = vendorInReach(ctx.actor, requestedVendorId) ?? first.offer.vendorId
  const foreign = found.filter(({ offer }) => offer.vendorId !== vendorId)
  if (foreign.length > 0) {
    const fields = Object.fromEntries(foreign.map(({ field }) => [field, 'validation.foreignProduct' as const]))
    throw invalidFields(ctx, fields, 'VENDOR_MISMATCH')
  }
  requireAvailable(found.map(({ offer }) => offer))
  const lines = found.map(({ item, offer }) => lineOf(item, offer))
  const floor = inputs.floors.find((each) => each.vendorId === vendorId)
  if (floor) requireFloor(ctx, floor.percent, lines)
  return { vendorId, lines }
}

/** Uses the current floor, whatever the form showed. */
function requireFloor(ctx: Pick<Ctx, 'actor'>, percent: number, lines: readonly OrderLine[]): void {
  const low = lines.flatMap(({ productId, name, nameAr, price, listPrice }, i) => {
    const least = partOf(listPrice ?? price, percent)
    return price < least ? [{ field: `items.${i}.customPrice`, product: { id: productId, name, nameAr }, least }] : []
  })
  if (low.length === 0) return
  const { lang } = ctx.actor
  const words = translatorFor(lang)
  throw new AppError('PRICE_BELOW_FLOOR', {
    fields: Object.fromEntries(
      low.map(({ field, least }) => [field, words('validation.priceFloor', { price: formatMoney(least, lang) })]),
    ),
    products: low.map(({ product, least }) => ({ ...product, floorPrice: toBhd(least) })),
  })
}

function lineOf({ quantity, customPrice, reason }: SalesInput['items'][number], offer: StoredOffer): OrderLine {
  const { id: productId, name, nameAr, size, imageUrl, vatPercentage, unitsPerInventoryUnit } = offer
  const price = typeof customPrice === 'number' ? fromBhd(customPrice) : offer.price
  const agreed = price === offer.price ? null : { listPrice: offer.price, priceReason: reason || null }
  return { productId, name, nameAr, size, imageUrl, price, vatPercentage, quantity, unitsPerInventoryUnit, ...agreed }
}

/**
 * The area around the point, or null if there is none and that was overridden. @throws ADDRESS_REQUIRED,
 * OUTSIDE_SERVICE_AREA, VENDOR_DOES_NOT_DELIVER
 */
export function requireCoverage(
  catalogue: DeliveryVendors & AreaSnapshot,
  vendor: Pick<CatalogueVendor, 'id' | 'areaIds'>,
  { mapCoordinates, ignoreCoverage }: Pick<SalesInput, 'mapCoordinates' | 'ignoreCoverage'>,
): CatalogueArea | null {
  requireChosenPoint(mapCoordinates)
  const area = areaAt(catalogue, mapCoordinates)
  const isServed = area !== null && vendor.areaIds.has(area.id)
  if (!ignoreCoverage) requireCovered(catalogue, { area, vendorId: vendor.id, isServed })
  return area
}
