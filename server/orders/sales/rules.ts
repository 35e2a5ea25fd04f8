import type { Parsed } from '@qatra/contract/endpoint'
import { isChosen } from '@qatra/contract/geo'
import { type Fils, formatMoney, fromBhd, partOf, toBhd } from '@qatra/contract/money'
import { holds } from '@qatra/contract/permissions'
import type { placeSalesOrder } from '@qatra/contract/sales'
import { areaAt } from '../../areas/queries.ts'
import type { CatalogueArea } from '../../areas/snapshot.ts'
import { listOffers, type StoredOffer } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { listPriceFloors } from '../../vendors/floors.queries.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import type { CatalogueVendor } from '../../vendors/snapshot.ts'
import { doesNotDeliver } from '../checkout/rules.ts'

export type SalesInput = Parsed<typeof placeSalesOrder>['body']

export interface SalesLine {
  offer: StoredOffer
  quantity: number
  /** The charged price. */
  price: Fils
  vatPercentage: number
  /** The product's own price if another one was agreed on. */
  listPrice: Fils | null
  reason: string | null
}

type Key = Parameters<ReturnType<typeof translatorFor>>[0]

const refusedFields = (
  ctx: Ctx,
  fields: Record<string, Key>,
  code: 'INVALID_BODY' | 'VENDOR_MISMATCH' | 'ORDER_EMPTY',
) =>
  new AppError(code, {
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, key]) => [field, translatorFor(ctx.actor.lang)(key)]),
    ),
  })

/**
 * Checks that depend on the input alone. @throws ORDER_EMPTY, INVALID_BODY if a product is in two lines, FORBIDDEN
 * without the permission for an option
 */
export function requireSensible(ctx: Ctx, { items, ignoreCoverage, reason, vendorId }: SalesInput): void {
  const { permissions } = userOf(ctx)
  vendorInReach(ctx.actor, vendorId)
  if (items.length === 0) throw refusedFields(ctx, { items: 'validation.emptyOrder' }, 'ORDER_EMPTY')
  if (ignoreCoverage && !holds(['sales.ignore-coverage'], permissions)) throw new AppError('FORBIDDEN')
  if (items.some((item) => typeof item.customPrice === 'number') && !holds(['sales.custom-price'], permissions))
    throw new AppError('FORBIDDEN')
  if (ignoreCoverage && !reason) throw refusedFields(ctx, { reason: 'validation.overrideReason' }, 'INVALID_BODY')
  const repeated = items.flatMap(({ productId }, i) =>
    items.findIndex((item) => item.productId === productId) < i ? [[`items.${i}.productId`, again] as const] : [],
  )
  if (repeated.length > 0) throw refusedFields(ctx, Object.fromEntries(repeated), 'INVALID_BODY')
}
const again = 'validation.repeatedProduct'

/**
 * The lines at this transaction's prices, all of one vendor: the actor's own, or for a super admin the first line's.
 * @throws INVALID_BODY, VENDOR_MISMATCH, PRODUCT_UNAVAILABLE and PRICE_BELOW_FLOOR, each naming its lines
 */
export async function requireLines(
  ctx: Ctx,
  { items, vendorId: asked }: SalesInput,
): Promise<{ vendorId: number; lines: SalesLine[] }> {
  const offers = new Map(
    (
      await listOffers(
        ctx,
        items.map((item) => item.productId),
      )
    ).map((offer) => [offer.id, offer]),
  )
  const found = items.flatMap((item, i) => {
    const offer = offers.get(item.productId)
    return offer ? [{ item, offer, field: `items.${i}.productId` }] : []
  })
  const unknown = items.flatMap(({ productId }, i) =>
    offers.has(productId) ? [] : [[`items.${i}.productId`, 'validation.unknownProduct'] as const],
  )
  const [first] = found
  if (unknown.length > 0 || !first) throw refusedFields(ctx, Object.fromEntries(unknown), 'INVALID_BODY')
  const vendorId = vendorInReach(ctx.actor, asked) ?? first.offer.vendorId
  const foreign = found.filter(({ offer }) => offer.vendorId !== vendorId)
  if (foreign.length > 0) {
    const fields = Object.fromEntries(foreign.map(({ field }) => [field, 'validation.foreignProduct' as const]))
    throw refusedFields(ctx, fields, 'VENDOR_MISMATCH')
  }
  const gone = found.filter(({ offer }) => !offer.isAvailable)
  if (gone.length > 0) {
    throw new AppError('PRODUCT_UNAVAILABLE', {
      products: gone.map(({ offer: { id, name, nameAr } }) => ({ id, name, nameAr })),
    })
  }
  const lines = found.map(({ item, offer }) => lineOf(item, offer))
  await requireFloor(ctx, vendorId, lines)
  return { vendorId, lines }
}

/** Uses the current floor, whatever the form showed. */
async function requireFloor(ctx: Ctx, vendorId: number, lines: readonly SalesLine[]): Promise<void> {
  if (lines.every(({ listPrice }) => listPrice === null)) return
  const [floor] = await listPriceFloors(ctx, vendorId)
  if (!floor) return
  const low = lines.flatMap(({ offer, price }, i) => {
    const least = partOf(offer.price, floor.percent)
    return price < least ? [{ field: `items.${i}.customPrice`, offer, least }] : []
  })
  if (low.length === 0) return
  const { lang } = ctx.actor
  const words = translatorFor(lang)
  throw new AppError('PRICE_BELOW_FLOOR', {
    fields: Object.fromEntries(
      low.map(({ field, least }) => [field, words('validation.priceFloor', { price: formatMoney(least, lang) })]),
    ),
    products: low.map(({ offer: { id, name, nameAr }, least }) => ({ id, name, nameAr, floorPrice: toBhd(least) })),
  })
}

function lineOf({ quantity, customPrice, reason }: SalesInput['items'][number], offer: StoredOffer): SalesLine {
  const { vatPercentage } = offer
  const agreed = typeof customPrice === 'number' ? fromBhd(customPrice) : offer.price
  if (agreed === offer.price)
    return { offer, quantity, price: offer.price, vatPercentage, listPrice: null, reason: null }
  return { offer, quantity, price: agreed, vatPercentage, listPrice: offer.price, reason: reason || null }
}

/**
 * The area around the point, or null if there is none and that was overridden. @throws ADDRESS_REQUIRED,
 * OUTSIDE_SERVICE_AREA, VENDOR_DOES_NOT_DELIVER
 */
export function requireCoverage(
  catalogue: Catalogue,
  vendor: CatalogueVendor,
  { mapCoordinates, ignoreCoverage }: Pick<SalesInput, 'mapCoordinates' | 'ignoreCoverage'>,
): { area: CatalogueArea | null; isOverridden: boolean } {
  if (!isChosen(mapCoordinates)) throw new AppError('ADDRESS_REQUIRED')
  const area = areaAt(catalogue, mapCoordinates)
  if (area && vendor.areaIds.has(area.id)) return { area, isOverridden: false }
  if (!ignoreCoverage) throw area ? doesNotDeliver(catalogue, vendor.id, area) : new AppError('OUTSIDE_SERVICE_AREA')
  return { area, isOverridden: true }
}
