import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { isDoubtful, understand } from '../../understanding/understand.ts'
import type { CartLine, OrderChange } from '../memory.ts'
import { enter, type Next, replyText, say, type TurnContext } from '../replies.ts'
import { countedItem, packsText } from '../shopping/cart-text.ts'
import type { Conversation } from '../turn-context.ts'
import { hasChangeable, pickOrder, propose, proposeAddress, proposeDay } from './order-changes.ts'
import { editLines, linesOf, totalOf } from './order-edit.ts'
import { askCancel, readOrders } from './orders.ts'

/** With the order's id they fit a row. */
const LONGEST_TEXT = 80

/** Asks what to change. `value` is the id of an order, and the words of a change that waited for it. */
export function* askItems(turn: TurnContext, value = ''): Conversation<Next> {
  const [id, ...words] = value.split(' ')
  if (words.length > 0) return yield* changeItems(turn, { id, text: words.join(' ') })
  const order = yield* pickOrder(turn, { kind: 'items', id: id || undefined })
  if (order === null) return 'answered'
  enter(turn, 'orderItems')
  turn.memory.changing = {
    kind: 'items',
    orderId: order.id,
    version: order.version,
    lines: linesOf(order),
    total: order.total,
  }
  return replyText(turn, [say(turn, 'bot.change.items.ask'), ...linesText(turn, order, linesOf(order))].join('\n'))
}

/** The items of a message as changes of an open order. */
function* changeItems(turn: TurnContext, of: { id?: string | undefined; text: string }): Conversation<Next> {
  const { facts } = turn
  const text = of.text.replace(/\s+/g, ' ')
  const order = yield* pickOrder(turn, { kind: 'items', id: of.id, rest: text.length > LONGEST_TEXT ? '' : ` ${text}` })
  if (order === null) return 'answered'
  const before = linesOf(order)
  const known = { state: 'cart', vendorId: order.vendorId, productId: null, cart: before, lastOrder: before } as const
  const { slots } = understand(text, facts.catalogue, known)
  const bottles = slots.items.find(({ unit, quantity }) => unit === 'bottle' && quantity !== null)
  const product = facts.catalogue.products.get(bottles?.productIds[0] ?? 0)
  if (bottles && product && product.unitsPerInventoryUnit > 1) {
    replyText(turn, packsText(turn, product, bottles.quantity ?? 0))
    return yield* askItems(turn, order.id)
  }
  const edited = editLines(before, slots.items)
  if ('problem' in edited) return yield* askItems(turn, order.id)
  if (edited.lines.length === 0) return yield* askCancel(turn, order.id)
  const total = totalOf(order, edited.lines, facts.catalogue)
  if (total === null) {
    replyText(turn, say(turn, 'bot.change.gone'))
    return yield* askItems(turn, order.id)
  }
  const change = { kind: 'items', orderId: order.id, version: order.version, lines: edited.lines, total } as const
  return proposeItems(turn, order, change)
}

/** Items of an open order, while there is no cart that the words can be about. */
export function* changePlacedItems(turn: TurnContext): Conversation<Next> {
  const { meaning, memory } = turn
  if (isDoubtful(meaning) || !(yield* hasChangeable(turn, 'items'))) return 'lost'
  const id = memory.state === 'orderItems' ? memory.changing?.orderId : undefined
  return yield* changeItems(turn, { id, text: meaning.text })
}

function proposeItems(turn: TurnContext, order: Order, change: Extract<OrderChange, { kind: 'items' }>): Next {
  const amount = formatMoney(fromBhd(change.total), turn.memory.language)
  const question = [
    say(turn, 'bot.change.items.confirm', { id: orderIdInText(order.id) }),
    ...linesText(turn, order, change.lines),
    say(turn, 'bot.change.total', { amount }),
  ]
  return propose(turn, change, question.join('\n'))
}

/** Asks again for a yes to the change that was asked about. */
export function* askChange(turn: TurnContext): Conversation<Next> {
  const { changing } = turn.memory
  const order = (yield* readOrders(turn)).find(({ id }) => id === changing?.orderId)
  if (changing === null || !order) return 'orders'
  if (changing.kind === 'items') return proposeItems(turn, order, changing)
  return changing.kind === 'day' ? proposeDay(turn, order, changing.date) : yield* proposeAddress(turn)
}

function linesText(turn: TurnContext, order: Order, lines: readonly CartLine[]): string[] {
  return lines.flatMap(({ productId, quantity }) => {
    const named =
      order.items.find((item) => item.productId === productId) ?? turn.facts.catalogue.products.get(productId)
    return named ? [countedItem(turn, named, quantity)] : []
  })
}
