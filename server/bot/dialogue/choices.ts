import { slotOf, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { isLang } from '@qatra/contract/lib/lang'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { pinSources } from '@qatra/contract/places/pin'
import { partNames } from '@qatra/contract/users/address-parts'
import { stayWithPerson } from './hand-over.ts'
import { type RequestedItem, remember, type State } from './memory.ts'
import { skipNotes, takeProfileName } from './order-details.ts'
import { applyChange, changeAddress, changeDay, keepUnchanged, showChanges } from './orders/order-changes.ts'
import { askItems } from './orders/order-items.ts'
import { askCancel, cancelOrder, keepOrder, orderAgain, sendReceipt, showOrder } from './orders/orders.ts'
import { callPerson, chooseLanguage, sendCodeAgain } from './person.ts'
import { askLocation, chooseAddress } from './places/addresses.ts'
import { showAreasOfBlock, showVendors, takeAddressText, takePoint } from './places/place.ts'
import { pointOf } from './places/places.ts'
import { partText } from './places/written-address.ts'
import {
  enter,
  type HandlerResult,
  type Next,
  offer,
  type Part,
  replyText,
  resolve,
  type Step,
  say,
  type TurnContext,
} from './replies.ts'
import { leaveCollection, requestCollection, takeEmpties } from './shopping/bottles.ts'
import { chooseDay } from './shopping/delivery-day.ts'
import { confirm, declineSummary } from './shopping/placing.ts'
import { showBrands } from './shopping/prices.ts'
import { takeItem } from './shopping/requested-items.ts'
import { changeItem, clearAll, keepVendor, showEditing, showProducts, switchVendor } from './shopping/shopping.ts'
import { type Conversation, perform } from './turn-context.ts'

/** `go:…`: a question or view. */
const views: Readonly<Record<string, Step | Part>> = {
  menu: 'menu',
  again: 'again',
  orders: 'orders',
  cart: 'cart',
  checkout: 'checkout',
  edit: 'edit',
  language: 'language',
  phone: 'phone',
  place: 'place',
  name: 'name',
  notes: 'notes',
  person: callPerson,
  cancel: askCancel,
  clear: clearAll,
  order({ memory }) {
    memory.productId = null
    return 'order'
  },
  more({ memory, cart }) {
    remember(memory, { vendorId: cart.vendorId, productId: null, wanted: null })
    return cart.vendorId === null ? 'order' : 'product'
  },
}

/** What a no means in a state; elsewhere it leads to the menu. */
const refusals: Partial<Record<State, Part>> = {
  switch: keepVendor,
  cancel: keepOrder,
  change: keepUnchanged,
  collect: leaveCollection,
  confirm: declineSummary,
}

/** Handlers by prefix of the id; a row or button can be pressed long after it was shown. */
const parts: Readonly<Record<string, (turn: TurnContext, value: string) => HandlerResult>> = {
  go(turn, value) {
    const view = Object.hasOwn(views, value) ? (views[value] ?? 'menu') : 'menu'
    return typeof view === 'string' ? view : view(turn)
  },
  address: (turn, value) => (value === 'new' ? askLocation(turn) : chooseAddress(turn, Number(value))),
  vendor(turn, value) {
    remember(turn.memory, { vendorId: Number(value), productId: null })
    return 'advance'
  },
  prices(turn, value) {
    remember(turn.memory, { vendorId: Number(value), productId: null, wanted: null })
    return showProducts(turn)
  },
  product(turn, value) {
    const product = turn.facts.catalogue.products.get(Number(value))
    remember(turn.memory, { productId: Number(value), ...(product ? { vendorId: product.vendorId } : {}) })
    return 'advance'
  },
  qty(turn, value) {
    remember(turn.memory, { quantity: Number(value), wanted: null })
    return 'advance'
  },
  page(turn, value) {
    const [kind, page] = value.split(':')
    if (kind?.startsWith('block-')) return showAreasOfBlock(turn, Number(kind.slice('block-'.length)), Number(page))
    if (kind === 'vendor') return showVendors(turn, Number(page))
    if (kind === 'brands') return showBrands(turn, Number(page))
    return kind === 'edit' ? showEditing(turn, Number(page)) : showProducts(turn, Number(page))
  },
  item(turn, value) {
    turn.memory.itemId = Number(value)
    return 'item'
  },
  drop: (turn, value) => changeItem(turn, Number(value), 0),
  area(turn, value) {
    const area = turn.facts.catalogue.areas.get(Number(value))
    return area ? takePoint(turn, pointOf(turn.facts.catalogue, area), 'area') : 'place'
  },
  at(turn, value) {
    const [lat = Number.NaN, lng = Number.NaN] = value.split(',').map(Number)
    const isPoint = Math.abs(lat) <= 90 && Math.abs(lng) <= 180
    const source = pinSources.find((one) => value.endsWith(`,${one}`)) ?? 'search'
    return isPoint ? takePoint(turn, { lat, lng }, source) : 'place'
  },
  part(turn, value) {
    const [part, number = ''] = value.split(':')
    const name = partNames.find((one) => one === part)
    const isAsked = name !== undefined && turn.memory.state === 'address'
    return isAsked ? takeAddressText(turn, partText(turn, name, number), false) : 'lost'
  },
  name: takeProfileName,
  skip: (turn) => (turn.memory.state === 'notes' ? skipNotes(turn) : 'checkout'),
  confirm,
  empties: (turn, value) => takeEmpties(turn, Number(value)),
  collect: requestCollection,
  day: chooseDay,
  switch: (turn) => (turn.memory.state === 'switch' ? switchVendor(turn) : 'cart'),
  order: showOrder,
  again: orderAgain,
  cancel: askCancel,
  nextday: takeNextDay,
  callme: askForCall,
  change: showChanges,
  edititems: askItems,
  editaddress: changeAddress,
  editday: changeDay,
  apply: applyChange,
  cancelled: cancelOrder,
  kept: keepOrder,
  receipt: sendReceipt,
  lang: (turn, value) => (isLang(value) ? chooseLanguage(turn, value) : 'language'),
  bot(turn, value) {
    const isAsked = turn.memory.state === 'handback'
    if (value === 'stay' && isAsked) return stayWithPerson(turn)
    if (value === 'back' && !isAsked) replyText(turn, say(turn, 'bot.back.done'))
    return 'menu'
  },
  code: sendCodeAgain,
  no: (turn) => refusals[turn.memory.state]?.(turn) ?? 'menu',
}

/** The number of a shown row, or several of a list of products, with how many of each. */
export function* chooseRow(turn: TurnContext): Conversation<Next> {
  const { meaning, memory, facts } = turn
  const { rows } = meaning.slots
  const shown = rows.map(({ row, quantity }) => ({ id: memory.choices[row - 1], quantity }))
  const products = shown.map(({ id }) =>
    id?.startsWith('product:') ? facts.catalogue.products.get(Number(id.slice(8))) : undefined,
  )
  if (rows.length > 1 || (rows[0] && rows[0].quantity !== null)) {
    const items = products.flatMap((product, i): RequestedItem[] =>
      product
        ? [{ vendorId: product.vendorId, productId: product.id, wanted: null, quantity: shown[i]?.quantity ?? null }]
        : [],
    )
    const [first, ...later] = items
    if (!first || items.length < rows.length) return 'lost'
    turn.intent = 'product'
    takeItem(turn, first)
    memory.later = later
    return 'advance'
  }
  const number = meaning.slots.number ?? rows[0]?.row ?? null
  const more = meaning.intent === 'more' ? memory.choices.find((id) => id.startsWith('page:')) : undefined
  const id = number === null ? more : memory.choices[number - 1]
  return id === undefined ? 'lost' : yield* choose(turn, id)
}

/** A yes to the only thing that was asked about. */
export function* chooseOnly(turn: TurnContext): Conversation<Next> {
  const [first, other, ...more] = turn.memory.choices
  const isAsked = more.length === 0 && other === 'address:new'
  return first !== undefined && isAsked ? yield* choose(turn, first) : 'lost'
}

/** A number that is no row, of a cart of one line. */
export function changeOnlyLine(turn: TurnContext): HandlerResult {
  const { number } = turn.meaning.slots
  const [only, ...others] = turn.cart.items
  return number === null || !only || others.length > 0 ? 'lost' : changeItem(turn, only.id, number)
}

/** Handles a chosen row or button; unknown ids are not understood. */
export function* choose(turn: TurnContext, id: string): Conversation<Next> {
  const [, kind = '', value = ''] = /^([a-z]+)(?::(.{1,100}))?$/u.exec(id) ?? []
  const part = Object.hasOwn(parts, kind) ? parts[kind] : undefined
  if (!part) return 'lost'
  turn.intent = kind === 'go' ? value : kind
  return yield* resolve(part(turn, value))
}

/** The answer to a failed delivery attempt: `value` is the order's id and the offered day. */
function* takeNextDay(turn: TurnContext, value: string): Conversation<Next> {
  const [orderId = '', date = ''] = value.split(' ')
  const outcome = yield* perform({ do: 'reschedule', orderId, date })
  enter(turn, 'idle')
  const id = orderIdInText(orderId)
  if (outcome.ok) {
    const day = slotWords(slotOf(outcome.order), turn.memory.language, 'long')
    return offer(turn, say(turn, 'bot.attempt.moved', { id, day }), ['go:orders', 'go:menu'])
  }
  const next = outcome.code === 'DATE_NOT_AVAILABLE' ? firstDayIn(outcome.details) : null
  if (next === null) return offer(turn, say(turn, 'bot.attempt.closed', { id }), ['go:orders', 'go:menu'])
  return offer(
    turn,
    say(turn, 'bot.attempt.otherDay', { id, day: slotWords(slotOn(next), turn.memory.language, 'long') }),
    [
      [`nextday:${orderId} ${next}`, say(turn, 'bot.attempt.yes')],
      [`callme:${orderId}`, say(turn, 'bot.attempt.call')],
    ],
  )
}

/** `DATE_NOT_AVAILABLE` contains the next open days. */
function firstDayIn({ days }: Record<string, unknown>): string | null {
  const first: unknown = Array.isArray(days) ? days[0] : null
  return typeof first === 'string' ? first : null
}

/** Notifies staff about this order and hands the conversation to a person. */
function* askForCall(turn: TurnContext, orderId: string): Conversation<Next> {
  yield* perform({ do: 'request-call', orderId })
  return yield* callPerson(turn)
}
