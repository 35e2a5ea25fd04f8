import * as z from 'zod/mini'

/** The most of one product that a cart holds. */
export const quantityLimit = 100

/** How many of a product: a whole number from 1 to 100, never a text. */
export const cartQuantity = /* @__PURE__ */ z
  .int('validation.quantity')
  .check(z.gte(1, 'validation.quantity'), z.lte(quantityLimit, 'validation.quantity'))
