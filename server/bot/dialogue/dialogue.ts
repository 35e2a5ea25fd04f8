import { isBrandAlone } from '../policy.ts'
import { languageOf } from '../understanding/language.ts'
import { meaningOf } from './handle-meaning.ts'
import { handleChoice, handleText } from './handle-text.ts'
import { takeLinkedPlace } from './links.ts'
import { handleMedia, notUnderstood } from './lost.ts'
import { isFree, type Memory, remember, type State } from './memory.ts'
import { sayNoFriday } from './orders/friday.ts'
import { askChange } from './orders/order-items.ts'
import { askCancel, orderAgain, showOrders } from './orders/orders.ts'
import {
  askCode,
  askLanguage,
  askPhone,
  callPerson,
  greet,
  handleCard,
  phoneKnown,
  showMenu,
  welcomeBack,
} from './person.ts'
import { askPlace } from './places/addresses.ts'
import { askAddress, askName, askNotes, showVendors, takePoint } from './places/place.ts'
import { readText } from './read-text.ts'
import {
  joined,
  type Next,
  type Part,
  type Reply,
  resolve,
  type Step,
  type TurnContext,
  withIntent,
} from './replies.ts'
import { orderFromCatalogue } from './shopping/catalogue.ts'
import { answerOffer } from './shopping/offer.ts'
import { checkOut, showSummary } from './shopping/placing.ts'
import { showPrices } from './shopping/prices.ts'
import { advance, askItem, askQuantity, askSwitch, showCart, showEditing, showProducts } from './shopping/shopping.ts'
import type { Conversation, Facts, Incoming, Turn } from './turn-context.ts'

/** After this silence the bot starts over and keeps the cart. */
export const SILENCE_MS = 30 * 60_000
/** Limit of steps per message; the longest path has six. */
const MAX_STEPS = 12

export interface TurnResult extends Turn {
  replies: readonly Reply[]
  /** The order change that the last reply reports. */
  news: TurnContext['news']
}

/**
 * Processes one message. Pure: yields intents for effects and receives their outcomes. `part` answers it instead of what
 * the message says.
 */
export function* processMessage(
  before: Memory,
  incoming: Incoming,
  facts: Facts,
  part: Part = handleMessage,
): Conversation<TurnResult> {
  const memory = structuredClone(before)
  const isTap = incoming.type === 'button' || incoming.type === 'list'
  const silence = memory.lastAt === null ? null : facts.now.getTime() - memory.lastAt
  const isLate = silence !== null && silence > SILENCE_MS && memory.state !== 'idle'
  const isFresh = silence === null || silence > SILENCE_MS
  if (isLate)
    remember(memory, { state: 'idle', trail: [], summary: null, orderId: null, phone: null, later: [], changing: null })
  if (isLate || isFresh) remember(memory, { choices: [], misses: 0, undo: null, doubt: null })
  const isWritten = incoming.type === 'text' || isTap || isCaptioned(incoming)
  const meaning = meaningOf(isWritten ? readText(incoming).text : '', { memory, facts })
  memory.lastAt = facts.now.getTime()
  const turn: TurnContext = {
    facts,
    incoming,
    meaning,
    memory,
    cart: facts.cart,
    person: facts.person,
    replies: [],
    intent: 'unknown',
    news: null,
  }
  if (incoming.type === 'reaction') return { memory, intent: 'reaction', replies: [], news: null }
  if (!memory.isLanguageChosen && !isTap && !isFree(memory.state))
    memory.language = languageOf(meaning.writing, memory.language, isFresh)
  const isLost = isLate && !incoming.isReplyToOffer && isOnlyAnswer(turn)
  const next = yield* follow(turn, isLost ? 'lost' : yield* resolve(part(turn)))
  if (next === 'answered') yield* askOnceMore(turn, before)
  // Messages without text are answered but do not reset the count.
  if (next !== 'lost' && turn.intent !== 'media') memory.misses = 0
  else if (next === 'lost' && isLate) resumeAfterSilence(turn)
  else if (next === 'lost') yield* notUnderstood(turn)
  if (next !== 'lost' && !isTap) sayNoFriday(turn)
  if (!changing.has(memory.state)) memory.changing = null
  rememberCart(turn, facts)
  return { memory, intent: turn.intent, replies: joined(turn.replies), news: turn.news }
}

/** Answers that end no question: the open one is asked again after them. */
const isAside = (intent: string) =>
  ['cart', 'price', 'track', 'greeting', 'language', 'receipt', 'smallTalk', 'has'].includes(intent) ||
  intent.startsWith('shop-')

/** How an open question is asked again. */
const questions: Partial<Record<State, Part>> = {
  place: () => 'place',
  quantity: () => 'quantity',
  switch: askSwitch,
  phone: () => 'phone',
  code: askCode,
  address: () => 'address',
  notes: () => 'notes',
  name: () => 'name',
  confirm: () => 'confirm',
  cancel: (turn) => askCancel(turn, turn.memory.orderId ?? undefined),
  change: askChange,
}

/** Asked again also if the answer left the question open: its buttons took the place of those of the question. */
const isAlwaysAsked: ReadonlySet<State> = new Set(['switch', 'cancel', 'change', 'phone', 'code'] as const)

/** After an answer that left an open question, the conversation is as before and the question is asked again. */
function* askOnceMore(turn: TurnContext, before: Memory): Conversation<void> {
  const { memory } = turn
  const question = questions[before.state]
  // A price asked for before an order is begun asks how many itself.
  const isLeft = ['place', 'quantity'].includes(before.state)
    ? memory.state === 'idle' || memory.state === 'cart'
    : memory.state !== before.state || isAlwaysAsked.has(before.state)
  if (!isLeft || !isAside(turn.intent) || question === undefined) return
  const { language, isLanguageChosen, lastAt, isQuietSaid } = memory
  remember(memory, { ...structuredClone(before), language, isLanguageChosen, lastAt, isQuietSaid })
  yield* follow(turn, yield* resolve(question(turn)))
}

/** States in which a placed order is being changed. */
const changing: ReadonlySet<State> = new Set(['change', 'orderItems', 'place', 'address'] as const)

/** Runs the steps until the customer is answered. */
function* follow(turn: TurnContext, first: Next): Conversation<'answered' | 'lost'> {
  let next = first
  for (let steps = 0; next !== 'answered' && next !== 'lost'; steps += 1) {
    // Guards against a loop, which would be a bug; shows the menu instead.
    next = yield* resolve(handlers[steps < MAX_STEPS ? next : 'menu'](turn))
  }
  return next
}

/**
 * Shows the cart for confirmation, or asks for what is missing, without a message of the customer.
 * @param token names the summary; differs from the ids of messages
 */
export function* askForConfirmation(before: Memory, token: number, facts: Facts): Conversation<TurnResult> {
  const memory = remember(structuredClone(before), {
    choices: [],
    misses: 0,
    productId: null,
    quantity: null,
    later: [],
    undo: null,
    doubt: null,
    orderId: null,
    changing: null,
    lastAt: facts.now.getTime(),
  })
  const incoming: Incoming = { id: token, type: 'text', content: '', parts: {}, at: facts.now, receivedAt: facts.now }
  const turn: TurnContext = {
    facts,
    incoming,
    meaning: meaningOf('', { memory, facts }),
    memory,
    cart: facts.cart,
    person: facts.person,
    replies: [],
    intent: 'checkout',
    news: null,
  }
  yield* follow(turn, 'checkout')
  return { memory, intent: turn.intent, replies: joined(turn.replies), news: null }
}

const linesOf = ({ items }: Facts['cart']) => items.map(({ productId, quantity }) => ({ productId, quantity }))

/** Keeps the cart of before its last change. An order placed or a change undone cannot be undone. */
function rememberCart({ memory, cart, intent }: TurnContext, { cart: before }: Facts): void {
  const lines = linesOf(before)
  if (JSON.stringify(lines) === JSON.stringify(linesOf(cart))) return
  memory.undo = intent === 'confirm' || intent === 'undo' ? null : lines
}

/** Words that only answer a question, after the question has expired. */
const isOnlyAnswer = ({ incoming, meaning }: TurnContext) =>
  incoming.type === 'text' && ['yes', 'no', 'skip', 'number'].includes(meaning.intent)

const isCaptioned = ({ type, content, parts }: Incoming) =>
  (type === 'image' || type === 'video' || type === 'document') && content.trim() !== '' && content !== parts.filename

function resumeAfterSilence(turn: TurnContext): void {
  turn.intent = 'back'
  const next = welcomeBack(turn)
  if (next === 'greet') greet(turn)
}

const handlers: Record<Step, Part> = {
  greet,
  menu: showMenu,
  order: advance,
  advance,
  place: askPlace,
  vendor: (turn) => showVendors(turn),
  product: (turn) => showProducts(turn),
  quantity: askQuantity,
  cart: showCart,
  edit: (turn) => showEditing(turn),
  item: askItem,
  checkout: checkOut,
  address: askAddress,
  notes: askNotes,
  name: askName,
  confirm: showSummary,
  phone: askPhone,
  orders: showOrders,
  again: (turn) => orderAgain(turn),
  language: askLanguage,
}

/**
 * While the customer waits for a person: the name of a brand asks for its prices, and begins no order. Neither do words
 * beside a stop of the offers.
 */
export function* helpMeanwhile(turn: TurnContext): Conversation<Next> {
  const { incoming, meaning, memory } = turn
  if (incoming.type === 'text' && memory.state === 'idle' && isBrandAlone(meaning))
    return yield* withIntent(turn, 'price', showPrices(turn))
  if (meaning.secondIntent !== 'track' && meaning.secondIntent !== 'cancelOrder')
    turn.meaning = { ...meaning, secondIntent: null }
  return yield* handleMessage(turn)
}

function* handleMessage(turn: TurnContext): Conversation<Next> {
  const { incoming, meaning, person, memory } = turn
  if (person.account && !person.account.isActive)
    return yield* withIntent(turn, 'switched-off', callPerson(turn, 'switched-off'))
  if (incoming.isReplyToOffer) {
    const next = yield* answerOffer(turn)
    if (next !== 'lost') return next
  }
  switch (incoming.type) {
    case 'location': {
      const { lat, lng } = incoming.parts
      if (lat === undefined || lng === undefined) return 'lost'
      return yield* withIntent(turn, 'location', takePoint(turn, { lat, lng }, 'gps'))
    }
    case 'button':
    case 'list': {
      const next = yield* handleChoice(turn, incoming.parts.id ?? '')
      // A template's own button has no id of ours; its title is parsed as text.
      if (next !== 'lost' || meaning.isEmpty) return next
      break
    }
    case 'contacts':
      if (incoming.parts.isOwnPhone && person.phone !== null) return yield* withIntent(turn, 'phone', phoneKnown(turn))
      if (memory.state === 'phone') return yield* withIntent(turn, 'phone', handleCard(turn))
      return yield* withIntent(turn, 'media', handleMedia(turn))
    case 'order':
      return yield* withIntent(turn, 'order', orderFromCatalogue(turn))
    case 'flow':
      return yield* withIntent(turn, 'flow', callPerson(turn, 'asked'))
    case 'text': {
      const next = takeLinkedPlace(turn)
      if (next !== 'lost') return next
      break
    }
    default: {
      // A caption counts as text as far as it is understood.
      const result = meaning.isEmpty ? 'lost' : yield* handleText(turn)
      return result === 'lost' ? yield* withIntent(turn, 'media', handleMedia(turn)) : result
    }
  }
  if (meaning.isEmpty && !isFree(memory.state)) return 'lost'
  return yield* handleText(turn)
}
