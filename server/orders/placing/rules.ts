import type { Parsed } from '@qatra/contract/endpoint'
import { isChosen } from '@qatra/contract/geo'
import { type CartTotals, cartTotals, type Fils, minimumLeft, toBhd, zeroFils } from '@qatra/contract/money'
import { offeredPaymentMethods, type PaymentMethod } from '@qatra/contract/order-status'
import type { placeOrder } from '@qatra/contract/orders'
import { vendorsServing } from '../../areas/queries.ts'
import { listOffers, readCartAfresh } from '../../cart/queries.ts'
import type { Catalogue, CatalogueArea } from '../../catalogue/queries.ts'
import type { Ctx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { isDearer, type PlacingLine, readLines, type StoredLine } from '../pricing.ts'

/** What `order_begin` answers: the cart under its lock and the vendor's terms of this moment. */
export interface Begun {
  known_order_id: string | null
  known_fingerprint: string | null
  cart_id: number | null
  vendor_id: number | null
  delivery_fee: Fils | null
  min_delivery_amount: Fils | null
  delivers: boolean
  lines: StoredLine[] | null
}

interface Wish {
  body: Parsed<typeof placeOrder>['body']
  begun: Begun
  /** The area around the point on the map. */
  covering: CatalogueArea | null
}

export interface Placeable {
  vendorId: number
  lines: PlacingLine[]
  totals: CartTotals
  area: CatalogueArea
}

/** Every reason not to place an order, in the order in which a customer can do something about them. */
export async function requirePlaceable(
  ctx: Ctx,
  catalogue: Catalogue,
  { body, begun, covering }: Wish,
): Promise<Placeable> {
  const { vendor_id: vendorId, delivery_fee: deliveryFee } = begun
  const lines = readLines(begun.lines)
  if (vendorId === null || deliveryFee === null || lines.length === 0) throw new AppError('CART_EMPTY')
  if (!isOffered(body.paymentMethod ?? 'cash')) throw new AppError('PAYMENT_METHOD_NOT_OFFERED')
  if (!isChosen(body.mapCoordinates)) throw new AppError('ADDRESS_REQUIRED')

  const gone = lines.filter((line) => !line.isOffered)
  if (gone.length > 0) throw await unavailable(ctx, gone, deliveryFee)
  const totals = cartTotals(lines, deliveryFee)
  const remaining = minimumLeft(totals.subtotal, begun.min_delivery_amount)
  if (remaining > 0) {
    const required = toBhd(begun.min_delivery_amount ?? zeroFils)
    throw new AppError('MINIMUM_NOT_MET', { required, remaining: toBhd(remaining), subtotal: toBhd(totals.subtotal) })
  }
  if (!covering) throw new AppError('OUTSIDE_SERVICE_AREA')
  if (!begun.delivers) throw doesNotDeliver(catalogue, vendorId, covering)
  if (isDearer(totals.total, body.expectedTotal))
    throw new AppError('PRICE_CHANGED', { cart: await readCartAfresh(ctx, deliveryFee) })
  return { vendorId, lines, totals, area: covering }
}

const isOffered = (method: PaymentMethod) => offeredPaymentMethods.some((offered) => offered === method)

async function unavailable(ctx: Ctx, gone: readonly PlacingLine[], deliveryFee: Fils): Promise<AppError> {
  const offers = await listOffers(
    ctx,
    gone.map((line) => line.productId),
  )
  return new AppError('PRODUCT_UNAVAILABLE', {
    products: offers.map(({ id, name, nameAr }) => ({ id, name, nameAr })),
    cart: await readCartAfresh(ctx, deliveryFee),
  })
}

function doesNotDeliver(catalogue: Catalogue, vendorId: number, area: CatalogueArea): AppError {
  const named = ({ id, name, nameAr }: { id: number; name: string; nameAr: string | null }) => ({ id, name, nameAr })
  const vendor = catalogue.vendors.get(vendorId)
  return new AppError('VENDOR_DOES_NOT_DELIVER', {
    vendor: vendor ? named(vendor) : { id: vendorId, name: '', nameAr: null },
    area: named(area),
    vendors: vendorsServing(catalogue, area.id).map(named),
  })
}
