import * as z from 'zod/mini'
import { westernDigits } from '../lib/digits.ts'

/** Maximum quantity of one product in a cart. */
export const quantityLimit = 100

/** Quantity of a product: a whole number from 1 to 100; strings are rejected. */
export const cartQuantity = /* @__PURE__ */ z
  .int('validation.quantity')
  .check(z.gte(1, 'validation.quantity'), z.lte(quantityLimit, 'validation.quantity'))

/** Empty bottles that a customer gives back. */
export const emptyBottles = /* @__PURE__ */ z.int().check(z.gte(0), z.lte(quantityLimit))

/** A typed quantity in any digit script; null unless it is a whole number from 0, which removes the item, to `max`. */
export function parseQuantity(text: string, max = quantityLimit): number | null {
  const digits = westernDigits(text).trim()
  return /^\d{1,9}$/.test(digits) && Number(digits) <= max ? Number(digits) : null
}
