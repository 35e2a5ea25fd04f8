import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { rowId, rowIdNumber } from '../lib/ids.ts'
import { totalsFields } from '../orders/totals.ts'
import { product } from '../products/products.ts'
import { cartQuantity, emptyBottles } from './rules.ts'

export const cartItem = z.object({
  id: z.number(),
  cartId: z.number(),
  productId: z.number(),
  quantity: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  size: z.string(),
  /** BHD, current price */
  price: z.number(),
  imageUrl: z.nullable(z.string()),
  vendorId: z.number(),
  vatPercentage: z.number(),
  inventoryUnit: z.nullable(z.string()),
  inventoryUnitAr: z.nullable(z.string()),
  unitsPerInventoryUnit: z.number(),
  bottle: product.shape.bottle,
  /** Empty bottles that the customer gives back: as chosen, else as many as `held`, at most the quantity. */
  empties: z.number(),
  /** Bottles that the customer has and that no open order and no other line gives back. */
  held: z.number(),
  isAnswered: z.boolean(),
  /** BHD of the line */
  deposit: z.number(),
  /** False if the product or its vendor is inactive. Such an item is not in the sums and cannot be ordered. */
  isAvailable: z.boolean(),
})
export type CartItem = z.output<typeof cartItem>

export const cart = z.object({
  /** Null until the first item is added. */
  id: z.nullable(z.number()),
  vendorId: z.nullable(z.number()),
  items: z.array(cartItem),
  ...totalsFields,
  /** Bottles of the customer, of all vendors, by type: those that no open order gives back. */
  free: z.record(z.string(), z.number()),
  /** Incremented by every change. */
  version: z.number(),
  /** The cart kept at the last vendor switch, offered back for 30 days. */
  parked: z.nullable(z.object({ vendorId: z.number(), itemCount: z.number() })),
})
export type Cart = z.output<typeof cart>

/** The cart of a caller who has none. With its sums written out, the first visit does not load how they are computed. */
export const emptyCart: Cart = {
  id: null,
  vendorId: null,
  items: [],
  subtotal: 0,
  deliveryFee: 0,
  productVAT: 0,
  deposit: 0,
  total: 0,
  free: {},
  version: 0,
  parked: null,
}

export const getCart = endpoint({
  method: 'GET',
  path: '/api/cart',
  allow: 'anyone',
  summary: 'The cart of the visitor or user',
  returns: cart,
})

export const addToCart = endpoint({
  method: 'POST',
  path: '/api/cart/add',
  allow: 'anyone',
  summary: 'Put a product into the cart',
  body: z.object({
    productId: rowIdNumber,
    vendorId: z.optional(rowIdNumber),
    quantity: cartQuantity,
    size: z.optional(z.string().check(z.maxLength(50))),
    eventId: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: cart,
  errors: ['PRODUCT_NOT_FOUND', 'VENDOR_MISMATCH', 'CART_VENDOR_CONFLICT', 'QUANTITY_LIMIT'],
})

const itemParams = z.object({ itemId: rowId })

export const updateCartItem = endpoint({
  method: 'PATCH',
  path: '/api/cart/update/{itemId}',
  allow: 'anyone',
  summary: 'Set the quantity of a cart item, 0 or less removes it, and how many empty bottles the customer gives back',
  params: itemParams,
  body: z.object({
    quantity: z.int().check(z.gte(-1_000_000), z.lte(1_000_000)),
    /** Counts up to the quantity. If omitted, it does not change, but for a lower quantity. */
    empties: z.optional(emptyBottles),
  }),
  returns: cart,
  errors: ['CART_ITEM_NOT_FOUND', 'QUANTITY_LIMIT'],
})

export const removeCartItem = endpoint({
  method: 'DELETE',
  path: '/api/cart/remove/{itemId}',
  allow: 'anyone',
  summary: 'Remove an item from the cart',
  params: itemParams,
  returns: cart,
  errors: ['CART_ITEM_NOT_FOUND'],
})

export const clearCart = endpoint({
  method: 'DELETE',
  path: '/api/cart',
  allow: 'anyone',
  summary: 'Empty the cart',
  returns: cart,
})

export const switchCart = endpoint({
  method: 'POST',
  path: '/api/cart/switch',
  allow: 'anyone',
  summary: 'Park the current cart and start one with this product',
  body: z.object({ productId: rowIdNumber, quantity: cartQuantity }),
  returns: cart,
  errors: ['PRODUCT_NOT_FOUND'],
})

export const swapCart = endpoint({
  method: 'POST',
  path: '/api/cart/swap',
  allow: 'anyone',
  summary: 'Park the current cart and start one with these products of one vendor',
  body: z.object({
    items: z
      .array(z.object({ productId: rowIdNumber, quantity: cartQuantity }))
      .check(z.minLength(1), z.maxLength(100)),
  }),
  returns: cart,
  errors: ['PRODUCT_NOT_FOUND', 'VENDOR_MISMATCH'],
})

export const restoreCart = endpoint({
  method: 'POST',
  path: '/api/cart/restore',
  allow: 'anyone',
  summary: 'Restore the parked cart; the current one is parked instead',
  returns: cart,
  errors: ['NO_PARKED_CART'],
})
