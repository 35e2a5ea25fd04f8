import { orderIdInText } from '@qatra/contract/orders/order-id'
import { quietText } from './hand-over.ts'
import { orderInTrouble, showOrder } from './orders/orders.ts'
import { enter, type Next, replyText, say, type TurnContext } from './replies.ts'
import { type Conversation, perform } from './turn-context.ts'

/** Calls a person at once with the order that the complaint is about, and shows that order. */
export function* reportTrouble(turn: TurnContext): Conversation<Next> {
  const order = yield* orderInTrouble(turn)
  yield* perform({ do: 'call-person', reason: 'trouble', orderId: order?.id })
  turn.memory.misses = 0
  if (!order) {
    replyText(turn, quietText(turn, say(turn, 'bot.trouble')))
    enter(turn, 'idle')
    return 'answered'
  }
  const text = say(turn, 'bot.trouble.order', { id: orderIdInText(order.id) })
  replyText(turn, quietText(turn, text))
  return yield* showOrder(turn, order.id)
}
