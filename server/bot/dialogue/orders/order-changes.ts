import { FRIDAY, isDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import { compareSlots, type DeliverySlot, sameSlot, slotOf, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { isolated } from '@qatra/contract/lib/text'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { translatorFor } from '../../../lib/translate.ts'
import { offeredSlotsFor } from '../../../vendors/promised-dates.ts'
import { type OrderChange, remember } from '../memory.ts'
import { askPlace, noAddress } from '../places/addresses.ts'
import { explainNotServed, handleFullAddress, holdsAddress, serves } from '../places/place.ts'
import { areaOf } from '../places/places.ts'
import {
  type BotKey,
  type Choice,
  enter,
  list,
  type Next,
  offer,
  replyText,
  say,
  type TurnContext,
} from '../replies.ts'
import { type Conversation, type Outcomes, perform } from '../turn-context.ts'
import { dateOf } from './order-edit.ts'
import { type Changeable, canChange, listOrders, noOrders, readOrders, showOrder } from './orders.ts'

/** Whether an order can be changed, in this way, while there is no cart that the words can be about. */
export function* hasChangeable(turn: TurnContext, kind?: Changeable): Conversation<boolean> {
  if (turn.cart.items.length > 0 || turn.person.account === null) return false
  return (yield* readOrders(turn)).some((order) => canChange(order, kind))
}

/** The order that is meant: the given one, or the only one that can be changed; else asks. */
export function* pickOrder(
  turn: TurnContext,
  { kind, id, rest = '' }: { kind?: Changeable; id?: string | undefined; rest?: string },
): Conversation<Order | null> {
  const all = yield* readOrders(turn)
  const [only, ...others] = all.filter((order) => canChange(order, kind) && (id === undefined || order.id === id))
  if (only && others.length === 0) return only
  if (all.length === 0) noOrders(turn)
  else enter(turn, 'idle')
  const row = kind === undefined ? 'change' : `edit${kind}`
  if (only) listOrders(turn, say(turn, 'bot.change.which.order'), [only, ...others], (one) => `${row}:${one}${rest}`)
  else if (all.length > 0) offer(turn, say(turn, 'bot.change.closed'), ['go:orders', 'go:person', 'go:menu'])
  return null
}

/** What can be changed about an order. */
export function* showChanges(turn: TurnContext, id?: string): Conversation<Next> {
  const order = yield* pickOrder(turn, { id })
  if (order === null) return 'answered'
  enter(turn, 'idle')
  const { can } = order
  return list(turn, say(turn, 'bot.change.what', { id: orderIdInText(order.id) }), [
    ...(can.items ? [[`edititems:${order.id}`, say(turn, 'bot.change.items')] as const] : []),
    ...(can.address ? [[`editaddress:${order.id}`, say(turn, 'bot.change.address')] as const] : []),
    ...(can.reschedule ? [[`editday:${order.id}`, say(turn, 'bot.change.day')] as const] : []),
    ...(can.cancel ? [[`cancel:${order.id}`, say(turn, 'bot.order.cancel')] as const] : []),
    'go:menu',
  ])
}

/** What can be changed about a placed order, while there is no cart that the words can be about. */
export function* changePlaced(turn: TurnContext): Conversation<Next> {
  return (yield* hasChangeable(turn)) ? yield* showChanges(turn) : 'lost'
}
export function* changePlacedAddress(turn: TurnContext): Conversation<Next> {
  return (yield* hasChangeable(turn, 'address')) ? yield* changeAddress(turn) : 'lost'
}

/** Remembers a change and asks for a yes. */
export function propose(turn: TurnContext, change: OrderChange, text: string): Next {
  enter(turn, 'change')
  turn.memory.changing = change
  return offer(turn, text, [
    [`apply:${change.orderId}`, say(turn, 'bot.change.yes')],
    ['no', say(turn, 'bot.change.no')],
  ])
}

/** `خلها باجر`, `move it to Sunday`. `value` is the id of an order, and a date if one was chosen. */
export function* changeDay(turn: TurnContext, value = ''): Conversation<Next> {
  const [id, date] = value.split(' ')
  const { day } = turn.meaning.slots
  const said = day === null ? null : dateOf(day, turn.facts.now)
  const wanted = date !== undefined && isDay(date) ? date : said
  const order = yield* pickOrder(turn, { kind: 'day', id: id || undefined, rest: wanted === null ? '' : ` ${wanted}` })
  return order === null ? 'answered' : proposeDay(turn, order, wanted)
}

export function proposeDay(turn: TurnContext, order: Order, day: string | null): Next {
  const { facts, memory } = turn
  const { language } = memory
  const vendor = facts.catalogue.vendors.get(order.vendorId)
  if (!vendor) return 'orders'
  // After a failed attempt the order is loaded already.
  const terms = order.asksForDay ? { ...vendor, cutOff: null } : vendor
  const wanted = day === null ? null : slotOn(day)
  const own = slotOf(order)
  const slots = offeredSlotsFor(facts.catalogue, terms, facts.now).filter((slot) => !sameSlot(slot, own))
  const id = orderIdInText(order.id)
  const words = (slot: DeliverySlot) => slotWords(slot, language, 'long')
  if (sameSlot(wanted, own)) {
    enter(turn, 'idle')
    return offer(turn, say(turn, 'bot.change.day.same', { id, day: words(own) }), ['go:menu'])
  }
  const chosen = slots.find((slot) => sameSlot(slot, wanted))
  if (chosen) {
    const change = { kind: 'day', orderId: order.id, version: order.version, date: chosen.date } as const
    return propose(turn, change, say(turn, 'bot.change.day.confirm', { id, day: words(chosen) }))
  }
  const [first] = slots
  if (first === undefined) return 'orders'
  enter(turn, 'idle')
  const ask = say(turn, 'bot.change.day.ask', { id })
  const closed = (slot: DeliverySlot) => say(turn, 'bot.change.day.closed', { id, day: words(slot) })
  const afterFriday = (friday: DeliverySlot) => {
    const next = slots.find((slot) => compareSlots(slot, friday) > 0) ?? first
    return `${say(turn, 'bot.friday')} ${say(turn, 'bot.friday.next', { day: words(next) })}`
  }
  return list(
    turn,
    wanted === null ? ask : weekdayOf(wanted.date) === FRIDAY ? `${afterFriday(wanted)}\n${ask}` : closed(wanted),
    slots.slice(0, 9).map((slot): Choice => [`editday:${order.id} ${slot.date}`, slotWords(slot, language, 'short')]),
  )
}

/** Asks for the new address of an open order, or takes the one in the message. */
export function* changeAddress(turn: TurnContext, id?: string): Conversation<Next> {
  const order = yield* pickOrder(turn, { kind: 'address', id })
  if (order === null) return 'answered'
  const { orderId, version } = { orderId: order.id, version: order.version }
  const { mapCoordinates: point, pinSource } = order
  remember(turn.memory, { changing: { kind: 'address', orderId, version }, point, pinSource, ...noAddress })
  if (id === undefined && holdsAddress(turn)) return handleFullAddress(turn)
  turn.memory.point = null
  replyText(turn, say(turn, 'bot.change.address.ask', { id: orderIdInText(order.id) }))
  return askPlace(turn)
}

/** The next missing part of the new address, then the question. */
export function* proposeAddress(turn: TurnContext): Conversation<Next> {
  const { memory, facts } = turn
  const { changing, address } = memory
  const order = (yield* readOrders(turn)).find(({ id }) => id === changing?.orderId)
  if (changing === null || !order?.can.address) {
    memory.changing = null
    return 'orders'
  }
  const area = areaOf(turn)
  if (!area) return 'place'
  const vendor = facts.catalogue.vendors.get(order.vendorId)
  if (vendor && !serves(vendor, area)) {
    explainNotServed(turn, vendor, area)
    memory.point = null
    return 'place'
  }
  if (address === null) return 'address'
  const values = { id: orderIdInText(order.id), address: isolated(address), area: nameIn(memory.language, area) }
  return propose(turn, changing, say(turn, 'bot.change.address.confirm', values))
}

/** Carries out the proposed change; `id` is the order of the pressed button. */
export function* applyChange(turn: TurnContext, id?: string): Conversation<Next> {
  const { memory } = turn
  const { changing } = memory
  if (memory.state !== 'change' || changing === null || (id !== undefined && id !== changing.orderId))
    return id === undefined ? 'lost' : yield* showOrder(turn, id)
  const outcome = yield* carryOut(turn, changing)
  memory.changing = null
  enter(turn, 'idle')
  if (outcome === null) return 'orders'
  if (!outcome.ok) return yield* refused(turn, changing, outcome)
  const { order } = outcome
  turn.news = 'edit' in outcome ? { id: order.id, version: `edit-${outcome.edit}` } : turn.news
  const { language } = memory
  const done = {
    day: () =>
      say(turn, 'bot.attempt.moved', {
        id: orderIdInText(order.id),
        day: slotWords(slotOf(order), language, 'long'),
      }),
    items: () =>
      say(turn, 'bot.change.items.done', {
        id: orderIdInText(order.id),
        amount: formatMoney(fromBhd(order.total), language),
      }),
    address: () => say(turn, 'bot.change.address.done', { id: orderIdInText(order.id) }),
  }
  return offer(turn, done[changing.kind](), [[`order:${order.id}`, say(turn, 'bot.change.show')], 'go:menu'])
}

type Carried = Outcomes['reschedule'] | Outcomes['edit-items'] | Outcomes['edit-address']

function* carryOut({ memory }: TurnContext, change: OrderChange): Conversation<Carried | null> {
  const { orderId, version } = change
  switch (change.kind) {
    case 'day':
      return yield* perform({ do: 'reschedule', orderId, date: change.date, version })
    case 'items':
      return yield* perform({ do: 'edit-items', orderId, items: change.lines, expectedTotal: change.total, version })
    case 'address': {
      const { address, addressParts, point, pinSource } = memory
      if (address === null || point === null) return null
      const input = { address, addressParts, mapCoordinates: point, pinSource, version }
      return yield* perform({ do: 'edit-address', orderId, input })
    }
  }
}

const reasons: Partial<Record<string, BotKey>> = {
  PRODUCT_UNAVAILABLE: 'bot.change.gone',
  MINIMUM_NOT_MET: 'bot.change.minimum',
  VENDOR_DOES_NOT_DELIVER: 'bot.change.notThere',
  OUTSIDE_SERVICE_AREA: 'bot.change.notThere',
  VERSION_CONFLICT: 'bot.change.stale',
  PRICE_CHANGED: 'bot.change.stale',
}

/** The site's words for an order that was changed too often; null if that is not the reason. */
function tooOften(turn: TurnContext, details: Record<string, unknown>): string | null {
  const words = translatorFor(turn.memory.language)
  if ('mostMoves' in details) return words('days.tooOften')
  return 'mostEdits' in details ? words('edit.tooOften') : null
}

/** Why nothing was changed, and the order as it is. */
function* refused(
  turn: TurnContext,
  change: OrderChange,
  { code, details }: Extract<Carried, { ok: false }>,
): Conversation<Next> {
  const days = details['days']
  if (code === 'DATE_NOT_AVAILABLE' && change.kind === 'day' && Array.isArray(days)) {
    const order = (yield* readOrders(turn)).find(({ id }) => id === change.orderId)
    if (order) return proposeDay(turn, order, change.date)
  }
  replyText(turn, tooOften(turn, details) ?? say(turn, reasons[code] ?? 'bot.change.closed'))
  return yield* showOrder(turn, change.orderId)
}

export function keepUnchanged(turn: TurnContext): Next {
  turn.memory.changing = null
  enter(turn, 'idle')
  return offer(turn, say(turn, 'bot.cancel.kept'), ['go:orders', 'go:menu'])
}
