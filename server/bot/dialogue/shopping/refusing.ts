import { askAboutPlaced, askCancel, keepOrder } from '../orders/orders.ts'
import { enter, type HandlerResult, type Next, offer, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { confirmByWords, declineSummary } from './placing.ts'
import { clearRequestedItem } from './requested-items.ts'
import { changeItem } from './shopping.ts'

/** The customer wants to stop; never orders anything. */
export function* refuse(turn: TurnContext): Conversation<Next> {
  const { memory, cart, meaning } = turn
  clearRequestedItem(turn)
  if (meaning.intent === 'no' && cart.items.length > 0) return 'cart'
  if (cart.items.length > 0) return declineSummary(turn)
  // An order placed a moment ago is cancelled only after a question.
  if (memory.state === 'idle' && memory.placedId !== null) return yield* askCancel(turn)
  enter(turn, 'idle')
  return agree(turn)
}

/** `ما ابي القلن`: the only line that is meant, else the order. */
export function refuseItem(turn: TurnContext): Next {
  const [refused] = turn.meaning.slots.items.filter(({ change }) => change === 'refuse')
  const [only, ...others] = refused?.productIds ?? []
  const item = others.length > 0 ? undefined : turn.cart.items.find(({ productId }) => productId === only)
  if (!item) return declineSummary(turn)
  turn.memory.itemId = item.id
  return 'item'
}

/** Of the line that is being edited. */
export const dropItem = (turn: TurnContext): HandlerResult =>
  turn.memory.itemId === null ? 'cart' : changeItem(turn, turn.memory.itemId, 0)

/** A yes without a question here, for example to an order message. */
export const agree = (turn: TurnContext): Next => offer(turn, say(turn, 'bot.okay'), ['go:menu'])

/** A yes after an order was placed, or before one is asked for. */
export function agreeWhileIdle(turn: TurnContext): HandlerResult {
  if (turn.memory.placedId !== null && turn.cart.items.length === 0) return confirmByWords(turn)
  // `place the order` is more than a yes.
  return /order|طلب/iu.test(turn.meaning.text) ? 'checkout' : agree(turn)
}

const secondThought =
  /^(?:(?:oh|no|nope|na|la|la2|wait|actually|sorry|hold on|one moment|لا|لحظة|لحظه|اصبر|صبر|انتظر|مهلا|اوه|مو جذي|مو كذا)[\s,.!،…]{0,4}){1,5}$/iu

/** A no or a wait, without a question of its own, right after an order was placed or was asked about. */
export function* takeSecondThought(turn: TurnContext): Conversation<Next> {
  const { choices, placedId, state } = turn.memory
  if (state !== 'idle' || !secondThought.test(turn.meaning.text)) return 'lost'
  if (choices.includes('kept') && turn.meaning.intent === 'no') return keepOrder(turn)
  return placedId !== null && choices.includes(`cancel:${placedId}`) ? yield* askAboutPlaced(turn, placedId) : 'lost'
}
