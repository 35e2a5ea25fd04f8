import { enter, type Next, offer, replyText, say, type TurnContext } from '../replies.ts'
import { type Conversation, perform } from '../turn-context.ts'

/** Sends the receipt of a delivered order as a document. */
export function* sendReceipt(turn: TurnContext, orderId: string): Conversation<Next> {
  const outcome = yield* perform({ do: 'receipt', orderId })
  enter(turn, 'idle')
  offer(turn, say(turn, outcome.ok ? 'bot.receipt.coming' : 'bot.receipt.none'), [
    ['go:menu', say(turn, 'bot.menu.title')],
  ])
  return 'answered'
}

/** The receipt of the newest delivered order; `lost` if there is none, which is said of an order that is on its way. */
export function* sendNewestReceipt(turn: TurnContext): Conversation<Next> {
  if (turn.person.account === null) return 'lost'
  const { orders } = yield* perform({ do: 'orders' })
  const order = orders.find(({ status }) => status === 'delivered')
  if (order) return yield* sendReceipt(turn, order.id)
  if (orders.length > 0) replyText(turn, say(turn, 'bot.receipt.none'))
  return 'lost'
}
