import { formatMoney, timesFils } from '@qatra/contract/lib/money'
import { sizeKey } from '@qatra/contract/products/sizes'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { kindsOf, productsOf } from '../../understanding/products.ts'
import { remember } from '../memory.ts'
import { enter, type Next, offer, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { countedItem } from './cart-text.ts'
import { clearRequestedItem, performOnCart } from './requested-items.ts'

const gallon = sizeKey('5 gallon')
const hasBottle = ({ facts }: TurnContext, product: CatalogueProduct) =>
  kindsOf(facts.catalogue, product).includes('k:newBottle')

/** A gallon that comes for an empty bottle. */
const isExchange = (turn: TurnContext, product: CatalogueProduct) =>
  sizeKey(product.size) === gallon && !hasBottle(turn, product)

/** A gallon in exchange, of a customer without an empty bottle. One with its bottle was asked for as such. */
export const needsBottle = (turn: TurnContext, product: CatalogueProduct): boolean =>
  turn.memory.hasNoEmpties && isExchange(turn, product)

/** Shows the same gallon with its bottle, which costs more. `itemId` is the line of the cart that it takes the place of. */
export function askBottle(turn: TurnContext, product: CatalogueProduct, itemId: number | null = null): Next {
  const { memory, facts } = turn
  const count = memory.quantity ?? 1
  const full = productsOf(facts.catalogue, product.vendorId).find(
    (one) => sizeKey(one.size) === gallon && hasBottle(turn, one),
  )
  memory.hasNoEmpties = false
  if (!full) {
    replyText(turn, say(turn, 'bot.bottle.none'))
    return itemId === null ? 'product' : 'cart'
  }
  enter(turn, 'product')
  const item = countedItem(turn, full, count)
  const amount = formatMoney(timesFils(full.price, count), memory.language)
  return offer(turn, say(turn, 'bot.bottle.ask', { item, amount }), [
    [`bottle:${full.id}:${count}:${itemId ?? 0}`, say(turn, 'bot.bottle.yes')],
    ['bottle:no', say(turn, 'bot.bottle.no')],
  ])
}

/** The gallon with its bottle, in the place of a line in exchange or beside the cart. */
export function* takeBottle(turn: TurnContext, value: string): Conversation<Next> {
  if (value === 'no') {
    clearRequestedItem(turn)
    return 'cart'
  }
  const [productId = 0, quantity = 0, itemId = 0] = value.split(':').map(Number)
  const line = turn.cart.items.find(({ id }) => id === itemId)
  if (line) yield* performOnCart(turn, { do: 'set', itemId, quantity: 0 })
  remember(turn.memory, { productId, quantity, hasNoEmpties: false })
  return 'advance'
}

/** `I have no empty bottles`: remembered for the gallons that are ordered; those in exchange in the cart are asked about. */
export function swapBottles(turn: TurnContext): Next {
  const { memory, meaning, cart, facts } = turn
  if (!meaning.slots.hasNoEmpties) return 'lost'
  memory.hasNoEmpties = true
  const { items } = meaning.slots
  if (items.some(({ change, quantity }) => change === 'add' && quantity !== null)) return 'lost'
  const line = cart.items.find(({ productId }) => {
    const product = facts.catalogue.products.get(productId)
    return product !== undefined && isExchange(turn, product)
  })
  const product = facts.catalogue.products.get(line?.productId ?? 0)
  if (!line || !product) return 'lost'
  memory.quantity = items.find(({ change }) => change === 'set')?.quantity ?? line.quantity
  return askBottle(turn, product, line.id)
}
