import * as z from 'zod/mini'

/** Maximum quantity of one product in a cart. */
export const quantityLimit = 100

/** Quantity of a product: a whole number from 1 to 100; strings are rejected. */
export const cartQuantity = /* @__PURE__ */ z
  .int('validation.quantity')
  .check(z.gte(1, 'validation.quantity'), z.lte(quantityLimit, 'validation.quantity'))
