import { orderIdInText } from '@qatra/contract/orders/order-id'
import { type AnswerKey, isVendorTopic } from '@qatra/contract/whatsapp/bot'
import { translatorFor } from '../../lib/translate.ts'
import { answerText } from '../knowledge/facts.ts'
import type { IntentName } from '../understanding/rules.ts'
import { SURE, type Understanding, understand } from '../understanding/understand.ts'
import { quietText, stayWithPerson } from './hand-over.ts'
import { changeCart, orderAgainWithChange, orderItems, undoChange } from './handle-changes.ts'
import { isFree, type Memory } from './memory.ts'
import {
  applyChange,
  changeAddress,
  changeDay,
  hasChangeable,
  keepUnchanged,
  showChanges,
} from './orders/order-changes.ts'
import { changeItems } from './orders/order-items.ts'
import { askCancel, orderInTrouble, showOrder } from './orders/orders.ts'
import { callPerson } from './person.ts'
import { chosenVendor, placeNamed, takeNote, takePlace, takePoint } from './places/place.ts'
import { pointOf } from './places/places.ts'
import { enter, type Next, offer, replyText, say, type TurnContext, withIntent } from './replies.ts'
import { declineSummary } from './shopping/placing.ts'
import { namedVendor, showDeliveryTime, showPrices, showTerms } from './shopping/prices.ts'
import { sendNewestReceipt } from './shopping/receipt.ts'
import { refuse } from './shopping/refusing.ts'
import { clearAll } from './shopping/shopping.ts'
import { type Conversation, type Facts, perform } from './turn-context.ts'

/** Reads a message with what the conversation knows. */
export function meaningOf(
  text: string,
  { memory, facts, isLiteral }: { memory: Memory; facts: Pick<Facts, 'cart' | 'catalogue'>; isLiteral?: boolean },
): Understanding {
  const { cart, catalogue } = facts
  const known = {
    state: memory.state,
    vendorId: memory.vendorId ?? cart.vendorId,
    productId: memory.state === 'quantity' ? memory.productId : null,
    cart: cart.items.map(({ productId, quantity }) => ({ productId, quantity })),
    lastOrder: [],
  }
  return understand(text, catalogue, known, isLiteral)
}

/** More items than one message can change; each is a command of its own. */
const MAX_ITEMS = 10

/** Handles what is meant by whole messages in any state; `lost` leaves the words to the question asked. */
export function* handleMeaning(turn: TurnContext): Conversation<Next> {
  const { meaning, memory, cart } = turn
  const { intent, slots } = meaning
  if (slots.items.length > MAX_ITEMS && ['order', 'change', 'again'].includes(intent)) {
    replyText(turn, say(turn, 'bot.lost'))
    return 'answered'
  }
  const answered = yield* answerQuestion(turn)
  if (answered !== 'lost') return answered
  const changed = yield* handleOrderChange(turn)
  if (changed !== 'lost') return changed
  switch (intent) {
    case 'optOut':
      return yield* withIntent(turn, 'opt-out', optOut(turn))
    case 'optIn':
      return yield* withIntent(turn, 'opt-in', optIn(turn))
    case 'trouble':
      return yield* withIntent(turn, 'trouble', reportTrouble(turn))
    case 'person':
    case 'callMe':
      return yield* withIntent(turn, 'person', callPerson(turn))
    case 'reschedule':
      return yield* withIntent(turn, 'reschedule', isOrdering(turn) ? showDeliveryTime(turn) : changeDay(turn))
    case 'cancelOrder':
      return yield* withIntent(turn, 'cancelOrder', stopOrCancel(turn))
    case 'clear':
      return yield* withIntent(turn, 'clear', clearAll(turn))
    case 'undo':
      return yield* withIntent(turn, 'undo', undoChange(turn))
    case 'shop':
      return yield* withIntent(turn, `shop-${slots.topics[0] ?? ''}`, answerTopic(turn))
    case 'change':
      return cart.items.length === 0 || memory.state === 'item'
        ? 'lost'
        : yield* withIntent(turn, 'change', changeCart(turn))
    case 'again':
      return slots.items.length === 0 ? 'lost' : yield* withIntent(turn, 'again', orderAgainWithChange(turn))
    case 'order':
      return slots.items.length === 0 ? 'lost' : yield* withIntent(turn, 'order', orderItems(turn))
    case 'place': {
      const place = placeNamed(turn)
      return place === null || memory.state === 'name'
        ? 'lost'
        : yield* withIntent(turn, 'place', takePlace(turn, place))
    }
    case 'refuse':
      return yield* withIntent(turn, 'refuse', refuse(turn))
    case 'price':
      return yield* withIntent(turn, 'price', showPrices(turn))
    case 'notes':
      return memory.state === 'notes' ? 'lost' : yield* withIntent(turn, 'notes', takeNote(turn))
    case 'smallTalk':
      if (memory.state !== 'idle') return 'lost'
      offer(turn, say(turn, 'bot.smallTalk'), [['go:menu', say(turn, 'bot.menu.title')]])
      return 'answered'
    default:
      return 'lost'
  }
}

/** A yes or no to the question about a placed order, or about the bot coming back. */
function* answerQuestion(turn: TurnContext): Conversation<Next> {
  const { meaning, memory, incoming } = turn
  // `صح؟` asks, it does not agree.
  const isYes = meaning.intent === 'yes' && !/[?؟]/u.test(incoming.content)
  if (!isYes && meaning.intent !== 'no' && meaning.intent !== 'refuse') return 'lost'
  if (memory.state === 'handback') return isYes ? 'menu' : stayWithPerson(turn)
  if (memory.state !== 'change') return 'lost'
  return isYes
    ? yield* withIntent(turn, 'change-order', applyChange(turn))
    : yield* withIntent(turn, 'no', keepUnchanged(turn))
}

/** The cart is meant, whose day is the first one. */
const isOrdering = ({ memory, cart }: TurnContext) => memory.state !== 'idle' && cart.items.length > 0

/** The order whose products were asked about. */
const askedOrder = ({ memory }: TurnContext) => (memory.state === 'orderItems' ? memory.changing?.orderId : undefined)

/** Changes of an open order, while there is no cart that the words can be about. */
function* handleOrderChange(turn: TurnContext): Conversation<Next> {
  const { meaning, memory } = turn
  const { intent, confidence } = meaning
  const isOfItems = intent === 'change' || (intent === 'order' && memory.state === 'orderItems')
  if (isOfItems && confidence >= SURE && (yield* hasChangeable(turn, 'items')))
    return yield* withIntent(turn, 'change-order', changeItems(turn, { id: askedOrder(turn), text: meaning.text }))
  if (memory.state !== 'idle') return 'lost'
  if (intent === 'changePlace' && (yield* hasChangeable(turn, 'address')))
    return yield* withIntent(turn, 'change-order', changeAddress(turn))
  if (intent === 'edit' && (yield* hasChangeable(turn)))
    return yield* withIntent(turn, 'change-order', showChanges(turn))
  return 'lost'
}

/** Carried out after the stop of the offers. Other requests may be the reason for it: `stop sending me prices`. */
const carriedOut: ReadonlySet<IntentName> = new Set([
  'trouble',
  'person',
  'callMe',
  'cancelOrder',
  'track',
  'reschedule',
  'cart',
] as const)

/** No more offers, then the other request; where that is not certain, the customer can write it now. */
function* optOut(turn: TurnContext): Conversation<Next> {
  yield* setOffers(turn, 'opt-out')
  const { secondIntent, slots } = turn.meaning
  if (secondIntent === null) return 'answered'
  if (carriedOut.has(secondIntent) || slots.items.length > 0) {
    turn.meaning = { ...turn.meaning, intent: secondIntent, secondIntent: null }
    return yield* handleMeaning(turn)
  }
  offer(turn, say(turn, 'bot.smallTalk'), [['go:menu', say(turn, 'bot.menu.title')]])
  return 'answered'
}

/** Offers again. The bare words of a customer without offers are answered by the campaigns. */
function* optIn(turn: TurnContext): Conversation<Next> {
  // Of a customer who has offers, it is a greeting.
  if (/^start\W*$/i.test(turn.meaning.text)) return 'greet'
  return yield* setOffers(turn, 'opt-in')
}

/** Stops advertising at once, or begins again. Orders and their news go on. */
function* setOffers(turn: TurnContext, action: 'opt-out' | 'opt-in'): Conversation<Next> {
  const { isOut } = yield* perform({ do: action, at: turn.incoming.receivedAt })
  replyText(turn, translatorFor(turn.memory.language)(isOut ? 'news.offers.stopped' : 'news.offers.started'))
  return 'answered'
}

/** While an order is being confirmed or its address asked for, the order is not placed; else a placed one is meant. */
function* stopOrCancel(turn: TurnContext): Conversation<Next> {
  const { state } = turn.memory
  if (state === 'cancel') return 'lost'
  const isOrdering = state === 'confirm' || state === 'address' || state === 'notes' || state === 'name'
  return isOrdering ? declineSummary(turn) : yield* askCancel(turn)
}

/** Calls a person at once with the order that the complaint is about, and shows that order. */
function* reportTrouble(turn: TurnContext): Conversation<Next> {
  const order = yield* orderInTrouble(turn)
  yield* perform({ do: 'call-person', reason: 'trouble', orderId: order?.id })
  turn.memory.misses = 0
  if (!order) {
    replyText(turn, quietText(turn, say(turn, 'bot.trouble')))
    enter(turn, 'idle')
    return 'answered'
  }
  const text = say(turn, 'bot.trouble.order', { id: orderIdInText(order.id) })
  replyText(turn, quietText(turn, text))
  return yield* showOrder(turn, order.id)
}

/** Questions to which a person can say more. */
const forPersons: ReadonlySet<AnswerKey> = new Set([
  'offers',
  'company',
  'invoice',
  'subscription',
  'robot',
  'contact',
  'product',
] as const)

/** Answers a question to the shop and keeps the question of the conversation. */
export function* answerTopic(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, facts } = turn
  const { topics, place } = meaning.slots
  const [topic] = topics
  if (topic === undefined) return 'lost'
  if (topic === 'deliveryTime') return yield* showDeliveryTime(turn)
  if (topic === 'invoice') {
    const next = yield* sendNewestReceipt(turn)
    if (next !== 'lost') return next
  }
  if (isVendorTopic(topic)) return showTerms(turn, topic)
  const [areaId, ...others] = place?.areaIds ?? []
  const area = facts.catalogue.areas.get(areaId ?? 0)
  if (topic === 'areas' && area && others.length === 0) return takePoint(turn, pointOf(facts.catalogue, area), 'area')
  const text = answerText(facts.catalogue, topic, {
    lang: memory.language,
    now: facts.now,
    vendor: topic === 'days' ? (namedVendor(turn) ?? chosenVendor(turn)) : null,
  })
  if (text === null) return 'lost'
  if (isFree(memory.state) || memory.state === 'confirm') {
    replyText(turn, text)
    return 'checkout'
  }
  const { choices } = memory
  offer(turn, text, [
    turn.cart.items.length > 0 ? ['go:cart', say(turn, 'bot.menu.cart')] : ['go:order', say(turn, 'bot.menu.order')],
    forPersons.has(topic) ? ['go:person', say(turn, 'bot.menu.person')] : ['go:menu', say(turn, 'bot.menu.title')],
  ])
  // A list shown before can still be chosen from.
  if (memory.state !== 'idle') memory.choices = choices
  return 'answered'
}
