import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, timesFils } from '@qatra/contract/lib/money'
import type { VendorTopic } from '@qatra/contract/whatsapp/bot'
import { areaAt, vendorsServing } from '../../../areas/queries.ts'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { limits } from '../../../providers/message.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { answerText } from '../../knowledge/facts.ts'
import type { ItemRequest } from '../../understanding/item-request.ts'
import { offeredFor, productsOf } from '../../understanding/products.ts'
import { isFree, remember } from '../memory.ts'
import { hasOpenOrder, showOrders } from '../orders/orders.ts'
import { adoptDelivery } from '../places/addresses.ts'
import { areaOf, chosenVendor, explainNotServed, serves } from '../places/place.ts'
import { type Choice, enter, list, type Next, offer, paged, replyText, say, type TurnContext } from '../replies.ts'
import type { Conversation } from '../turn-context.ts'
import { cartText, countedItem, itemName } from './cart-text.ts'
import { isQuantity, packOf, showProducts } from './shopping.ts'

/** Vendors that can deliver; all while the place is unknown. */
function within(turn: TurnContext): CatalogueVendor[] {
  const { catalogue } = turn.facts
  const area = turn.memory.point && areaAt(catalogue, turn.memory.point)
  return area ? vendorsServing(catalogue, area.id) : [...catalogue.vendors.values()].filter(({ isActive }) => isActive)
}

/** The named active vendor; null if none or several are named. */
export function namedVendor({ meaning, facts }: TurnContext): CatalogueVendor | null {
  const [only, ...others] = new Set(meaning.slots.items.flatMap(({ vendorId }) => vendorId ?? []))
  const vendor = others.length > 0 ? undefined : facts.catalogue.vendors.get(only ?? 0)
  return vendor?.isActive ? vendor : null
}

/** The item asked about, if more than its brand or quantity is said. */
const askedItem = ({ meaning }: TurnContext): ItemRequest | undefined =>
  meaning.slots.items.find(
    ({ productId, size, kinds, relative }) =>
      productId !== null || size !== null || kinds.length > 0 || relative !== null,
  )

/** Products asked about: of the named or current vendor, else of all. */
function productsAskedFor(turn: TurnContext, named: CatalogueVendor | null): readonly CatalogueProduct[] {
  const { memory, facts } = turn
  const asked = askedItem(turn)
  const inVendor = ({ id }: CatalogueVendor) => (asked ? offeredFor(facts.catalogue, { ...asked, vendorId: id }) : [])
  const own = named ?? chosenVendor(turn)
  const found = own ? inVendor(own) : []
  if (found.length > 0 || named) return found
  const anywhere = within(turn).flatMap(inVendor)
  if (anywhere.length > 0) return anywhere
  const present = facts.catalogue.products.get(memory.productId ?? 0)
  return present?.isActive ? [present] : []
}

const isOrderInProgress = ({ memory }: TurnContext) => isFree(memory.state) || memory.state === 'confirm'

/** Prices, followed by a question: quantity of a single product, a choice of several, or the brands. */
export function showPrices(turn: TurnContext): Next {
  const { memory, facts, cart } = turn
  adoptDelivery(turn)
  const named = namedVendor(turn)
  const products = productsAskedFor(turn, named)
  if (isOrderInProgress(turn)) {
    replyText(turn, products.length > 0 ? products.slice(0, limits.rows).map(lineOf(turn)).join('\n') : cartText(turn))
    return 'checkout'
  }
  const [only] = products
  if (only && products.length === 1) return showPrice(turn, only)
  const vendor = named ?? (products.length === 0 ? chosenVendor(turn) : vendorOfAll(turn, products))
  if (vendor) {
    if (memory.state === 'cart' && products.length === 0 && !named && cart.items.length > 0) return 'cart'
    remember(memory, { vendorId: vendor.id, productId: null, size: askedItem(turn)?.size ?? null })
    return showProducts(turn, 0, products.length > 0 ? products : productsOf(facts.catalogue, vendor.id))
  }
  return products.length > 0 ? comparePrices(turn, products) : showBrands(turn)
}

function vendorOfAll({ facts }: TurnContext, [first, ...rest]: readonly CatalogueProduct[]): CatalogueVendor | null {
  const isOne = first && rest.every(({ vendorId }) => vendorId === first.vendorId)
  return (isOne && facts.catalogue.vendors.get(first.vendorId)) || null
}

/** `1.600 BHD · carton of 20` */
const termsOf = (turn: TurnContext, product: CatalogueProduct): string => {
  const price = formatMoney(product.price, turn.memory.language)
  const pack = packOf(turn, product)
  return pack ? say(turn, 'bot.product.terms', { price, pack }) : price
}

const lineOf = (turn: TurnContext) => (product: CatalogueProduct) =>
  say(turn, 'bot.price.line', { name: itemName(turn, product), terms: termsOf(turn, product) })

function showPrice(turn: TurnContext, product: CatalogueProduct): Next {
  const { memory, meaning } = turn
  remember(memory, { vendorId: product.vendorId, productId: product.id, quantity: null, size: null })
  enter(turn, 'quantity')
  const quantity = meaning.slots.items[0]?.quantity ?? null
  const count = quantity !== null && quantity > 1 && isQuantity(quantity) ? quantity : null
  const amount = formatMoney(timesFils(product.price, count ?? 1), memory.language)
  const sum = count === null ? [] : [say(turn, 'bot.cart.line', { item: countedItem(turn, product, count), amount })]
  offer(
    turn,
    [lineOf(turn)(product), ...sum, say(turn, 'bot.price.ask')].join('\n'),
    (count === null ? [1, 2, 3] : [count]).map(
      (one): Choice => [`qty:${one}`, say(turn, 'bot.price.add', { count: one })],
    ),
  )
  return 'answered'
}

const cheaperFirst = (a: CatalogueProduct, b: CatalogueProduct) => a.price - b.price || a.id - b.id

/** Compares several brands, cheapest first. */
function comparePrices(turn: TurnContext, products: readonly CatalogueProduct[]): Next {
  const { catalogue } = turn.facts
  enter(turn, 'product')
  remember(turn.memory, { vendorId: null, productId: null, size: null })
  const rows = [...products].sort(cheaperFirst).map((product): Choice => {
    const vendor = catalogue.vendors.get(product.vendorId)
    const title = vendor ? nameIn(turn.memory.language, vendor) : itemName(turn, product)
    return [`product:${product.id}`, title, lineOf(turn)(product)]
  })
  list(turn, say(turn, 'bot.price.compare'), rows)
  return 'answered'
}

/** Brands, each with its lowest price. */
export function showBrands(turn: TurnContext, page = 0): Next {
  const { language } = turn.memory
  const rows = within(turn).flatMap((vendor): [CatalogueProduct, Choice][] => {
    const [cheapest] = productsOf(turn.facts.catalogue, vendor.id).sort(cheaperFirst)
    if (!cheapest) return []
    const from = say(turn, 'bot.price.from', { price: formatMoney(cheapest.price, language) })
    return [[cheapest, [`prices:${vendor.id}`, nameIn(language, vendor), from]]]
  })
  if (rows.length === 0) return 'vendor'
  enter(turn, 'vendor')
  const sorted = rows.sort(([a], [b]) => cheaperFirst(a, b)).map(([, row]) => row)
  list(
    turn,
    say(turn, 'bot.price.brands'),
    paged(turn, sorted, page, (next) => `page:brands:${next}`),
  )
  return 'answered'
}

/** Delivery fee, minimum order and delivery time of one vendor, or of each. */
export function showTerms(turn: TurnContext, topic: VendorTopic = 'fees'): Next {
  const { memory, facts } = turn
  adoptDelivery(turn)
  const vendor = namedVendor(turn) ?? chosenVendor(turn)
  const area = areaOf(turn)
  if (vendor && area && !serves(vendor, area)) {
    explainNotServed(turn, vendor, area)
    return 'vendor'
  }
  const text = answerText(facts.catalogue, topic, { lang: memory.language, now: facts.now, vendor })
  // The default is about one brand.
  if (text === null) return 'vendor'
  if (isOrderInProgress(turn)) {
    replyText(turn, text)
    return 'checkout'
  }
  const { choices } = memory
  offer(turn, text, [
    turn.cart.items.length > 0 ? ['go:cart', say(turn, 'bot.menu.cart')] : ['go:order', say(turn, 'bot.menu.order')],
    ['go:menu', say(turn, 'bot.menu.title')],
  ])
  // A list shown before can still be chosen from.
  if (memory.state !== 'idle') memory.choices = choices
  return 'answered'
}

/** Delivery time of open orders, else of a new order. */
export function* showDeliveryTime(turn: TurnContext): Conversation<Next> {
  return (yield* hasOpenOrder(turn)) ? yield* showOrders(turn) : showTerms(turn, 'deliveryTime')
}
