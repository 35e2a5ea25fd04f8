import { formatDay, formatTime } from '@qatra/contract/calendar'
import type { Cart } from '@qatra/contract/cart'
import { nameIn } from '@qatra/contract/lang'
import { formatMoney, fromBhd, minimumLeft } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import { formatPhone } from '@qatra/contract/phone'
import { includesFolded } from '@qatra/contract/text'
import { promisedDateFor } from '../vendors/promised-dates.ts'
import { cartText, itemName } from './cart-text.ts'
import { adoptDelivery, areaOf, explainNotServed, nameFor, serves } from './dialogue-place.ts'
import { remember } from './memory.ts'
import { enter, isolated, leftToRight, type Next, offer, say, type TurnContext, tell } from './replies.ts'
import { act, type Conversation, type Outcomes } from './turn-context.ts'

/** The next missing detail before the order can be summarized. */
export function* checkOut(talk: TurnContext): Conversation<Next> {
  const { memory, facts } = talk
  memory.summary = null
  if (talk.cart.items.length === 0) return 'cart'
  const gone = talk.cart.items.filter(({ isAvailable }) => !isAvailable)
  if (gone.length > 0) {
    for (const { id } of gone) {
      const outcome = yield* act({ do: 'set', itemId: id, quantity: 0 })
      if (outcome.ok) talk.cart = outcome.cart
    }
    const names = gone.map((item) => `• ${itemName(talk, item)}`).join('\n')
    tell(talk, say(talk, 'bot.cart.removed', { names }))
    return 'cart'
  }
  const vendor = facts.catalogue.vendors.get(talk.cart.vendorId ?? 0)
  if (!vendor?.isActive) return 'cart'
  if (minimumLeft(fromBhd(talk.cart.subtotal), vendor.minDeliveryAmount) > 0) return 'cart'
  memory.vendorId = vendor.id
  if (talk.person.phone === null) return 'phone'
  adoptDelivery(talk)
  const area = areaOf(talk)
  if (!area) return 'place'
  if (!serves(vendor, area)) {
    explainNotServed(talk, vendor, area)
    memory.vendorId = null
    return 'vendor'
  }
  if (memory.address === null) return 'address'
  if (!memory.isNoted) return 'notes'
  return nameFor(talk) === null ? 'name' : 'confirm'
}

/** Summary of the order. Only this summary can be confirmed. */
export function showSummary(talk: TurnContext): Next {
  const { memory, facts, cart, person } = talk
  const { language } = memory
  const area = areaOf(talk)
  const name = nameFor(talk)
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  if (!area || !vendor || name === null || memory.address === null || person.phone === null) return 'checkout'
  enter(talk, 'confirm')
  const day = formatDay(promisedDateFor(facts.catalogue, vendor, facts.now), language, 'long')
  const text = [
    cartText(talk),
    '',
    say(talk, 'bot.summary.arrives', { day }),
    whereTo(talk, memory.address, nameIn(language, area)),
    ...(memory.notes ? [say(talk, 'bot.summary.notes', { notes: isolated(memory.notes) })] : []),
    say(talk, 'bot.summary.name', { name: isolated(name), phone: leftToRight(formatPhone(person.phone)) }),
    say(talk, 'bot.summary.cash'),
    '',
    say(talk, 'bot.summary.ask'),
  ].join('\n')
  const token = String(talk.incoming.id)
  offer(talk, text, [
    [`confirm:${token}`, say(talk, 'bot.summary.yes')],
    ['go:edit', say(talk, 'bot.summary.edit')],
    ['no', say(talk, 'bot.summary.no')],
  ])
  memory.summary = { token, cartVersion: cart.version, total: cart.total, at: facts.now.getTime() }
  return 'answered'
}

/** Adds the area to an address that does not contain it. */
const whereTo = (talk: TurnContext, address: string, area: string): string =>
  includesFolded(address, area)
    ? say(talk, 'bot.summary.address', { address: isolated(address) })
    : say(talk, 'bot.summary.to', { area, address: isolated(address) })

/** Confirms the summary shown last, by its button or by text sent after it, and only while the cart is unchanged. */
export function* confirm(talk: TurnContext, token: string | null): Conversation<Next> {
  const { memory, incoming, cart } = talk
  const { summary, point, address } = memory
  if (memory.state !== 'confirm' || !summary) return confirmLate(talk)
  const isLater = incoming.receivedAt.getTime() > summary.at && incoming.at.getTime() >= wholeSeconds(summary.at)
  const isOfThis = token === null ? isLater : token === summary.token
  const name = nameFor(talk)
  if (!isOfThis || !point || address === null || name === null) return 'checkout'
  if (cart.version !== summary.cartVersion || cart.total !== summary.total) {
    tell(talk, say(talk, 'bot.summary.changed'))
    return 'checkout'
  }
  const input = { customerName: name, address, addressParts: memory.addressParts, point, instructions: memory.notes }
  const outcome = yield* act({ do: 'place', token: summary.token, expectedTotal: summary.total, input })
  memory.summary = null
  return outcome.ok ? confirmPlaced(talk, outcome) : refused(talk, outcome)
}

/** Providers report times in whole seconds. */
const wholeSeconds = (at: number) => Math.floor(at / 1000) * 1000

/** A repeated confirmation or one of an old summary places nothing. */
function confirmLate(talk: TurnContext): Next {
  const { memory, cart } = talk
  if (memory.placedId === null || cart.items.length > 0) return 'checkout'
  offer(talk, say(talk, 'bot.placed.before', { id: leftToRight(formatOrderId(memory.placedId)) }), [
    ['go:orders', say(talk, 'bot.menu.orders')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}

function confirmPlaced(talk: TurnContext, { placed, cart }: Extract<Outcomes['place'], { ok: true }>): Next {
  const { memory, facts } = talk
  const { language } = memory
  const vendor = facts.catalogue.vendors.get(placed.vendorId)
  talk.cart = cart
  remember(memory, { state: 'idle', trail: [], vendorId: null, productId: null, quantity: null, size: null })
  memory.placedId = placed.id
  talk.news = { id: placed.id, version: 1 }
  const text = say(talk, 'bot.placed', {
    id: leftToRight(formatOrderId(placed.id)),
    vendor: vendor ? nameIn(language, vendor) : '',
    day: formatDay(placed.promisedDate, language, 'long'),
    total: formatMoney(fromBhd(placed.total), language),
    time: formatTime(new Date(placed.cancellableUntil), language),
  })
  offer(talk, text, [
    ['go:orders', say(talk, 'bot.menu.orders')],
    [`cancel:${placed.id}`, say(talk, 'bot.order.cancel')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}

/** The current cart from an error's details. */
const cartIn = (details: Record<string, unknown>): Cart | null => {
  const { cart } = details
  // `PRICE_CHANGED` and `PRODUCT_UNAVAILABLE` contain the cart of this endpoint.
  return typeof cart === 'object' && cart !== null && 'items' in cart ? (cart as Cart) : null
}

function refused(talk: TurnContext, { code, details }: Extract<Outcomes['place'], { ok: false }>): Next {
  const { memory } = talk
  talk.cart = cartIn(details) ?? talk.cart
  switch (code) {
    case 'PRICE_CHANGED':
      tell(talk, say(talk, 'bot.placing.priceChanged'))
      return 'checkout'
    case 'PRODUCT_UNAVAILABLE':
      return 'checkout'
    case 'MINIMUM_NOT_MET':
      return 'cart'
    case 'CART_EMPTY':
      talk.cart = { ...talk.cart, items: [] }
      return 'cart'
    case 'OUTSIDE_SERVICE_AREA':
    case 'ADDRESS_REQUIRED':
      memory.point = null
      return 'place'
    case 'VENDOR_DOES_NOT_DELIVER': {
      const [vendor, area] = [talk.facts.catalogue.vendors.get(talk.cart.vendorId ?? 0), areaOf(talk)]
      if (vendor && area) explainNotServed(talk, vendor, area)
      memory.vendorId = null
      return 'vendor'
    }
    default:
      enter(talk, 'cart')
      tell(talk, say(talk, code === 'TOO_MANY_REQUESTS' ? 'bot.placing.tooMany' : 'bot.placing.failed'))
      return 'answered'
  }
}

/** Declined: orders nothing, keeps the cart. */
export function declineSummary(talk: TurnContext): Next {
  talk.memory.summary = null
  enter(talk, 'cart')
  offer(talk, say(talk, 'bot.summary.kept'), [
    ['go:checkout', say(talk, 'bot.cart.checkout')],
    ['go:edit', say(talk, 'bot.cart.edit')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}
