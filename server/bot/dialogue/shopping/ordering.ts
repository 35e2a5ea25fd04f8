import { sizeKey } from '@qatra/contract/products/sizes'
import { partNames } from '@qatra/contract/users/address-parts'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { namesProduct } from '../../understanding/item-request.ts'
import type { Item } from '../../understanding/resolving.ts'
import { understand } from '../../understanding/understand.ts'
import { type RequestedItem, remember, type Wanted } from '../memory.ts'
import { takeSaidName } from '../order-details.ts'
import { orderAgain } from '../orders/orders.ts'
import { callPerson } from '../person.ts'
import { noAddress } from '../places/addresses.ts'
import {
  handleFullAddress,
  handlePlace,
  holdsAddress,
  placeNamed,
  sourceOf,
  takePlace,
  takePoint,
} from '../places/place.ts'
import { joinedAddress, partText, storeAddress } from '../places/written-address.ts'
import { type HandlerResult, type Next, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { changeCart, onlyOf, requestOf } from './cart-changes.ts'
import { performOnCart, takeItem } from './requested-items.ts'
import { advance, showProducts } from './shopping.ts'

const isBareBrand = ({ vendorId, quantity, size, kinds, relative }: Item) =>
  vendorId !== null && quantity === null && size === null && kinds.length === 0 && relative === null

/** A brand alone on its line that the products beside it belong to. */
const isBrandOf = (item: Item, other: Item) =>
  isBareBrand(item) && !isBareBrand(other) && other.vendorId === item.vendorId

/** `sorry, 3 cartons of the glass`: new quantities of lines that are in the cart already. */
function isOfLines({ meaning, cart }: TurnContext): boolean {
  const { items, isCorrection } = meaning.slots
  return (
    isCorrection &&
    items.length > 0 &&
    items.every(
      (item) =>
        item.change === 'add' &&
        !item.isExplicit &&
        item.quantity !== null &&
        item.unit !== 'bottle' &&
        cart.items.some(({ productId }) => productId === onlyOf(item)),
    )
  )
}

/** The products of the list that is being chosen from, where it is shown whole. */
function productsShown({ memory, facts }: TurnContext): CatalogueProduct[] {
  if (memory.state !== 'product' || memory.choices.some((id) => id.startsWith('page:'))) return []
  return memory.choices.flatMap((id) => facts.catalogue.products.get(Number(id.replace('product:', ''))) ?? [])
}

/** `330`, to a list of two sparkling waters: the one of that size, of these. */
function takeSizeShown(turn: TurnContext, item: Item): boolean {
  const isSizeAlone = item.size !== null && item.kinds.length === 0 && !item.isExplicit && item.relative === null
  if (!isSizeAlone || turn.meaning.slots.place !== null) return false
  const [only, ...others] = productsShown(turn).filter(({ size }) => sizeKey(size) === item.size)
  if (!only || others.length > 0 || (item.vendorId ?? only.vendorId) !== only.vendorId) return false
  const quantity = item.quantity ?? turn.memory.quantity
  remember(turn.memory, { productId: only.id, vendorId: only.vendorId, quantity })
  return true
}

/** Says what was left open: the brand, or the size of a kind. */
const completes = ({ size, kinds, relative, vendorId }: Item, wanted: Wanted): boolean =>
  (kinds.length === 0 && size === null && relative === null) ||
  (vendorId === null && (size === null ? wanted.kinds.length === 0 : wanted.size === null && wanted.relative === null))

const joinedWanted = (before: Wanted | null, { size, kinds, relative, unit, quantity }: Item): Wanted => ({
  size: size ?? before?.size ?? null,
  kinds: kinds.length > 0 ? [...kinds] : (before?.kinds ?? []),
  relative: relative ?? before?.relative ?? null,
  unit: quantity === null ? (unit ?? before?.unit ?? null) : unit,
})

/** Puts all wanted items of the message into the cart, one after the other, with their place and address. */
export function* orderItems(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  // A row of the list and how many of it.
  if (meaning.slots.rows.length > 0 && memory.state === 'product') return 'lost'
  if (isOfLines(turn)) {
    const items = meaning.slots.items.map((item) => ({ ...item, change: 'set' as const }))
    turn.meaning = { ...meaning, slots: { ...meaning.slots, items } }
    return yield* changeCart(turn)
  }
  const items = meaning.slots.items.filter(
    (item, _, all) =>
      item.change !== 'refuse' && item.change !== 'remove' && !all.some((other) => isBrandOf(item, other)),
  )
  // Nothing is added while one of them is open.
  const isOpenItem = (item: Item) =>
    namesProduct(item) ? onlyOf(item) === null || item.quantity === null : item.quantity !== null
  const [first, ...later] = [...items.filter(isOpenItem), ...items.filter((item) => !isOpenItem(item))]
  if (!first) return 'lost'
  if (later.length === 0 && takeSizeShown(turn, first)) return yield* advance(turn)
  if (meaning.slots.isInstead && turn.cart.items.length > 0) yield* performOnCart(turn, { do: 'clear' })
  const asked = memory.productId
  const isOpen = memory.productId === null || onlyOf(first) === memory.productId
  const isBrandOnly =
    first.size === null && first.kinds.length === 0 && first.relative === null && onlyOf(first) === null
  const request = requestOf(first)
  // `2 cartons 500 ml` was written first, the brand now.
  const isRest = isOpen && memory.wanted !== null && completes(first, memory.wanted)
  takeItem(turn, {
    ...request,
    wanted: isRest ? joinedWanted(memory.wanted, first) : request.wanted,
    quantity: first.quantity ?? (isOpen ? memory.quantity : null),
  })
  // The quantity that was asked for: what waits behind it stays.
  const isAnswer = memory.state === 'quantity' && later.length === 0 && onlyOf(first) === asked
  if (!isAnswer && (later.length > 0 || first.quantity !== null || !isBrandOnly)) memory.later = later.map(requestOf)
  const place = meaning.intent === 'order' || turn.cart.items.length === 0 ? placeNamed(turn) : null
  if (place) {
    const next = takePoint(turn, place.point, sourceOf(place))
    if (next !== 'advance' && next !== 'checkout') return next
  }
  takeAddress(turn)
  takeSaidName(turn)
  const next = yield* advance(turn)
  const fitting = first.productIds.flatMap((id) => facts.catalogue.products.get(id) ?? [])
  return next === 'product' && fitting.length > 1 ? showProducts(turn, 0, fitting) : next
}

/** Block and road or building beside an order. */
function takeAddress(turn: TurnContext): void {
  const { address } = turn.meaning.slots
  const names = partNames.filter((name) => address?.parts[name] !== undefined)
  if (!address || names.length < 2) return
  const pieces = names.map((name) => partText(turn, name, address.parts[name] ?? ''))
  storeAddress(turn, { ...address, text: joinedAddress(turn, pieces) })
}

/** `زيد كرتون`, of an empty cart. */
export const orderAdded = (turn: TurnContext): HandlerResult =>
  turn.meaning.slots.items.some(({ change }) => change === 'add') ? orderItems(turn) : 'lost'

/** `500` after the brand. A size that none of a few products in question has is none of another product. */
export function orderOfSize(turn: TurnContext): HandlerResult {
  const sizes = turn.meaning.slots.items.flatMap(({ size }) => size ?? [])
  if (sizes.length === 0) return 'lost'
  const shown = productsShown(turn)
  const isOfShown = shown.length === 0 || shown.some(({ size }) => sizes.includes(sizeKey(size)))
  return isOfShown ? orderItems(turn) : showProducts(turn, 0, shown)
}

/** `I want water in Seef` */
export function beginOrder(turn: TurnContext): Next {
  turn.memory.productId = null
  if (turn.memory.point !== null) return 'order'
  const place = placeNamed(turn)
  if (place) return takePlace(turn, place)
  if (turn.meaning.slots.place === null) return 'order'
  takeAddress(turn)
  return handlePlace(turn)
}

/** `نفس الطلب بس زيد كرتون`, `the same, but to road 1805, building 99`: the last order in the cart, then what differs. */
export function* orderAgainDifferently(turn: TurnContext): Conversation<Next> {
  const { memory, facts, meaning } = turn
  const isToAddress = meaning.slots.items.length === 0
  const place = placeNamed(turn)
  if (isToAddress && !holdsAddress(turn) && !meaning.slots.isElsewhere && place === null) return 'lost'
  const next = yield* orderAgain(turn)
  if (next !== 'checkout') return next
  if (isToAddress) {
    remember(memory, { point: null, pinSource: null, ...noAddress })
    if (holdsAddress(turn)) return handleFullAddress(turn)
    return place ? takePoint(turn, place.point, sourceOf(place)) : 'place'
  }
  const lines = turn.cart.items.map(({ productId, quantity }) => ({ productId, quantity }))
  const known = { state: memory.state, vendorId: turn.cart.vendorId, productId: null, cart: lines, lastOrder: lines }
  turn.meaning = understand(meaning.text, facts.catalogue, known)
  return yield* changeCart(turn)
}

/** Puts the products of a cart of Meta's catalogue into ours; a person answers if we have none of them. */
export function* orderFromCatalogue(turn: TurnContext): Conversation<Next> {
  const { memory, facts, incoming } = turn
  const asked = incoming.parts.items ?? []
  const items = asked.flatMap(({ retailerId, quantity }): RequestedItem[] => {
    const product = facts.catalogue.products.get(Number(retailerId))
    return product?.isActive ? [{ vendorId: product.vendorId, productId: product.id, wanted: null, quantity }] : []
  })
  const [first, ...later] = items
  if (!first) return yield* callPerson(turn, 'not-understood')
  if (items.length < asked.length) replyText(turn, say(turn, 'bot.product.gone'))
  remember(memory, { later })
  takeItem(turn, first)
  return yield* advance(turn)
}
