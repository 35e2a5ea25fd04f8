import { formatDay } from '@qatra/contract/calendar'
import { nameIn } from '@qatra/contract/lang'
import { formatMoney, timesFils } from '@qatra/contract/money'
import { areaAt, vendorsServing } from '../areas/queries.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { limits } from '../providers/message.ts'
import { promisedDateFor } from '../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../vendors/snapshot.ts'
import { cartText, itemName } from './cart-text.ts'
import { hasOpenOrder, showOrders } from './dialogue-orders.ts'
import { adoptDelivery, areaOf, explainNotServed, serves, vendorOf } from './dialogue-place.ts'
import { isQuantity, packOf, showProducts } from './dialogue-shopping.ts'
import { productsIn, productsOf, vendorIn } from './matching.ts'
import { isFree, remember } from './memory.ts'
import { type Choice, enter, list, type Next, offer, paged, say, type TurnContext, tell } from './replies.ts'
import type { Conversation } from './turn-context.ts'

/** Vendors that can deliver; all while the place is unknown. */
function within(talk: TurnContext): CatalogueVendor[] {
  const { catalogue } = talk.facts
  const area = talk.memory.point && areaAt(catalogue, talk.memory.point)
  return area ? vendorsServing(catalogue, area.id) : [...catalogue.vendors.values()].filter(({ isActive }) => isActive)
}

/** Products asked about: of the named or current vendor, else of all. */
function askedAbout(talk: TurnContext, named: CatalogueVendor | null): CatalogueProduct[] {
  const { heard, memory, facts } = talk
  const inVendor = ({ id }: CatalogueVendor) => productsIn(facts.catalogue, id, heard)
  const own = named ?? vendorOf(talk)
  const found = own ? inVendor(own) : []
  if (found.length > 0 || named) return found
  const anywhere = within(talk).flatMap(inVendor)
  if (anywhere.length > 0) return anywhere
  const present = facts.catalogue.products.get(memory.productId ?? 0)
  return present?.isActive ? [present] : []
}

const isUnderWay = ({ memory }: TurnContext) => isFree(memory.state) || memory.state === 'confirm'

/** Prices, followed by a question: quantity of a single product, a choice of several, or the brands. */
export function tellPrices(talk: TurnContext): Next {
  const { memory, heard, facts, cart } = talk
  adoptDelivery(talk)
  const named = vendorIn(facts.catalogue, heard.words)
  const asked = askedAbout(talk, named)
  if (isUnderWay(talk)) {
    tell(talk, asked.length > 0 ? asked.slice(0, limits.rows).map(lineOf(talk)).join('\n') : cartText(talk))
    return 'checkout'
  }
  const [only] = asked
  if (only && asked.length === 1) return tellPrice(talk, only)
  const vendor = named ?? (asked.length === 0 ? vendorOf(talk) : vendorOfAll(talk, asked))
  if (vendor) {
    if (memory.state === 'cart' && asked.length === 0 && !named && cart.items.length > 0) return 'cart'
    remember(memory, { vendorId: vendor.id, productId: null, size: heard.size })
    return showProducts(talk, 0, asked.length > 0 ? asked : productsOf(facts.catalogue, vendor.id))
  }
  return asked.length > 0 ? comparePrices(talk, asked) : showBrands(talk)
}

function vendorOfAll({ facts }: TurnContext, [first, ...rest]: readonly CatalogueProduct[]): CatalogueVendor | null {
  const isOne = first && rest.every(({ vendorId }) => vendorId === first.vendorId)
  return (isOne && facts.catalogue.vendors.get(first.vendorId)) || null
}

/** `1.600 BHD · carton of 20` */
const termsOf = (talk: TurnContext, product: CatalogueProduct): string => {
  const price = formatMoney(product.price, talk.memory.language)
  const pack = packOf(talk, product)
  return pack ? say(talk, 'bot.product.terms', { price, pack }) : price
}

const lineOf = (talk: TurnContext) => (product: CatalogueProduct) =>
  say(talk, 'bot.price.line', { name: itemName(talk, product), terms: termsOf(talk, product) })

function tellPrice(talk: TurnContext, product: CatalogueProduct): Next {
  const { memory, heard } = talk
  remember(memory, { vendorId: product.vendorId, productId: product.id, quantity: null, size: null })
  enter(talk, 'quantity')
  const { quantity } = heard
  const count = heard.isOfPacks && quantity !== null && quantity > 1 && isQuantity(quantity) ? quantity : null
  const values = { quantity: count ?? 1, name: itemName(talk, product) }
  const amount = formatMoney(timesFils(product.price, count ?? 1), memory.language)
  const sum = count === null ? [] : [say(talk, 'bot.cart.line', { ...values, amount })]
  offer(
    talk,
    [lineOf(talk)(product), ...sum, say(talk, 'bot.price.ask')].join('\n'),
    (count === null ? [1, 2, 3] : [count]).map(
      (one): Choice => [`qty:${one}`, say(talk, 'bot.price.add', { count: one })],
    ),
  )
  return 'answered'
}

const cheaperFirst = (a: CatalogueProduct, b: CatalogueProduct) => a.price - b.price || a.id - b.id

/** Compares several brands, cheapest first. */
function comparePrices(talk: TurnContext, products: readonly CatalogueProduct[]): Next {
  const { catalogue } = talk.facts
  enter(talk, 'product')
  remember(talk.memory, { vendorId: null, productId: null, size: null })
  const rows = [...products].sort(cheaperFirst).map((product): Choice => {
    const vendor = catalogue.vendors.get(product.vendorId)
    const title = vendor ? nameIn(talk.memory.language, vendor) : itemName(talk, product)
    return [`product:${product.id}`, title, lineOf(talk)(product)]
  })
  list(talk, say(talk, 'bot.price.compare'), rows)
  return 'answered'
}

/** Brands, each with its lowest price. */
export function showBrands(talk: TurnContext, page = 0): Next {
  const { language } = talk.memory
  const rows = within(talk).flatMap((vendor): [CatalogueProduct, Choice][] => {
    const [cheapest] = productsOf(talk.facts.catalogue, vendor.id).sort(cheaperFirst)
    if (!cheapest) return []
    const from = say(talk, 'bot.price.from', { price: formatMoney(cheapest.price, language) })
    return [[cheapest, [`prices:${vendor.id}`, nameIn(language, vendor), from]]]
  })
  if (rows.length === 0) return 'vendor'
  enter(talk, 'vendor')
  const sorted = rows.sort(([a], [b]) => cheaperFirst(a, b)).map(([, row]) => row)
  list(
    talk,
    say(talk, 'bot.price.brands'),
    paged(talk, sorted, page, (next) => `page:brands:${next}`),
  )
  return 'answered'
}

/** Delivery fee, minimum order and delivery time of one vendor, or of each. */
export function tellTerms(talk: TurnContext): Next {
  const { memory, facts, heard } = talk
  adoptDelivery(talk)
  const vendor = vendorIn(facts.catalogue, heard.words) ?? vendorOf(talk)
  if (!vendor) return 'vendor'
  const { language } = memory
  const area = areaOf(talk)
  if (area && !serves(vendor, area)) {
    explainNotServed(talk, vendor, area)
    return 'vendor'
  }
  const fee = vendor.deliveryFee === 0 ? say(talk, 'bot.free') : formatMoney(vendor.deliveryFee, language)
  const minimum = formatMoney(vendor.minDeliveryAmount, language)
  const day = formatDay(promisedDateFor(facts.catalogue, vendor, facts.now), language, 'long')
  const text = say(talk, 'bot.fee.vendor', { vendor: nameIn(language, vendor), fee, minimum, day })
  if (isUnderWay(talk)) {
    tell(talk, text)
    return 'checkout'
  }
  const { choices } = memory
  offer(talk, text, [
    talk.cart.items.length > 0 ? ['go:cart', say(talk, 'bot.menu.cart')] : ['go:order', say(talk, 'bot.menu.order')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  // A list shown before can still be chosen from.
  if (memory.state !== 'idle') memory.choices = choices
  return 'answered'
}

/** Delivery time of open orders, else of a new order. */
export function* tellWhen(talk: TurnContext): Conversation<Next> {
  return (yield* hasOpenOrder(talk)) ? yield* showOrders(talk) : tellTerms(talk)
}
