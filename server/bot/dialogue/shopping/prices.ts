import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, timesFils } from '@qatra/contract/lib/money'
import { sizeKey } from '@qatra/contract/products/sizes'
import { areaAt, vendorsServing } from '../../../areas/queries.ts'
import type { CatalogueProduct } from '../../../products/snapshot.ts'
import { limits } from '../../../providers/message.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { emptyRequest, type ItemRequest } from '../../understanding/item-request.ts'
import { offeredFor, productsOf } from '../../understanding/products.ts'
import { isCheckingOut, remember, type Wanted } from '../memory.ts'
import { adoptDelivery } from '../places/addresses.ts'
import { chosenVendor, namedVendor, placeNamed, sourceOf, takePoint, takeSaidPlace } from '../places/place.ts'
import { type Choice, enter, list, type Next, offer, paged, replyText, say, type TurnContext } from '../replies.ts'
import { cartText, countedItem, itemName } from './cart-text.ts'
import { wantedOf } from './requested-items.ts'
import { isQuantity, showProducts, termsOf } from './shopping.ts'

/** Vendors that can deliver; all while the place is unknown. */
function within(turn: TurnContext): CatalogueVendor[] {
  const { catalogue } = turn.facts
  const area = turn.memory.point && areaAt(catalogue, turn.memory.point)
  return area ? vendorsServing(catalogue, area.id) : [...catalogue.vendors.values()].filter(({ isActive }) => isActive)
}

/** The item asked about, if more than its brand or quantity is said. */
const askedItem = ({ meaning }: TurnContext): ItemRequest | undefined =>
  meaning.slots.items.find(
    ({ productId, size, kinds, relative }) =>
      productId !== null || size !== null || kinds.length > 0 || relative !== null,
  )

function wantedAsked(turn: TurnContext): Wanted | null {
  const asked = askedItem(turn)
  return asked ? wantedOf(asked) : null
}

/** `and Ghaima?`, where another brand's product was asked about: the same size. */
export function sameSize(turn: TurnContext, named: CatalogueVendor | null): ItemRequest | undefined {
  const { memory, facts } = turn
  const before = memory.state === 'quantity' ? facts.catalogue.products.get(memory.productId ?? 0) : undefined
  if (!before || named === null || named.id === before.vendorId || askedItem(turn)) return undefined
  return { ...emptyRequest('add', false), vendorId: named.id, size: sizeKey(before.size) }
}

/** Products asked about: of the named or current vendor, else of all. */
export function productsAskedFor(turn: TurnContext, named: CatalogueVendor | null): readonly CatalogueProduct[] {
  const { memory, facts } = turn
  const asked = askedItem(turn) ?? sameSize(turn, named)
  const inVendor = ({ id }: CatalogueVendor) => (asked ? offeredFor(facts.catalogue, { ...asked, vendorId: id }) : [])
  const own = named ?? chosenVendor(turn)
  const found = own ? inVendor(own) : []
  if (found.length > 0 || named) return found
  const anywhere = within(turn).flatMap(inVendor)
  if (anywhere.length > 0) return anywhere
  const present = facts.catalogue.products.get(memory.productId ?? 0)
  return present?.isActive ? [present] : []
}

/** Of all brands that can deliver. */
export const productsOffered = (turn: TurnContext): CatalogueProduct[] =>
  within(turn).flatMap(({ id }) => productsOf(turn.facts.catalogue, id))

/** Prices, followed by a question: quantity of a single product, a choice of several, or the brands. */
export function showPrices(turn: TurnContext): Next {
  const { memory, facts, cart } = turn
  adoptDelivery(turn)
  const named = namedVendor(turn)
  const products = productsAskedFor(turn, named)
  if (isCheckingOut(memory.state)) {
    replyText(turn, products.length > 0 ? products.slice(0, limits.rows).map(lineOf(turn)).join('\n') : cartText(turn))
    return 'checkout'
  }
  const [only] = products
  if (only && products.length === 1) return showPrice(turn, only)
  const vendor = named ?? (products.length === 0 ? chosenVendor(turn) : vendorOfAll(turn, products))
  if (vendor) {
    if (memory.state === 'cart' && products.length === 0 && !named && cart.items.length > 0) return 'cart'
    remember(memory, { vendorId: vendor.id, productId: null, wanted: wantedAsked(turn) })
    return showProducts(turn, 0, products.length > 0 ? products : productsOf(facts.catalogue, vendor.id))
  }
  return products.length > 0 ? comparePrices(turn, products) : showBrands(turn)
}

function vendorOfAll({ facts }: TurnContext, [first, ...rest]: readonly CatalogueProduct[]): CatalogueVendor | null {
  const isOne = first && rest.every(({ vendorId }) => vendorId === first.vendorId)
  return (isOne && facts.catalogue.vendors.get(first.vendorId)) || null
}

const lineOf = (turn: TurnContext) => (product: CatalogueProduct) =>
  say(turn, 'bot.price.line', { name: itemName(turn, product), terms: termsOf(turn, product) })

function showPrice(turn: TurnContext, product: CatalogueProduct): Next {
  const { memory, meaning } = turn
  remember(memory, { vendorId: product.vendorId, productId: product.id, quantity: null, wanted: null })
  enter(turn, 'quantity')
  const quantity = meaning.slots.items[0]?.quantity ?? null
  const count = quantity !== null && quantity > 1 && isQuantity(quantity) ? quantity : null
  const amount = formatMoney(timesFils(product.price, count ?? 1), memory.language)
  const sum = count === null ? [] : [say(turn, 'bot.cart.line', { item: countedItem(turn, product, count), amount })]
  return offer(
    turn,
    [lineOf(turn)(product), ...sum, say(turn, 'bot.price.ask')].join('\n'),
    (count === null ? [1, 2, 3] : [count]).map(
      (one): Choice => [`qty:${one}`, say(turn, 'bot.price.add', { count: one })],
    ),
  )
}

const cheaperFirst = (a: CatalogueProduct, b: CatalogueProduct) => a.price - b.price || a.id - b.id

/** Compares several brands, cheapest first. */
function comparePrices(turn: TurnContext, products: readonly CatalogueProduct[]): Next {
  const { catalogue } = turn.facts
  enter(turn, 'product')
  remember(turn.memory, { vendorId: null, productId: null, wanted: wantedAsked(turn) })
  const rows = [...products].sort(cheaperFirst).map((product): Choice => {
    const vendor = catalogue.vendors.get(product.vendorId)
    const title = vendor ? nameIn(turn.memory.language, vendor) : itemName(turn, product)
    return [`product:${product.id}`, title, lineOf(turn)(product)]
  })
  return list(turn, say(turn, 'bot.price.compare'), rows)
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
  return list(
    turn,
    say(turn, 'bot.price.brands'),
    paged(turn, sorted, page, (next) => `page:brands:${next}`),
  )
}

/** `how much is it in Seef?` */
export function showPricesAsked(turn: TurnContext): Next {
  takeSaidPlace(turn)
  return showPrices(turn)
}

/** `do you have it?`, `do you come to Seef?` */
export function answerWhetherSold(turn: TurnContext): Next {
  const place = turn.meaning.slots.items.length === 0 ? placeNamed(turn) : null
  return place ? takePoint(turn, place.point, sourceOf(place)) : showPricesAsked(turn)
}

/** The products of a named brand, else the brands. */
export function showBrandOrVendors(turn: TurnContext): Next {
  if (namedVendor(turn)) return showPrices(turn)
  remember(turn.memory, { productId: null, vendorId: null })
  return 'vendor'
}
