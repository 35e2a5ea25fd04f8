import { enter, type Next, offer, say, type TurnContext } from '../replies.ts'
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

/** The receipt of the newest delivered order; `lost` if there is none. */
export function* sendNewestReceipt(turn: TurnContext): Conversation<Next> {
  if (turn.person.account === null) return 'lost'
  const { orders } = yield* perform({ do: 'orders' })
  const order = orders.find(({ status }) => status === 'delivered')
  return order ? yield* sendReceipt(turn, order.id) : 'lost'
}
