import { isWordsOfName } from '../understanding/person-names.ts'
import type { IntentName } from '../understanding/rules.ts'
import type { State } from './memory.ts'
import { callPerson } from './person.ts'
import { type BotKey, type Next, offer, say, type TurnContext } from './replies.ts'
import type { Conversation } from './turn-context.ts'

const MISSES_UNTIL_PERSON = 2

/** Hint of what is expected, by state. */
const hints: Partial<Record<State, BotKey>> = {
  place: 'bot.lost.place',
  vendor: 'bot.lost.list',
  product: 'bot.lost.list',
  quantity: 'bot.lost.quantity',
  item: 'bot.lost.quantity',
  confirm: 'bot.lost.yesNo',
  cancel: 'bot.lost.yesNo',
  switch: 'bot.lost.yesNo',
  handback: 'bot.lost.yesNo',
  change: 'bot.lost.yesNo',
  orderItems: 'bot.change.items.ask',
  code: 'bot.lost.code',
  phone: 'bot.lost.code',
}

/** First time: a hint. Second time: handoff to staff. */
export function* notUnderstood(turn: TurnContext): Conversation<void> {
  const { memory } = turn
  turn.intent = 'not-understood'
  memory.misses += 1
  if (memory.misses >= MISSES_UNTIL_PERSON) {
    yield* callPerson(turn, 'not-understood')
    return
  }
  const { choices } = memory
  offer(turn, say(turn, hints[memory.state] ?? 'bot.lost'), [
    ['go:menu', say(turn, 'bot.menu.title')],
    ['go:person', say(turn, 'bot.menu.person')],
  ])
  // The list shown before can still be chosen from.
  memory.choices = choices
}

/** Repeated question after a message without text, by state. */
const awaited: Partial<Record<State, BotKey>> = {
  place: 'bot.await.place',
  vendor: 'bot.await.list',
  product: 'bot.await.list',
  quantity: 'bot.await.quantity',
  item: 'bot.await.quantity',
  cart: 'bot.cart.next',
  confirm: 'bot.await.yesNo',
  cancel: 'bot.await.yesNo',
  switch: 'bot.await.yesNo',
  address: 'bot.await.address',
  notes: 'bot.notes.ask',
  name: 'bot.name.ask',
}

/** Answers voice messages, pictures and so on, then repeats the question. A second voice message is handed to staff. */
export function* handleMedia(turn: TurnContext): Conversation<Next> {
  const { memory, incoming } = turn
  const isVoice = incoming.type === 'audio'
  if (isVoice) memory.misses += 1
  if (isVoice && memory.misses >= MISSES_UNTIL_PERSON) return yield* callPerson(turn, 'not-understood')
  const { choices, state } = memory
  const key = awaited[state]
  const what = incoming.type === 'sticker' ? 'bot.media.sticker' : isVoice ? 'bot.media.voice' : 'bot.media.other'
  const text = say(turn, key && what === 'bot.media.other' ? 'bot.media.seen' : what)
  offer(
    turn,
    key ? `${text}\n${say(turn, key)}` : text,
    state === 'idle'
      ? [
          ['go:order', say(turn, 'bot.menu.order')],
          ['go:menu', say(turn, 'bot.menu.title')],
          ['go:person', say(turn, 'bot.menu.person')],
        ]
      : [
          ['go:menu', say(turn, 'bot.menu.title')],
          ['go:person', say(turn, 'bot.menu.person')],
        ],
  )
  // The options shown before can still be chosen from.
  if (state !== 'idle') memory.choices = choices
  return 'answered'
}

/** Ways out of a question; nothing else is one when an answer in free words is given the second time. */
const waysOut: ReadonlySet<IntentName> = new Set([
  'person',
  'callMe',
  'cancelOrder',
  'no',
  'yes',
  'refuse',
  'optOut',
] as const)

/** The second answer to the question for a name or an address is taken as it is. */
export function isAnswerAgain({ meaning, memory }: TurnContext): boolean {
  const { intent, text, slots } = meaning
  if (!memory.isRefused || /[?؟]/u.test(text) || (waysOut.has(intent) && slots.unknown === '')) return false
  return memory.state === 'name' ? isWordsOfName(text) : memory.state === 'address' && /\s/.test(text)
}
