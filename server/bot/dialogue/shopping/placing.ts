import { formatTime } from '@qatra/contract/calendar/calendar'
import { promiseFields, slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Cart } from '@qatra/contract/cart/cart'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd, minimumLeft } from '@qatra/contract/lib/money'
import { formatPhone } from '@qatra/contract/lib/phone'
import { includesFolded, isolated, leftToRight } from '@qatra/contract/lib/text'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { remember } from '../memory.ts'
import { nameFor } from '../order-details.ts'
import { proposeAddress } from '../orders/order-changes.ts'
import { adoptDelivery } from '../places/addresses.ts'
import { explainNotServed, serves } from '../places/place.ts'
import { areaOf } from '../places/places.ts'
import { enter, type Next, offer, replyText, say, type TurnContext } from '../replies.ts'
import { type Conversation, type Outcomes, perform } from '../turn-context.ts'
import { isAskedForEmpties } from './bottles.ts'
import { cartText, itemName } from './cart-text.ts'
import { slotFor } from './delivery-day.ts'
import { performOnCart } from './requested-items.ts'

/** The next missing detail before the order can be summarized. */
export function* checkOut(turn: TurnContext): Conversation<Next> {
  const { memory, facts } = turn
  memory.summary = null
  if (memory.changing?.kind === 'address') return yield* proposeAddress(turn)
  if (turn.cart.items.length === 0) return 'cart'
  const gone = turn.cart.items.filter(({ isAvailable }) => !isAvailable)
  if (gone.length > 0) {
    for (const { id } of gone) yield* performOnCart(turn, { do: 'set', itemId: id, quantity: 0 })
    const names = gone.map((item) => `• ${itemName(turn, item)}`).join('\n')
    replyText(turn, say(turn, 'bot.cart.removed', { names }))
    return 'cart'
  }
  const vendor = facts.catalogue.vendors.get(turn.cart.vendorId ?? 0)
  if (!vendor?.isActive) return 'cart'
  if (minimumLeft(fromBhd(turn.cart.subtotal), vendor.minDeliveryAmount) > 0) return 'cart'
  memory.vendorId = vendor.id
  if (turn.person.phone === null) return 'phone'
  adoptDelivery(turn)
  const area = areaOf(turn)
  if (!area) return 'place'
  if (!serves(vendor, area)) {
    explainNotServed(turn, vendor, area)
    memory.vendorId = null
    return 'vendor'
  }
  if (memory.address === null) return 'address'
  if (!memory.isNoted) return 'notes'
  if (nameFor(turn) === null) return 'name'
  return isAskedForEmpties(turn) ? 'empties' : 'confirm'
}

/** Summary of the order. Only this summary can be confirmed. */
export function showSummary(turn: TurnContext): Next {
  const { memory, facts, cart, person } = turn
  const { language } = memory
  const area = areaOf(turn)
  const name = nameFor(turn)
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  if (!area || !vendor || name === null || memory.address === null || person.phone === null) return 'checkout'
  enter(turn, 'confirm')
  const slot = slotFor(turn, vendor)
  const day = slotWords(slot, language, 'long')
  const text = [
    cartText(turn),
    '',
    say(turn, 'bot.summary.arrives', { day }),
    whereTo(turn, memory.address, nameIn(language, area)),
    ...(memory.notes ? [say(turn, 'bot.summary.notes', { notes: isolated(memory.notes) })] : []),
    say(turn, 'bot.summary.name', { name: isolated(name), phone: leftToRight(formatPhone(person.phone)) }),
    ...receiverLine(turn),
    say(turn, 'bot.summary.cash'),
    '',
    say(turn, 'bot.summary.ask'),
  ].join('\n')
  const token = String(turn.incoming.id)
  offer(turn, text, [
    [`confirm:${token}`, say(turn, 'bot.summary.yes')],
    ['go:edit', say(turn, 'bot.summary.edit')],
    ['no', say(turn, 'bot.summary.no')],
  ])
  const seen = { token, cartVersion: cart.version, total: cart.total, at: facts.now.getTime() }
  memory.summary = { ...seen, ...promiseFields(slot) }
  return 'answered'
}

const savedAddressOf = ({ memory, person }: TurnContext) =>
  person.account?.addresses.find(({ id }) => id === memory.addressId)

function receiverLine(turn: TurnContext): string[] {
  const saved = savedAddressOf(turn)
  const who = [
    saved?.receiverName ? isolated(saved.receiverName) : null,
    saved?.receiverPhone ? leftToRight(formatPhone(saved.receiverPhone)) : null,
  ].filter((part) => part !== null)
  return who.length > 0 ? [say(turn, 'bot.summary.receiver', { receiver: who.join(' · ') })] : []
}

/** Adds the area to an address that does not contain it. */
const whereTo = (turn: TurnContext, address: string, area: string): string =>
  includesFolded(address, area)
    ? say(turn, 'bot.summary.address', { address: isolated(address) })
    : say(turn, 'bot.summary.to', { area, address: isolated(address) })

/** Confirms the summary shown last, by its button or by text sent after it, and only while the cart is unchanged. */
export function* confirm(turn: TurnContext, token: string | null): Conversation<Next> {
  const { memory, incoming, cart } = turn
  const { summary, point, pinSource, address } = memory
  if (memory.state !== 'confirm' || !summary) return confirmLate(turn)
  const isLater = incoming.receivedAt.getTime() > summary.at && incoming.at.getTime() >= wholeSeconds(summary.at)
  const isOfThis = token === null ? isLater : token === summary.token
  const name = nameFor(turn)
  if (!isOfThis || !point || address === null || name === null) return 'checkout'
  if (cart.version !== summary.cartVersion || cart.total !== summary.total) {
    replyText(turn, say(turn, 'bot.summary.changed'))
    return 'checkout'
  }
  const { receiverName = null, receiverPhone = null } = savedAddressOf(turn) ?? {}
  const { addressParts, notes: instructions, addressId, day } = memory
  const { token: shown, total: expectedTotal, promisedDate: expectedDate } = summary
  const to = { address, mapCoordinates: point, pinSource, instructions, addressId, receiverName, receiverPhone }
  const deliveryDate = day === expectedDate ? expectedDate : undefined
  const when = { expectedDate, deliveryDate }
  const body = { ...to, ...when, customerName: name, expectedTotal, ...(addressParts ? { addressParts } : {}) }
  const outcome = yield* perform({ do: 'place', token: shown, body })
  memory.summary = null
  return outcome.ok ? confirmPlaced(turn, outcome) : refused(turn, outcome)
}

/** A yes to the summary, without its button. */
export const confirmByWords = (turn: TurnContext): Conversation<Next> => confirm(turn, null)

/** Providers report times in whole seconds. */
const wholeSeconds = (at: number) => Math.floor(at / 1000) * 1000

/** A repeated confirmation or one of an old summary places nothing. */
function confirmLate(turn: TurnContext): Next {
  const { memory, cart } = turn
  if (memory.placedId === null || cart.items.length > 0) return 'checkout'
  return offer(turn, say(turn, 'bot.placed.before', { id: orderIdInText(memory.placedId) }), ['go:orders', 'go:menu'])
}

function confirmPlaced(turn: TurnContext, { placed, cart }: Extract<Outcomes['place'], { ok: true }>): Next {
  const { memory, facts } = turn
  const { language } = memory
  const vendor = facts.catalogue.vendors.get(placed.vendorId)
  turn.cart = cart
  turn.intent = 'confirm'
  remember(memory, {
    state: 'idle',
    trail: [],
    vendorId: null,
    productId: null,
    quantity: null,
    wanted: null,
    day: null,
    hasNoEmpties: false,
  })
  memory.placedId = placed.id
  turn.news = { id: placed.id, version: 1 }
  const text = say(turn, 'bot.placed', {
    id: orderIdInText(placed.id),
    vendor: vendor ? nameIn(language, vendor) : '',
    day: slotWords(slotOf(placed), language, 'long'),
    total: formatMoney(fromBhd(placed.total), language),
    time: formatTime(new Date(placed.cancellableUntil), language),
  })
  return offer(turn, text, ['go:orders', [`cancel:${placed.id}`, say(turn, 'bot.order.cancel')], 'go:menu'])
}

/** The current cart from an error's details. */
const cartIn = (details: Record<string, unknown>): Cart | null => {
  const { cart } = details
  // `PRICE_CHANGED` and `PRODUCT_UNAVAILABLE` contain the cart of this endpoint.
  return typeof cart === 'object' && cart !== null && 'items' in cart ? (cart as Cart) : null
}

function refused(turn: TurnContext, { code, details }: Extract<Outcomes['place'], { ok: false }>): Next {
  const { memory } = turn
  turn.cart = cartIn(details) ?? turn.cart
  switch (code) {
    case 'PRICE_CHANGED':
      replyText(turn, say(turn, 'bot.placing.priceChanged'))
      return 'checkout'
    case 'DATE_CHANGED':
    case 'DATE_NOT_AVAILABLE':
      memory.day = null
      replyText(turn, say(turn, 'bot.placing.dateChanged'))
      return 'checkout'
    case 'PRODUCT_UNAVAILABLE':
      return 'checkout'
    case 'MINIMUM_NOT_MET':
      return 'cart'
    case 'CART_EMPTY':
      turn.cart = { ...turn.cart, items: [] }
      return 'cart'
    case 'OUTSIDE_SERVICE_AREA':
    case 'ADDRESS_REQUIRED':
      memory.point = null
      return 'place'
    case 'VENDOR_DOES_NOT_DELIVER': {
      const [vendor, area] = [turn.facts.catalogue.vendors.get(turn.cart.vendorId ?? 0), areaOf(turn)]
      if (vendor && area) explainNotServed(turn, vendor, area)
      memory.vendorId = null
      return 'vendor'
    }
    default:
      enter(turn, 'cart')
      return replyText(turn, say(turn, code === 'TOO_MANY_REQUESTS' ? 'bot.placing.tooMany' : 'bot.placing.failed'))
  }
}

/** Declined: orders nothing, keeps the cart. */
export function declineSummary(turn: TurnContext): Next {
  turn.memory.summary = null
  enter(turn, 'cart')
  return offer(turn, say(turn, 'bot.summary.kept'), ['go:checkout', 'go:edit', 'go:menu'])
}
