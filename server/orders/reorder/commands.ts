import { quantityLimit } from '@qatra/contract/cart/rules'
import { toBhd } from '@qatra/contract/lib/money'
import type { ReorderResult } from '@qatra/contract/orders/orders'
import { ownerOfUser } from '../../cart/cart.sql.ts'
import { startCart } from '../../cart/commands.ts'
import { listOffers, type StoredOffer } from '../../cart/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'
import { requireOrder } from '../queries.ts'

type OrderedItem = { productId: number | null; name: string; nameAr: string | null; price: number; quantity: number }
type Reason = 'PRODUCT_DELETED' | 'PRODUCT_INACTIVE' | 'VENDOR_INACTIVE' | 'QUANTITY_LIMIT'

/**
 * Fills the cart with the items of a delivered order, in the quantities that were ordered, or added at the door, and at today's prices. The active
 * cart is parked. @throws REORDER_FAILED, without a change, if no item is available
 */
export async function reorder(ctx: Ctx, typedId: string): Promise<ReorderResult> {
  const order = await requireOrder(ctx, typedId)
  if (order.status !== 'delivered') throw new AppError('ORDER_NOT_DELIVERED')
  const items = merged(
    order.items.map(({ orderedQuantity, ...item }) => ({ ...item, quantity: orderedQuantity || item.quantity })),
  )
  const ids = items.flatMap((item) => (item.productId === null ? [] : [item.productId]))
  const offers = new Map((await listOffers(ctx, ids)).map((offer) => [offer.id, offer]))
  const checked = items.map((item) => {
    const offer = item.productId === null ? undefined : offers.get(item.productId)
    return { item, offer, reason: reasonAgainst(item, offer, order.vendorId) }
  })
  const words = translatorFor(ctx.actor.lang)
  const failedItems = checked.flatMap(({ item: { name, nameAr }, reason }) =>
    reason ? [{ name, nameAr, reason: words(`reorder.${reason}`), code: reason }] : [],
  )
  const fitting = checked.flatMap(({ item, offer, reason }) => (offer && !reason ? [{ item, offer }] : []))
  if (fitting.length === 0) throw new AppError('REORDER_FAILED', { failedItems })
  const quantities = new Map(fitting.map(({ item, offer }) => [offer.id, item.quantity]))
  await startCart(ctx, ownerOfUser(userOf(ctx).id), order.vendorId, quantities)
  return {
    results: { added: fitting.length, failed: failedItems.length, failedItems },
    message: words('reorder.done', { added: fitting.length, failed: failedItems.length }),
    priceChanges: fitting.flatMap(({ item, offer }) =>
      toBhd(offer.price) === item.price
        ? []
        : [{ name: offer.name, nameAr: offer.nameAr, oldPrice: item.price, newPrice: toBhd(offer.price) }],
    ),
  }
}

/** One line per product: staff may have entered a product twice. */
function merged(items: readonly OrderedItem[]): OrderedItem[] {
  const byProduct = new Map<number | string, OrderedItem>()
  for (const [index, item] of items.entries()) {
    const key = item.productId ?? `gone ${index}`
    const known = byProduct.get(key)
    byProduct.set(key, known ? { ...known, quantity: known.quantity + item.quantity } : item)
  }
  return [...byProduct.values()]
}

function reasonAgainst(item: OrderedItem, offer: StoredOffer | undefined, vendorId: number): Reason | null {
  if (!offer || offer.deletedAt !== null) return 'PRODUCT_DELETED'
  if (!offer.isVendorActive) return 'VENDOR_INACTIVE'
  if (!offer.isActive || offer.vendorId !== vendorId) return 'PRODUCT_INACTIVE'
  return item.quantity > quantityLimit ? 'QUANTITY_LIMIT' : null
}
