import type { IntentName } from '../understanding/rules.ts'
import { choose } from './choices.ts'
import { askGuess, askMeaning, intentIn } from './doubt.ts'
import { changeEditedItem, orderItems } from './handle-changes.ts'
import { handleMeaning, meaningOf } from './handle-meaning.ts'
import { isAnswerAgain } from './lost.ts'
import { remember, type State } from './memory.ts'
import { askCancel, cancelOrder, keepOrder } from './orders/orders.ts'
import { chooseLanguage, handleCode, handlePhone, isQuestionDuringSecret, isSecret, showMenu } from './person.ts'
import { sameAddress } from './places/addresses.ts'
import {
  handleAddress,
  handleFullAddress,
  handleName,
  handleNotes,
  handlePlace,
  holdsAddress,
  placeNamed,
  refuseAddress,
  refuseName,
  skipNotes,
  sourceOf,
  takePlace,
  takePoint,
} from './places/place.ts'
import { type Next, offer, type Part, resolve, say, type TurnContext, withIntent } from './replies.ts'
import { checkOut, confirm, declineSummary } from './shopping/placing.ts'
import { showDeliveryTime, showPrices } from './shopping/prices.ts'
import { agree, refuse, takeSecondThought } from './shopping/refusing.ts'
import { changeItem, keepVendor, switchVendor } from './shopping/shopping.ts'
import type { Conversation } from './turn-context.ts'

/** Handles a text: commands of any state, then the answer to the question asked, then anything else. */
export function* handleText(turn: TurnContext): Conversation<Next> {
  const { memory, meaning, incoming } = turn
  const { number } = meaning.slots
  const id = memory.choices[(number ?? 0) - 1]
  if (memory.doubt !== null && id !== undefined && (intentIn(id) !== null || isGuess(id)))
    return yield* handleChoice(turn, id)
  if (memory.doubt !== null && memory.choices.some(isGuess) && !incoming.parts.isForwarded) {
    if (meaning.intent === 'yes') return yield* handleChoice(turn, 'guess:yes')
    if (meaning.intent === 'no') return yield* handleChoice(turn, 'guess:no')
  }
  memory.doubt = null
  return askGuess(turn) || askMeaning(turn) ? 'answered' : yield* handleIntent(turn)
}

const isGuess = (id: string) => id.startsWith('guess:')

/** A row or button: one of the meanings asked about, or anything else that was shown. */
export function* handleChoice(turn: TurnContext, id: string): Conversation<Next> {
  const { memory, facts } = turn
  const intent = intentIn(id)
  if (intent === null && !isGuess(id)) return yield* choose(turn, id)
  const { doubt } = memory
  // Another question has been asked since.
  if (doubt === null || !memory.choices.includes(id)) return 'lost'
  memory.doubt = null
  const isLiteral = id === 'guess:no'
  const meant = { ...meaningOf(doubt, { memory, facts, ...(isLiteral && { isLiteral }) }), guesses: [] }
  turn.meaning = intent === null ? meant : { ...meant, intent, alternative: null, confidence: 1 }
  return intent === null && askMeaning(turn) ? 'answered' : yield* handleIntent(turn)
}

function* handleIntent(turn: TurnContext): Conversation<Next> {
  const { meaning, memory } = turn
  const { intent, text } = meaning
  const { state } = memory
  if (intent === 'menu') return yield* withIntent(turn, 'menu', showMenu(turn))
  if (intent === 'back') return yield* withIntent(turn, 'back', goBack(turn))
  const isAside = isSecret(state) && isQuestionDuringSecret(turn)
  if (isSecret(state) && !isAside && /\p{N}/u.test(text))
    return yield* withIntent(turn, state, state === 'phone' ? handlePhone(turn) : handleCode(turn))
  if (isAnswerAgain(turn))
    return yield* withIntent(turn, state, state === 'name' ? handleName(turn) : handleAddress(turn))
  const thought = yield* takeSecondThought(turn)
  if (thought !== 'lost') return thought
  const handled = isSecret(state) && !isAside ? 'lost' : yield* handleMeaning(turn)
  if (handled !== 'lost') return handled
  const answered = yield* resolve(answers[state]?.(turn) ?? 'lost')
  return answered === 'lost' ? yield* handleOther(turn) : answered
}

/** One step back; from the first step to the menu. */
function goBack({ memory }: TurnContext): Next {
  const to = memory.trail.pop() ?? 'idle'
  remember(memory, { state: to, summary: null, ...(to === 'product' || to === 'vendor' ? { productId: null } : {}) })
  if (to === 'vendor') memory.vendorId = null
  switch (to) {
    case 'place':
    case 'vendor':
    case 'product':
    case 'cart':
    case 'address':
    case 'notes':
    case 'name':
      return to
    case 'confirm':
      return 'checkout'
    default:
      return 'menu'
  }
}

/** Views that interrupt the question for an address or a name. */
const interrupting: ReadonlySet<IntentName> = new Set([
  'track',
  'cart',
  'again',
  'brands',
  'language',
  'help',
  'greeting',
  'changePlace',
  'edit',
] as const)

/** Intents that may carry the name of a place, known or not. */
const mayNamePlace: ReadonlySet<IntentName> = new Set([
  'place',
  'address',
  'name',
  'number',
  'order',
  'notes',
  'unknown',
] as const)

/** Handlers of expected answers, by state. */
const answers: Partial<Record<State, Part>> = {
  *place(turn) {
    const { intent } = turn.meaning
    if (intent === 'sameAddress') return sameAddress(turn)
    if (holdsAddress(turn)) return yield* withIntent(turn, 'address', handleFullAddress(turn))
    const row = yield* chooseRow(turn)
    if (row !== 'lost' || !mayNamePlace.has(intent)) return row
    return yield* withIntent(turn, 'place', handlePlace(turn))
  },
  vendor: chooseRow,
  product: chooseRow,
  *cart(turn) {
    const { cart, meaning } = turn
    const { number } = meaning.slots
    if (meaning.intent === 'yes' || meaning.intent === 'checkout')
      return yield* withIntent(turn, 'checkout', checkOut(turn))
    if (meaning.intent === 'no') return 'menu'
    const row = yield* chooseRow(turn)
    const [only, ...others] = cart.items
    if (row !== 'lost' || number === null || !only || others.length > 0) return row
    return yield* withIntent(turn, 'change', changeItem(turn, only.id, number))
  },
  *item(turn) {
    return yield* withIntent(turn, 'change', changeEditedItem(turn))
  },
  *switch(turn) {
    if (isYes(turn)) return yield* withIntent(turn, 'switch', switchVendor(turn))
    return isNo(turn) ? yield* withIntent(turn, 'no', keepVendor(turn)) : 'lost'
  },
  *address(turn) {
    const { memory } = turn
    const { intent } = turn.meaning
    if (interrupting.has(intent)) return 'lost'
    if (intent === 'no') return declineSummary(turn)
    if (intent === 'sameAddress') return sameAddress(turn)
    const isAddress = intent === 'address' || intent === 'place' || intent === 'number'
    return yield* withIntent(
      turn,
      'address',
      isAddress ? handleAddress(turn) : memory.isRefused ? 'lost' : refuseAddress(turn),
    )
  },
  *notes(turn) {
    const { intent } = turn.meaning
    const isNone = intent === 'skip' || intent === 'no' || intent === 'thanks'
    if (!isNone && intent !== 'notes') return 'lost'
    return yield* withIntent(turn, 'notes', isNone ? skipNotes(turn) : handleNotes(turn))
  },
  *name(turn) {
    const { memory } = turn
    const { intent } = turn.meaning
    if (interrupting.has(intent)) return 'lost'
    const isAnswer = intent === 'name' || intent === 'yes' || intent === 'no' || intent === 'number'
    return yield* withIntent(turn, 'name', isAnswer ? handleName(turn) : memory.isRefused ? 'lost' : refuseName(turn))
  },
  *confirm(turn) {
    if (isYes(turn)) return yield* withIntent(turn, 'confirm', confirm(turn, null))
    return isNo(turn) ? yield* withIntent(turn, 'no', declineSummary(turn)) : 'lost'
  },
  *cancel(turn) {
    if (isYes(turn) || turn.meaning.intent === 'cancelOrder')
      return yield* withIntent(turn, 'cancel', cancelOrder(turn, turn.memory.orderId))
    if (isNo(turn)) return yield* withIntent(turn, 'no', keepOrder(turn))
    // Enough of the order, or of the question.
    return /^(?:بس{1,5}|bas{1,5})\W{0,5}$/iu.test(turn.meaning.text)
      ? yield* askCancel(turn, turn.memory.orderId ?? undefined)
      : 'lost'
  },
}

/** The words of another, forwarded, agree to nothing. */
const isYes = ({ meaning, incoming }: TurnContext) => meaning.intent === 'yes' && !incoming.parts.isForwarded
const isNo = ({ meaning }: TurnContext) => meaning.intent === 'no'

/** The number of a shown row. */
function* chooseRow(turn: TurnContext): Conversation<Next> {
  const { meaning, memory } = turn
  const { number } = meaning.slots
  const more = meaning.intent === 'more' ? memory.choices.find((id) => id.startsWith('page:')) : undefined
  const id = number === null ? more : memory.choices[number - 1]
  return id === undefined ? 'lost' : yield* choose(turn, id)
}

/** States in which a no stops the order. */
const choosing: ReadonlySet<State> = new Set(['place', 'vendor', 'product', 'quantity', 'address'] as const)

/** What is possible in any state once the words are no answer to the question asked. */
function* handleOther(turn: TurnContext): Conversation<Next> {
  const { meaning, memory, cart } = turn
  const { intent, slots } = meaning
  const isIdle = memory.state === 'idle'
  const row = isIdle ? yield* chooseRow(turn) : 'lost'
  if (row !== 'lost') return row
  if (intent !== 'unknown') turn.intent = intent
  switch (intent) {
    case 'greeting':
      return 'greet'
    case 'order':
      memory.productId = null
      return memory.point === null ? orderTo(turn) : 'order'
    case 'brands':
      remember(memory, { productId: null, vendorId: null })
      return 'vendor'
    case 'cart':
    case 'again':
    case 'checkout':
      return intent
    case 'track':
      return 'orders'
    case 'changePlace':
      return 'place'
    case 'language':
      return slots.language === null ? 'language' : yield* chooseLanguage(turn, slots.language)
    case 'edit':
      if (cart.items.length > 0 && /اسم|\b(?:name|ism)/iu.test(meaning.text)) return 'name'
      return cart.items.length > 0 ? 'edit' : isIdle ? 'menu' : 'lost'
    case 'cancelOrder':
      return yield* askCancel(turn)
    case 'more':
      return isIdle ? 'menu' : 'product'
    case 'thanks':
      offer(turn, say(turn, 'bot.thanks'), [['go:menu', say(turn, 'bot.menu.title')]])
      return 'answered'
    case 'help':
      return 'menu'
    case 'yes':
      if (!isIdle || !isYes(turn)) return 'lost'
      if (memory.placedId !== null && cart.items.length === 0) return yield* confirm(turn, null)
      // `place the order` is more than a yes.
      return /order|طلب/iu.test(meaning.text) ? 'checkout' : agree(turn)
    case 'no':
      return choosing.has(memory.state) ? yield* refuse(turn) : isIdle ? agree(turn) : 'lost'
    case 'skip':
      return isIdle ? agree(turn) : 'lost'
    case 'sameAddress':
      return 'order'
    case 'has': {
      const place = slots.items.length === 0 ? placeNamed(turn) : null
      return place ? takePoint(turn, place.point, sourceOf(place)) : showPrices(turn)
    }
    case 'number':
      // `500` after the brand.
      return slots.items.some(({ size }) => size !== null) ? yield* orderItems(turn) : 'lost'
    case 'address':
      // A part of an address that is known already corrects it.
      return holdsAddress(turn) ? handleFullAddress(turn) : memory.address === null ? 'lost' : 'address'
    case 'place':
      return handlePlace(turn)
    case 'unknown':
      if (slots.day !== null && (isIdle || memory.state === 'cart' || memory.state === 'confirm'))
        return yield* showDeliveryTime(turn)
      return mayBePlace(turn) ? handlePlace(turn) : 'lost'
    default:
      return 'lost'
  }
}

const MOST_WORDS_OF_PLACE = 4

/** Part of a place's name, before it was asked for. */
const mayBePlace = ({ meaning, memory }: TurnContext) =>
  ['idle', 'vendor', 'product'].includes(memory.state) && meaning.text.split(/\s+/).length <= MOST_WORDS_OF_PLACE

/** `I want water in Seef` */
function orderTo(turn: TurnContext): Next {
  const place = placeNamed(turn)
  return place ? takePlace(turn, place) : 'order'
}
