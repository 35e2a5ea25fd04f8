import { type RequestedItem, remember } from '../memory.ts'
import { callPerson } from '../person.ts'
import { type Next, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { takeItem } from './requested-items.ts'
import { advance } from './shopping.ts'

/** Puts the products of a cart of Meta's catalogue into ours; a person answers if we have none of them. */
export function* orderFromCatalogue(turn: TurnContext): Conversation<Next> {
  const { memory, facts, incoming } = turn
  const asked = incoming.parts.items ?? []
  const items = asked.flatMap(({ retailerId, quantity }): RequestedItem[] => {
    const product = facts.catalogue.products.get(Number(retailerId))
    return product?.isActive ? [{ vendorId: product.vendorId, productId: product.id, size: null, quantity }] : []
  })
  const [first, ...later] = items
  if (!first) return yield* callPerson(turn, 'not-understood')
  if (items.length < asked.length) replyText(turn, say(turn, 'bot.product.gone'))
  remember(memory, { later })
  takeItem(turn, first)
  return yield* advance(turn)
}
