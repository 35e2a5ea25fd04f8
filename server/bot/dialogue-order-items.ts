import { formatMoney, fromBhd } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import type { Order } from '@qatra/contract/orders'
import { itemName } from './cart-text.ts'
import { pickOrder, propose } from './dialogue-order-changes.ts'
import { askCancel } from './dialogue-orders.ts'
import type { CartLine } from './memory.ts'
import { editLines, linesOf, totalOf } from './order-edit.ts'
import { enter, leftToRight, type Next, replyText, say, type TurnContext } from './replies.ts'
import type { Conversation } from './turn-context.ts'
import { understand } from './understanding/understand.ts'

/** Asks what to change, or proposes the change of the message. */
export function* askItems(turn: TurnContext, id?: string): Conversation<Next> {
  const order = yield* pickOrder(turn, 'items', { id })
  if (order === null) return 'answered'
  enter(turn, 'orderItems')
  turn.memory.changing = {
    kind: 'items',
    orderId: order.id,
    version: order.version,
    lines: linesOf(order),
    total: order.total,
  }
  replyText(turn, [say(turn, 'bot.change.items.ask'), ...linesText(turn, order, linesOf(order))].join('\n'))
  return 'answered'
}

/** The items of a message as changes of an open order. */
export function* changeItems(turn: TurnContext): Conversation<Next> {
  const { memory, facts } = turn
  const { changing } = memory
  const order = yield* pickOrder(turn, 'items', { id: memory.state === 'orderItems' ? changing?.orderId : undefined })
  if (order === null) return 'answered'
  const before = linesOf(order)
  const known = { state: 'cart', vendorId: order.vendorId, productId: null, cart: before, lastOrder: before } as const
  const { slots } = understand(turn.meaning.text, facts.catalogue, known)
  const edited = editLines(before, slots.items)
  if ('problem' in edited) return yield* askItems(turn, order.id)
  if (edited.lines.length === 0) return yield* askCancel(turn, order.id)
  const total = totalOf(order, edited.lines, facts.catalogue)
  if (total === null) {
    replyText(turn, say(turn, 'bot.change.gone'))
    return yield* askItems(turn, order.id)
  }
  const change = { kind: 'items', orderId: order.id, version: order.version, lines: edited.lines, total } as const
  const amount = formatMoney(fromBhd(total), memory.language)
  const text = [
    say(turn, 'bot.change.items.confirm', { id: leftToRight(formatOrderId(order.id)) }),
    ...linesText(turn, order, edited.lines),
    say(turn, 'bot.change.total', { amount }),
  ]
  return propose(turn, change, text.join('\n'))
}

function linesText(turn: TurnContext, order: Order, lines: readonly CartLine[]): string[] {
  return lines.flatMap(({ productId, quantity }) => {
    const named =
      order.items.find((item) => item.productId === productId) ?? turn.facts.catalogue.products.get(productId)
    return named ? [say(turn, 'bot.order.line', { quantity, name: itemName(turn, named) })] : []
  })
}
