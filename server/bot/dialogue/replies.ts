import type { Cart } from '@qatra/contract/cart/cart'
import { fit } from '@qatra/contract/lib/fit'
import type messages from '@qatra/contract/messages/bot.ar.json'
import { translatorFor } from '../../lib/translate.ts'
import { limits, type Outgoing } from '../../providers/message.ts'
import type { Understanding } from '../understanding/understand.ts'
import type { Memory, State } from './memory.ts'
import type { Conversation, Facts, Incoming, Person } from './turn-context.ts'

export type BotKey = keyof typeof messages
/** Message types that the bot sends. */
export type Reply = Extract<Outgoing, { type: 'text' | 'list' | 'buttons' | 'location-request' }>
type Values = Record<string, string | number>

/** State of one turn: the message, known facts and replies. */
export interface TurnContext {
  readonly facts: Facts
  readonly incoming: Incoming
  /** The meaning of the message, or the one that was chosen of two. */
  meaning: Understanding
  memory: Memory
  cart: Cart
  person: Person
  replies: Reply[]
  intent: string
  /** An order and its version after a change made here. */
  news: { id: string; version: number | `edit-${number}` } | null
}

export const say = ({ memory }: TurnContext, key: BotKey, values?: Values): string =>
  translatorFor(memory.language)(key, values)

export type Choice = readonly [id: string, title: string, description?: string]

/** One line of limited length; never empty, since no provider accepts that. */
const line = (text: string, most: number) => fit(text.replace(/\s+/g, ' ').trim(), most) || '·'

export function replyText(turn: TurnContext, text: string): void {
  turn.memory.choices = []
  turn.replies.push({ type: 'text', text: fit(text, limits.text) })
}

/** Titles of limited length, each once: Meta refuses equal ones. */
function titlesOf(choices: readonly Choice[], most: number): string[] {
  const titles: string[] = []
  for (const [, written] of choices) {
    let title = line(written, most)
    for (let n = 2; titles.includes(title); n += 1) title = `${line(written, most - ` (${n})`.length)} (${n})`
    titles.push(title)
  }
  return titles
}

/** Up to three buttons under a text; a text too long for that is sent before them. */
export function offer(turn: TurnContext, text: string, buttons: readonly Choice[]): void {
  const shown = buttons.slice(0, limits.buttons)
  const titles = titlesOf(shown, limits.buttonTitle)
  const isLong = text.length > limits.interactiveText
  if (isLong) replyText(turn, text)
  turn.replies.push({
    type: 'buttons',
    text: isLong ? say(turn, 'bot.choose') : text,
    buttons: shown.map(([id], i) => ({ id, title: titles[i] ?? '' })),
  })
  turn.memory.choices = shown.map(([id]) => id)
}

/** At most ten rows; longer lists are paged. */
export function list(turn: TurnContext, text: string, rows: readonly Choice[]): void {
  const shown = rows.slice(0, limits.rows)
  const titles = titlesOf(shown, limits.rowTitle)
  turn.replies.push({
    type: 'list',
    text: fit(text, limits.listText),
    button: line(say(turn, 'bot.list.open'), limits.listButton),
    sections: [
      {
        rows: shown.map(([id, , description], i) => ({
          id,
          title: titles[i] ?? '',
          ...(description ? { description: line(description, limits.rowDescription) } : {}),
        })),
      },
    ],
  })
  turn.memory.choices = shown.map(([id]) => id)
}

export function requestLocation(turn: TurnContext, text: string): void {
  turn.memory.choices = []
  turn.replies.push({ type: 'location-request', text: fit(text, limits.interactiveText) })
}

const PAGE = limits.rows - 1

/** Rows of one page and a row for the next; the last page leads to the first. */
export function paged(
  turn: TurnContext,
  rows: readonly Choice[],
  page: number,
  moreId: (page: number) => string,
): Choice[] {
  if (rows.length <= limits.rows) return [...rows]
  const pages = Math.ceil(rows.length / PAGE)
  const shown = page >= 0 && page < pages ? page : 0
  const next = (shown + 1) % pages
  const position = say(turn, 'bot.list.page', { page: next + 1, pages })
  return [...rows.slice(shown * PAGE, (shown + 1) * PAGE), [moreId(next), say(turn, 'bot.list.more'), position]]
}

const longest: Readonly<Record<Reply['type'], number>> = {
  text: limits.text,
  list: limits.listText,
  buttons: limits.interactiveText,
  'location-request': limits.interactiveText,
}

/** Merges texts with the following message where they fit: fewer messages. */
export function joined(replies: readonly Reply[]): Reply[] {
  const kept: Reply[] = []
  for (const reply of replies) {
    const before = kept.at(-1)
    const text = before?.type === 'text' ? `${before.text}\n\n${reply.text}` : ''
    if (text !== '' && text.length <= longest[reply.type]) kept.splice(-1, 1, { ...reply, text })
    else kept.push(reply)
  }
  return kept
}

/** States whose question can be repeated, for "back". */
const returnable: readonly State[] = [
  'idle',
  'place',
  'vendor',
  'product',
  'cart',
  'address',
  'notes',
  'name',
  'confirm',
]
const MAX_TRAIL = 8

/** Sets the state and appends the previous one to the trail; cuts loops. */
export function enter({ memory }: TurnContext, state: State): void {
  const { state: from, trail } = memory
  if (from !== state) memory.isRefused = false
  if (from !== state && returnable.includes(from)) {
    const known = trail.indexOf(from)
    memory.trail = [...(known === -1 ? trail : trail.slice(0, known)), from].slice(-MAX_TRAIL)
  }
  const circle = memory.trail.indexOf(state)
  if (circle !== -1) memory.trail = memory.trail.slice(0, circle)
  memory.state = state
}

/** The next question or view. */
export type Step =
  | 'greet'
  | 'menu'
  | 'order'
  | 'advance'
  | 'place'
  | 'vendor'
  | 'product'
  | 'quantity'
  | 'cart'
  | 'edit'
  | 'item'
  | 'checkout'
  | 'address'
  | 'notes'
  | 'name'
  | 'confirm'
  | 'phone'
  | 'orders'
  | 'again'
  | 'language'

/** Result of a handler: a step, a reply already given, or not understood. */
export type Next = Step | 'answered' | 'lost'

/** Handlers without intents return directly; the others are generators. */
export type HandlerResult = Next | Conversation<Next>
export type Part = (turn: TurnContext) => HandlerResult

export function* resolve(handled: HandlerResult): Conversation<Next> {
  return typeof handled === 'string' ? handled : yield* handled
}

/** Records the recognized intent and continues with its handler. */
export function* withIntent(turn: TurnContext, intent: string, handled: HandlerResult): Conversation<Next> {
  turn.intent = intent
  return yield* resolve(handled)
}
