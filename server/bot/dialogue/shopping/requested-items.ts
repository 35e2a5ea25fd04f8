import type { CartItem } from '@qatra/contract/cart/cart'
import { listIn } from '@qatra/contract/lib/lang'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { emptyRequest, type ItemRequest, namesProduct } from '../../understanding/item-request.ts'
import { offeredFor } from '../../understanding/products.ts'
import { type RequestedItem, remember, type Wanted } from '../memory.ts'
import { type Next, replyText, say, type TurnContext } from '../replies.ts'
import { type Conversation, type Intent, type Outcomes, perform } from '../turn-context.ts'
import { itemName } from './cart-text.ts'

/** Changes the cart; `ok` unless the shop refuses. */
export function* performOnCart(
  turn: TurnContext,
  intent: Extract<Intent, { do: 'add' | 'set' | 'switch' | 'clear' }>,
): Conversation<Outcomes['add']> {
  const outcome = yield* perform(intent)
  if (outcome.ok) turn.cart = outcome.cart
  return outcome
}

/** Takes lines out or changes how many there are; says what was taken out. */
export function* setLines(
  turn: TurnContext,
  lines: readonly { line: CartItem; quantity: number; empties?: number }[],
): Conversation<void> {
  const removed: string[] = []
  for (const { line, ...wanted } of lines) {
    const { quantity } = wanted
    const outcome = yield* performOnCart(turn, { do: 'set', itemId: line.id, ...wanted })
    if (!outcome.ok) replyText(turn, say(turn, 'bot.item.gone'))
    else if (quantity === 0) removed.push(itemName(turn, line))
  }
  if (removed.length > 0)
    replyText(turn, say(turn, 'bot.item.removed', { item: listIn(turn.memory.language, removed) }))
}

/** What is said of a product besides its brand; null for nothing. */
export const wantedOf = ({ size, kinds, relative, unit }: ItemRequest): Wanted | null =>
  size === null && kinds.length === 0 && relative === null && unit === null ? null : { size, kinds, relative, unit }

/** The vendor's products that can be the wanted one; undefined if nothing is said of it but its unit. */
export function wantedFrom({ memory, facts }: TurnContext, vendorId: number): readonly CatalogueProduct[] | undefined {
  const { wanted } = memory
  const request = wanted && { ...emptyRequest('add', false), ...wanted, vendorId }
  return request && (namesProduct({ ...request, vendorId: null }) || request.unit === 'pack')
    ? offeredFor(facts.catalogue, request)
    : undefined
}

/** Of the kind or of the size that is wanted, where nothing is of both. */
export function nearestTo({ memory: { wanted }, facts }: TurnContext, vendorId: number): CatalogueProduct[] {
  const like = (some: Partial<ItemRequest>) =>
    offeredFor(facts.catalogue, { ...emptyRequest('add', false), vendorId, ...some })
  const ofKind = wanted && wanted.kinds.length > 0 ? like({ kinds: wanted.kinds }) : []
  const ofSize = wanted?.size ? like({ size: wanted.size }) : []
  return [...new Set([...ofKind, ...ofSize])]
}

/** How many single bottles are wanted of a product that is sold in packs. */
export const bottlesWanted = ({ memory }: TurnContext, { unitsPerInventoryUnit }: CatalogueProduct): number | null =>
  memory.wanted?.unit === 'bottle' && unitsPerInventoryUnit > 1 ? memory.quantity : null

/** Makes a requested item the current one. */
export const takeItem = ({ memory }: TurnContext, { vendorId, productId, wanted, quantity, empties }: RequestedItem) =>
  remember(memory, { vendorId: vendorId ?? memory.vendorId, productId, wanted, quantity, empties: empties ?? null })

/** The next requested item of the same message; the cart if there is none. */
export function handleNextItem(turn: TurnContext): Next {
  const next = turn.memory.later.shift()
  if (next === undefined) return 'cart'
  takeItem(turn, next)
  return 'advance'
}

/** Clears the requested item; keeps the cart. */
export function clearRequestedItem({ memory, cart }: TurnContext): void {
  remember(memory, { productId: null, quantity: null, wanted: null, later: [], vendorId: cart.vendorId })
}
