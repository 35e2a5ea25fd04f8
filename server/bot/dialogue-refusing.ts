import type { CartItem } from '@qatra/contract/cart'
import { askCancel, keepOrder } from './dialogue-orders.ts'
import { declineSummary } from './dialogue-placing.ts'
import { changeItem, keepVendor } from './dialogue-shopping.ts'
import { enter, type Next, offer, say, type TurnContext } from './replies.ts'
import { clearRequestedItem, takeRequestedItem } from './requested-items.ts'
import type { Conversation } from './turn-context.ts'

/** The customer wants to stop, in any state; never orders anything. */
export function* refuse(talk: TurnContext): Conversation<Next> {
  const { memory, cart, heard } = talk
  switch (memory.state) {
    case 'cancel':
      return keepOrder(talk)
    case 'switch':
      return keepVendor(talk)
    case 'item':
      return memory.itemId === null ? 'cart' : yield* changeItem(talk, memory.itemId, 0)
    case 'cart': {
      const item = heard.isAlone ? undefined : itemSaid(talk)
      if (!item) return declineSummary(talk)
      memory.itemId = item.id
      return 'item'
    }
    default:
      clearRequestedItem(talk)
      if (heard.act === 'no' && cart.items.length > 0) return 'cart'
      if (cart.items.length > 0) return declineSummary(talk)
      // An order placed a moment ago is cancelled only after a question.
      if (memory.state === 'idle' && memory.placedId !== null) return yield* askCancel(talk)
      enter(talk, 'idle')
      return agree(talk)
  }
}

/** The mentioned product of the cart. */
export function itemSaid(talk: TurnContext): CartItem | undefined {
  takeRequestedItem(talk)
  const { productId } = talk.memory
  clearRequestedItem(talk)
  return talk.cart.items.find((item) => item.productId === productId)
}

/** A yes without a question here, for example to an order message. */
export function agree(talk: TurnContext): Next {
  offer(talk, say(talk, 'bot.okay'), [['go:menu', say(talk, 'bot.menu.title')]])
  return 'answered'
}
