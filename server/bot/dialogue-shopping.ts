import type { CartItem } from '@qatra/contract/cart'
import { quantityLimit } from '@qatra/contract/cart-rules'
import { nameIn } from '@qatra/contract/lang'
import { formatMoney, fromBhd, minimumLeft } from '@qatra/contract/money'
import { compareSizes, formatSize } from '@qatra/contract/sizes'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { cartText, itemName } from './cart-text.ts'
import { adoptDelivery, areaOf, explainNotServed, serves, vendorOf } from './dialogue-place.ts'
import { productsIn, productsOf, shortName } from './matching.ts'
import { remember } from './memory.ts'
import { type Choice, enter, list, type Next, offer, paged, say, type TurnContext, tell } from './replies.ts'
import { clearRequestedItem, handleNextItem } from './requested-items.ts'
import { act, type Conversation, type Outcomes } from './turn-context.ts'

/** Asks for the next missing detail: place, vendor, product, quantity, name. */
export function* advance(talk: TurnContext): Conversation<Next> {
  const { memory, facts } = talk
  adoptDelivery(talk)
  const area = areaOf(talk)
  if (!area) return 'place'
  const vendor = vendorOf(talk)
  if (vendor && !serves(vendor, area)) {
    explainNotServed(talk, vendor, area)
    remember(memory, { vendorId: null, productId: null })
    return 'vendor'
  }
  if (!vendor) return 'vendor'
  memory.vendorId = vendor.id
  const product = memory.productId === null ? bySize(talk, vendor.id) : facts.catalogue.products.get(memory.productId)
  if (!product?.isActive || product.vendorId !== vendor.id) {
    if (memory.productId !== null) tell(talk, say(talk, 'bot.product.gone'))
    memory.productId = null
    return 'product'
  }
  memory.productId = product.id
  if (memory.quantity === null) return 'quantity'
  if (!isQuantity(memory.quantity)) {
    tell(talk, noQuantity(talk, memory.quantity))
    memory.quantity = null
    return 'quantity'
  }
  if (talk.person.phone === null) return 'phone'
  const { quantity } = memory
  return put(talk, yield* act({ do: 'add', productId: product.id, quantity }))
}

export const isQuantity = (count: number) => Number.isInteger(count) && count >= 1 && count <= quantityLimit

const noQuantity = (talk: TurnContext, count: number): string =>
  Number.isInteger(count) ? say(talk, 'bot.quantity.limit', { limit: quantityLimit }) : say(talk, 'bot.quantity.whole')

/** The only product of the requested size; undefined if there is none or several. */
function bySize({ memory, facts }: TurnContext, vendorId: number): CatalogueProduct | undefined {
  if (memory.size === null) return undefined
  const found = productsIn(facts.catalogue, vendorId, { words: [], size: memory.size })
  return found.length === 1 ? found[0] : undefined
}

/** Handles the outcome of adding the product to the cart. */
function put(talk: TurnContext, outcome: Outcomes['add']): Next {
  const { memory, facts, cart } = talk
  if (outcome.ok) {
    const product = facts.catalogue.products.get(memory.productId ?? 0)
    const name = product ? itemName(talk, product) : ''
    tell(talk, say(talk, 'bot.cart.added', { quantity: memory.quantity ?? 1, name }))
    talk.cart = outcome.cart
    remember(memory, { productId: null, quantity: null, size: null })
    return handleNextItem(talk)
  }
  if (outcome.code === 'CART_VENDOR_CONFLICT') {
    const [old, wished] = [
      facts.catalogue.vendors.get(cart.vendorId ?? 0),
      facts.catalogue.vendors.get(memory.vendorId ?? 0),
    ]
    const names = {
      vendor: old ? nameIn(memory.language, old) : '',
      wished: wished ? nameIn(memory.language, wished) : '',
    }
    enter(talk, 'switch')
    offer(talk, say(talk, 'bot.switch.ask', names), [
      ['switch', say(talk, 'bot.switch.yes')],
      ['no', say(talk, 'bot.switch.no')],
    ])
    return 'answered'
  }
  const isFull = outcome.code === 'QUANTITY_LIMIT'
  tell(talk, isFull ? say(talk, 'bot.quantity.limit', { limit: quantityLimit }) : say(talk, 'bot.product.gone'))
  remember(memory, { productId: null, quantity: null, size: null, later: [] })
  return isFull ? 'cart' : 'product'
}

/** Keeps the old cart and starts a new one with the requested product. */
export function* switchVendor(talk: TurnContext): Conversation<Next> {
  const { productId, quantity } = talk.memory
  if (productId === null || quantity === null) return 'cart'
  return put(talk, yield* act({ do: 'switch', productId, quantity }))
}

/** Drops the requested product and keeps the cart's vendor. */
export function keepVendor(talk: TurnContext): Next {
  clearRequestedItem(talk)
  return 'cart'
}

/** The vendor's products, best matches first. */
export function showProducts(talk: TurnContext, page = 0, fitting?: readonly CatalogueProduct[]): Next {
  const { memory, facts } = talk
  const vendor = vendorOf(talk)
  if (!vendor) return 'vendor'
  const { language } = memory
  const sized = memory.size === null ? [] : productsIn(facts.catalogue, vendor.id, { words: [], size: memory.size })
  const wished = fitting ?? sized
  const all = wished.length > 0 ? wished : productsOf(facts.catalogue, vendor.id)
  if (memory.size !== null && sized.length === 0) memory.size = null
  if (all.length === 0) {
    tell(talk, say(talk, 'bot.product.none', { vendor: nameIn(language, vendor) }))
    memory.vendorId = null
    return talk.cart.vendorId === vendor.id ? 'menu' : 'vendor'
  }
  enter(talk, 'product')
  memory.productId = null
  const rows = [...all]
    .sort((a, b) => compareSizes(a.size, b.size) || a.price - b.price || a.id - b.id)
    .map((product) => productRow(talk, product, vendor))
  list(
    talk,
    say(talk, 'bot.product.ask', { vendor: nameIn(language, vendor) }),
    paged(talk, rows, page, (next) => `page:product:${next}`),
  )
  return 'answered'
}

function productRow(
  talk: TurnContext,
  product: CatalogueProduct,
  vendor: { name: string; nameAr: string | null },
): Choice {
  const { language } = talk.memory
  const name = nameIn(language, product)
  const short = shortName(name, nameIn(language, vendor))
  const title = say(talk, 'bot.product.title', { size: formatSize(product.size, language), name: short })
  const price = formatMoney(product.price, language)
  const pack = packOf(talk, product)
  return [`product:${product.id}`, title, pack ? say(talk, 'bot.product.terms', { price, pack }) : price]
}

/** `carton of 20` */
export function packOf(talk: TurnContext, product: CatalogueProduct): string {
  const unit = nameIn(talk.memory.language, { name: product.inventoryUnit, nameAr: product.inventoryUnitAr })
  const units = product.unitsPerInventoryUnit
  return units > 1 ? say(talk, 'bot.product.pack', { unit, units }) : unit
}

export function askQuantity(talk: TurnContext): Next {
  const { memory, facts } = talk
  const product = facts.catalogue.products.get(memory.productId ?? 0)
  if (!product) return 'product'
  enter(talk, 'quantity')
  const price = formatMoney(product.price, memory.language)
  offer(
    talk,
    say(talk, 'bot.quantity.ask', { name: itemName(talk, product), price }),
    [1, 2, 3].map((count): Choice => [`qty:${count}`, say(talk, 'bot.quantity.button', { count })]),
  )
  return 'answered'
}

export function showCart(talk: TurnContext): Next {
  const { cart, memory, facts } = talk
  if (cart.items.length === 0) {
    enter(talk, 'idle')
    offer(talk, say(talk, 'bot.cart.empty'), [
      ['go:order', say(talk, 'bot.menu.order')],
      ['go:menu', say(talk, 'bot.menu.title')],
    ])
    return 'answered'
  }
  enter(talk, 'cart')
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  const minimum = vendor?.minDeliveryAmount ?? null
  const left = minimumLeft(fromBhd(cart.subtotal), minimum)
  const missing =
    left > 0
      ? say(talk, 'bot.cart.minimum', {
          left: formatMoney(left, memory.language),
          minimum: minimum === null ? '' : formatMoney(minimum, memory.language),
        })
      : say(talk, 'bot.cart.next')
  const more: Choice = ['go:more', say(talk, 'bot.cart.more')]
  const edit: Choice = ['go:edit', say(talk, 'bot.cart.edit')]
  const checkout: Choice = ['go:checkout', say(talk, 'bot.cart.checkout')]
  offer(
    talk,
    `${cartText(talk)}\n\n${missing}`,
    left > 0 ? [more, edit, ['go:menu', say(talk, 'bot.menu.title')]] : [checkout, more, edit],
  )
  return 'answered'
}

/** Options to change the order. */
export function showEditing(talk: TurnContext, page = 0): Next {
  const { cart, memory } = talk
  if (cart.items.length === 0) return 'cart'
  enter(talk, 'cart')
  const items = cart.items.map(
    (item): Choice => [
      `item:${item.id}`,
      `${item.quantity} × ${formatSize(item.size, memory.language)}`,
      itemName(talk, item),
    ],
  )
  const others: Choice[] = [
    ['go:place', say(talk, 'bot.edit.place')],
    ['go:name', say(talk, 'bot.edit.name')],
    ['go:notes', say(talk, 'bot.edit.notes')],
    ['go:clear', say(talk, 'bot.edit.clear')],
  ]
  list(
    talk,
    say(talk, 'bot.edit.ask'),
    paged(talk, [...items, ...others], page, (next) => `page:edit:${next}`),
  )
  return 'answered'
}

const findItem = ({ cart, memory }: TurnContext): CartItem | undefined =>
  cart.items.find(({ id }) => id === memory.itemId)

export function askItem(talk: TurnContext): Next {
  const item = findItem(talk)
  if (!item) return 'edit'
  enter(talk, 'item')
  offer(talk, say(talk, 'bot.item.ask', { quantity: item.quantity, name: itemName(talk, item) }), [
    [`drop:${item.id}`, say(talk, 'bot.item.drop')],
    ['go:cart', say(talk, 'bot.item.keep')],
  ])
  return 'answered'
}

export function* changeItem(talk: TurnContext, itemId: number, quantity: number): Conversation<Next> {
  if (quantity > quantityLimit || !Number.isInteger(quantity)) {
    tell(talk, noQuantity(talk, quantity))
    return 'answered'
  }
  const outcome = yield* act({ do: 'set', itemId, quantity })
  if (outcome.ok) talk.cart = outcome.cart
  else tell(talk, say(talk, 'bot.item.gone'))
  talk.memory.itemId = null
  return 'cart'
}

export function* clearAll(talk: TurnContext): Conversation<Next> {
  const outcome = yield* act({ do: 'clear' })
  if (outcome.ok) talk.cart = outcome.cart
  remember(talk.memory, { vendorId: null, productId: null, quantity: null, size: null })
  return 'cart'
}
