import { quantityLimit } from '@qatra/contract/cart/rules'
import { AppError } from '../lib/errors.ts'
import type { CartLine, CartRow } from './cart.sql.ts'

interface Addition {
  productId: number
  /** The vendor that the page showed. */
  vendorId?: number | undefined
  quantity: number
}

/** Checks an addition in the order of its errors. @returns vendor of the cart and quantity of the product afterwards */
export function requireAddable(
  { vendorId, items, offeredBy }: Pick<CartRow, 'vendorId' | 'items' | 'offeredBy'>,
  wanted: Addition,
): { vendorId: number; quantity: number } {
  if (offeredBy === null) throw new AppError('PRODUCT_NOT_FOUND')
  if (wanted.vendorId !== undefined && wanted.vendorId !== offeredBy) throw new AppError('VENDOR_MISMATCH')
  if (vendorId !== null && vendorId !== offeredBy) throw new AppError('CART_VENDOR_CONFLICT', { vendorId })
  const present = items.find((item) => item.productId === wanted.productId)?.quantity ?? 0
  const quantity = present + wanted.quantity
  if (quantity > quantityLimit) throw new AppError('QUANTITY_LIMIT', { vendorId: offeredBy })
  return { vendorId: offeredBy, quantity }
}

interface Offered {
  id: number
  vendorId: number
  isAvailable: boolean
}

/** Products that start a cart together: all offered, by one vendor. A product named twice counts once, with its last quantity. */
export function requireSwap(
  items: readonly { productId: number; quantity: number }[],
  offers: readonly Offered[],
): { vendorId: number; quantities: ReadonlyMap<number, number> } {
  const quantities = new Map(items.map(({ productId, quantity }) => [productId, quantity]))
  const [first, ...others] = offers.filter(({ isAvailable }) => isAvailable)
  if (!first || others.length + 1 < quantities.size) throw new AppError('PRODUCT_NOT_FOUND')
  if (others.some(({ vendorId }) => vendorId !== first.vendorId)) throw new AppError('VENDOR_MISMATCH')
  return { vendorId: first.vendorId, quantities }
}

export function requireItem(items: readonly CartLine[], itemId: number): CartLine {
  const item = items.find(({ id }) => id === itemId)
  if (!item) throw new AppError('CART_ITEM_NOT_FOUND')
  return item
}

export const hasExactly = (items: readonly CartLine[], quantities: ReadonlyMap<number, number>) =>
  items.length === quantities.size && items.every((item) => quantities.get(item.productId) === item.quantity)

type Adoptable = Pick<CartRow, 'vendorId' | 'items' | 'parkedAt'>

/**
 * What a sign-in does with the visitor's carts. Active: merged into one of the same vendor or an empty one, or it takes
 * the place of one of another vendor, which is parked. Parked: taken unless the account's is newer or was just parked.
 */
export function planAdoption(guest: Adoptable, own: Adoptable) {
  const isFilled = guest.items.length > 0
  const isConflict = isFilled && own.vendorId !== null && own.vendorId !== guest.vendorId
  return {
    active: isConflict ? 'replace' : isFilled ? 'merge' : 'keep',
    takesParked: guest.parkedAt !== null && !isConflict && !(own.parkedAt !== null && own.parkedAt > guest.parkedAt),
  } as const
}
