import type { CartItem } from '@qatra/contract/cart/cart'
import { quantityLimit } from '@qatra/contract/cart/rules'
import { namesProduct } from '../../understanding/item-request.ts'
import type { Item } from '../../understanding/understand.ts'
import type { Memory, RequestedItem } from '../memory.ts'
import { areaOf, serves } from '../places/place.ts'
import { type Next, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { performOnCart, takeItem } from './requested-items.ts'
import { advance, changeItem, isQuantity, noQuantity } from './shopping.ts'

export const onlyOf = ({ productIds }: Item): number | null => {
  const [only, ...others] = productIds
  return others.length === 0 ? (only ?? null) : null
}

export const requestOf = (turn: TurnContext, item: Item): RequestedItem => ({
  vendorId: item.vendorId,
  productId: onlyOf(item),
  size: item.size,
  // `48 bottles` are two cartons, or what the customer calls cartons: asked for.
  quantity: isInBottles(turn, item) ? null : item.quantity,
})

/** At least a whole pack, counted in its bottles. */
export function isInBottles({ facts }: TurnContext, item: Item): boolean {
  const { unitsPerInventoryUnit: inPack } = facts.catalogue.products.get(onlyOf(item) ?? 0) ?? {
    unitsPerInventoryUnit: 1,
  }
  return item.unit === 'bottle' && inPack > 1 && (item.quantity ?? 0) >= inPack
}

/** Changes lines of the cart by or to a quantity, takes lines out, exchanges them, and adds others. */
export function* changeCart(turn: TurnContext): Conversation<Next> {
  if (turn.cart.items.length === 0) return 'lost'
  const { items } = turn.meaning.slots
  const changes = items.filter(({ change }) => change !== 'add' && change !== 'refuse')
  const added = items.filter(({ change }) => change === 'add')
  const exchanged = added.find(({ swap }) => swap === 'to')
  const lines = changes.map((item) => ({
    item,
    line: turn.cart.items.find(({ productId }) => productId === onlyOf(item)) ?? lineChangedLast(turn, item),
  }))
  const leaving = lines.find(({ item }) => item.swap === 'from') ?? lines[0]
  // Nothing is changed while a product or quantity is still unclear.
  if (lines.some(({ line }) => line === undefined)) return askWhich(turn)
  const left = leaving?.line?.quantity ?? null
  // The product that comes in is open, or needs an answer first: the old line stays.
  if (exchanged && (onlyOf(exchanged) === null || !fits(turn, exchanged, lines.length))) {
    takeItem(turn, { ...requestOf(turn, exchanged), quantity: exchanged.quantity ?? left })
    return yield* advance(turn)
  }
  const quantities = lines.flatMap(({ item, line }) =>
    line ? [{ line, quantity: quantityOf(item, line, turn.memory) }] : [],
  )
  for (const { quantity } of quantities) {
    if (quantity === null) return askWhich(turn)
    if (!Number.isInteger(quantity) || quantity > quantityLimit) {
      replyText(turn, noQuantity(turn, quantity))
      return 'cart'
    }
  }
  for (const { line, quantity } of quantities) {
    if (quantity === null) continue
    const outcome = yield* performOnCart(turn, { do: 'set', itemId: line.id, quantity })
    if (!outcome.ok) replyText(turn, say(turn, 'bot.item.gone'))
  }
  const [first, ...later] = added.map((item): RequestedItem => {
    return { ...requestOf(turn, item), quantity: item.quantity ?? (item.swap === 'to' ? left : null) }
  })
  if (!first) return 'cart'
  takeItem(turn, first)
  turn.memory.later = later
  return yield* advance(turn)
}

/** `*3`, `قصدي 3`, `remove it`: the line that the message before changed, where no product is named. */
function lineChangedLast({ memory, cart }: TurnContext, item: Item): CartItem | undefined {
  const { undo } = memory
  if (undo === null || !['set', 'remove'].includes(item.change) || namesProduct(item)) return undefined
  const [only, ...others] = cart.items.filter(
    ({ productId, quantity }) => undo.find((line) => line.productId === productId)?.quantity !== quantity,
  )
  return others.length === 0 ? only : undefined
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

/** The new quantity of a line; null if none was said. `zeed karton … remove it` takes out what was added last. */
function quantityOf(item: Item, line: CartItem, { undo }: Memory): number | null {
  const { change, quantity } = item
  const before = undo?.find(({ productId }) => productId === line.productId)?.quantity ?? 0
  if (change === 'remove') return namesProduct(item) || before >= line.quantity ? 0 : before
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
  const quantity = number ?? (request ? quantityOf(request, line, memory) : null)
  const more = request?.isExplicit && request.change === 'add' ? line.quantity : 0
  return quantity === null ? 'lost' : yield* changeItem(turn, line.id, quantity + more)
}

function askWhich(turn: TurnContext): Next {
  replyText(turn, say(turn, 'bot.change.which'))
  return 'edit'
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
    yield* performOnCart(turn, { do: 'set', itemId: id, quantity: 0 })
  }
  for (const { productId, quantity } of undo) {
    const line = turn.cart.items.find((item) => item.productId === productId)
    const intent = line ? ({ do: 'set', itemId: line.id } as const) : ({ do: 'add', productId } as const)
    yield* performOnCart(turn, { ...intent, quantity })
  }
  turn.memory.undo = null
  replyText(turn, say(turn, 'bot.undo.done'))
  return 'cart'
}
