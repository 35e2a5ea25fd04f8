import type { CartItem } from '@qatra/contract/cart/cart'
import { quantityLimit } from '@qatra/contract/cart/rules'
import { namesProduct } from '../../understanding/item-request.ts'
import type { Item } from '../../understanding/resolving.ts'
import { type Memory, type RequestedItem, remember } from '../memory.ts'
import { serves } from '../places/place.ts'
import { areaOf } from '../places/places.ts'
import { enter, type HandlerResult, list, type Next, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { packsText, rowOfLine } from './cart-text.ts'
import { performOnCart, setLines, takeItem, wantedOf } from './requested-items.ts'
import { advance, changeItem, isQuantity, noQuantity, showEditing } from './shopping.ts'

export const onlyOf = ({ productIds }: Item): number | null => {
  const [only, ...others] = productIds
  return others.length === 0 ? (only ?? null) : null
}

export const requestOf = (item: Item): RequestedItem => ({
  vendorId: item.vendorId,
  productId: onlyOf(item),
  // Bottles are of the quantity also where the product is known.
  wanted: onlyOf(item) === null || item.unit === 'bottle' ? wantedOf(item) : null,
  quantity: item.quantity,
  empties: item.empties,
})

/** Changes lines of the cart by or to a quantity, takes lines out, exchanges them, and adds others. */
export function* changeCart(turn: TurnContext): Conversation<Next> {
  if (turn.cart.items.length === 0) return 'lost'
  const { memory } = turn
  const { items } = turn.meaning.slots
  const added = items.filter(({ change }) => change === 'add')
  const coming = added.filter(({ swap }) => swap === 'to')
  const lines: { item: Item; line: CartItem }[] = []
  // Nothing is changed while a product or quantity is still unclear.
  for (const item of items.filter(({ change }) => change !== 'add' && change !== 'refuse')) {
    const line = lineOf(turn, item)
    if (!line) return askWhich(turn, item)
    lines.push({ item, line })
  }
  const leaving = lines.filter(({ item }) => item.swap === 'from')
  const left = (leaving[0] ?? lines[0])?.line.quantity ?? null
  // What comes in is open, or needs an answer first: until then the old line stays.
  const isWhole = (one: (typeof lines)[number]) => quantityOf(one.item, one.line, memory) === 0
  const open = coming.find((item) => onlyOf(item) === null || !fits(turn, item, lines.filter(isWhole).length))
  const part = leaving.find((one) => !isWhole(one))
  if (open && part) return askWhich(turn, part.item)
  if (open) {
    // Of another kind or size than it was: not without a question.
    const isOther = onlyOf(open) === null
    takeItem(turn, { ...requestOf(open), quantity: open.quantity ?? (isOther ? null : left) })
    memory.replaced = leaving.map(({ line }) => line.productId)
    return yield* advance(turn)
  }
  const changes: Parameters<typeof setLines>[1][number][] = []
  for (const { item, line } of lines) {
    const quantity = quantityOf(item, line, memory) ?? (item.empties && line.quantity)
    if (isOfBottles(item, line)) return askPacks(turn, item, line)
    if (quantity === null) return askWhich(turn, item)
    if (!Number.isInteger(quantity) || quantity > quantityLimit) {
      replyText(turn, noQuantity(turn, quantity))
      return 'cart'
    }
    changes.push({ line, quantity, ...(item.empties && { empties: item.empties === 'all' ? quantity : 0 }) })
  }
  yield* setLines(turn, changes)
  const [first, ...later] = added.map((item): RequestedItem => {
    return { ...requestOf(item), quantity: item.quantity ?? (item.swap === 'to' ? left : null) }
  })
  if (!first) return 'cart'
  takeItem(turn, first)
  memory.later = later
  return yield* advance(turn)
}

function lineOf({ cart, memory, meaning }: TurnContext, item: Item): CartItem | undefined {
  const { rows } = meaning.slots
  const named = cart.items.find(({ productId }) => productId === onlyOf(item))
  if (named || namesProduct(item) || item.unit !== null) return named ?? lineChangedLast({ cart, memory }, item)
  const [row, ...others] = rows
  return row && others.length === 0 ? cart.items[row.row - 1] : lineChangedLast({ cart, memory }, item)
}

/** Bottles of a line that is sold in packs. */
const isOfBottles = ({ unit, quantity }: Item, { unitsPerInventoryUnit }: CartItem) =>
  unit === 'bottle' && quantity !== null && unitsPerInventoryUnit > 1

function askPacks(turn: TurnContext, { quantity }: Item, line: CartItem): Next {
  replyText(turn, packsText(turn, line, quantity ?? 0))
  turn.memory.itemId = line.id
  return 'item'
}

/** `*3`, `قصدي 3`, `remove it`: the line that the message before changed, where no product is named. */
function lineChangedLast({ memory, cart }: Pick<TurnContext, 'memory' | 'cart'>, item: Item): CartItem | undefined {
  const { undo } = memory
  const isNamed = namesProduct(item) || (item.change === 'remove' && item.unit !== null)
  if (undo === null || !['set', 'remove'].includes(item.change) || item.swap !== null || isNamed) return undefined
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
  // `swap two cartons of the 500 for 330`
  if (item.swap === 'from' && quantity !== null) return Math.max(0, line.quantity - quantity)
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
  if (request && isOfBottles(request, line)) return askPacks(turn, request, line)
  const quantity = number ?? (request ? quantityOf(request, line, memory) : null)
  const more = request?.isExplicit && request.change === 'add' ? line.quantity : 0
  return quantity === null ? 'lost' : yield* changeItem(turn, line.id, quantity + more)
}

/** Which of the lines that fit; without any, what the cart has. */
function askWhich(turn: TurnContext, item: Item): Next {
  const { productIds, change, unit } = item
  const { cart } = turn
  if (productIds.length === 0 && (unit !== null || namesProduct(item))) {
    replyText(turn, say(turn, 'bot.item.none'))
    return 'cart'
  }
  const fitting = cart.items.filter(({ productId }) => productIds.includes(productId))
  const row = change === 'remove' ? 'drop' : 'item'
  if (fitting.length < 2) return showEditing(turn, 0, 'bot.change.which')
  enter(turn, 'cart')
  return list(
    turn,
    say(turn, 'bot.change.which'),
    fitting.map((line) => rowOfLine(turn, line, row)),
  )
}

/** `I changed my mind`, right after something was taken out. */
export const undoRemoval = (turn: TurnContext): HandlerResult =>
  turn.memory.hasRemoved && turn.meaning.slots.items.length === 0 ? undoChange(turn) : 'lost'

/** Restores the cart of before the last change, and says so. */
export function* undoChange(turn: TurnContext): Conversation<Next> {
  turn.intent = 'undo'
  if (turn.memory.undo === null) {
    replyText(turn, say(turn, 'bot.undo.none'))
    return turn.cart.items.length > 0 ? 'cart' : 'menu'
  }
  yield* restoreCart(turn)
  replyText(turn, say(turn, 'bot.undo.done'))
  return 'cart'
}

/** Restores the cart of before the last change. */
export function* restoreCart(turn: TurnContext): Conversation<void> {
  const undo = turn.memory.undo ?? []
  for (const { id, productId } of turn.cart.items) {
    if (undo.some((line) => line.productId === productId)) continue
    yield* performOnCart(turn, { do: 'set', itemId: id, quantity: 0 })
  }
  for (const { productId, ...wanted } of undo) {
    const line = turn.cart.items.find((item) => item.productId === productId)
    const intent = line ? ({ do: 'set', itemId: line.id } as const) : ({ do: 'add', productId } as const)
    yield* performOnCart(turn, { ...intent, ...wanted })
  }
  turn.memory.undo = null
}

const linesOf = ({ items }: TurnContext['cart']) =>
  items.map(({ productId, quantity, bottle, empties }) => {
    return { productId, quantity, ...(bottle?.terms === 'exchange' && { empties }) }
  })
/** Whether the message has changed the lines of the cart. */
export const isCartChanged = ({ cart, facts }: TurnContext) =>
  JSON.stringify(linesOf(facts.cart)) !== JSON.stringify(linesOf(cart))

/** Keeps the cart of before its last change. An order placed or a change undone cannot be undone. */
export function rememberCart(turn: TurnContext): void {
  const { memory, cart, facts, intent, meaning } = turn
  const lines = linesOf(facts.cart)
  const after = linesOf(cart)
  remember(memory, { hasRemoved: false, said: null })
  if (!isCartChanged(turn)) return
  memory.undo = intent === 'confirm' || intent === 'undo' ? null : lines
  memory.said = memory.undo && meaning.text
  memory.hasRemoved = memory.undo?.some((line) => !after.some(({ productId }) => productId === line.productId)) ?? false
}
