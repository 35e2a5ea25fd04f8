import type { CartItem } from '@qatra/contract/cart/cart'
import { quantityLimit } from '@qatra/contract/cart/rules'
import { addressText } from '@qatra/contract/lib/text'
import { type Item, understand } from '../understanding/understand.ts'
import { type RequestedItem, remember } from './memory.ts'
import { orderAgain } from './orders/orders.ts'
import { areaOf, placeNamed, serves, sourceOf, takePoint } from './places/place.ts'
import { type Next, replyText, say, type TurnContext } from './replies.ts'
import { takeItem } from './shopping/requested-items.ts'
import { advance, changeItem, isQuantity, noQuantity, showProducts } from './shopping/shopping.ts'
import { type Conversation, perform } from './turn-context.ts'

const onlyOf = ({ productIds }: Item): number | null => {
  const [only, ...others] = productIds
  return others.length === 0 ? (only ?? null) : null
}

const requestOf = (item: Item): RequestedItem => ({
  vendorId: item.vendorId,
  productId: onlyOf(item),
  size: item.size,
  quantity: item.quantity,
})

const isBareBrand = ({ vendorId, quantity, size, kinds, relative }: Item) =>
  vendorId !== null && quantity === null && size === null && kinds.length === 0 && relative === null

/** A brand alone on its line that the products beside it belong to. */
const isBrandOf = (item: Item, other: Item) =>
  isBareBrand(item) && !isBareBrand(other) && other.vendorId === item.vendorId

/** Puts all wanted items of the message into the cart, one after the other, with their place and address. */
export function* orderItems(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  const [first, ...later] = meaning.slots.items.filter(
    (item, _, all) => item.change !== 'refuse' && !all.some((other) => isBrandOf(item, other)),
  )
  if (!first) return 'lost'
  const isOpen = memory.productId === null || onlyOf(first) === memory.productId
  const isBrandOnly =
    first.size === null && first.kinds.length === 0 && first.relative === null && onlyOf(first) === null
  // `2 cartons 500 ml` was written first, the brand now.
  takeItem(turn, {
    ...requestOf(first),
    size: first.size ?? (isOpen && isBrandOnly ? memory.size : null),
    quantity: first.quantity ?? (isOpen ? memory.quantity : null),
  })
  if (later.length > 0 || first.quantity !== null || !isBrandOnly) memory.later = later.map(requestOf)
  const place = meaning.intent === 'order' ? placeNamed(turn) : null
  if (place) {
    const next = takePoint(turn, place.point, sourceOf(place))
    if (next !== 'advance' && next !== 'checkout') return next
  }
  takeAddress(turn)
  const next = yield* advance(turn)
  const fitting = first.productIds.flatMap((id) => facts.catalogue.products.get(id) ?? [])
  return next === 'product' && fitting.length > 1 ? showProducts(turn, 0, fitting) : next
}

const partNames = ['block', 'road', 'building', 'flat'] as const

/** Block and road or building beside an order. */
function takeAddress(turn: TurnContext): void {
  const { memory, meaning } = turn
  const parts = meaning.slots.address?.parts ?? {}
  const pieces = partNames.flatMap((name) => {
    const value = parts[name]
    return value ? [say(turn, `bot.address.part.${name}`, { value })] : []
  })
  if (pieces.length < 2) return
  const text = pieces.reduce((address, area) => say(turn, 'bot.address.join', { address, area }))
  const written = addressText.safeParse(text)
  if (written.success) remember(memory, { address: written.data, addressParts: parts, addressId: null })
}

/** Changes lines of the cart by or to a quantity, takes lines out, exchanges them, and adds others. */
export function* changeCart(turn: TurnContext): Conversation<Next> {
  const { items } = turn.meaning.slots
  const changes = items.filter(({ change }) => change !== 'add' && change !== 'refuse')
  const added = items.filter(({ change }) => change === 'add')
  const exchanged = added.find(({ swap }) => swap === 'to')
  const lines = changes.map((item) => ({
    item,
    line: turn.cart.items.find(({ productId }) => productId === onlyOf(item)),
  }))
  const leaving = lines.find(({ item }) => item.swap === 'from') ?? lines[0]
  // Nothing is changed while a product or quantity is still unclear.
  if (lines.some(({ line }) => line === undefined)) return askWhich(turn)
  if (exchanged && (onlyOf(exchanged) === null || !fits(turn, exchanged, lines.length)))
    return yield* chooseInstead(turn, exchanged, leaving?.line?.quantity ?? null)
  const quantities = lines.flatMap(({ item, line }) => (line ? [{ line, quantity: quantityOf(item, line) }] : []))
  for (const { quantity } of quantities) {
    if (quantity === null) return askWhich(turn)
    if (!Number.isInteger(quantity) || quantity > quantityLimit) {
      replyText(turn, noQuantity(turn, quantity))
      return 'cart'
    }
  }
  for (const { line, quantity } of quantities) {
    if (quantity === null) continue
    const outcome = yield* perform({ do: 'set', itemId: line.id, quantity })
    if (outcome.ok) turn.cart = outcome.cart
    else replyText(turn, say(turn, 'bot.item.gone'))
  }
  const [first, ...later] = added.map((item): RequestedItem => {
    const before = item.swap === 'to' ? leaving?.line?.quantity : null
    return { ...requestOf(item), quantity: item.quantity ?? before ?? null }
  })
  if (!first) return 'cart'
  takeItem(turn, first)
  turn.memory.later = later
  return yield* advance(turn)
}

/** Whether the product that comes in can be delivered and joins the rest of the cart, which has one brand. */
function fits(turn: TurnContext, { vendorId, quantity }: Item, leaving: number): boolean {
  const { cart, facts } = turn
  if (quantity !== null && !isQuantity(quantity)) return false
  const vendor = facts.catalogue.vendors.get(vendorId ?? 0)
  const area = areaOf(turn)
  if (!vendor || (area && !serves(vendor, area))) return false
  return vendor.id === cart.vendorId || cart.items.length === leaving
}

/** The new quantity of a line; null if none was said. */
function quantityOf({ change, quantity }: Item, line: CartItem): number | null {
  if (change === 'remove') return 0
  if (quantity === null) return null
  return change === 'less' ? Math.max(0, line.quantity - quantity) : quantity
}

/** Changes the line that is being edited; a named line of the cart wins over it. */
export function* changeEditedItem(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, cart } = turn
  const { items, number } = meaning.slots
  const line = cart.items.find(({ id }) => id === memory.itemId)
  const [request] = items
  if (!line || (!request && number === null)) return 'lost'
  const named = request ? onlyOf(request) : null
  if (request?.isExplicit && named !== null && named !== line.productId) return yield* changeCart(turn)
  const quantity = number ?? (request ? quantityOf(request, line) : null)
  const more = request?.isExplicit && request.change === 'add' ? line.quantity : 0
  return quantity === null ? 'lost' : yield* changeItem(turn, line.id, quantity + more)
}

function askWhich(turn: TurnContext): Next {
  replyText(turn, say(turn, 'bot.change.which'))
  return 'edit'
}

/** The product that comes in is open, or needs an answer first: the old line stays. */
function* chooseInstead(turn: TurnContext, item: Item, quantity: number | null): Conversation<Next> {
  takeItem(turn, { ...requestOf(item), quantity: item.quantity ?? quantity })
  return yield* advance(turn)
}

/** `نفس الطلب بس زيد كرتون`: the last order in the cart, then the change. */
export function* orderAgainWithChange(turn: TurnContext): Conversation<Next> {
  const next = yield* orderAgain(turn)
  if (next !== 'checkout') return next
  const { memory, cart, facts, meaning } = turn
  const lines = cart.items.map(({ productId, quantity }) => ({ productId, quantity }))
  const known = { state: memory.state, vendorId: cart.vendorId, productId: null, cart: lines, lastOrder: lines }
  turn.meaning = understand(meaning.text, facts.catalogue, known)
  return yield* changeCart(turn)
}

/** Restores the cart of before the last change. */
export function* undoChange(turn: TurnContext): Conversation<Next> {
  const { undo } = turn.memory
  if (undo === null) {
    replyText(turn, say(turn, 'bot.undo.none'))
    return turn.cart.items.length > 0 ? 'cart' : 'menu'
  }
  for (const { id, productId } of turn.cart.items) {
    if (undo.some((line) => line.productId === productId)) continue
    const outcome = yield* perform({ do: 'set', itemId: id, quantity: 0 })
    if (outcome.ok) turn.cart = outcome.cart
  }
  for (const { productId, quantity } of undo) {
    const line = turn.cart.items.find((item) => item.productId === productId)
    const outcome = line
      ? yield* perform({ do: 'set', itemId: line.id, quantity })
      : yield* perform({ do: 'add', productId, quantity })
    if (outcome.ok) turn.cart = outcome.cart
  }
  turn.memory.undo = null
  replyText(turn, say(turn, 'bot.undo.done'))
  return 'cart'
}
