import { type CartLine, type CartTotals, cartTotals, type Fils } from '../lib/money.ts'

/** Totals of what was handed over, by the quantities of the items by id; other items count as ordered. The fee stays. */
export const deliveredTotals = (
  lines: readonly (CartLine & { id: number })[],
  delivered: ReadonlyMap<number, number>,
  deliveryFee: Fils,
): CartTotals =>
  cartTotals(
    lines.map((line) => ({ ...line, quantity: delivered.get(line.id) ?? line.quantity })),
    deliveryFee,
  )
