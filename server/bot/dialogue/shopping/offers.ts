import { translatorFor } from '../../../lib/translate.ts'
import { hasTrait } from '../../intent-table.ts'
import { orderAgain, readOrders } from '../orders/orders.ts'
import { type HandlerResult, type Next, offer, replyText, say, type TurnContext } from '../replies.ts'
import { type Conversation, perform } from '../turn-context.ts'
import { agree } from './refusing.ts'

/** An answer to a reminder orders what was ordered last, after a summary; a first order begins. Other words are handled as always. */
export function* answerOffer(turn: TurnContext): Conversation<Next> {
  const { meaning, incoming, memory } = turn
  const { intent, slots } = meaning
  if (memory.state !== 'idle' || slots.items.length > 0) return 'lost'
  if (intent === 'no' || intent === 'refuse') return agree(turn)
  if (hasTrait(intent, 'acceptsOffer')) {
    turn.intent = 'offer-accepted'
    const orders = yield* readOrders(turn)
    return orders.some(({ can }) => can.reorder) ? yield* orderAgain(turn) : 'order'
  }
  if (incoming.type !== 'button' || intent !== 'unknown') return 'lost'
  return offer(turn, say(turn, 'bot.offer.ask'), ['go:again', 'go:order', 'go:menu'])
}

/** No more offers, then the other request; where that is not certain, the customer can write it now. */
export function* optOut(turn: TurnContext): Conversation<Next> {
  yield* setOffers(turn, 'opt-out')
  const { secondIntent, slots } = turn.meaning
  if (secondIntent === null) return 'answered'
  if (!hasTrait(secondIntent, 'afterStop') && slots.items.length === 0)
    return offer(turn, say(turn, 'bot.smallTalk'), ['go:menu'])
  turn.meaning = { ...turn.meaning, intent: secondIntent, secondIntent: null }
  return 'lost'
}

/** Offers again. Of a customer who has offers, `start` is a greeting. */
export const optIn = (turn: TurnContext): HandlerResult =>
  /^start\W*$/i.test(turn.meaning.text) ? 'greet' : setOffers(turn, 'opt-in')

/** Stops advertising at once, or begins again. Orders and their news go on. */
function* setOffers(turn: TurnContext, action: 'opt-out' | 'opt-in'): Conversation<Next> {
  const { isOut } = yield* perform({ do: action, at: turn.incoming.receivedAt })
  return replyText(turn, translatorFor(turn.memory.language)(isOut ? 'news.offers.stopped' : 'news.offers.started'))
}
