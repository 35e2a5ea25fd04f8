import { hasTrait } from '../intent-table.ts'
import { readSuggestion, suggestedMeaning } from '../model/suggestion.ts'
import { type Act, actsFor, firstOf } from './act-table.ts'
import { choose } from './choices.ts'
import {
  answerToDoubt,
  askDeed,
  askGuess,
  askHeard,
  askMany,
  askMeaning,
  askSuggested,
  correctLast,
  intentIn,
  isGuess,
  redo,
} from './doubt.ts'
import { handleAgain, sayHint } from './lost.ts'
import { isFree, stateTable } from './memory.ts'
import { correctName } from './order-details.ts'
import { handleSecret, sayForeign } from './person.ts'
import { takeSavedByName } from './places/addresses.ts'
import { takeCorrection } from './places/place.ts'
import { meaningOf } from './read-text.ts'
import { type Next, replyText, say, type TurnContext } from './replies.ts'
import { answerBottles, changeEmpties } from './shopping/bottles.ts'
import { restoreCart } from './shopping/cart-changes.ts'
import { chooseDayRow } from './shopping/delivery-day.ts'
import { takeSecondThought } from './shopping/refusing.ts'
import type { Conversation } from './turn-context.ts'

/** Asks first what is in doubt, else does what the table says. */
export function* handleText(turn: TurnContext): Conversation<Next> {
  const id = answerToDoubt(turn)
  if (id !== undefined) return yield* handleChoice(turn, id)
  // A yes to a question with several answers is none to the summary before it.
  if (turn.memory.doubt !== null && turn.meaning.intent === 'yes') turn.memory.summary = null
  turn.memory.doubt = null
  if (askHeard(turn) || askSuggested(turn)) return 'answered'
  const next = yield* correctLast(turn)
  if (next !== 'lost') return next
  const isAsked = askDeed(turn) || askGuess(turn) || askMeaning(turn) || askMany(turn)
  return isAsked ? 'answered' : yield* handleIntent(turn)
}

/** A row or button: one of the meanings asked about, or anything else that was shown. */
export function* handleChoice(turn: TurnContext, id: string): Conversation<Next> {
  const { memory, facts } = turn
  const intent = intentIn(id)
  if (intent === null && !isGuess(id)) return yield* choose(turn, id)
  const { doubt, isHeard, suggested } = memory
  // Another question has been asked since.
  if (doubt === null || !memory.choices.includes(id)) return 'lost'
  memory.doubt = null
  const isLiteral = id === 'guess:no'
  // What was heard or suggested wrongly cannot be read in another way.
  if (isLiteral && (isHeard || suggested !== null)) return sayHint(turn)
  if (id === redo) yield* restoreCart(turn)
  const { cart } = turn
  const read = {
    ...meaningOf(doubt, { memory, ...facts, cart, ...(isLiteral && { isLiteral }) }),
    guesses: [],
    isExplained: true,
  }
  const suggestion = readSuggestion(suggested, facts.catalogue)
  const meant = suggestion ? suggestedMeaning(read, suggestion, facts.catalogue) : read
  turn.meaning = intent === null ? meant : { ...read, intent, alternative: null, certainty: 'act' }
  return intent === null && askMeaning(turn) ? 'answered' : yield* handleIntent(turn)
}

function handleIntent(turn: TurnContext): Conversation<Next> {
  const { intent } = turn.meaning
  const isWayOut = intent === 'menu' || intent === 'back'
  return firstOf(turn, isWayOut ? actsFor(turn) : [...beforeAll, ...actsFor(turn)])
}

/** More items than one message can change; each is a command of its own. */
const MAX_ITEMS = 10

/** `no, not Hassan`, `road is 3811`: of what was given just before. */
function correctGiven(turn: TurnContext): Next {
  const { state } = turn.memory
  if (!stateTable[state].isCorrectable) return 'lost'
  const { address, isCorrection } = turn.meaning.slots
  // `no, 500` after a cart is no part of an address.
  const isOfAddress =
    address !== null &&
    (state === 'notes' || state === 'name' || address.fix?.instead || Object.keys(address.parts).length > 0)
  const isMeant = isOfAddress && (isCorrection || (address.isAlone && state !== 'cart'))
  const next = correctName(turn) ? 'checkout' : isMeant ? takeCorrection(turn) : 'lost'
  if (next !== 'lost') turn.intent = 'edit'
  return next
}

/** More products than one message can order. */
function refuseMany(turn: TurnContext): Next {
  const { intent, slots } = turn.meaning
  return slots.items.length > MAX_ITEMS && hasTrait(intent, 'items') ? replyText(turn, say(turn, 'bot.lost')) : 'lost'
}

/** One sentence for other languages. */
const answerForeign = (turn: TurnContext): Next =>
  turn.meaning.intent === 'unknown' && turn.meaning.writing.isForeign && !isFree(turn.memory.state)
    ? sayForeign(turn)
    : 'lost'

/** Decided by more than the intent. */
const beforeAll: readonly Act[] = [
  takeSavedByName,
  chooseDayRow,
  changeEmpties,
  answerBottles,
  correctGiven,
  handleSecret,
  handleAgain,
  takeSecondThought,
  refuseMany,
  answerForeign,
]
