import type { IntentName } from '../../understanding/rules.ts'
import { orderAgain, readOrders } from '../orders/orders.ts'
import { type Next, offer, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { agree } from './refusing.ts'

const accepting: ReadonlySet<IntentName> = new Set([
  'yes',
  'again',
  'checkout',
  'order',
  'sameAddress',
  'more',
] as const)

/** An answer to a reminder orders what was ordered last, after a summary; a first order begins. Other words are handled as always. */
export function* answerOffer(turn: TurnContext): Conversation<Next> {
  const { meaning, incoming, memory } = turn
  const { intent, slots } = meaning
  if (memory.state !== 'idle' || slots.items.length > 0) return 'lost'
  if (intent === 'no' || intent === 'refuse') return agree(turn)
  if (accepting.has(intent)) {
    turn.intent = 'offer-accepted'
    const orders = yield* readOrders(turn)
    return orders.some(({ can }) => can.reorder) ? yield* orderAgain(turn) : 'order'
  }
  if (incoming.type !== 'button' || intent !== 'unknown') return 'lost'
  offer(turn, say(turn, 'bot.offer.ask'), [
    ['go:again', say(turn, 'bot.menu.again')],
    ['go:order', say(turn, 'bot.menu.order')],
    ['go:menu', say(turn, 'bot.menu.title')],
  ])
  return 'answered'
}
