import { hasTrait, isIntent } from '../intent-table.ts'
import { isBrandAlone } from '../policy.ts'
import { languageOf } from '../understanding/language.ts'
import type { Understanding } from '../understanding/understand.ts'
import { sayHeard } from './doubt.ts'
import { handleChoice, handleText } from './handle-text.ts'
import { handleMedia, notUnderstood } from './lost.ts'
import { isCheckingOut, isFree, isQuestion, isSecret, type Memory, remember, type State, stateTable } from './memory.ts'
import { askName, askNotes } from './order-details.ts'
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
import { showVendors, takePoint, takePointWithAddress } from './places/place.ts'
import { askAddress, sayAddress } from './places/written-address.ts'
import { meaningOf, readText } from './read-text.ts'
import {
  joined,
  type Next,
  type Part,
  type Reply,
  replyText,
  requestLocation,
  resolve,
  type Step,
  say,
  type TurnContext,
} from './replies.ts'
import { answerBeside } from './shopping/answers.ts'
import { askCollection, askEmpties } from './shopping/bottles.ts'
import { isCartChanged, rememberCart } from './shopping/cart-changes.ts'
import { cartText } from './shopping/cart-text.ts'
import { answerOffer } from './shopping/offers.ts'
import { orderFromCatalogue } from './shopping/ordering.ts'
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
 * the message says; `meaning` is how it was read in this state.
 */
export function* processMessage(
  before: Memory,
  incoming: Incoming,
  facts: Facts,
  { part = handleMessage, meaning = null }: { part?: Part | undefined; meaning?: Understanding | null } = {},
): Conversation<TurnResult> {
  const memory = structuredClone(before)
  const isTap = incoming.type === 'button' || incoming.type === 'list'
  const silence = memory.lastAt === null ? null : facts.now.getTime() - memory.lastAt
  const isLate = silence !== null && silence > SILENCE_MS && memory.state !== 'idle'
  const isFresh = silence === null || silence > SILENCE_MS
  if (isLate)
    remember(memory, {
      state: 'idle',
      trail: [],
      summary: null,
      orderId: null,
      phone: null,
      later: [],
      changing: null,
      day: null,
    })
  if (isLate || isFresh) remember(memory, { choices: [], misses: 0, undo: null, doubt: null })
  // The silence may have changed the state.
  const turn = turnOf(memory, facts, { incoming, meaning: isLate ? null : meaning })
  if (incoming.type === 'reaction') return { memory, intent: 'reaction', replies: [], news: null }
  if (!memory.isLanguageChosen && !isTap && !isFree(memory.state))
    memory.language = languageOf(turn.meaning.writing, memory.language, isFresh)
  const isLost = isLate && !incoming.isReplyToOffer && isOnlyAnswer(turn)
  const next = yield* follow(turn, isLost ? 'lost' : yield* resolve(part(turn)))
  if (next === 'answered') yield* askOnceMore(turn, before)
  // Messages without text are answered but do not reset the count.
  if (next !== 'lost' && turn.intent !== 'media') memory.misses = 0
  else if (next === 'lost' && isLate) resumeAfterSilence(turn)
  else if (next === 'lost') yield* notUnderstood(turn)
  if (next !== 'lost' && !isTap) answerBeside(turn)
  sayAddress(turn, before)
  if (!isSecret(before.state)) sayHeard(turn)
  if (!stateTable[memory.state].isOfChange) memory.changing = null
  if (!choosing.has(memory.state)) memory.replaced = []
  rememberCart(turn)
  return { memory, intent: turn.intent, replies: joined(turn.replies), news: turn.news }
}

const turnOf = (
  memory: Memory,
  facts: Facts,
  { incoming, meaning = null }: { incoming: Incoming; meaning?: Understanding | null },
): TurnContext => ({
  facts,
  incoming,
  meaning: meaning ?? meaningOf(incoming, { memory, ...facts }),
  memory: remember(memory, { lastAt: facts.now.getTime() }),
  cart: facts.cart,
  person: facts.person,
  replies: [],
  intent: 'unknown',
  news: null,
})

/** After an answer that left an open question, the conversation is as before and the question is asked again. */
function* askOnceMore(turn: TurnContext, before: Memory): Conversation<void> {
  const { memory, intent } = turn
  const isAside = isIntent(intent) ? hasTrait(intent, 'aside') : intent === 'receipt'
  if (!isAside || !isQuestion(before.state)) return
  const when = stateTable[before.state].isAskedAgain
  // A price asked for before an order is begun asks how many itself.
  const isEnded = memory.state === 'idle' || memory.state === 'cart'
  if (when === 'ended' ? !isEnded : when === 'left' && memory.state === before.state) return
  const { language, isLanguageChosen, lastAt, isQuietSaid, closedSaidOn } = memory
  const kept = { language, isLanguageChosen, lastAt, isQuietSaid, closedSaidOn }
  remember(memory, { ...structuredClone(before), ...kept })
  yield* follow(turn, before.state)
}

/** Runs the steps until the customer is answered. A cart that was changed during the checkout returns to what was asked. */
function* follow(turn: TurnContext, first: Next): Conversation<'answered' | 'lost'> {
  const from = turn.memory.state
  let next = first
  let isReturning = isCheckingOut(from)
  for (let steps = 0; next !== 'answered' && next !== 'lost'; steps += 1) {
    if (next === 'cart' && isReturning && turn.cart.items.length > 0 && isCartChanged(turn)) {
      if (from !== 'confirm') replyText(turn, cartText(turn))
      isReturning = false
      next = 'checkout'
    }
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
  })
  const incoming: Incoming = { id: token, type: 'text', content: '', parts: {}, at: facts.now, receivedAt: facts.now }
  const turn = { ...turnOf(memory, facts, { incoming }), intent: 'checkout' }
  yield* follow(turn, 'checkout')
  return { memory, intent: turn.intent, replies: joined(turn.replies), news: null }
}

/** A product of an exchange is still open. */
const choosing: ReadonlySet<State> = new Set(['place', 'vendor', 'product', 'quantity', 'phone', 'code'] as const)

/** Words that only answer a question, after the question has expired. */
const isOnlyAnswer = ({ incoming, meaning }: TurnContext) =>
  incoming.type === 'text' && ['yes', 'no', 'skip', 'number'].includes(meaning.intent)

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
  switch: askSwitch,
  cart: showCart,
  edit: (turn) => showEditing(turn),
  item: askItem,
  checkout: checkOut,
  address: askAddress,
  notes: askNotes,
  name: askName,
  empties: askEmpties,
  collect: askCollection,
  confirm: showSummary,
  phone: askPhone,
  code: askCode,
  cancel: (turn) => askCancel(turn, turn.memory.orderId ?? undefined),
  change: askChange,
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
  if (incoming.type === 'text' && memory.state === 'idle' && isBrandAlone(meaning)) {
    turn.intent = 'price'
    return showPrices(turn)
  }
  if (meaning.secondIntent !== 'track' && meaning.secondIntent !== 'cancelOrder')
    turn.meaning = { ...meaning, secondIntent: null }
  return yield* handleMessage(turn)
}

function* handleMessage(turn: TurnContext): Conversation<Next> {
  const { incoming, meaning, person, memory } = turn
  turn.intent = incoming.type
  if (person.account && !person.account.isActive) return yield* callPerson(turn, 'switched-off')
  if (incoming.isReplyToOffer) {
    const next = yield* answerOffer(turn)
    if (next !== 'lost') return next
  }
  switch (incoming.type) {
    case 'location': {
      const { lat, lng } = incoming.parts
      return lat === undefined || lng === undefined ? 'lost' : takePoint(turn, { lat, lng }, 'gps')
    }
    case 'button':
    case 'list': {
      const next = yield* handleChoice(turn, incoming.parts.id ?? '')
      // A template's own button has no id of ours; its title is parsed as text.
      if (next !== 'lost' || meaning.isEmpty) return next
      break
    }
    case 'contacts':
      if (incoming.parts.isOwnPhone && person.phone !== null) return phoneKnown(turn)
      return yield* memory.state === 'phone' ? handleCard(turn) : handleMedia(turn)
    case 'order':
      return yield* orderFromCatalogue(turn)
    case 'flow':
      return yield* callPerson(turn)
    case 'text': {
      const next = takeLinkedPlace(turn)
      if (next !== 'lost') return next
      break
    }
    default: {
      // A caption counts as text as far as it is understood.
      const next = meaning.isEmpty ? 'lost' : yield* handleText(turn)
      return next === 'lost' ? yield* handleMedia(turn) : next
    }
  }
  return meaning.isEmpty && !isFree(memory.state) ? 'lost' : yield* handleText(turn)
}

/** The place of a map link or of a pin beside a text. `lost` leaves the other words to be handled, if there are any. */
function takeLinkedPlace(turn: TurnContext): Next {
  const { point, isPin, isLinkUnread } = readText(turn.incoming)
  if (!point && !isLinkUnread) return 'lost'
  turn.intent = 'location'
  const hasWords = hasTrait(turn.meaning.intent, 'withLink')
  const ask = say(turn, 'bot.place.link')
  if (!point && !hasWords) return requestLocation(turn, ask)
  const source = isPin ? 'gps' : 'map'
  // The question for an address reads it itself.
  const isAddress = turn.meaning.intent === 'address' && turn.memory.state !== 'address'
  if (point && isAddress) return takePointWithAddress(turn, point, source)
  const next = point ? takePoint(turn, point, source) : replyText(turn, ask)
  return hasWords && !(point && next === 'answered') ? 'lost' : next
}
