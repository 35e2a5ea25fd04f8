import { isLang } from '@qatra/contract/lang'
import { askCancel, cancelOrder, keepOrder, orderAgain, showOrder } from './dialogue-orders.ts'
import { callPerson, chooseLanguage, sendCodeAgain } from './dialogue-person.ts'
import { askName, askNotes, askPlace, showVendors, skipNotes, takePoint, takeProfileName } from './dialogue-place.ts'
import { confirm, declineSummary } from './dialogue-placing.ts'
import { showBrands } from './dialogue-prices.ts'
import {
  advance,
  changeItem,
  clearAll,
  keepVendor,
  showEditing,
  showProducts,
  switchVendor,
} from './dialogue-shopping.ts'
import { pointOf } from './matching.ts'
import { remember } from './memory.ts'
import { type HandlerResult, lead, type Next, type Step, type TurnContext } from './replies.ts'
import type { Conversation } from './turn-context.ts'

type Chosen = (talk: TurnContext, value: string) => HandlerResult

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
  *go(talk, value) {
    const { memory, cart } = talk
    switch (value) {
      case 'order':
        memory.productId = null
        return 'order'
      case 'more':
        remember(memory, { vendorId: cart.vendorId, productId: null, size: null })
        return cart.vendorId === null ? 'order' : 'product'
      case 'person':
        return yield* callPerson(talk)
      case 'cancel':
        return yield* askCancel(talk)
      case 'clear':
        return yield* clearAll(talk)
      case 'place':
        return askPlace(talk)
      case 'name':
        return askName(talk)
      case 'notes':
        return askNotes(talk)
      default:
        return steps[value] ?? 'menu'
    }
  },
  *vendor(talk, value) {
    remember(talk.memory, { vendorId: Number(value), productId: null })
    return yield* advance(talk)
  },
  prices(talk, value) {
    remember(talk.memory, { vendorId: Number(value), productId: null, size: null })
    return showProducts(talk)
  },
  *product(talk, value) {
    const product = talk.facts.catalogue.products.get(Number(value))
    remember(talk.memory, { productId: Number(value), ...(product ? { vendorId: product.vendorId } : {}) })
    return yield* advance(talk)
  },
  *qty(talk, value) {
    talk.memory.quantity = Number(value)
    return yield* advance(talk)
  },
  page(talk, value) {
    const [kind, page] = value.split(':')
    if (kind === 'vendor') return showVendors(talk, Number(page))
    if (kind === 'brands') return showBrands(talk, Number(page))
    return kind === 'edit' ? showEditing(talk, Number(page)) : showProducts(talk, Number(page))
  },
  item(talk, value) {
    talk.memory.itemId = Number(value)
    return 'item'
  },
  *drop(talk, value) {
    return yield* changeItem(talk, Number(value), 0)
  },
  area(talk, value) {
    const area = talk.facts.catalogue.areas.get(Number(value))
    return area ? takePoint(talk, pointOf(talk.facts.catalogue, area)) : 'place'
  },
  at(talk, value) {
    const [lat = Number.NaN, lng = Number.NaN] = value.split(',').map(Number)
    const isPoint = Math.abs(lat) <= 90 && Math.abs(lng) <= 180
    return isPoint ? takePoint(talk, { lat, lng }) : 'place'
  },
  name(talk) {
    return takeProfileName(talk)
  },
  skip(talk) {
    return talk.memory.state === 'notes' ? skipNotes(talk) : 'checkout'
  },
  confirm,
  *switch(talk) {
    return talk.memory.state === 'switch' ? yield* switchVendor(talk) : 'cart'
  },
  order: showOrder,
  again: orderAgain,
  cancel: askCancel,
  cancelled: cancelOrder,
  *lang(talk, value) {
    return isLang(value) ? yield* chooseLanguage(talk, value) : 'language'
  },
  *code(talk) {
    return yield* sendCodeAgain(talk)
  },
  no(talk) {
    switch (talk.memory.state) {
      case 'switch':
        return keepVendor(talk)
      case 'cancel':
        return keepOrder(talk)
      case 'confirm':
        return declineSummary(talk)
      default:
        return 'menu'
    }
  },
}

/** Handles a chosen row or button; unknown ids are not understood. */
export function* choose(talk: TurnContext, id: string): Conversation<Next> {
  const [, kind = '', value = ''] = /^([a-z]+)(?::(.{1,100}))?$/u.exec(id) ?? []
  const part = Object.hasOwn(parts, kind) ? parts[kind] : undefined
  if (!part) return 'lost'
  talk.intent = kind === 'go' ? value : kind
  return yield* lead(part(talk, value))
}
