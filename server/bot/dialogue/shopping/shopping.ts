import type { CartItem } from '@qatra/contract/cart/cart'
import { quantityLimit } from '@qatra/contract/cart/rules'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd, minimumLeft, timesFils } from '@qatra/contract/lib/money'
import { compareSizes, formatSize } from '@qatra/contract/products/sizes'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { productsOf } from '../../understanding/products.ts'
import { remember } from '../memory.ts'
import { adoptDelivery } from '../places/addresses.ts'
import { chosenVendor, explainNotServed, serves } from '../places/place.ts'
import { areaOf } from '../places/places.ts'
import {
  type BotKey,
  type Choice,
  enter,
  type HandlerResult,
  list,
  type Next,
  offer,
  paged,
  replyText,
  say,
  type TurnContext,
} from '../replies.ts'
import type { Conversation, Intent } from '../turn-context.ts'
import { giveSaidEmpties } from './bottles.ts'
import { cartText, countedItem, itemName, packOf, packsText, rowOfLine, shortName } from './cart-text.ts'
import {
  bottlesWanted,
  clearRequestedItem,
  handleNextItem,
  nearestTo,
  performOnCart,
  setLines,
  wantedFrom,
} from './requested-items.ts'

/** Asks for the next missing detail: place, vendor, product, quantity, name. */
export function* advance(turn: TurnContext): Conversation<Next> {
  const { memory, facts } = turn
  if (memory.changing?.kind === 'address') return 'checkout'
  adoptDelivery(turn)
  const area = areaOf(turn)
  if (!area) return 'place'
  const vendor = chosenVendor(turn)
  if (vendor && !serves(vendor, area)) {
    explainNotServed(turn, vendor, area)
    remember(memory, { vendorId: null, productId: null })
    return 'vendor'
  }
  if (!vendor) return 'vendor'
  memory.vendorId = vendor.id
  const fitting = memory.productId === null ? (wantedFrom(turn, vendor.id) ?? []) : []
  const product =
    memory.productId === null
      ? fitting.length === 1
        ? fitting[0]
        : undefined
      : facts.catalogue.products.get(memory.productId)
  if (!product?.isActive || product.vendorId !== vendor.id) {
    if (memory.productId !== null) replyText(turn, say(turn, 'bot.product.gone'))
    memory.productId = null
    return 'product'
  }
  memory.productId = product.id
  if (memory.quantity === null || bottlesWanted(turn, product) !== null) return 'quantity'
  if (!isQuantity(memory.quantity)) {
    replyText(turn, noQuantity(turn, memory.quantity))
    memory.quantity = null
    return 'quantity'
  }
  if (turn.person.phone === null) return 'phone'
  return yield* addRequested(turn, { do: 'add', productId: product.id, quantity: memory.quantity })
}

export const isQuantity = (count: number) => Number.isInteger(count) && count >= 1 && count <= quantityLimit

export const noQuantity = (turn: TurnContext, count: number): string =>
  Number.isInteger(count) ? say(turn, 'bot.quantity.limit', { limit: quantityLimit }) : say(turn, 'bot.quantity.whole')

/** Adds the product to the cart or to a new one. */
function* addRequested(turn: TurnContext, intent: Extract<Intent, { do: 'add' | 'switch' }>): Conversation<Next> {
  const { memory, facts } = turn
  const before = turn.cart.items.find(({ productId }) => productId === intent.productId)
  const outcome = yield* performOnCart(turn, intent)
  if (outcome.ok) {
    const product = facts.catalogue.products.get(memory.productId ?? 0)
    const item = product ? countedItem(turn, product, memory.quantity ?? 1) : ''
    replyText(turn, say(turn, 'bot.cart.added', { item }))
    yield* giveSaidEmpties(turn, intent.do === 'add' ? before : undefined)
    const replaced = turn.cart.items.filter(({ productId }) => memory.replaced.includes(productId))
    yield* setLines(
      turn,
      replaced.map((line) => ({ line, quantity: 0 })),
    )
    remember(memory, { productId: null, quantity: null, empties: null, wanted: null, replaced: [] })
    return handleNextItem(turn)
  }
  if (outcome.code === 'CART_VENDOR_CONFLICT') return askSwitch(turn)
  const isFull = outcome.code === 'QUANTITY_LIMIT'
  replyText(turn, isFull ? say(turn, 'bot.quantity.limit', { limit: quantityLimit }) : say(turn, 'bot.product.gone'))
  remember(memory, { productId: null, quantity: null, wanted: null, later: [] })
  return isFull ? 'cart' : 'product'
}

/** The cart has another brand than the requested product. */
export function askSwitch(turn: TurnContext): Next {
  const { memory, facts, cart } = turn
  const named = (id: number | null) => {
    const vendor = facts.catalogue.vendors.get(id ?? 0)
    return vendor ? nameIn(memory.language, vendor) : ''
  }
  enter(turn, 'switch')
  return offer(turn, say(turn, 'bot.switch.ask', { vendor: named(cart.vendorId), wished: named(memory.vendorId) }), [
    ['switch', say(turn, 'bot.switch.yes')],
    ['no', say(turn, 'bot.switch.no')],
  ])
}

/** Keeps the old cart and starts a new one with the requested product. */
export function* switchVendor(turn: TurnContext): Conversation<Next> {
  const { productId, quantity } = turn.memory
  if (productId === null || quantity === null) return 'cart'
  return yield* addRequested(turn, { do: 'switch', productId, quantity })
}

/** Drops the requested product and keeps the cart's vendor. */
export function keepVendor(turn: TurnContext): Next {
  clearRequestedItem(turn)
  return 'cart'
}

/** `keep Hayrat`: one of the two brands. */
export function chooseVendor(turn: TurnContext): HandlerResult {
  const { cart, memory, meaning } = turn
  const { items } = meaning.slots
  const isBrand = items.length > 0 && items.every(({ quantity, vendorId }) => quantity === null && vendorId !== null)
  const [only, ...others] = new Set(items.map(({ vendorId }) => vendorId))
  if (!isBrand || others.length > 0) return 'lost'
  // `not Hayrat`
  const isOther = items.some(({ change }) => change === 'refuse' || change === 'remove')
  if (only === (isOther ? memory.vendorId : cart.vendorId)) return keepVendor(turn)
  return only === (isOther ? cart.vendorId : memory.vendorId) ? switchVendor(turn) : 'lost'
}

/** The vendor's products, best matches first. */
export function showProducts(turn: TurnContext, page = 0, fitting?: readonly CatalogueProduct[]): Next {
  const { memory, facts } = turn
  const vendor = chosenVendor(turn)
  if (!vendor) return 'vendor'
  const { language } = memory
  const wanted = wantedFrom(turn, vendor.id)
  const requested = fitting ?? (wanted?.length === 0 ? nearestTo(turn, vendor.id) : (wanted ?? []))
  const all = requested.length > 0 ? requested : productsOf(facts.catalogue, vendor.id)
  if (!fitting && wanted?.length === 0) {
    replyText(turn, say(turn, 'bot.product.notSuch', { vendor: nameIn(language, vendor) }))
    // The count of bottles stays one.
    memory.wanted = memory.wanted?.unit === 'bottle' ? { size: null, kinds: [], relative: null, unit: 'bottle' } : null
  }
  if (all.length === 0) {
    replyText(turn, say(turn, 'bot.product.none', { vendor: nameIn(language, vendor) }))
    memory.vendorId = null
    return turn.cart.vendorId === vendor.id ? 'menu' : 'vendor'
  }
  enter(turn, 'product')
  memory.productId = null
  const rows = [...all]
    .sort((a, b) => compareSizes(a.size, b.size) || a.price - b.price || a.id - b.id)
    .map((product) => productRow(turn, product, vendor))
  return list(
    turn,
    say(turn, 'bot.product.ask', { vendor: nameIn(language, vendor) }),
    paged(turn, rows, page, (next) => `page:product:${next}`),
  )
}

function productRow(
  turn: TurnContext,
  product: CatalogueProduct,
  vendor: { name: string; nameAr: string | null },
): Choice {
  const { language } = turn.memory
  const name = nameIn(language, product)
  const short = shortName(name, nameIn(language, vendor))
  const title = say(turn, 'bot.product.title', { size: formatSize(product.size, language), name: short })
  return [`product:${product.id}`, title, termsOf(turn, product)]
}

/** `1.600 BHD · carton of 20`, `0.800 BHD · gallon · exchange, or deposit 2.000 BHD` */
export function termsOf(turn: TurnContext, product: CatalogueProduct): string {
  const price = formatMoney(product.price, turn.memory.language)
  const pack = packOf(turn, product)
  const terms = pack ? say(turn, 'bot.product.terms', { price, pack }) : price
  const { bottle } = product
  if (bottle?.terms !== 'exchange') return terms
  return say(turn, 'bot.product.deposit', { terms, deposit: formatMoney(bottle.deposit, turn.memory.language) })
}

export function askQuantity(turn: TurnContext): Next {
  const { memory, facts } = turn
  const product = facts.catalogue.products.get(memory.productId ?? 0)
  if (!product) return 'product'
  enter(turn, 'quantity')
  const price = formatMoney(product.price, memory.language)
  const bottles = bottlesWanted(turn, product)
  if (bottles !== null) return offerPacks(turn, product, bottles)
  return offer(
    turn,
    say(turn, 'bot.quantity.ask', { name: itemName(turn, product), pack: packOf(turn, product), price }),
    [1, 2, 3].map((count): Choice => [`qty:${count}`, say(turn, 'bot.quantity.button', { count })]),
  )
}

function offerPacks(turn: TurnContext, product: CatalogueProduct, bottles: number): Next {
  const packs = bottles / product.unitsPerInventoryUnit
  const counts = [...new Set([Math.ceil(packs), Math.floor(packs)])].filter(isQuantity)
  const amount = formatMoney(timesFils(product.price, counts[0] ?? 1), turn.memory.language)
  const add = (count: number): Choice => [`qty:${count}`, say(turn, 'bot.price.add', { count })]
  turn.memory.quantity = null
  return offer(turn, `${packsText(turn, product, bottles)}\n${say(turn, 'bot.bottles.ask', { amount })}`, [
    ...counts.map(add),
    ['no', say(turn, 'bot.bottles.no')],
  ])
}

/** A yes to the only number of packs that is offered. */
export function agreeToCount({ memory }: TurnContext): Next {
  const [only, ...others] = memory.choices.flatMap((id) => (id.startsWith('qty:') ? [Number(id.slice(4))] : []))
  if (only === undefined || others.length > 0) return 'lost'
  remember(memory, { quantity: only, wanted: null })
  return 'advance'
}

export function showCart(turn: TurnContext): Next {
  const { cart, memory, facts } = turn
  if (cart.items.length === 0) {
    enter(turn, 'idle')
    return offer(turn, say(turn, 'bot.cart.empty'), ['go:order', 'go:menu'])
  }
  enter(turn, 'cart')
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  const minimum = vendor?.minDeliveryAmount ?? null
  const left = minimumLeft(fromBhd(cart.subtotal), minimum)
  const missing =
    left > 0
      ? say(turn, 'bot.cart.minimum', {
          left: formatMoney(left, memory.language),
          minimum: minimum === null ? '' : formatMoney(minimum, memory.language),
        })
      : say(turn, 'bot.cart.next')
  const more: Choice = 'go:more'
  const edit: Choice = 'go:edit'
  const checkout: Choice = 'go:checkout'
  return offer(turn, `${cartText(turn)}\n\n${missing}`, left > 0 ? [more, edit, 'go:menu'] : [checkout, more, edit])
}

/** Options to change the order. */
export function showEditing(turn: TurnContext, page = 0, ask: BotKey = 'bot.edit.ask'): Next {
  const { cart } = turn
  if (cart.items.length === 0) return 'cart'
  enter(turn, 'cart')
  const items = cart.items.map((item) => rowOfLine(turn, item, 'item'))
  const others: Choice[] = ['go:place', 'go:name', 'go:notes', 'go:clear']
  return list(
    turn,
    say(turn, ask),
    paged(turn, [...items, ...others], page, (next) => `page:edit:${next}`),
  )
}

const findItem = ({ cart, memory }: TurnContext): CartItem | undefined =>
  cart.items.find(({ id }) => id === memory.itemId)

export function askItem(turn: TurnContext): Next {
  const item = findItem(turn)
  if (!item) return 'edit'
  enter(turn, 'item')
  return offer(turn, say(turn, 'bot.item.ask', { item: countedItem(turn, item, item.quantity) }), [
    [`drop:${item.id}`, say(turn, 'bot.item.drop')],
    ['go:cart', say(turn, 'bot.item.keep')],
  ])
}

export function* changeItem(turn: TurnContext, itemId: number, quantity: number): Conversation<Next> {
  if (quantity > quantityLimit || !Number.isInteger(quantity)) return replyText(turn, noQuantity(turn, quantity))
  const line = turn.cart.items.find(({ id }) => id === itemId)
  if (line) yield* setLines(turn, [{ line, quantity }])
  else replyText(turn, say(turn, 'bot.item.gone'))
  turn.memory.itemId = null
  return 'cart'
}

/** `edit` of a cart that has something in it. */
export const editCart = ({ cart }: TurnContext): Next => (cart.items.length > 0 ? 'edit' : 'lost')

export function* clearAll(turn: TurnContext): Conversation<Next> {
  yield* performOnCart(turn, { do: 'clear' })
  remember(turn.memory, { vendorId: null, productId: null, quantity: null, wanted: null })
  return 'cart'
}
