import { isLoginButton, parseLoginAnswer, parseLoginWord } from '../auth/message-login.ts'
import { optWordIn } from '../conversations/opt-out-words.ts'
import { ratingIn } from '../conversations/ratings.ts'
import { type Memory, stateTable } from './dialogue/memory.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { hasTrait } from './intent-table.ts'
import { namesProduct } from './understanding/item-request.ts'
import { isDoubtful, type Understanding } from './understanding/understand.ts'

export interface BotStatus {
  now: Date
  /** Staff answer until then. */
  pausedUntil: Date | null
  /** Since when the customer waits for staff. */
  handoffAt: Date | null
  /** The last reply by staff. */
  humanRepliedAt: Date | null
  /** A page waits for this person's login digits. */
  isLoggingIn: boolean
  /** The customer had no offers when the message came. */
  isOptedOut: boolean
}

/** After this long without a reply by staff the bot answers again. */
const WAITING_MS = 8 * 3_600_000

/** What the bot does with a message. Where several apply to messages of one turn, the first of these decides. */
export const reactions = [
  /** The customer lets the bot go on: ends the wait for a person and answers. */
  'resume',
  /** A person is talking with the customer: asks first whether to take over. */
  'ask-back',
  /** Answers; the person stays called. */
  'help',
  /** Answers; nobody is called. */
  'answer',
  /** Leaves the message to the person, and says so. */
  'explain',
  'silent',
] as const
export type Reaction = (typeof reactions)[number]

/**
 * While the customer waits for a person, the bot still cancels, tracks, shows its menu, serves its buttons, answers
 * questions about prices and the shop, and takes orders after the menu and the answer to its own last question; the wait
 * goes on until the customer ends it. Once a person has answered, the bot asks before it comes back. Everything else is
 * left to the person, which is said once.
 */
export function reactionTo(
  status: BotStatus,
  incoming: Incoming,
  { memory, meaning }: { memory: Memory; meaning: Understanding },
): Reaction {
  const { now, pausedUntil, handoffAt } = status
  if (isMessageLogin(status, incoming) || ratingIn(incoming.parts) !== null) return 'silent'
  // Opt-out and opt-in words have their own reply, where they change something; `start` alone is a greeting too.
  const word = optWordIn(incoming.content)
  if (word === 'stop' || (word === 'start' && status.isOptedOut)) return 'silent'
  const isTaken = pausedUntil !== null && pausedUntil > now
  const isWaiting = handoffAt !== null && now.getTime() - handoffAt.getTime() <= WAITING_MS
  if (!isTaken && !isWaiting) return 'answer'
  const call = callIn(incoming, { meaning, memory })
  if (call === 'back' || call === 'serve') {
    if (isTaken) return memory.state === 'handback' ? 'resume' : 'ask-back'
    return call === 'back' ? 'resume' : 'help'
  }
  if (call === 'help' || (call === 'reply' && isReplyToBot(status, memory))) return 'help'
  const isNext = isNextStep(incoming, { meaning, memory }) || isOrderAtMenu(incoming, { meaning, memory })
  if (!isTaken && isNext && isAskedSince(handoffAt, memory)) return 'help'
  if (!isTaken && incoming.type === 'text' && isShopQuestion(meaning)) return 'help'
  return memory.isQuietSaid || incoming.type === 'reaction' ? 'silent' : 'explain'
}

function isMessageLogin({ isLoggingIn }: BotStatus, incoming: Incoming): boolean {
  const { type, content, parts } = incoming
  if (isLoginButton(parts) || (type === 'text' && parseLoginWord(content) !== null)) return true
  return isLoggingIn && parseLoginAnswer(incoming) !== null
}

/** No person has written since the bot's question: the answer belongs to it. */
const isReplyToBot = ({ humanRepliedAt }: BotStatus, { lastAt }: Memory) =>
  lastAt !== null && (humanRepliedAt === null || humanRepliedAt.getTime() < lastAt)

/** The bot asked while the customer waited already, which the call for a person did not interrupt. */
const isAskedSince = (handoffAt: Date | null, { lastAt }: Memory) =>
  handoffAt !== null && lastAt !== null && handoffAt.getTime() < lastAt

/** Words or a place for a question that takes more than a yes or no. */
const isNextStep = ({ type }: Incoming, { meaning, memory: { state } }: { meaning: Understanding; memory: Memory }) =>
  ['text', 'location', 'contacts'].includes(type) &&
  state !== 'idle' &&
  !stateTable[state].isYesNo &&
  !(type === 'text' && stateTable[state].isChoice && hasTrait(meaning.intent, 'toPerson'))

/** The menu and others that offer an order take it in words too. */
const isOrderAtMenu = ({ type }: Incoming, { meaning, memory }: { meaning: Understanding; memory: Memory }) =>
  type === 'text' &&
  memory.choices.includes('go:order') &&
  !isDoubtful(meaning) &&
  (meaning.intent === 'order' || meaning.intent === 'again')

/** The name of a brand and nothing more. */
export const isBrandAlone = ({ intent, slots: { items } }: Understanding): boolean =>
  intent === 'order' &&
  items.length > 0 &&
  items.every(({ vendorId, quantity, isExplicit }) => vendorId !== null && quantity === null && !isExplicit)

/** What the catalogue or the answers of the shop decide: prices, brands and questions to the shop. */
function isShopQuestion(meaning: Understanding): boolean {
  const { intent, intents, alternative, slots } = meaning
  if (isDoubtful(meaning) || alternative !== null) return false
  const isNamed = slots.items.length > 0 && slots.items.every(namesProduct)
  switch (intent) {
    case 'shop':
    case 'brands':
      return true
    case 'price':
      return isNamed || slots.unknown === ''
    case 'has':
      return isNamed || intents.includes('brands')
    default:
      return isBrandAlone(meaning)
  }
}

/** The bot asked what a word means. */
const isGuessAsked = ({ doubt, choices }: Memory) => doubt !== null && choices.includes('guess:yes')

/** Buttons about one order or question, which name it. */
const helping = /^(?:confirm|cancel|cancelled|order|nextday|callme|apply|bot:stay|no$)/

/**
 * `back`: the person is no longer needed. `serve`: the menu or another button. `help`: the bot is needed although a
 * person is called. `reply`: a yes or no to its question.
 */
function callIn(
  { type, parts }: Incoming,
  { memory, meaning }: { memory: Memory; meaning: Understanding },
): 'back' | 'serve' | 'help' | 'reply' | null {
  if (type === 'button' || type === 'list') {
    const { id } = parts
    if (id === undefined || id === 'go:person') return null
    if (id === 'bot:back') return 'back'
    return helping.test(id) || id === 'go:cancel' || id === 'go:orders' ? 'help' : 'serve'
  }
  if (type !== 'text') return null
  const { intent } = meaning
  if (intent === 'menu') return 'serve'
  if (isDoubtful(meaning)) return null
  switch (intent) {
    case 'track':
    case 'cancelOrder':
    case 'optOut':
    case 'optIn':
      return 'help'
    case 'yes':
      if (isGuessAsked(memory)) return 'reply'
      return memory.state === 'handback' ? 'back' : stateTable[memory.state].isYesNo ? 'reply' : null
    case 'no':
      return stateTable[memory.state].isYesNo || isGuessAsked(memory) ? 'reply' : null
    default:
      return null
  }
}
