import type { Cart } from '@qatra/contract/cart/cart'
import { fit } from '@qatra/contract/lib/fit'
import type messages from '@qatra/contract/messages/bot.ar.json'
import { translatorFor } from '../../lib/translate.ts'
import { limits, type Outgoing } from '../../providers/message.ts'
import type { Understanding } from '../understanding/understand.ts'
import { type Memory, type State, stateTable } from './memory.ts'
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

/** Buttons and rows that are called the same everywhere. */
const titles = {
  'go:menu': 'bot.menu.title',
  'go:order': 'bot.menu.order',
  'go:cart': 'bot.menu.cart',
  'go:again': 'bot.menu.again',
  'go:orders': 'bot.menu.orders',
  'go:person': 'bot.menu.person',
  'go:language': 'bot.menu.otherLanguage',
  'go:more': 'bot.cart.more',
  'go:edit': 'bot.cart.edit',
  'go:checkout': 'bot.cart.checkout',
  'go:place': 'bot.edit.place',
  'go:name': 'bot.edit.name',
  'go:notes': 'bot.edit.notes',
  'go:clear': 'bot.edit.clear',
} as const satisfies Record<string, BotKey>

type Row = readonly [id: string, title: string, description?: string]
/** An id of the table above, or one with its title. */
export type Choice = keyof typeof titles | Row

const rowsOf = (turn: TurnContext, choices: readonly Choice[]): Row[] =>
  choices.map((choice) => (typeof choice === 'string' ? [choice, say(turn, titles[choice])] : choice))

/** One line of limited length; never empty, since no provider accepts that. */
const line = (text: string, most: number) => fit(text.replace(/\s+/g, ' ').trim(), most) || '·'

export function replyText(turn: TurnContext, text: string): 'answered' {
  turn.memory.choices = []
  turn.replies.push({ type: 'text', text: fit(text, limits.text) })
  return 'answered'
}

/** Titles of limited length, each once: Meta refuses equal ones. */
function titlesOf(choices: readonly Row[], most: number): string[] {
  const titles: string[] = []
  for (const [, written] of choices) {
    let title = line(written, most)
    for (let n = 2; titles.includes(title); n += 1) title = `${line(written, most - ` (${n})`.length)} (${n})`
    titles.push(title)
  }
  return titles
}

/** Up to three buttons under a text; a text too long for that is sent before them. */
export function offer(turn: TurnContext, text: string, buttons: readonly Choice[]): 'answered' {
  const shown = rowsOf(turn, buttons.slice(0, limits.buttons))
  const titles = titlesOf(shown, limits.buttonTitle)
  const isLong = text.length > limits.interactiveText
  if (isLong) replyText(turn, text)
  turn.replies.push({
    type: 'buttons',
    text: isLong ? say(turn, 'bot.choose') : text,
    buttons: shown.map(([id], i) => ({ id, title: titles[i] ?? '' })),
  })
  turn.memory.choices = shown.map(([id]) => id)
  return 'answered'
}

/** Beside an open question: what was shown before can still be chosen from. */
export function offerBeside(
  turn: TurnContext,
  text: string,
  buttons: readonly Choice[] = ['go:menu', 'go:person'],
): 'answered' {
  const { choices, state } = turn.memory
  offer(turn, text, buttons)
  if (state !== 'idle') turn.memory.choices = choices
  return 'answered'
}

/** At most ten rows; longer lists are paged. */
export function list(turn: TurnContext, text: string, rows: readonly Choice[]): 'answered' {
  const shown = rowsOf(turn, rows.slice(0, limits.rows))
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
  return 'answered'
}

/** Asks for a place. */
export function requestLocation(turn: TurnContext, text: string): 'answered' {
  enter(turn, 'place')
  turn.memory.choices = []
  turn.replies.push({ type: 'location-request', text: fit(text, limits.interactiveText) })
  return 'answered'
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

const MAX_TRAIL = 8

/** Sets the state and appends the previous one to the trail; cuts loops. */
export function enter({ memory }: TurnContext, state: State): void {
  const { state: from, trail } = memory
  if (from !== state) memory.isRefused = false
  if (from !== state && stateTable[from].back !== undefined) {
    const known = trail.indexOf(from)
    memory.trail = [...(known === -1 ? trail : trail.slice(0, known)), from].slice(-MAX_TRAIL)
  }
  const circle = memory.trail.indexOf(state)
  if (circle !== -1) memory.trail = memory.trail.slice(0, circle)
  memory.state = state
}

/** The next question or view. */
export type Step =
  | Exclude<State, 'idle' | 'orderItems' | 'handback'>
  | ('greet' | 'menu' | 'order' | 'advance' | 'edit' | 'checkout' | 'orders' | 'again' | 'language')

/** Result of a handler: a step, a reply already given, or not understood. */
export type Next = Step | 'answered' | 'lost'

/** Handlers without intents return directly; the others are generators. */
export type HandlerResult = Next | Conversation<Next>
export type Part = (turn: TurnContext) => HandlerResult

/** After a detail of the order: the product that is being chosen, else what the cart lacks. */
export const goOn = ({ memory, cart }: TurnContext): Next =>
  memory.productId !== null || cart.items.length === 0 ? 'advance' : 'checkout'

export function* resolve(handled: HandlerResult): Conversation<Next> {
  return typeof handled === 'string' ? handled : yield* handled
}
