import type { CatalogueProduct } from '../products/snapshot.ts'
import { productsIn, vendorIn } from './matching.ts'
import { type RequestedItem, remember } from './memory.ts'
import type { Next, TurnContext } from './replies.ts'

/** Stores the requested vendor, product, size and quantity. Null if there is none. */
export function takeRequestedItem(turn: TurnContext): CatalogueProduct[] | null {
  const { memory, input, facts, cart } = turn
  const vendor = vendorIn(facts.catalogue, input.words)
  const vendorId = vendor?.id ?? memory.vendorId ?? cart.vendorId
  const found = vendorId === null ? [] : productsIn(facts.catalogue, vendorId, input)
  if (!vendor && !input.size && found.length === 0 && !input.isOfPacks) return null
  if (vendor && vendor.id !== memory.vendorId) remember(memory, { vendorId: vendor.id, productId: null })
  const [only] = found
  if (found.length === 1 && only) memory.productId = only.id
  else if (found.length > 1) memory.productId = null
  if (input.size) memory.size = input.size
  if (input.quantity !== null && (input.isOfPacks || found.length > 0 || vendor !== null))
    memory.quantity = input.quantity
  return found
}

/** Makes a requested item the current one. */
export const takeItem = ({ memory }: TurnContext, { vendorId, productId, size, quantity }: RequestedItem) =>
  remember(memory, { vendorId: vendorId ?? memory.vendorId, productId, size, quantity })

/** The next requested item of the same message; the cart if there is none. */
export function handleNextItem(turn: TurnContext): Next {
  const next = turn.memory.later.shift()
  if (next === undefined) return 'cart'
  takeItem(turn, next)
  return 'advance'
}

/** Clears the requested item; keeps the cart. */
export function clearRequestedItem({ memory, cart }: TurnContext): void {
  remember(memory, { productId: null, quantity: null, size: null, later: [], vendorId: cart.vendorId })
}
