import type { Config } from '../config/config.ts'
import type { ReceivedParts } from '../conversations/received.ts'
import { isFree, type State } from './dialogue/memory.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { hasTrait, type IntentName } from './intent-table.ts'
import { isEnough, opposes } from './understanding/clauses.ts'
import { isDoubtful, type Understanding } from './understanding/understand.ts'

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

/** A voice message whose words have not come after this time is answered without them. */
const MAX_HEARING_MS = 60_000

/** For how long the turn waits at most for the words of its voice messages. */
const hearingTime = (messages: readonly Incoming[], now: Date): number =>
  Math.max(
    0,
    ...messages
      .filter(({ type, parts }) => type === 'audio' && parts.mediaId !== undefined && parts.transcript === undefined)
      .map(({ receivedAt }) => receivedAt.getTime() + MAX_HEARING_MS - now.getTime()),
  )

/** The messages of a turn, and for how long it waits: for more of them, then for the words of its voice messages. */
export function gatherHeard<Message extends Incoming>(
  waiting: readonly [Message, ...Message[]],
  now: Date,
  { botGatherSeconds, models }: Pick<Config, 'botGatherSeconds' | 'models'>,
): Gathered<Message> {
  const { messages, waitMs } = gather(waiting, now, botGatherSeconds * 1000)
  const isHeard = waitMs > 0 || models.voice === null
  return { messages, waitMs: isHeard ? waitMs : hearingTime(messages, now) }
}

/** What an answer in free words can be understood as. */
const isAnswer = (intent: IntentName) => hasTrait(intent, 'part') || intent === 'name' || intent === 'notes'

interface Line {
  message: Incoming
  intent: IntentName
}

/**
 * What the messages of a turn are read as: one message if together they say one thing, else one after the other. `read`
 * understands a message in the state of the conversation.
 */
export function mergeTurn(
  messages: readonly Incoming[],
  state: State,
  read: (message: Incoming) => Understanding,
): readonly Incoming[] {
  const [only, ...others] = messages.filter(({ type }) => type !== 'reaction' && type !== 'sticker')
  if (!only || others.length === 0) return only ? [only] : messages.slice(-1)
  const kept = withoutTakenBack(messages, state, read)
  const texts = kept.filter(({ type }) => type === 'text')
  const places = messages.filter(({ type }) => type === 'location')
  const rest = messages.filter(({ type }) => !['text', 'location', 'reaction', 'sticker'].includes(type))
  const lines = withoutRepeats(texts.map((message) => ({ message, intent: read(message).intent })))
  return [...inOne(lines, places, { state, read }), ...rest]
}

/**
 * The last word counts: a yes that anything but thanks follows is none, and neither is a no that a yes follows, a change
 * of place or consent before a no, or a quantity before another. Reactions and stickers say nothing.
 */
function withoutTakenBack(
  messages: readonly Incoming[],
  state: State,
  read: (message: Incoming) => Understanding,
): Incoming[] {
  const said = messages
    .filter(({ type }) => type !== 'reaction' && type !== 'sticker')
    .map((message) => {
      const meaning = message.type === 'text' ? read(message) : null
      return { message, intent: meaning?.intent ?? null, slots: meaning?.slots }
    })
  return said.flatMap(({ message, intent, slots }, i) => {
    const after = said.slice(i + 1).map((one) => one.intent)
    const next = said[i + 1]
    const isOtherPlace =
      intent !== null &&
      !hasTrait(intent, 'part') &&
      isOnePlace(slots) &&
      said.slice(i + 1).some((one) => isOnePlace(one.slots) && opposes.test(one.message.content))
    const isTakenBack =
      isOtherPlace ||
      (intent === 'checkout' &&
        after.some((one) => one !== null && (one === 'no' || one === 'refuse' || hasTrait(one, 'items')))) ||
      (intent === 'yes'
        ? after.some((one) => one !== 'yes' && one !== 'thanks')
        : intent === 'no'
          ? after.includes('yes') && after.every((one) => one === 'no' || one === 'yes' || one === 'thanks')
          : next?.intent === 'no'
            ? !isFree(state) && intent !== null && (hasTrait(intent, 'untilNo') || slots?.place !== null)
            : state === 'quantity' && isCount(slots) && isCount(next?.slots))
    return isTakenBack ? [] : [message]
  })
}

const isOnePlace = (slots: Understanding['slots'] | undefined) =>
  slots?.place?.areaIds.length === 1 && Object.keys(slots.address?.parts ?? {}).length === 0 && slots.items.length === 0

const isCount = (slots: Understanding['slots'] | undefined) => slots !== undefined && slots.number !== null

/** A greeting with a request, and a yes said three times, count once. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const isRequest = ({ intent }: Line) => !hasTrait(intent, 'courtesy')
  const [first, last] = [lines.findIndex(isRequest), lines.findLastIndex(isRequest)]
  // `wait` between two requests corrects the first.
  const requests = lines.filter((line, i) => isRequest(line) || (line.intent === 'smallTalk' && first < i && i < last))
  const left = requests.length > 0 ? requests : lines.slice(-1)
  return left.filter(({ intent }, i) => isAnswer(intent) || intent !== left[i - 1]?.intent)
}

function inOne(
  lines: readonly Line[],
  places: readonly Incoming[],
  { state, read }: { state: State; read: (message: Incoming) => Understanding },
): Incoming[] {
  const [first] = lines
  const last = lines.at(-1)
  const place = places.at(-1)
  if (!first || !last) return place ? [place] : []
  const { lat, lng } = place?.parts ?? {}
  const point = lat === undefined || lng === undefined ? {} : { lat, lng }
  const text = lines.map(({ message }) => message.content).join('\n')
  const { at, receivedAt } = first.message
  const parts: ReceivedParts = Object.assign({}, ...lines.map(({ message }) => message.parts), point)
  const whole = { ...last.message, content: text, parts, at, receivedAt }
  if (lines.length === 1 || saysOneThing(lines, state, read(whole))) return [whole]
  const others = lines.map(({ message }) => message)
  return place ? [place, ...others] : others
}

function saysOneThing(lines: readonly Line[], state: State, whole: Understanding): boolean {
  if (state === 'phone' || state === 'code') return false
  // `Ali … no … write Ali Hasan`
  const isBetween = (i: number) => i > 0 && i < lines.length - 1
  if (isFree(state))
    return lines.every(({ intent }, i) => isAnswer(intent) || (isBetween(i) && hasTrait(intent, 'correction')))
  const contentOf = (i: number) => lines[i]?.message.content ?? ''
  const isCorrecting = (intent: IntentName, i: number) =>
    (hasTrait(intent, 'correction') || isEnough(contentOf(i)) || opposes.test(contentOf(i))) &&
    lines.slice(0, i).some((before) => hasTrait(before.intent, 'items'))
  const isPart = (intent: IntentName) => hasTrait(intent, 'part') || hasTrait(intent, 'items')
  // `Riffa … east … no, I mean west`
  const isPlaceFixed =
    whole.slots.place?.areaIds.length === 1 &&
    lines[0]?.intent === 'place' &&
    lines.every(({ intent, message }) => hasTrait(intent, 'part') || opposes.test(message.content))
  if (isPlaceFixed) return true
  if (!lines.every(({ intent }, i) => isPart(intent) || isCorrecting(intent, i))) return false
  const isUnknown = lines.every(({ intent }) => intent === 'unknown')
  // What is corrected is never done first.
  return isUnknown || !isDoubtful(whole) || lines.some(({ intent }, i) => isCorrecting(intent, i))
}
