import { type FreeBottles, withEmpties } from '@qatra/contract/bottles'
import type { Parsed } from '@qatra/contract/endpoint'
import { formatMoney, fromBhd, partOf, toBhd } from '@qatra/contract/lib/money'
import type { placeSalesOrder } from '@qatra/contract/sales'
import { holds } from '@qatra/contract/users/permissions'
import { areaAt } from '../../areas/queries.ts'
import type { AreaSnapshot, CatalogueArea } from '../../areas/snapshot.ts'
import type { StoredOffer } from '../../cart/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { translatorFor } from '../../lib/translate.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import type { PriceFloor } from '../../vendors/queries.ts'
import type { CatalogueVendor } from '../../vendors/snapshot.ts'
import type { OrderLine } from '../placing/commands.ts'
import {
  type DeliveryVendors,
  lineOf,
  requireAvailable,
  requireChosenPoint,
  requireCovered,
  requireDistinct,
  requireItems,
  requireKnown,
  requireSameVendor,
} from '../placing/rules.ts'

export type SalesInput = Parsed<typeof placeSalesOrder>['body']

/** Products and floors of the agreed prices, as stored when the order is placed. */
export interface SalesInputs {
  offers: readonly StoredOffer[]
  floors: readonly PriceFloor[]
  free: FreeBottles
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
  requireItems(ctx, items)
  if (ignoreCoverage && !holds(['sales.ignore-coverage'], permissions)) throw new AppError('FORBIDDEN')
  if (items.some((item) => typeof item.customPrice === 'number') && !holds(['sales.custom-price'], permissions))
    throw new AppError('FORBIDDEN')
  if (ignoreCoverage && !reason) throw invalidFields(ctx, { reason: 'validation.overrideReason' })
  requireDistinct(ctx, items)
}

/**
 * The lines at the stored prices, all of one vendor: the actor's own, or for a super admin the first line's.
 * @throws INVALID_BODY, VENDOR_MISMATCH, PRODUCT_UNAVAILABLE and PRICE_BELOW_FLOOR, each naming its lines
 */
export function requireLines(
  ctx: Pick<Ctx, 'actor'>,
  inputs: SalesInputs,
  { items, vendorId: requestedVendorId }: Pick<SalesInput, 'items' | 'vendorId'>,
): { vendorId: number; lines: OrderLine[] } {
  const found = requireKnown(ctx, inputs.offers, items)
  const [first] = found
  if (!first) throw new AppError('ORDER_EMPTY')
  const vendorId = vendorInReach(ctx.actor, requestedVendorId) ?? first.offer.vendorId
  requireSameVendor(ctx, found, vendorId)
  requireAvailable(found.map(({ offer }) => offer))
  const bottles = found.map(({ item: { quantity, empties = null }, offer: { bottle } }) => ({
    quantity,
    empties,
    bottle,
  }))
  const given = withEmpties(bottles, inputs.free)
  const lines = found.map(({ item, offer }, i) => salesLineOf(item, offer, given[i]?.empties ?? 0))
  const floor = inputs.floors.find((each) => each.vendorId === vendorId)
  const priced = lines.map((line, i) => ({ ...line, field: `items.${i}.customPrice` }))
  if (floor) requireFloor(ctx, floor.percent, priced)
  return { vendorId, lines }
}

type PricedLine = Pick<OrderLine, 'name' | 'nameAr' | 'price' | 'listPrice'> & {
  productId: number | null
  /** The field of the request that is refused. */
  field: string
}

/** Uses the current floor, whatever the form showed. @throws PRICE_BELOW_FLOOR */
export function requireFloor(ctx: Pick<Ctx, 'actor'>, percent: number, lines: readonly PricedLine[]): void {
  const low = lines.flatMap(({ productId, name, nameAr, price, listPrice, field }) => {
    const least = partOf(listPrice ?? price, percent)
    return price < least ? [{ field, product: { id: productId, name, nameAr }, least }] : []
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

function salesLineOf(
  { quantity, customPrice, reason }: SalesInput['items'][number],
  offer: StoredOffer,
  empties: number,
): OrderLine {
  const line = lineOf(offer, quantity, empties)
  const price = typeof customPrice === 'number' ? fromBhd(customPrice) : offer.price
  return price === offer.price ? line : { ...line, price, listPrice: offer.price, priceReason: reason || null }
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
