import { formatDay, formatTime } from '@qatra/contract/calendar'
import { inLang, nameIn } from '@qatra/contract/lang'
import { formatMoney, fromBhd } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import { customerStatus } from '@qatra/contract/order-status'
import type { Order } from '@qatra/contract/orders'
import { itemName } from './cart-text.ts'
import { remember } from './memory.ts'
import { type Choice, enter, leftToRight, list, type Next, offer, say, type TurnContext, tell } from './replies.ts'
import { clearRequestedItem } from './requested-items.ts'
import { act, type Conversation } from './turn-context.ts'

const MAX_SHOWN = 10

const statusOf = (talk: TurnContext, order: Order) => say(talk, `bot.status.${customerStatus(order.status)}`)
const idOf = (order: Pick<Order, 'id'>) => leftToRight(formatOrderId(order.id))
const vendorName = ({ memory }: TurnContext, order: Order) =>
  inLang(memory.language, order.vendorName, order.vendorNameAr)

function* readOrders(talk: TurnContext): Conversation<readonly Order[]> {
  if (talk.person.account === null) return []
  const { orders } = yield* act({ do: 'orders' })
  return orders
}

const startButtons = (talk: TurnContext): Choice[] => [
  ['go:order', say(talk, 'bot.menu.order')],
  ['go:menu', say(talk, 'bot.menu.title')],
]

function noOrders(talk: TurnContext): Next {
  enter(talk, 'idle')
  offer(talk, say(talk, 'bot.orders.none'), startButtons(talk))
  return 'answered'
}

/** The newest orders with their statuses; a single one in full. */
export function* showOrders(talk: TurnContext): Conversation<Next> {
  const orders = yield* readOrders(talk)
  const [newest] = orders
  if (!newest) return noOrders(talk)
  if (orders.length === 1) return tellOrder(talk, newest)
  enter(talk, 'idle')
  const { language } = talk.memory
  const rows = orders.slice(0, MAX_SHOWN).map((order): Choice => {
    const title = say(talk, 'bot.orders.row', {
      status: statusOf(talk, order),
      day: formatDay(order.promisedDate, language, 'short'),
    })
    const total = formatMoney(fromBhd(order.total), language)
    return [`order:${order.id}`, title, say(talk, 'bot.orders.about', { vendor: vendorName(talk, order), total })]
  })
  list(talk, say(talk, 'bot.orders.title', { count: rows.length }), rows)
  return 'answered'
}

const isOpen = ({ status }: Order) => status !== 'delivered' && status !== 'cancelled'

export function* hasOpenOrder(talk: TurnContext): Conversation<boolean> {
  return (yield* readOrders(talk)).some(isOpen)
}

export function* showOrder(talk: TurnContext, id: string): Conversation<Next> {
  const order = (yield* readOrders(talk)).find((one) => one.id === id)
  return order ? tellOrder(talk, order) : noOrders(talk)
}

function tellOrder(talk: TurnContext, order: Order): Next {
  enter(talk, 'idle')
  const { language } = talk.memory
  const lines = order.items.map((item) =>
    say(talk, 'bot.order.line', { quantity: item.quantity, name: itemName(talk, item) }),
  )
  const day = formatDay(order.promisedDate, language, 'long')
  const status = statusOf(talk, order)
  const text = [
    say(talk, 'bot.order.title', { id: idOf(order), vendor: vendorName(talk, order) }),
    say(talk, isOpen(order) ? 'bot.order.statusOpen' : 'bot.order.status', { status, day }),
    ...lines,
    say(talk, 'bot.sum.total', { amount: formatMoney(fromBhd(order.total), language) }),
  ].join('\n')
  offer(talk, text, [
    ...(order.can.cancel ? [[`cancel:${order.id}`, say(talk, 'bot.order.cancel')] as const] : []),
    ...(order.can.reorder ? [[`again:${order.id}`, say(talk, 'bot.menu.again')] as const] : []),
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}

/** Copies the newest delivered order into the cart, keeping its contents. */
export function* orderAgain(talk: TurnContext, id?: string): Conversation<Next> {
  const orders = yield* readOrders(talk)
  const order = orders.find((one) => (id === undefined ? one.can.reorder : one.id === id && one.can.reorder))
  if (!order) {
    enter(talk, 'idle')
    offer(talk, say(talk, orders.length === 0 ? 'bot.orders.none' : 'bot.again.none'), startButtons(talk))
    return 'answered'
  }
  const hadItems = talk.cart.items.length > 0
  const outcome = yield* act({ do: 'again', orderId: order.id })
  if (!outcome.ok) {
    enter(talk, 'idle')
    offer(talk, say(talk, 'bot.again.failed'), startButtons(talk))
    return 'answered'
  }
  talk.cart = outcome.cart
  remember(talk.memory, { vendorId: outcome.cart.vendorId, productId: null, quantity: null, size: null })
  const { language } = talk.memory
  const { results, priceChanges } = outcome.result
  if (hadItems) tell(talk, say(talk, 'bot.again.kept'))
  if (results.failedItems.length > 0) {
    const names = results.failedItems.map((item) => `• ${nameIn(language, item)}`).join('\n')
    tell(talk, say(talk, 'bot.again.without', { names }))
  }
  if (priceChanges.length > 0) tell(talk, say(talk, 'bot.again.prices', { count: priceChanges.length }))
  return 'checkout'
}

/** Asks which order to cancel: the only one that can be cancelled, or a choice. */
export function* askCancel(talk: TurnContext, id?: string): Conversation<Next> {
  const orders = (yield* readOrders(talk)).filter((order) => order.can.cancel)
  const fitting = id === undefined ? orders : orders.filter((order) => order.id === id)
  const [only] = fitting
  if (!only) {
    // While ordering, the current order is meant.
    if (id === undefined && talk.memory.state !== 'idle') return stopOrdering(talk)
    enter(talk, 'idle')
    offer(talk, say(talk, 'bot.cancel.none'), [
      ['go:orders', say(talk, 'bot.menu.orders')],
      ['go:person', say(talk, 'bot.menu.person')],
      ['go:menu', say(talk, 'bot.menu.title')],
    ])
    return 'answered'
  }
  const { language } = talk.memory
  if (fitting.length > 1) {
    const rows = fitting.slice(0, MAX_SHOWN).map((order): Choice => {
      const total = formatMoney(fromBhd(order.total), language)
      return [
        `cancel:${order.id}`,
        formatOrderId(order.id),
        say(talk, 'bot.orders.about', { vendor: vendorName(talk, order), total }),
      ]
    })
    list(talk, say(talk, 'bot.cancel.which'), rows)
    return 'answered'
  }
  talk.memory.orderId = only.id
  enter(talk, 'cancel')
  const time = formatTime(new Date(only.cancellableUntil), language)
  const text = say(talk, 'bot.cancel.ask', { id: idOf(only), vendor: vendorName(talk, only), time })
  offer(talk, text, [
    ['no', say(talk, 'bot.cancel.no')],
    [`cancelled:${only.id}`, say(talk, 'bot.cancel.yes')],
  ])
  return 'answered'
}

function stopOrdering(talk: TurnContext): Next {
  const isKept = talk.cart.items.length > 0
  clearRequestedItem(talk)
  talk.memory.summary = null
  enter(talk, 'idle')
  offer(talk, say(talk, isKept ? 'bot.summary.kept' : 'bot.okay'), startButtons(talk))
  return 'answered'
}

export function* cancelOrder(talk: TurnContext, id: string | null): Conversation<Next> {
  const { memory } = talk
  // Only after the question about this order.
  if (id === null || memory.orderId !== id || memory.state !== 'cancel') return yield* askCancel(talk, id ?? undefined)
  const outcome = yield* act({ do: 'cancel', orderId: id })
  memory.orderId = null
  enter(talk, 'idle')
  if (outcome.ok) talk.news = { id, version: outcome.order.version }
  const text = outcome.ok ? say(talk, 'bot.cancel.done', { id: idOf({ id }) }) : say(talk, 'bot.cancel.closed')
  offer(talk, text, startButtons(talk))
  return 'answered'
}

export function keepOrder(talk: TurnContext): Next {
  talk.memory.orderId = null
  enter(talk, 'idle')
  offer(talk, say(talk, 'bot.cancel.kept'), startButtons(talk))
  return 'answered'
}
