import { choose } from './choices.ts'
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
  sameAddress,
  takePoint,
} from './dialogue-place.ts'
import { checkOut, confirm, declineSummary } from './dialogue-placing.ts'
import { tellPrices, tellTerms, tellWhen } from './dialogue-prices.ts'
import { agree, itemSaid, refuse } from './dialogue-refusing.ts'
import { advance, changeItem, clearAll, keepVendor, showProducts, switchVendor } from './dialogue-shopping.ts'
import { placesIn, vendorIn } from './matching.ts'
import { isFree, remember, type State } from './memory.ts'
import { parseText } from './parse.ts'
import { lead, type Next, offer, type Part, say, type TurnContext, withIntent } from './replies.ts'
import { requestedItemsIn, takeRequestedItem } from './requested-items.ts'
import type { Conversation } from './turn-context.ts'

/** Handles text: a global command, the expected answer, or anything else. */
export function* handleText(talk: TurnContext): Conversation<Next> {
  const { heard, memory } = talk
  const isZero = heard.words.length === 1 && heard.words[0] === '0'
  if (isZero || (heard.isAlone && heard.act === 'menu')) return yield* withIntent(talk, 'menu', showMenu(talk))
  if (heard.isAlone && heard.act === 'back') return yield* withIntent(talk, 'back', goBack(talk))
  if (heard.act === 'person' && (heard.isAlone || !isFree(memory.state)))
    return yield* withIntent(talk, 'person', callPerson(talk))
  if (heard.isAlone && (heard.act === 'english' || heard.act === 'arabic'))
    return yield* withIntent(talk, 'language', chooseLanguage(talk, heard.act === 'english' ? 'en' : 'ar'))
  if (heard.act === 'callMe' && heard.isAlone && memory.state !== 'notes')
    return yield* withIntent(talk, 'person', callPerson(talk))
  if (heard.act === 'refuse' && !isMereWords(talk)) return yield* withIntent(talk, 'refuse', refuse(talk))
  const isQuestion = heard.act === 'price' || heard.act === 'fee' || heard.act === 'when'
  if (isQuestion && heard.act !== null && !isMereWords(talk))
    return yield* withIntent(talk, heard.act, heard.act === 'price' ? tellPrices(talk) : askedTerms(talk))
  if (isFree(memory.state)) {
    if (heard.isAlone && heard.act === 'cancelOrder') return yield* withIntent(talk, 'no', declineSummary(talk))
    if (heard.isAlone && heard.act !== null && interrupting.has(heard.act)) return yield* handleGlobal(talk)
    talk.intent = memory.state
  }
  const answered = yield* lead((answers[memory.state] ?? nothing)(talk))
  return answered === 'lost' ? yield* handleGlobal(talk) : answered
}

/** Acts that interrupt the input of address, notes or name. */
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
const isMereWords = ({ memory, heard }: TurnContext) =>
  (memory.state === 'notes' && !heard.isAlone) ||
  (memory.state === 'address' && addressPartsIn(heard.text) !== null) ||
  memory.state === 'phone' ||
  memory.state === 'code'

const askedTerms = (talk: TurnContext) => (talk.heard.act === 'when' ? tellWhen(talk) : tellTerms(talk))

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

/** Handlers of expected answers, by state. */
const answers: Partial<Record<State, Part>> = {
  *place(talk) {
    if (talk.heard.act === 'sameAddress') return sameAddress(talk)
    if (talk.heard.act !== null && talk.heard.isAlone) return 'lost'
    if (holdsAddress(talk)) return yield* withIntent(talk, 'address', handleFullAddress(talk))
    const row = yield* chooseRow(talk)
    return row === 'lost' ? yield* withIntent(talk, 'place', handlePlace(talk)) : row
  },
  vendor: chooseRow,
  product: chooseRow,
  *quantity(talk) {
    const { memory, heard } = talk
    if (heard.quantity === null || heard.size !== null) return 'lost'
    memory.quantity = heard.quantity
    return yield* withIntent(talk, 'quantity', advance(talk))
  },
  *cart(talk) {
    const { cart, heard } = talk
    if (heard.act === 'remove') return yield* withIntent(talk, 'remove', removeSaid(talk))
    if (heard.isAlone && (heard.act === 'yes' || heard.act === 'checkout'))
      return yield* withIntent(talk, 'checkout', checkOut(talk))
    if (heard.isAlone && heard.act === 'no') return 'menu'
    const row = yield* chooseRow(talk)
    if (row !== 'lost') return row
    const [item] = cart.items
    const isPlain = heard.size === null && heard.act === null && heard.quantity !== null
    if (!isPlain || cart.items.length !== 1 || !item || heard.words.length > 3 || heard.quantity === null) return 'lost'
    return yield* withIntent(talk, 'change', changeItem(talk, item.id, heard.quantity))
  },
  *item(talk) {
    const { heard, memory } = talk
    const { itemId } = memory
    if (itemId === null) return 'lost'
    if (heard.act === 'remove') return yield* withIntent(talk, 'remove', changeItem(talk, itemId, 0))
    return heard.quantity === null
      ? 'lost'
      : yield* withIntent(talk, 'change', changeItem(talk, itemId, heard.quantity))
  },
  *switch(talk) {
    if (isYes(talk)) return yield* withIntent(talk, 'switch', switchVendor(talk))
    return isNo(talk) ? yield* withIntent(talk, 'no', keepVendor(talk)) : 'lost'
  },
  *phone(talk) {
    return /\p{N}/u.test(talk.heard.text) ? yield* withIntent(talk, 'phone', handlePhone(talk)) : 'lost'
  },
  *code(talk) {
    if (talk.heard.isAlone && talk.heard.act === 'again') return 'lost'
    return /\p{N}/u.test(talk.heard.text) ? yield* withIntent(talk, 'code', handleCode(talk)) : 'lost'
  },
  address(talk) {
    if (isNo(talk)) return declineSummary(talk)
    return talk.heard.act === 'sameAddress' ? sameAddress(talk) : handleAddress(talk)
  },
  notes: handleNotes,
  name: handleName,
  *confirm(talk) {
    if (isYes(talk)) return yield* withIntent(talk, 'confirm', confirm(talk, null))
    if (isNo(talk) || talk.heard.act === 'cancelOrder') return yield* withIntent(talk, 'no', declineSummary(talk))
    return 'lost'
  },
  *cancel(talk) {
    if (isYes(talk) || talk.heard.act === 'cancelOrder')
      return yield* withIntent(talk, 'cancel', cancelOrder(talk, talk.memory.orderId))
    return isNo(talk) ? yield* withIntent(talk, 'no', keepOrder(talk)) : 'lost'
  },
}

const isYes = ({ heard }: TurnContext) => heard.isAlone && heard.act === 'yes'
/** `don't cancel it` is a no too. */
const isNo = ({ heard }: TurnContext) => heard.act === 'no'

/** The number of a shown row. */
function* chooseRow(talk: TurnContext): Conversation<Next> {
  const { heard, memory } = talk
  if (heard.isAlone && heard.act === 'more') {
    const more = memory.choices.find((id) => id.startsWith('page:'))
    if (more) return yield* choose(talk, more)
  }
  if (heard.quantity === null || heard.isOfPacks || heard.size !== null || heard.words.length > 2) return 'lost'
  const id = memory.choices[heard.quantity - 1]
  return id === undefined ? 'lost' : yield* choose(talk, id)
}

function* removeSaid(talk: TurnContext): Conversation<Next> {
  const { cart } = talk
  const [only] = cart.items
  if (cart.items.length === 1 && only) return yield* changeItem(talk, only.id, 0)
  const item = itemSaid(talk)
  return item ? yield* changeItem(talk, item.id, 0) : 'edit'
}

/** Handles acts that are possible in any state. */
function* handleGlobal(talk: TurnContext): Conversation<Next> {
  const { heard, memory, cart } = talk
  const row = memory.state === 'idle' ? yield* chooseRow(talk) : 'lost'
  if (row !== 'lost') return row
  const isOrdering = heard.act === null || ['order', 'more', 'greeting', 'edit', 'again', 'thanks'].includes(heard.act)
  if (heard.act !== 'refuse' && holdsAddress(talk)) return yield* withIntent(talk, 'address', handleFullAddress(talk))
  const isWish = isOrdering && !(heard.isAlone && heard.act !== null && heard.act !== 'order')
  if (isWish) queueLaterItems(talk)
  const found = isWish ? takeRequestedItem(talk) : null
  if (found !== null && memory.state !== 'switch') {
    talk.intent = 'order'
    return found.length > 1 ? yield* showFitting(talk, found) : 'advance'
  }
  const { act } = heard
  if (act !== null) talk.intent = act
  switch (act) {
    case 'greeting':
      return 'greet'
    case 'order':
      memory.productId = null
      return memory.point === null ? orderTo(talk) : 'order'
    case 'vendors':
      remember(memory, { productId: null, vendorId: null })
      return 'vendor'
    case 'cart':
    case 'orders':
    case 'again':
    case 'language':
    case 'checkout':
    case 'place':
      return act
    case 'edit':
      return cart.items.length > 0 ? 'edit' : 'menu'
    case 'cancelOrder':
      return yield* askCancel(talk)
    case 'clear':
      return yield* clearAll(talk)
    case 'more':
      return memory.state === 'idle' ? 'menu' : 'product'
    case 'thanks':
      offer(talk, say(talk, 'bot.thanks'), [['go:menu', say(talk, 'bot.menu.title')]])
      return 'answered'
    case 'help':
      return 'menu'
    case 'yes':
      if (memory.state === 'idle' && memory.placedId !== null && cart.items.length === 0)
        return yield* confirm(talk, null)
      // `place the order` is more than a yes.
      if (memory.state === 'idle' && heard.words.some((word) => word === 'order' || word === 'الطلب')) return 'checkout'
      return memory.state === 'idle' ? agree(talk) : 'lost'
    case 'no':
      return choosing.has(memory.state) ? yield* refuse(talk) : memory.state === 'idle' ? agree(talk) : 'lost'
    case 'skip':
      return memory.state === 'idle' ? agree(talk) : 'lost'
    case 'sameAddress':
      return 'order'
    case 'has': {
      const [place, other] = heard.size === null ? placesIn(talk.facts.catalogue, heard.words) : []
      return place && !other ? takePoint(talk, place.point) : tellPrices(talk)
    }
    case 'english':
    case 'arabic':
      return yield* chooseLanguage(talk, act === 'english' ? 'en' : 'ar')
    case null:
      // A place, before it was asked for.
      return wanders(memory.state) ? yield* withIntent(talk, 'place', handlePlace(talk)) : 'lost'
    default:
      return 'lost'
  }
}

/** Of several requested items in a message, handles the first and queues the others. */
function queueLaterItems(talk: TurnContext): void {
  const { memory, heard, facts } = talk
  const [first, ...later] = requestedItemsIn(talk)
  if (first === undefined) {
    if (heard.isOfPacks || heard.size !== null) memory.later = []
    return
  }
  const vendor = vendorIn(facts.catalogue, heard.words)
  if (vendor) remember(memory, { vendorId: vendor.id, productId: null })
  memory.later = later
  talk.heard = parseText(first)
}

/** States in which a no stops the order. */
const choosing: ReadonlySet<State> = new Set(['place', 'vendor', 'product', 'quantity', 'address'] as const)

const wanders = (state: State) => state === 'idle' || state === 'vendor' || state === 'product'

/** `I want water in Seef` */
function orderTo(talk: TurnContext): Next {
  const { heard, facts } = talk
  const [place, other] = heard.isAlone ? [] : placesIn(facts.catalogue, heard.words)
  return place && !other ? takePoint(talk, place.point) : 'order'
}

function* showFitting(talk: TurnContext, found: Parameters<typeof showProducts>[2]): Conversation<Next> {
  const next = yield* advance(talk)
  return next === 'product' ? showProducts(talk, 0, found) : next
}
