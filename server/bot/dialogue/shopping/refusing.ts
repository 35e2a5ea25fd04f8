import type { CartItem } from '@qatra/contract/cart/cart'
import { askAboutPlaced, askCancel, keepOrder } from '../orders/orders.ts'
import { enter, type Next, offer, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { declineSummary } from './placing.ts'
import { clearRequestedItem } from './requested-items.ts'
import { changeItem, keepVendor } from './shopping.ts'

/** The customer wants to stop, in any state; never orders anything. */
export function* refuse(turn: TurnContext): Conversation<Next> {
  const { memory, cart, meaning } = turn
  switch (memory.state) {
    case 'cancel':
      return keepOrder(turn)
    case 'switch':
      return keepVendor(turn)
    case 'item':
      return memory.itemId === null ? 'cart' : yield* changeItem(turn, memory.itemId, 0)
    case 'cart': {
      const item = refusedItem(turn)
      if (!item) return declineSummary(turn)
      memory.itemId = item.id
      return 'item'
    }
    default:
      clearRequestedItem(turn)
      if (meaning.intent === 'no' && cart.items.length > 0) return 'cart'
      if (cart.items.length > 0) return declineSummary(turn)
      // An order placed a moment ago is cancelled only after a question.
      if (memory.state === 'idle' && memory.placedId !== null) return yield* askCancel(turn)
      enter(turn, 'idle')
      return agree(turn)
  }
}

/** `ما ابي القلن`: the only line that is meant. */
function refusedItem({ meaning, cart }: TurnContext): CartItem | undefined {
  const [refused] = meaning.slots.items.filter(({ change }) => change === 'refuse')
  const [only, ...others] = refused?.productIds ?? []
  return others.length > 0 ? undefined : cart.items.find(({ productId }) => productId === only)
}

/** A yes without a question here, for example to an order message. */
export function agree(turn: TurnContext): Next {
  offer(turn, say(turn, 'bot.okay'), [['go:menu', say(turn, 'bot.menu.title')]])
  return 'answered'
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
