import { westernDigits } from '@qatra/contract/lib/digits'
import type { Lang } from '@qatra/contract/lib/lang'
import { formatPhone } from '@qatra/contract/lib/phone'
import { isolated, leftToRight } from '@qatra/contract/lib/text'
import { parsePhone } from '../../lib/phone.ts'
import { hasTrait } from '../intent-table.ts'
import { isDoubtful } from '../understanding/understand.ts'
import { quietText } from './hand-over.ts'
import { isSecret, remember, stateTable } from './memory.ts'
import {
  enter,
  goOn,
  type HandlerResult,
  list,
  type Next,
  offer,
  offerBeside,
  replyText,
  say,
  type TurnContext,
} from './replies.ts'
import { type Conversation, perform } from './turn-context.ts'

export function greet(turn: TurnContext): Next {
  const { person, cart } = turn
  enter(turn, 'idle')
  const name = person.account?.name ?? null
  const hello = name ? say(turn, 'bot.hello.named', { name: isolated(name) }) : say(turn, 'bot.hello')
  const isKnown = person.account?.addresses.some(({ address }) => address !== null) ?? false
  return offer(turn, hello, [
    'go:order',
    cart.items.length > 0 ? 'go:cart' : isKnown ? 'go:again' : 'go:language',
    'go:menu',
  ])
}

export function showMenu(turn: TurnContext): Next {
  enter(turn, 'idle')
  Object.assign(turn.memory, { trail: [], later: [] })
  const count = turn.cart.items.length
  return list(turn, say(turn, 'bot.menu.ask'), [
    ['go:order', say(turn, 'bot.menu.order'), say(turn, 'bot.menu.order.hint')],
    ...(count > 0 ? [['go:cart', say(turn, 'bot.menu.cart'), say(turn, 'bot.items', { count })] as const] : []),
    ['go:again', say(turn, 'bot.menu.again'), say(turn, 'bot.menu.again.hint')],
    ['go:orders', say(turn, 'bot.menu.orders'), say(turn, 'bot.menu.orders.hint')],
    ['go:cancel', say(turn, 'bot.order.cancel'), say(turn, 'bot.menu.cancel.hint')],
    'go:place',
    ['go:language', say(turn, 'bot.menu.language'), say(turn, 'bot.menu.otherLanguage')],
    turn.memory.isQuietSaid ? ['bot:back', say(turn, 'bot.menu.noPerson')] : 'go:person',
  ])
}

/** Greeting after a long silence: keeps the cart, asks what to do. */
export function welcomeBack(turn: TurnContext): Next {
  enter(turn, 'idle')
  const count = turn.cart.items.length
  if (count === 0) return 'greet'
  return offer(turn, say(turn, 'bot.back.cart', { count }), ['go:checkout', 'go:cart', 'go:menu'])
}

export function askLanguage(turn: TurnContext): Next {
  return offer(turn, say(turn, 'bot.language.ask'), [
    ['lang:ar', say(turn, 'bot.language.ar')],
    ['lang:en', say(turn, 'bot.language.en')],
  ])
}

/** An explicit choice, kept until the next one. */
export function* chooseLanguage(turn: TurnContext, language: Lang): Conversation<Next> {
  turn.memory.language = language
  turn.memory.isLanguageChosen = true
  yield* perform({ do: 'choose-language', language })
  replyText(turn, say(turn, 'bot.language.done'))
  return turn.memory.state === 'idle' ? 'menu' : 'answered'
}

const personKeys = {
  asked: 'bot.person.asked',
  'not-understood': 'bot.person.notUnderstood',
  'switched-off': 'bot.person.off',
  empties: 'bot.person.empties',
} as const

export function* callPerson(turn: TurnContext, reason: keyof typeof personKeys = 'asked'): Conversation<Next> {
  yield* perform({ do: 'call-person', reason })
  // A yes to the summary still places the order.
  if (turn.memory.state !== 'confirm') enter(turn, 'idle')
  turn.memory.misses = 0
  const text = say(turn, personKeys[reason])
  turn.memory.isQuietSaid = true
  return replyText(turn, reason === 'switched-off' ? text : quietText(turn, text))
}

const otherLanguages =
  /hindi|urdu|tagalog|filipino|malayalam|tamil|bengali|bangla|nepali|french|farsi|persian|turkish|هندي|اوردو|أردو|فلبيني|فارسي|فرنسي|تركي|بنغالي/iu

export function takeLanguage(turn: TurnContext): HandlerResult {
  const { text, slots } = turn.meaning
  if (slots.language !== null) return chooseLanguage(turn, slots.language)
  return otherLanguages.test(text) ? sayForeign(turn) : 'language'
}

/** Which languages are understood, in both. */
export function sayForeign(turn: TurnContext): Next {
  turn.intent = 'language'
  return offerBeside(turn, say(turn, 'bot.foreign'))
}

/** One step back; from the first step to the menu. */
export function goBack({ memory }: TurnContext): Next {
  const to = memory.trail.pop() ?? 'idle'
  remember(memory, { state: to, summary: null })
  if (to === 'product' || to === 'vendor') memory.productId = null
  if (to === 'vendor') memory.vendorId = null
  return stateTable[to].back ?? 'menu'
}

/** At the question for a phone or a code: commands, questions, and going on with the order that the phone is for. */
export function isBesideSecret({ meaning, memory }: TurnContext): boolean {
  const { intent, slots } = meaning
  if (hasTrait(intent, 'urgent')) return true
  const isOrder = memory.state === 'phone' && intent === 'order' && slots.items.length > 0
  return !isDoubtful(meaning) && (intent === 'price' || intent === 'shop' || isOrder)
}

/** A number or a code in words of any meaning. */
export function handleSecret(turn: TurnContext): HandlerResult {
  const { state } = turn.memory
  if (!isSecret(state) || isBesideSecret(turn) || !/\p{N}/u.test(turn.meaning.text)) return 'lost'
  turn.intent = state
  return state === 'phone' ? takePhone(turn, turn.meaning.text) : handleCode(turn)
}

/** Newer accounts hide their number, which an order needs. */
export function askPhone(turn: TurnContext): Next {
  enter(turn, 'phone')
  return replyText(turn, say(turn, 'bot.phone.ask'))
}

/** A typed number or one on a card is unverified until its code is entered. */
export const handleCard = (turn: TurnContext) => takePhone(turn, turn.incoming.parts.phones?.[0] ?? '')

function* takePhone(turn: TurnContext, text: string): Conversation<Next> {
  const parsed = parsePhone(text)
  if (!parsed.ok) return replyText(turn, say(turn, 'bot.phone.wrong'))
  turn.memory.phone = parsed.phone
  return yield* sendCode(turn, parsed.phone)
}

function* sendCode(turn: TurnContext, phone: string): Conversation<Next> {
  const outcome = yield* perform({ do: 'send-code', phone })
  if (outcome.ok) return askCode(turn)
  const isWait = outcome.code === 'TOO_MANY_REQUESTS'
  return replyText(
    turn,
    say(
      turn,
      isWait ? 'bot.code.wait' : outcome.code === 'PHONE_NOT_ALLOWED' ? 'bot.phone.notAllowed' : 'bot.code.notSent',
    ),
  )
}

/** Asks for the code that was sent. */
export function askCode(turn: TurnContext): Next {
  const { phone } = turn.memory
  if (phone === null) return 'phone'
  enter(turn, 'code')
  return offer(turn, say(turn, 'bot.code.ask', { phone: leftToRight(formatPhone(phone)) }), [
    ['code:again', say(turn, 'bot.code.again')],
    ['go:phone', say(turn, 'bot.code.otherPhone')],
  ])
}

export function* sendCodeAgain(turn: TurnContext): Conversation<Next> {
  const { phone } = turn.memory
  return phone === null ? 'phone' : yield* sendCode(turn, phone)
}

function* handleCode(turn: TurnContext): Conversation<Next> {
  const { phone } = turn.memory
  if (phone === null) return 'phone'
  const code = /^\D*(\d{4,6})\D*$/.exec(westernDigits(turn.meaning.text))?.[1]
  if (code === undefined) return replyText(turn, say(turn, 'bot.code.wrong'))
  const outcome = yield* perform({ do: 'check-code', phone, code })
  if (!outcome.ok) {
    return replyText(turn, say(turn, outcome.code === 'INVALID_CODE' ? 'bot.code.wrong' : 'bot.code.wait'))
  }
  turn.person = outcome.person
  turn.cart = outcome.cart
  turn.memory.phone = null
  return phoneKnown(turn)
}

/** Continues with what the number was needed for. */
export function phoneKnown(turn: TurnContext): Next {
  replyText(turn, say(turn, 'bot.phone.done'))
  return goOn(turn)
}
