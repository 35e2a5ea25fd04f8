import { slotOf, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { isLang } from '@qatra/contract/lib/lang'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { stayWithPerson } from './hand-over.ts'
import { remember } from './memory.ts'
import { applyChange, changeAddress, changeDay, keepUnchanged, showChanges } from './orders/order-changes.ts'
import { askItems } from './orders/order-items.ts'
import { askCancel, cancelOrder, keepOrder, orderAgain, showOrder } from './orders/orders.ts'
import { callPerson, chooseLanguage, sendCodeAgain } from './person.ts'
import { askLocation, askPlace, chooseAddress } from './places/addresses.ts'
import { askName, askNotes, showVendors, skipNotes, takePoint, takeProfileName } from './places/place.ts'
import { pointOf } from './places/places.ts'
import {
  type Choice,
  enter,
  type HandlerResult,
  type Next,
  offer,
  replyText,
  resolve,
  type Step,
  say,
  type TurnContext,
} from './replies.ts'
import { confirm, declineSummary } from './shopping/placing.ts'
import { showBrands } from './shopping/prices.ts'
import { sendReceipt } from './shopping/receipt.ts'
import {
  advance,
  changeItem,
  clearAll,
  keepVendor,
  showEditing,
  showProducts,
  switchVendor,
} from './shopping/shopping.ts'
import { type Conversation, perform } from './turn-context.ts'

type Chosen = (turn: TurnContext, value: string) => HandlerResult

const steps: Readonly<Record<string, Step>> = {
  menu: 'menu',
  again: 'again',
  orders: 'orders',
  cart: 'cart',
  checkout: 'checkout',
  edit: 'edit',
  language: 'language',
  phone: 'phone',
}

/** Handlers by prefix of the id; a row or button can be pressed long after it was shown. */
const parts: Readonly<Record<string, Chosen>> = {
  *go(turn, value) {
    const { memory, cart } = turn
    switch (value) {
      case 'order':
        memory.productId = null
        return 'order'
      case 'more':
        remember(memory, { vendorId: cart.vendorId, productId: null, size: null })
        return cart.vendorId === null ? 'order' : 'product'
      case 'person':
        return yield* callPerson(turn)
      case 'cancel':
        return yield* askCancel(turn)
      case 'clear':
        return yield* clearAll(turn)
      case 'place':
        return askPlace(turn)
      case 'name':
        return askName(turn)
      case 'notes':
        return askNotes(turn)
      default:
        return steps[value] ?? 'menu'
    }
  },
  address: (turn, value) => (value === 'new' ? askLocation(turn) : chooseAddress(turn, Number(value))),
  *vendor(turn, value) {
    remember(turn.memory, { vendorId: Number(value), productId: null })
    return yield* advance(turn)
  },
  prices(turn, value) {
    remember(turn.memory, { vendorId: Number(value), productId: null, size: null })
    return showProducts(turn)
  },
  *product(turn, value) {
    const product = turn.facts.catalogue.products.get(Number(value))
    remember(turn.memory, { productId: Number(value), ...(product ? { vendorId: product.vendorId } : {}) })
    return yield* advance(turn)
  },
  *qty(turn, value) {
    turn.memory.quantity = Number(value)
    return yield* advance(turn)
  },
  page(turn, value) {
    const [kind, page] = value.split(':')
    if (kind === 'vendor') return showVendors(turn, Number(page))
    if (kind === 'brands') return showBrands(turn, Number(page))
    return kind === 'edit' ? showEditing(turn, Number(page)) : showProducts(turn, Number(page))
  },
  item(turn, value) {
    turn.memory.itemId = Number(value)
    return 'item'
  },
  *drop(turn, value) {
    return yield* changeItem(turn, Number(value), 0)
  },
  area(turn, value) {
    const area = turn.facts.catalogue.areas.get(Number(value))
    return area ? takePoint(turn, pointOf(turn.facts.catalogue, area), 'area') : 'place'
  },
  at(turn, value) {
    const [lat = Number.NaN, lng = Number.NaN] = value.split(',').map(Number)
    const isPoint = Math.abs(lat) <= 90 && Math.abs(lng) <= 180
    return isPoint ? takePoint(turn, { lat, lng }, 'search') : 'place'
  },
  name(turn) {
    return takeProfileName(turn)
  },
  skip(turn) {
    return turn.memory.state === 'notes' ? skipNotes(turn) : 'checkout'
  },
  confirm,
  *switch(turn) {
    return turn.memory.state === 'switch' ? yield* switchVendor(turn) : 'cart'
  },
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
  *lang(turn, value) {
    return isLang(value) ? yield* chooseLanguage(turn, value) : 'language'
  },
  bot(turn, value) {
    const isAsked = turn.memory.state === 'handback'
    if (value === 'stay' && isAsked) return stayWithPerson(turn)
    if (value === 'back' && !isAsked) replyText(turn, say(turn, 'bot.back.done'))
    return 'menu'
  },
  *code(turn) {
    return yield* sendCodeAgain(turn)
  },
  no(turn) {
    switch (turn.memory.state) {
      case 'switch':
        return keepVendor(turn)
      case 'cancel':
        return keepOrder(turn)
      case 'change':
        return keepUnchanged(turn)
      case 'confirm':
        return declineSummary(turn)
      default:
        return 'menu'
    }
  },
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
  const menu: Choice = ['go:menu', say(turn, 'bot.menu.title')]
  if (outcome.ok) {
    const day = slotWords(slotOf(outcome.order), turn.memory.language, 'long')
    offer(turn, say(turn, 'bot.attempt.moved', { id, day }), [['go:orders', say(turn, 'bot.menu.orders')], menu])
    return 'answered'
  }
  const next = outcome.code === 'DATE_NOT_AVAILABLE' ? firstDayIn(outcome.details) : null
  if (next === null) {
    offer(turn, say(turn, 'bot.attempt.closed', { id }), [['go:orders', say(turn, 'bot.menu.orders')], menu])
    return 'answered'
  }
  offer(turn, say(turn, 'bot.attempt.otherDay', { id, day: slotWords(slotOn(next), turn.memory.language, 'long') }), [
    [`nextday:${orderId} ${next}`, say(turn, 'bot.attempt.yes')],
    [`callme:${orderId}`, say(turn, 'bot.attempt.call')],
  ])
  return 'answered'
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
