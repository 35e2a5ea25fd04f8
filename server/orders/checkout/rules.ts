import { isChosen } from '@qatra/contract/geo'
import { cartTotals, type Fils, minimumLeft, toBhd } from '@qatra/contract/money'
import { vendorsServing } from '../../areas/queries.ts'
import type { CatalogueArea } from '../../areas/snapshot.ts'
import { listOffers, readCartUncached } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { isOffered, isPriceIncrease, type PlacingLine, readLines, type StoredLine } from '../pricing.ts'
import type { PlacingBody } from './place-order.sql.ts'

/** Cart and vendor terms at one moment. */
export interface CheckoutSnapshot {
  now: Date
  known_order_id: string | null
  known_fingerprint: string | null
  cart_vendor_id: number | null
  delivery_fee: Fils | null
  min_delivery_amount: Fils | null
  wait_seconds: number | null
  delivers: boolean
  lines: StoredLine[] | null
}

interface CheckoutInput {
  body: PlacingBody
  snapshot: CheckoutSnapshot
  /** The area around the point on the map. */
  covering: CatalogueArea | null
}

/**
 * Reasons not to place an order, in the order in which the customer can fix them. The placing statement checks the same
 * rules; if none applies here, something changed in between and the order is retried.
 */
export async function requirePlaceable(
  ctx: Ctx,
  catalogue: Catalogue,
  { body, snapshot, covering }: CheckoutInput,
): Promise<void> {
  const { cart_vendor_id: vendorId, delivery_fee: deliveryFee } = snapshot
  const minimum = snapshot.min_delivery_amount
  const lines = readLines(snapshot.lines)
  if (vendorId === null || deliveryFee === null || minimum === null || lines.length === 0)
    throw new AppError('CART_EMPTY')
  if (!isOffered(body.paymentMethod ?? 'cash')) throw new AppError('PAYMENT_METHOD_NOT_OFFERED')
  if (!isChosen(body.mapCoordinates)) throw new AppError('ADDRESS_REQUIRED')

  const gone = lines.filter((line) => !line.isOffered)
  if (gone.length > 0) throw await unavailable(ctx, gone, deliveryFee)
  const totals = cartTotals(lines, deliveryFee)
  const remaining = minimumLeft(totals.subtotal, minimum)
  if (remaining > 0) {
    throw new AppError('MINIMUM_NOT_MET', {
      required: toBhd(minimum),
      remaining: toBhd(remaining),
      subtotal: toBhd(totals.subtotal),
    })
  }
  if (!covering) throw new AppError('OUTSIDE_SERVICE_AREA')
  if (!snapshot.delivers) throw doesNotDeliver(catalogue, vendorId, covering)
  if (isPriceIncrease(totals.total, body.expectedTotal))
    throw new AppError('PRICE_CHANGED', { cart: await readCartUncached(ctx, deliveryFee) })
}

async function unavailable(ctx: Ctx, gone: readonly PlacingLine[], deliveryFee: Fils): Promise<AppError> {
  const offers = await listOffers(
    ctx,
    gone.map((line) => line.productId),
  )
  return new AppError('PRODUCT_UNAVAILABLE', {
    products: offers.map(({ id, name, nameAr }) => ({ id, name, nameAr })),
    cart: await readCartUncached(ctx, deliveryFee),
  })
}

export function doesNotDeliver(catalogue: Catalogue, vendorId: number, area: CatalogueArea): AppError {
  const named = ({ id, name, nameAr }: { id: number; name: string; nameAr: string | null }) => ({ id, name, nameAr })
  const vendor = catalogue.vendors.get(vendorId)
  return new AppError('VENDOR_DOES_NOT_DELIVER', {
    vendor: vendor ? named(vendor) : { id: vendorId, name: '', nameAr: null },
    area: named(area),
    vendors: vendorsServing(catalogue, area.id).map(named),
  })
}
