import { hasTrait } from '../intent-table.ts'
import { isLetters } from '../understanding/person-names.ts'
import { askLikeliest } from './doubt.ts'
import { quietText } from './hand-over.ts'
import { stateTable } from './memory.ts'
import { handleName } from './order-details.ts'
import { callPerson, sayForeign } from './person.ts'
import { handleAddress } from './places/place.ts'
import { type Next, offer, offerBeside, replyText, say, type TurnContext } from './replies.ts'
import { type Conversation, perform } from './turn-context.ts'

const MISSES_UNTIL_PERSON = 2

/** First time: a hint. Second time: handoff to staff. */
export function* notUnderstood(turn: TurnContext): Conversation<void> {
  const { memory } = turn
  if (turn.meaning.writing.isForeign) {
    sayForeign(turn)
    return
  }
  turn.intent = 'not-understood'
  memory.misses += 1
  if (memory.misses >= MISSES_UNTIL_PERSON) {
    yield* callPerson(turn, 'not-understood')
    return
  }
  if (!askLikeliest(turn)) sayHint(turn)
}

/** What is shown can still be chosen from, also where no question is open. */
export function sayHint(turn: TurnContext): Next {
  const { choices, state } = turn.memory
  offer(turn, say(turn, stateTable[state].hint ?? 'bot.lost'), ['go:menu', 'go:person'])
  turn.memory.choices = choices
  return 'answered'
}

/** A person hears a voice message. The open question stays, since it can be answered in writing. */
function* leaveVoice(turn: TurnContext): Conversation<Next> {
  const { memory } = turn
  const { choices } = memory
  yield* perform({ do: 'call-person', reason: 'voice' })
  memory.misses = 0
  replyText(turn, withQuestion(turn, quietText(turn, say(turn, 'bot.media.voice'))))
  memory.choices = choices
  return 'answered'
}

/** Answers pictures and so on, then repeats the question. A voice message whose words are not known is for a person. */
export function* handleMedia(turn: TurnContext): Conversation<Next> {
  const { memory, incoming } = turn
  turn.intent = 'media'
  if (incoming.type === 'audio') return yield* leaveVoice(turn)
  const other = stateTable[memory.state].awaited ? 'bot.media.seen' : 'bot.media.other'
  const text = withQuestion(turn, say(turn, incoming.type === 'sticker' ? 'bot.media.sticker' : other))
  return offerBeside(turn, text, memory.state === 'idle' ? ['go:order', 'go:menu', 'go:person'] : undefined)
}

function withQuestion(turn: TurnContext, text: string): string {
  const key = stateTable[turn.memory.state].awaited
  return key ? `${text}\n${say(turn, key)}` : text
}

/** The second answer to the question for a name or an address is taken as it is. */
export function handleAgain(turn: TurnContext): Next {
  const { meaning, memory } = turn
  const { intent, text, slots } = meaning
  if (!memory.isRefused || /[?؟]/u.test(text) || (hasTrait(intent, 'wayOut') && slots.unknown === '')) return 'lost'
  turn.intent = memory.state
  if (memory.state === 'name') return isLetters(text) ? handleName(turn) : 'lost'
  const isOfStart = memory.addressStart !== null
  return memory.state === 'address' && (isOfStart || /\s/.test(text)) ? handleAddress(turn) : 'lost'
}

export const sayThanks = (turn: TurnContext): Next => offer(turn, say(turn, 'bot.thanks'), ['go:menu'])

/** Jokes and other topics: a friendly word, and the question of before stays open. */
export function chat(turn: TurnContext): Next {
  const text = say(turn, turn.meaning.slots.unknown === '' ? 'bot.smallTalk' : 'bot.joke')
  return offerBeside(turn, text, [turn.cart.items.length > 0 ? 'go:cart' : 'go:order', 'go:menu'])
}
