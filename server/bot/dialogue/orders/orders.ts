import { bahrainDate, formatTime } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { inLang, nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { leftToRight } from '@qatra/contract/lib/text'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import { customerStatus, isLate } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { quietText } from '../hand-over.ts'
import { remember } from '../memory.ts'
import {
  type Choice,
  enter,
  type HandlerResult,
  list,
  type Next,
  offer,
  offerBeside,
  replyText,
  say,
  type TurnContext,
} from '../replies.ts'
import { countedItem } from '../shopping/cart-text.ts'
import { clearRequestedItem } from '../shopping/requested-items.ts'
import { type Conversation, perform } from '../turn-context.ts'

const MAX_SHOWN = 10

const statusOf = (turn: TurnContext, order: Order) => say(turn, `bot.status.${customerStatus(order.status)}`)
const vendorName = ({ memory }: TurnContext, order: Order) =>
  inLang(memory.language, order.vendorName, order.vendorNameAr)

export function* readOrders(turn: TurnContext): Conversation<readonly Order[]> {
  if (turn.person.account === null) return []
  const { orders } = yield* perform({ do: 'orders' })
  return orders
}

const startButtons = ['go:order', 'go:menu'] as const

export function noOrders(turn: TurnContext): Next {
  enter(turn, 'idle')
  return offer(turn, say(turn, 'bot.orders.none'), startButtons)
}

/** The newest orders with their statuses; a single one in full. Without any, `when does it come?` is about a new one. */
export function* showOrders(turn: TurnContext): Conversation<Next> {
  const orders = yield* readOrders(turn)
  const [newest] = orders
  if (!newest) return noOrders(turn)
  if (orders.length === 1) return showOrderDetails(turn, newest)
  enter(turn, 'idle')
  const count = Math.min(orders.length, MAX_SHOWN)
  return listOrders(turn, say(turn, 'bot.orders.title', { count }), orders, (id) => `order:${id}`)
}

/** The day and the end of the id, which differs between orders of one day, within the 24 characters of a title. */
function orderRow(turn: TurnContext, order: Order, id: string): Choice {
  const { language } = turn.memory
  // Arabic has no short names.
  const day = slotWords(slotOf(order), language, language === 'ar' ? 'medium' : 'short')
  const values = { status: statusOf(turn, order), vendor: vendorName(turn, order) }
  return [
    id,
    say(turn, 'bot.orders.row', { day, end: leftToRight(order.id.slice(-4)) }),
    say(turn, 'bot.orders.about', { ...values, total: formatMoney(fromBhd(order.total), language) }),
  ]
}

/** The orders of which one is meant. */
export const listOrders = (
  turn: TurnContext,
  text: string,
  orders: readonly Order[],
  idOf: (id: string) => string,
): Next =>
  list(
    turn,
    text,
    orders.slice(0, MAX_SHOWN).map((order) => orderRow(turn, order, idOf(order.id))),
  )

const changes = { items: 'items', address: 'address', day: 'reschedule' } as const
export type Changeable = keyof typeof changes

/** Whether an order can be changed, in this way or in any. */
export const canChange = ({ can }: Order, kind?: Changeable): boolean =>
  kind === undefined ? can.items || can.address || can.reschedule : can[changes[kind]]

const isOpen = ({ status }: Order) => status !== 'delivered' && status !== 'cancelled'

export function* hasOpenOrder(turn: TurnContext): Conversation<boolean> {
  return (yield* readOrders(turn)).some(isOpen)
}

export function* showOrder(turn: TurnContext, id: string): Conversation<Next> {
  const order = (yield* readOrders(turn)).find((one) => one.id === id)
  return order ? showOrderDetails(turn, order) : noOrders(turn)
}

/**
 * The order that a complaint is about: the one whose number is written, else the newest delivered one if the goods are
 * at fault, else the newest open one, else the newest.
 */
function* orderInTrouble(turn: TurnContext): Conversation<Order | null> {
  const orders = yield* readOrders(turn)
  const { text, slots } = turn.meaning
  const written = text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const named = orders.find(({ id }) => written.includes(id.toUpperCase()))
  const delivered = slots.isOfGoods ? orders.find(({ status }) => status === 'delivered') : undefined
  return named ?? delivered ?? orders.find(isOpen) ?? orders[0] ?? null
}

function statusKey({ facts }: TurnContext, order: Order) {
  if (!isOpen(order)) return 'bot.order.status'
  return isLate(order, bahrainDate(facts.now)) ? 'bot.order.statusLate' : 'bot.order.statusOpen'
}

function showOrderDetails(turn: TurnContext, order: Order): Next {
  enter(turn, 'idle')
  const { language } = turn.memory
  const lines = order.items.filter(({ quantity }) => quantity > 0).map((item) => countedItem(turn, item, item.quantity))
  const day = slotWords(slotOf(order), language, 'long')
  const status = statusOf(turn, order)
  const text = [
    say(turn, 'bot.order.title', { id: orderIdInText(order.id), vendor: vendorName(turn, order) }),
    say(turn, statusKey(turn, order), { status, day }),
    ...lines,
    say(turn, 'bot.sum.total', { amount: formatMoney(fromBhd(order.total), language) }),
  ].join('\n')
  return offer(turn, text, [
    ...(canChange(order) ? [[`change:${order.id}`, say(turn, 'bot.change.title')] as const] : []),
    ...(order.can.cancel ? [[`cancel:${order.id}`, say(turn, 'bot.order.cancel')] as const] : []),
    ...(order.status === 'delivered' ? [[`receipt:${order.id}`, say(turn, 'bot.menu.receipt')] as const] : []),
    ...(order.can.reorder ? [[`again:${order.id}`, say(turn, 'bot.menu.again')] as const] : []),
    'go:menu',
  ])
}

/** Copies the newest delivered order into the cart, keeping its contents. */
export function* orderAgain(turn: TurnContext, id?: string): Conversation<Next> {
  const orders = yield* readOrders(turn)
  const order = orders.find((one) => (id === undefined ? one.can.reorder : one.id === id && one.can.reorder))
  if (!order) {
    enter(turn, 'idle')
    return offer(turn, say(turn, orders.length === 0 ? 'bot.orders.none' : 'bot.again.none'), startButtons)
  }
  const hadItems = turn.cart.items.length > 0
  const outcome = yield* perform({ do: 'again', orderId: order.id })
  if (!outcome.ok) {
    enter(turn, 'idle')
    return offer(turn, say(turn, 'bot.again.failed'), startButtons)
  }
  turn.cart = outcome.cart
  remember(turn.memory, { vendorId: outcome.cart.vendorId, productId: null, quantity: null, wanted: null })
  const { language } = turn.memory
  const { results, priceChanges } = outcome.result
  if (hadItems) replyText(turn, say(turn, 'bot.again.kept'))
  if (results.failedItems.length > 0) {
    const names = results.failedItems.map((item) => `• ${nameIn(language, item)}`).join('\n')
    replyText(turn, say(turn, 'bot.again.without', { names }))
  }
  if (priceChanges.length > 0) replyText(turn, say(turn, 'bot.again.prices', { count: priceChanges.length }))
  return 'checkout'
}

/** Asks which order to cancel: the only one that can be cancelled, or a choice. */
export function* askCancel(turn: TurnContext, id?: string): Conversation<Next> {
  const orders = (yield* readOrders(turn)).filter((order) => order.can.cancel)
  const fitting = id === undefined ? orders : orders.filter((order) => order.id === id)
  const [only] = fitting
  if (!only) {
    // While ordering, the current order is meant.
    if (id === undefined && turn.memory.state !== 'idle') return stopOrdering(turn)
    enter(turn, 'idle')
    return offer(turn, say(turn, 'bot.cancel.none'), ['go:orders', 'go:person', 'go:menu'])
  }
  const { language } = turn.memory
  if (fitting.length > 1) {
    return listOrders(turn, say(turn, 'bot.cancel.which'), fitting, (one) => `cancel:${one}`)
  }
  turn.memory.orderId = only.id
  enter(turn, 'cancel')
  const time = formatTime(new Date(only.cancellableUntil), language)
  const text = say(turn, 'bot.cancel.ask', { id: orderIdInText(only.id), vendor: vendorName(turn, only), time })
  return offer(turn, text, [
    ['no', say(turn, 'bot.cancel.no')],
    [`cancelled:${only.id}`, say(turn, 'bot.cancel.yes')],
  ])
}

/** A no right after the order was placed: asks what is meant. */
export function* askAboutPlaced(turn: TurnContext, placedId: string): Conversation<Next> {
  const order = (yield* readOrders(turn)).find(({ id }) => id === placedId)
  if (!order || !(canChange(order) || order.can.cancel)) return yield* showOrder(turn, placedId)
  return offer(turn, say(turn, 'bot.placed.doubt', { id: orderIdInText(order.id) }), [
    ...(canChange(order) ? [[`change:${placedId}`, say(turn, 'bot.change.title')] as const] : []),
    ...(order.can.cancel ? [[`cancel:${placedId}`, say(turn, 'bot.order.cancel')] as const] : []),
    ['kept', say(turn, 'bot.placed.doubt.keep')],
  ])
}

function stopOrdering(turn: TurnContext): Next {
  const isKept = turn.cart.items.length > 0
  clearRequestedItem(turn)
  turn.memory.summary = null
  enter(turn, 'idle')
  return offer(turn, say(turn, isKept ? 'bot.summary.kept' : 'bot.okay'), startButtons)
}

export function* cancelOrder(turn: TurnContext, id: string | null): Conversation<Next> {
  const { memory } = turn
  // Only after the question about this order.
  if (id === null || memory.orderId !== id || memory.state !== 'cancel') return yield* askCancel(turn, id ?? undefined)
  const outcome = yield* perform({ do: 'cancel', orderId: id })
  memory.orderId = null
  enter(turn, 'idle')
  if (outcome.ok) turn.news = { id, version: outcome.order.version }
  const text = outcome.ok ? say(turn, 'bot.cancel.done', { id: orderIdInText(id) }) : say(turn, 'bot.cancel.closed')
  return offer(turn, text, startButtons)
}

/** A yes to the question about an order. */
export const cancelAsked = (turn: TurnContext): Conversation<Next> => cancelOrder(turn, turn.memory.orderId)

/** `بس`: enough of the order, or of the question. */
export const cancelIfEnough = (turn: TurnContext): HandlerResult =>
  /^(?:بس{1,5}|bas{1,5})\W{0,5}$/iu.test(turn.meaning.text) ? askCancel(turn, turn.memory.orderId ?? undefined) : 'lost'

/** Calls a person at once with the order that the complaint is about, and shows that order. */
export function* reportTrouble(turn: TurnContext): Conversation<Next> {
  const order = yield* orderInTrouble(turn)
  yield* perform({ do: 'call-person', reason: 'trouble', orderId: order?.id })
  turn.memory.misses = 0
  const text = order ? say(turn, 'bot.trouble.order', { id: orderIdInText(order.id) }) : say(turn, 'bot.trouble')
  replyText(turn, quietText(turn, text))
  if (order) return showOrderDetails(turn, order)
  enter(turn, 'idle')
  return 'answered'
}

/** Sends the receipt of a delivered order as a document. */
export function* sendReceipt(turn: TurnContext, orderId: string): Conversation<Next> {
  const outcome = yield* perform({ do: 'receipt', orderId })
  enter(turn, 'idle')
  return offer(turn, say(turn, outcome.ok ? 'bot.receipt.coming' : 'bot.receipt.none'), ['go:menu'])
}

/** The receipt of the newest delivered order; `lost` without any order. */
export function* sendNewestReceipt(turn: TurnContext): Conversation<Next> {
  const orders = yield* readOrders(turn)
  const order = orders.find(({ status }) => status === 'delivered')
  if (order) return yield* sendReceipt(turn, order.id)
  return orders.length > 0 ? offerBeside(turn, say(turn, 'bot.receipt.none'), ['go:orders', 'go:person']) : 'lost'
}

export function keepOrder(turn: TurnContext): Next {
  turn.memory.orderId = null
  enter(turn, 'idle')
  return offer(turn, say(turn, 'bot.cancel.kept'), startButtons)
}
