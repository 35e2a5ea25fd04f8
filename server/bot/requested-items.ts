import type { CatalogueProduct } from '../products/snapshot.ts'
import { productsIn, vendorIn } from './matching.ts'
import { remember } from './memory.ts'
import { parseText } from './parse.ts'
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

const MAX_ITEMS = 5
/** Separators of items; `لتر ونص` and `مبنى 12، طريق 5` match too but yield no items. */
const itemSeparators = /[;+&\n]|(?<!\d)[,،]|[,،](?!\d)|\s(?:and|plus|كمان|زائد|و)\s|\sو(?=\S)/iu

/** `2 cartons 500 ml and 3 cartons 200 ml`: one part per item, if every part has a product and a quantity. */
export function requestedItemsIn({ input, memory, cart, facts }: TurnContext): string[] {
  const texts = input.text.split(itemSeparators).filter((text) => text.trim() !== '')
  if (texts.length < 2 || texts.length > MAX_ITEMS) return []
  const vendorId = vendorIn(facts.catalogue, input.words)?.id ?? memory.vendorId ?? cart.vendorId
  const isWhole = (text: string) => {
    const part = parseText(text)
    const isNamed = vendorId !== null && productsIn(facts.catalogue, vendorId, part).length > 0
    return part.isOfPacks && part.action !== 'refuse' && (part.size !== null || isNamed)
  }
  if (!texts.every(isWhole)) return []
  return texts
}

/** The next requested item of the same message; the cart if there is none. */
export function handleNextItem(turn: TurnContext): Next {
  const next = turn.memory.later.shift()
  if (next === undefined) return 'cart'
  turn.input = parseText(next)
  return takeRequestedItem(turn) === null ? 'cart' : 'advance'
}

/** Clears the requested item; keeps the cart. */
export function clearRequestedItem({ memory, cart }: TurnContext): void {
  remember(memory, { productId: null, quantity: null, size: null, later: [], vendorId: cart.vendorId })
}
