import type { Outgoing } from '../providers/message.ts'
import { choose } from './choices.ts'
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
import { askAddress, askName, askNotes, askPlace, showVendors, takePoint } from './dialogue-place.ts'
import { checkOut, showSummary } from './dialogue-placing.ts'
import { advance, askItem, askQuantity, showCart, showEditing, showProducts } from './dialogue-shopping.ts'
import { handleText } from './handle-text.ts'
import { isFree, type Memory, remember } from './memory.ts'
import { languageOf, parseText } from './parse.ts'
import { joined, lead, type Next, type Part, type Step, type TurnContext, withIntent } from './replies.ts'
import type { Conversation, Facts, Incoming, Turn } from './turn-context.ts'

/** After this silence the bot starts over and keeps the cart. */
export const SILENCE_MS = 30 * 60_000
/** Limit of steps per message; the longest path has six. */
const MAX_STEPS = 12

export interface Said extends Turn {
  replies: readonly Outgoing[]
  /** The order change that the last reply reports. */
  news: TurnContext['news']
}

/** Processes one message. Pure: yields intents for effects and receives their outcomes. */
export function* processMessage(before: Memory, incoming: Incoming, facts: Facts): Conversation<Said> {
  const memory = structuredClone(before)
  const isTap = incoming.type === 'button' || incoming.type === 'list'
  const heard = parseText(incoming.type === 'text' || isTap || isCaptioned(incoming) ? incoming.content : '')
  const silence = memory.lastAt === null ? null : facts.now.getTime() - memory.lastAt
  const isLate = silence !== null && silence > SILENCE_MS && memory.state !== 'idle'
  const isFresh = silence === null || silence > SILENCE_MS
  if (isLate) remember(memory, { state: 'idle', trail: [], summary: null, orderId: null, phone: null, later: [] })
  if (isLate || isFresh) remember(memory, { choices: [], misses: 0 })
  memory.lastAt = facts.now.getTime()
  const talk: TurnContext = {
    facts,
    incoming,
    heard,
    memory,
    cart: facts.cart,
    person: facts.person,
    replies: [],
    intent: 'unknown',
    news: null,
  }
  if (incoming.type === 'reaction') return { memory, intent: 'reaction', replies: [], news: null }
  if (!memory.isLanguageChosen && !isTap && !isFree(memory.state))
    memory.language = languageOf(heard, memory.language, isFresh)
  let next: Next = isLate && isMereAnswer(talk) ? 'lost' : yield* understand(talk)
  for (let steps = 0; next !== 'answered' && next !== 'lost'; steps += 1) {
    // Guards against a loop, which would be a bug; shows the menu instead.
    next = yield* lead(asks[steps < MAX_STEPS ? next : 'menu'](talk))
  }
  // Messages without text are answered but do not reset the count.
  if (next !== 'lost' && talk.intent !== 'media') memory.misses = 0
  else if (next === 'lost' && isLate) backAgain(talk)
  else if (next === 'lost') yield* notUnderstood(talk)
  return { memory, intent: talk.intent, replies: joined(talk.replies), news: talk.news }
}

/** Words that only answer a question, after the question has expired. */
const isMereAnswer = ({ incoming, heard }: TurnContext) =>
  incoming.type === 'text' && (['yes', 'no', 'skip'].includes(heard.act ?? '') || /^\d+$/.test(heard.words.join('')))

const isCaptioned = ({ type, content, parts }: Incoming) =>
  (type === 'image' || type === 'video' || type === 'document') && content.trim() !== '' && content !== parts.filename

function backAgain(talk: TurnContext): void {
  talk.intent = 'back'
  const next = welcomeBack(talk)
  if (next === 'greet') greet(talk)
}

const asks: Record<Step, Part> = {
  greet,
  menu: showMenu,
  order: advance,
  advance,
  place: askPlace,
  vendor: (talk) => showVendors(talk),
  product: (talk) => showProducts(talk),
  quantity: askQuantity,
  cart: showCart,
  edit: (talk) => showEditing(talk),
  item: askItem,
  checkout: checkOut,
  address: askAddress,
  notes: askNotes,
  name: askName,
  confirm: showSummary,
  phone: askPhone,
  orders: showOrders,
  again: (talk) => orderAgain(talk),
  language: askLanguage,
}

function* understand(talk: TurnContext): Conversation<Next> {
  const { incoming, heard, person, memory } = talk
  if (person.account && !person.account.isActive)
    return yield* withIntent(talk, 'switched-off', callPerson(talk, 'switched-off'))
  switch (incoming.type) {
    case 'location': {
      const { lat, lng } = incoming.parts
      if (lat === undefined || lng === undefined) return 'lost'
      return yield* withIntent(talk, 'location', takePoint(talk, { lat, lng }))
    }
    case 'button':
    case 'list': {
      const next = yield* choose(talk, incoming.parts.id ?? '')
      // A template's own button has no id of ours; its title is parsed as text.
      if (next !== 'lost' || heard.words.length === 0) return next
      break
    }
    case 'contacts':
      if (incoming.parts.isOwnPhone && person.phone !== null) return yield* withIntent(talk, 'phone', phoneKnown(talk))
      if (memory.state === 'phone') return yield* withIntent(talk, 'phone', handleCard(talk))
      return yield* withIntent(talk, 'media', handleMedia(talk))
    case 'text':
      break
    default: {
      // A caption counts as text as far as it is understood.
      const said = heard.words.length === 0 ? 'lost' : yield* handleText(talk)
      return said === 'lost' ? yield* withIntent(talk, 'media', handleMedia(talk)) : said
    }
  }
  if (heard.words.length === 0 && !isFree(memory.state)) return 'lost'
  return yield* handleText(talk)
}
