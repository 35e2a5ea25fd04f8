import { choose } from './choices.ts'
import { sameAddress } from './dialogue-addresses.ts'
import { askCancel, cancelOrder, keepOrder } from './dialogue-orders.ts'
import { callPerson, chooseLanguage, handleCode, handlePhone, showMenu } from './dialogue-person.ts'
import {
  addressPartsIn,
  handleAddress,
  handleFullAddress,
  handleName,
  handleNotes,
  handlePlace,
  holdsAddress,
  refuseAddress,
  refuseName,
  takePoint,
} from './dialogue-place.ts'
import { checkOut, confirm, declineSummary } from './dialogue-placing.ts'
import { showDeliveryTime, showPrices, showTerms } from './dialogue-prices.ts'
import { agree, mentionedItem, refuse } from './dialogue-refusing.ts'
import { advance, changeItem, clearAll, keepVendor, showProducts, switchVendor } from './dialogue-shopping.ts'
import { handleMeaning } from './handle-meaning.ts'
import { placesIn } from './matching.ts'
import { isFree, remember, type State } from './memory.ts'
import { type Next, offer, type Part, resolve, say, type TurnContext, withIntent } from './replies.ts'
import { takeRequestedItem } from './requested-items.ts'
import type { Conversation } from './turn-context.ts'
import type { IntentName } from './understanding/rules.ts'

/** Handles text: a global command, the expected answer, or anything else. */
export function* handleText(turn: TurnContext): Conversation<Next> {
  const { input, memory } = turn
  const isZero = input.words.length === 1 && input.words[0] === '0'
  if (isZero || (input.isAlone && input.action === 'menu')) return yield* withIntent(turn, 'menu', showMenu(turn))
  if (input.isAlone && input.action === 'back') return yield* withIntent(turn, 'back', goBack(turn))
  const handled = yield* handleMeaning(turn)
  if (handled !== 'lost') return handled
  const wantsPerson = input.action === 'person' && (input.isAlone || !isFree(memory.state))
  const wantsCall = input.action === 'callMe' && input.isAlone && memory.state !== 'notes'
  if (wantsPerson || wantsCall) return yield* withIntent(turn, 'person', callPerson(turn))
  if (input.isAlone && (input.action === 'english' || input.action === 'arabic'))
    return yield* withIntent(turn, 'language', chooseLanguage(turn, input.action === 'english' ? 'en' : 'ar'))
  if (input.action === 'refuse' && !isExpectedText(turn)) return yield* withIntent(turn, 'refuse', refuse(turn))
  const isQuestion = input.action === 'price' || input.action === 'fee' || input.action === 'when'
  if (isQuestion && input.action !== null && !isExpectedText(turn))
    return yield* withIntent(turn, input.action, input.action === 'price' ? showPrices(turn) : showRequestedTerms(turn))
  if (isFree(memory.state)) {
    if (input.isAlone && input.action === 'cancelOrder') return yield* withIntent(turn, 'no', declineSummary(turn))
    if (input.isAlone && input.action !== null && interrupting.has(input.action)) return yield* handleGlobal(turn)
    turn.intent = memory.state
  }
  const answered = yield* resolve((answers[memory.state] ?? nothing)(turn))
  return answered === 'lost' ? yield* handleGlobal(turn) : answered
}

/** Actions that interrupt the input of address, notes or name. */
const interrupting: ReadonlySet<string> = new Set([
  'orders',
  'cart',
  'again',
  'clear',
  'vendors',
  'language',
  'help',
  'greeting',
  'place',
  'edit',
])

/**
 * Words that may belong to the expected text: a driver note may contain a no or a request, an address any other words.
 */
const isExpectedText = ({ memory, input }: TurnContext) =>
  (memory.state === 'notes' && !input.isAlone) ||
  (memory.state === 'address' && addressPartsIn(input.text) !== null) ||
  memory.state === 'phone' ||
  memory.state === 'code'

const showRequestedTerms = (turn: TurnContext) =>
  turn.input.action === 'when' ? showDeliveryTime(turn) : showTerms(turn)

function nothing(): Next {
  return 'lost'
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

/** Commands, questions and single words are no address. */
const isAddressAnswer = (intent: IntentName) => ['address', 'place', 'number'].includes(intent)

/** Handlers of expected answers, by state. */
const answers: Partial<Record<State, Part>> = {
  *place(turn) {
    if (turn.input.action === 'sameAddress') return sameAddress(turn)
    if (turn.input.action !== null && turn.input.isAlone) return 'lost'
    if (holdsAddress(turn)) return yield* withIntent(turn, 'address', handleFullAddress(turn))
    const row = yield* chooseRow(turn)
    return row === 'lost' ? yield* withIntent(turn, 'place', handlePlace(turn)) : row
  },
  vendor: chooseRow,
  product: chooseRow,
  *quantity(turn) {
    const { memory, input, meaning } = turn
    const isNumber = meaning.intent === 'order' || meaning.intent === 'number'
    if (input.quantity === null || input.size !== null || !isNumber) return 'lost'
    memory.quantity = input.quantity
    return yield* withIntent(turn, 'quantity', advance(turn))
  },
  *cart(turn) {
    const { cart, input } = turn
    if (input.action === 'remove') return yield* withIntent(turn, 'remove', removeMentionedItem(turn))
    if (input.isAlone && (input.action === 'yes' || input.action === 'checkout'))
      return yield* withIntent(turn, 'checkout', checkOut(turn))
    if (input.isAlone && input.action === 'no') return 'menu'
    const row = yield* chooseRow(turn)
    if (row !== 'lost') return row
    const [item] = cart.items
    const isPlain = input.size === null && input.action === null && input.quantity !== null
    if (!isPlain || cart.items.length !== 1 || !item || input.words.length > 3 || input.quantity === null) return 'lost'
    return yield* withIntent(turn, 'change', changeItem(turn, item.id, input.quantity))
  },
  *item(turn) {
    const { input, memory } = turn
    const { itemId } = memory
    if (itemId === null) return 'lost'
    if (input.action === 'remove') return yield* withIntent(turn, 'remove', changeItem(turn, itemId, 0))
    return input.quantity === null
      ? 'lost'
      : yield* withIntent(turn, 'change', changeItem(turn, itemId, input.quantity))
  },
  *switch(turn) {
    if (isYes(turn)) return yield* withIntent(turn, 'switch', switchVendor(turn))
    return isNo(turn) ? yield* withIntent(turn, 'no', keepVendor(turn)) : 'lost'
  },
  *phone(turn) {
    return /\p{N}/u.test(turn.input.text) ? yield* withIntent(turn, 'phone', handlePhone(turn)) : 'lost'
  },
  *code(turn) {
    if (turn.input.isAlone && turn.input.action === 'again') return 'lost'
    return /\p{N}/u.test(turn.input.text) ? yield* withIntent(turn, 'code', handleCode(turn)) : 'lost'
  },
  address(turn) {
    if (isNo(turn)) return declineSummary(turn)
    if (turn.input.action === 'sameAddress') return sameAddress(turn)
    return isAddressAnswer(turn.meaning.intent) ? handleAddress(turn) : refuseAddress(turn)
  },
  notes: handleNotes,
  name(turn) {
    const { intent } = turn.meaning
    if (intent === 'name' || intent === 'yes' || intent === 'no' || intent === 'number') return handleName(turn)
    return refuseName(turn)
  },
  *confirm(turn) {
    if (isYes(turn)) return yield* withIntent(turn, 'confirm', confirm(turn, null))
    if (isNo(turn) || turn.input.action === 'cancelOrder') return yield* withIntent(turn, 'no', declineSummary(turn))
    return 'lost'
  },
  *cancel(turn) {
    if ((isYes(turn) && !isOfPlacing(turn)) || turn.input.action === 'cancelOrder')
      return yield* withIntent(turn, 'cancel', cancelOrder(turn, turn.memory.orderId))
    return isNo(turn) ? yield* withIntent(turn, 'no', keepOrder(turn)) : 'lost'
  },
}

/** `صح؟` asks, it does not agree. */
const isYes = ({ input }: TurnContext) => input.isAlone && input.action === 'yes' && !/[?؟]/u.test(input.text)
/** `send the order` is no yes to its cancelling. */
const isOfPlacing = ({ input }: TurnContext) =>
  /order|place|send|submit|book|طلب|رسل|طرش|جيب|اعتمد|[6t]a?lab/iu.test(input.text)
/** `don't cancel it` counts as a no. */
const isNo = ({ input }: TurnContext) => input.action === 'no'

/** The number of a shown row. */
function* chooseRow(turn: TurnContext): Conversation<Next> {
  const { input, memory } = turn
  if (input.isAlone && input.action === 'more') {
    const more = memory.choices.find((id) => id.startsWith('page:'))
    if (more) return yield* choose(turn, more)
  }
  const { number } = turn.meaning.slots
  const id = number === null ? undefined : memory.choices[number - 1]
  return id === undefined ? 'lost' : yield* choose(turn, id)
}

function* removeMentionedItem(turn: TurnContext): Conversation<Next> {
  const { cart } = turn
  const [only] = cart.items
  if (cart.items.length === 1 && only) return yield* changeItem(turn, only.id, 0)
  const item = mentionedItem(turn)
  return item ? yield* changeItem(turn, item.id, 0) : 'edit'
}

/** Handles actions that are possible in any state. */
function* handleGlobal(turn: TurnContext): Conversation<Next> {
  const { input, memory, cart } = turn
  const row = memory.state === 'idle' ? yield* chooseRow(turn) : 'lost'
  if (row !== 'lost') return row
  const isOrdering =
    input.action === null || ['order', 'more', 'greeting', 'edit', 'again', 'thanks'].includes(input.action)
  if (input.action !== 'refuse' && holdsAddress(turn))
    return yield* withIntent(turn, 'address', handleFullAddress(turn))
  const isRequest = isOrdering && !(input.isAlone && input.action !== null && input.action !== 'order')
  // Words that are not understood order nothing.
  const found = isRequest && turn.meaning.intent !== 'unknown' ? takeRequestedItem(turn) : null
  if (found !== null && memory.state !== 'switch') {
    turn.intent = 'order'
    return found.length > 1 ? yield* showFitting(turn, found) : 'advance'
  }
  const { action } = input
  if (action !== null) turn.intent = action
  switch (action) {
    case 'greeting':
      return 'greet'
    case 'order':
      memory.productId = null
      return memory.point === null ? orderTo(turn) : 'order'
    case 'vendors':
      remember(memory, { productId: null, vendorId: null })
      return 'vendor'
    case 'cart':
    case 'orders':
    case 'again':
    case 'language':
    case 'checkout':
    case 'place':
      return action
    case 'edit':
      return cart.items.length > 0 ? 'edit' : 'menu'
    case 'cancelOrder':
      return yield* askCancel(turn)
    case 'clear':
      return yield* clearAll(turn)
    case 'more':
      return memory.state === 'idle' ? 'menu' : 'product'
    case 'thanks':
      offer(turn, say(turn, 'bot.thanks'), [['go:menu', say(turn, 'bot.menu.title')]])
      return 'answered'
    case 'help':
      return 'menu'
    case 'yes':
      if (memory.state === 'idle' && memory.placedId !== null && cart.items.length === 0)
        return yield* confirm(turn, null)
      // `place the order` is more than a yes.
      if (memory.state === 'idle' && input.words.some((word) => word === 'order' || word === 'الطلب')) return 'checkout'
      return memory.state === 'idle' ? agree(turn) : 'lost'
    case 'no':
      return choosing.has(memory.state) ? yield* refuse(turn) : memory.state === 'idle' ? agree(turn) : 'lost'
    case 'skip':
      return memory.state === 'idle' ? agree(turn) : 'lost'
    case 'sameAddress':
      return 'order'
    case 'has': {
      const [place, other] = input.size === null ? placesIn(turn.facts.catalogue, input.words) : []
      return place && !other ? takePoint(turn, place.point) : showPrices(turn)
    }
    case 'english':
    case 'arabic':
      return yield* chooseLanguage(turn, action === 'english' ? 'en' : 'ar')
    case null:
      // A place, before it was asked for.
      return acceptsPlace(memory.state) ? yield* withIntent(turn, 'place', handlePlace(turn)) : 'lost'
    default:
      return 'lost'
  }
}

/** States in which a no stops the order. */
const choosing: ReadonlySet<State> = new Set(['place', 'vendor', 'product', 'quantity', 'address'] as const)

const acceptsPlace = (state: State) => state === 'idle' || state === 'vendor' || state === 'product'

/** `I want water in Seef` */
function orderTo(turn: TurnContext): Next {
  const { input, facts } = turn
  const [place, other] = input.isAlone ? [] : placesIn(facts.catalogue, input.words)
  return place && !other ? takePoint(turn, place.point) : 'order'
}

function* showFitting(turn: TurnContext, found: Parameters<typeof showProducts>[2]): Conversation<Next> {
  const next = yield* advance(turn)
  return next === 'product' ? showProducts(turn, 0, found) : next
}
