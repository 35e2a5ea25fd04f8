import type { Outgoing } from '../providers/message.ts'
import { choose } from './choices.ts'
import { askPlace } from './dialogue-addresses.ts'
import { handleMedia, notUnderstood } from './dialogue-lost.ts'
import { orderAgain, showOrders } from './dialogue-orders.ts'
import {
  askLanguage,
  askPhone,
  callPerson,
  greet,
  handleCard,
  phoneKnown,
  showMenu,
  welcomeBack,
} from './dialogue-person.ts'
import { askAddress, askName, askNotes, showVendors, takePoint } from './dialogue-place.ts'
import { checkOut, showSummary } from './dialogue-placing.ts'
import { advance, askItem, askQuantity, showCart, showEditing, showProducts } from './dialogue-shopping.ts'
import { meaningOf, withCommand } from './handle-meaning.ts'
import { handleText } from './handle-text.ts'
import { isFree, type Memory, remember } from './memory.ts'
import { languageOf, parseText } from './parse.ts'
import { joined, type Next, type Part, resolve, type Step, type TurnContext, withIntent } from './replies.ts'
import type { Conversation, Facts, Incoming, Turn } from './turn-context.ts'

/** After this silence the bot starts over and keeps the cart. */
export const SILENCE_MS = 30 * 60_000
/** Limit of steps per message; the longest path has six. */
const MAX_STEPS = 12

export interface TurnResult extends Turn {
  replies: readonly Outgoing[]
  /** The order change that the last reply reports. */
  news: TurnContext['news']
}

/** Processes one message. Pure: yields intents for effects and receives their outcomes. */
export function* processMessage(before: Memory, incoming: Incoming, facts: Facts): Conversation<TurnResult> {
  const memory = structuredClone(before)
  const isTap = incoming.type === 'button' || incoming.type === 'list'
  const written = parseText(incoming.type === 'text' || isTap || isCaptioned(incoming) ? incoming.content : '')
  const meaning = meaningOf(written.text, { memory, facts })
  const input = withCommand(written, meaning, memory.state)
  const silence = memory.lastAt === null ? null : facts.now.getTime() - memory.lastAt
  const isLate = silence !== null && silence > SILENCE_MS && memory.state !== 'idle'
  const isFresh = silence === null || silence > SILENCE_MS
  if (isLate) remember(memory, { state: 'idle', trail: [], summary: null, orderId: null, phone: null, later: [] })
  if (isLate || isFresh) remember(memory, { choices: [], misses: 0, undo: null })
  memory.lastAt = facts.now.getTime()
  const turn: TurnContext = {
    facts,
    incoming,
    input,
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
    memory.language = languageOf(input, memory.language, isFresh)
  let next: Next = isLate && isOnlyAnswer(turn) ? 'lost' : yield* handleMessage(turn)
  for (let steps = 0; next !== 'answered' && next !== 'lost'; steps += 1) {
    // Guards against a loop, which would be a bug; shows the menu instead.
    next = yield* resolve(handlers[steps < MAX_STEPS ? next : 'menu'](turn))
  }
  // Messages without text are answered but do not reset the count.
  if (next !== 'lost' && turn.intent !== 'media') memory.misses = 0
  else if (next === 'lost' && isLate) resumeAfterSilence(turn)
  else if (next === 'lost') yield* notUnderstood(turn)
  rememberCart(turn, facts)
  return { memory, intent: turn.intent, replies: joined(turn.replies), news: turn.news }
}

const linesOf = ({ items }: Facts['cart']) => items.map(({ productId, quantity }) => ({ productId, quantity }))

/** Keeps the cart of before its last change. An order placed or a change undone cannot be undone. */
function rememberCart({ memory, cart, intent }: TurnContext, { cart: before }: Facts): void {
  const lines = linesOf(before)
  if (JSON.stringify(lines) === JSON.stringify(linesOf(cart))) return
  memory.undo = intent === 'confirm' || intent === 'undo' ? null : lines
}

/** Words that only answer a question, after the question has expired. */
const isOnlyAnswer = ({ incoming, input }: TurnContext) =>
  incoming.type === 'text' && (['yes', 'no', 'skip'].includes(input.action ?? '') || /^\d+$/.test(input.words.join('')))

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

function* handleMessage(turn: TurnContext): Conversation<Next> {
  const { incoming, input, person, memory } = turn
  if (person.account && !person.account.isActive)
    return yield* withIntent(turn, 'switched-off', callPerson(turn, 'switched-off'))
  switch (incoming.type) {
    case 'location': {
      const { lat, lng } = incoming.parts
      if (lat === undefined || lng === undefined) return 'lost'
      return yield* withIntent(turn, 'location', takePoint(turn, { lat, lng }))
    }
    case 'button':
    case 'list': {
      const next = yield* choose(turn, incoming.parts.id ?? '')
      // A template's own button has no id of ours; its title is parsed as text.
      if (next !== 'lost' || input.words.length === 0) return next
      break
    }
    case 'contacts':
      if (incoming.parts.isOwnPhone && person.phone !== null) return yield* withIntent(turn, 'phone', phoneKnown(turn))
      if (memory.state === 'phone') return yield* withIntent(turn, 'phone', handleCard(turn))
      return yield* withIntent(turn, 'media', handleMedia(turn))
    case 'text':
      break
    default: {
      // A caption counts as text as far as it is understood.
      const result = input.words.length === 0 ? 'lost' : yield* handleText(turn)
      return result === 'lost' ? yield* withIntent(turn, 'media', handleMedia(turn)) : result
    }
  }
  if (input.words.length === 0 && !isFree(memory.state)) return 'lost'
  return yield* handleText(turn)
}
