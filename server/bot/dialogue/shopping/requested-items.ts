import { type RequestedItem, remember } from '../memory.ts'
import type { Next, TurnContext } from '../replies.ts'
import { type Conversation, type Intent, type Outcomes, perform } from '../turn-context.ts'

/** Changes the cart; `ok` unless the shop refuses. */
export function* performOnCart(
  turn: TurnContext,
  intent: Extract<Intent, { do: 'add' | 'set' | 'switch' | 'clear' }>,
): Conversation<Outcomes['add']> {
  const outcome = yield* perform(intent)
  if (outcome.ok) turn.cart = outcome.cart
  return outcome
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
