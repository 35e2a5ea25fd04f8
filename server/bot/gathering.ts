import type { ReceivedParts } from '../conversations/received.ts'
import { isFree, type State } from './dialogue/memory.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import type { IntentName } from './understanding/rules.ts'
import { SURE, type Understanding } from './understanding/understand.ts'

/** Buttons and rows are answered at once. */
export const isGathered = ({ type }: { type: string }) => type !== 'button' && type !== 'list'

/** A customer who writes on and on is answered after this many times the gathering time. */
const MAX_WAITS = 3
/** Messages of one turn. */
export const MAX_GATHERED = 10
/** Senders report whole seconds. */
const SENDER_PRECISION_MS = 1_000

export interface Gathered<Message extends Incoming> {
  messages: readonly Message[]
  /** Until the turn is complete; a message that arrives meanwhile joins it. */
  waitMs: number
}

/** The messages that are answered together: the first waiting one and those written right after it. */
export function gather<Message extends Incoming>(
  waiting: readonly [Message, ...Message[]],
  now: Date,
  gatherMs: number,
): Gathered<Message> {
  const [first, ...others] = waiting
  const messages = [first]
  if (gatherMs === 0 || !isGathered(first)) return { messages, waitMs: 0 }
  let last = first
  for (const message of others) {
    const isApart =
      message.receivedAt.getTime() - last.receivedAt.getTime() > gatherMs ||
      message.at.getTime() - last.at.getTime() > gatherMs + SENDER_PRECISION_MS
    if (isApart || !isGathered(message) || messages.length === MAX_GATHERED) return { messages, waitMs: 0 }
    messages.push(message)
    last = message
  }
  const due = Math.min(last.receivedAt.getTime() + gatherMs, first.receivedAt.getTime() + MAX_WAITS * gatherMs)
  return { messages, waitMs: Math.max(0, due - now.getTime()) }
}

/** Lines that say one thing together: `order`, `4 cartons`, `Hayrat`, `Seef`. */
const parts: ReadonlySet<IntentName> = new Set([
  'order',
  'change',
  'again',
  'place',
  'address',
  'number',
  'sameAddress',
  'unknown',
] as const)
const courtesies: ReadonlySet<IntentName> = new Set(['greeting', 'thanks', 'smallTalk'] as const)
/** What an answer in free words can be understood as. */
const answers: ReadonlySet<IntentName> = new Set([...parts, 'name', 'notes'] as const)

interface Line {
  message: Incoming
  intent: IntentName
}

/**
 * What the messages of a turn are read as: one message if together they say one thing, else one after the other. `read`
 * understands a text in the state of the conversation.
 */
export function mergeTurn(
  messages: readonly Incoming[],
  state: State,
  read: (text: string) => Understanding,
): readonly Incoming[] {
  const [only, ...others] = messages.filter(({ type }) => type !== 'reaction' && type !== 'sticker')
  if (!only || others.length === 0) return only ? [only] : messages.slice(-1)
  const kept = withoutTakenBack(messages, read)
  const texts = kept.filter(({ type }) => type === 'text')
  const places = messages.filter(({ type }) => type === 'location')
  const rest = messages.filter(({ type }) => !['text', 'location', 'reaction', 'sticker'].includes(type))
  const lines = withoutRepeats(texts.map((message) => ({ message, intent: read(message.content).intent })))
  return [...inOne(lines, places, { state, read }), ...rest]
}

/**
 * The last word counts: a yes that anything but thanks follows is none, and neither is a no that a yes follows. Reactions
 * and stickers say nothing.
 */
function withoutTakenBack(messages: readonly Incoming[], read: (text: string) => Understanding): Incoming[] {
  const said = messages
    .filter(({ type }) => type !== 'reaction' && type !== 'sticker')
    .map((message) => ({ message, intent: message.type === 'text' ? read(message.content).intent : null }))
  return said.flatMap(({ message, intent }, i) => {
    const after = said.slice(i + 1).map((one) => one.intent)
    const isTakenBack =
      intent === 'yes'
        ? after.some((one) => one !== 'yes' && one !== 'thanks')
        : intent === 'no' &&
          after.includes('yes') &&
          after.every((one) => one === 'no' || one === 'yes' || one === 'thanks')
    return isTakenBack ? [] : [message]
  })
}

/** A greeting with a request, and a yes said three times, count once. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const requests = lines.filter(({ intent }) => !courtesies.has(intent))
  const left = requests.length > 0 ? requests : lines.slice(-1)
  return left.filter(({ intent }, i) => answers.has(intent) || intent !== left[i - 1]?.intent)
}

function inOne(
  lines: readonly Line[],
  places: readonly Incoming[],
  { state, read }: { state: State; read: (text: string) => Understanding },
): Incoming[] {
  const [first] = lines
  const last = lines.at(-1)
  const place = places.at(-1)
  if (!first || !last) return place ? [place] : []
  const { lat, lng } = place?.parts ?? {}
  const point = lat === undefined || lng === undefined ? {} : { lat, lng }
  const text = lines.map(({ message }) => message.content).join('\n')
  if (lines.length > 1 && !saysOneThing(lines, state, read(text))) {
    const others = lines.map(({ message }) => message)
    return place ? [place, ...others] : others
  }
  const { at, receivedAt } = first.message
  const parts: ReceivedParts = Object.assign({}, ...lines.map(({ message }) => message.parts), point)
  return [{ ...last.message, content: text, parts, at, receivedAt }]
}

function saysOneThing(lines: readonly Line[], state: State, whole: Understanding): boolean {
  if (state === 'phone' || state === 'code') return false
  if (isFree(state)) return lines.every(({ intent }) => answers.has(intent))
  if (!lines.every(({ intent }) => parts.has(intent))) return false
  const isUnknown = lines.every(({ intent }) => intent === 'unknown')
  return isUnknown || (whole.intent !== 'unknown' && whole.confidence >= SURE)
}
