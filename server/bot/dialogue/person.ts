import { westernDigits } from '@qatra/contract/lib/digits'
import type { Lang } from '@qatra/contract/lib/lang'
import { formatPhone } from '@qatra/contract/lib/phone'
import { isolated, leftToRight } from '@qatra/contract/lib/text'
import { parsePhone } from '../../lib/phone.ts'
import { SURE } from '../understanding/understand.ts'
import { quietText } from './hand-over.ts'
import type { State } from './memory.ts'
import { enter, list, type Next, offer, replyText, say, type TurnContext } from './replies.ts'
import { type Conversation, perform } from './turn-context.ts'

export function greet(turn: TurnContext): Next {
  const { person, cart } = turn
  enter(turn, 'idle')
  const name = person.account?.name ?? null
  const hello = name ? say(turn, 'bot.hello.named', { name: isolated(name) }) : say(turn, 'bot.hello')
  const isKnown = person.account?.addresses.some(({ address }) => address !== null) ?? false
  offer(turn, hello, [
    ['go:order', say(turn, 'bot.menu.order')],
    cart.items.length > 0
      ? ['go:cart', say(turn, 'bot.menu.cart')]
      : isKnown
        ? ['go:again', say(turn, 'bot.menu.again')]
        : ['go:language', say(turn, 'bot.menu.otherLanguage')],
    ['go:menu', say(turn, 'bot.menu.title')],
  ])
  return 'answered'
}

export function showMenu(turn: TurnContext): Next {
  enter(turn, 'idle')
  Object.assign(turn.memory, { trail: [], later: [] })
  const { count } = { count: turn.cart.items.length }
  list(turn, say(turn, 'bot.menu.ask'), [
    ['go:order', say(turn, 'bot.menu.order'), say(turn, 'bot.menu.order.hint')],
    ...(count > 0 ? [['go:cart', say(turn, 'bot.menu.cart'), say(turn, 'bot.items', { count })] as const] : []),
    ['go:again', say(turn, 'bot.menu.again'), say(turn, 'bot.menu.again.hint')],
    ['go:orders', say(turn, 'bot.menu.orders'), say(turn, 'bot.menu.orders.hint')],
    ['go:cancel', say(turn, 'bot.order.cancel'), say(turn, 'bot.menu.cancel.hint')],
    ['go:place', say(turn, 'bot.edit.place')],
    ['go:language', say(turn, 'bot.menu.language'), say(turn, 'bot.menu.otherLanguage')],
    turn.memory.isQuietSaid
      ? ['bot:back', say(turn, 'bot.menu.noPerson')]
      : ['go:person', say(turn, 'bot.menu.person')],
  ])
  return 'answered'
}

/** Greeting after a long silence: keeps the cart, asks what to do. */
export function welcomeBack(turn: TurnContext): Next {
  enter(turn, 'idle')
  const count = turn.cart.items.length
  if (count === 0) return 'greet'
  offer(turn, say(turn, 'bot.back.cart', { count }), [
    ['go:checkout', say(turn, 'bot.cart.checkout')],
    ['go:cart', say(turn, 'bot.menu.cart')],
    ['go:menu', say(turn, 'bot.menu.title')],
  ])
  return 'answered'
}

export function askLanguage(turn: TurnContext): Next {
  offer(turn, say(turn, 'bot.language.ask'), [
    ['lang:ar', say(turn, 'bot.language.ar')],
    ['lang:en', say(turn, 'bot.language.en')],
  ])
  return 'answered'
}

/** An explicit choice, kept until the next one. */
export function* chooseLanguage(turn: TurnContext, language: Lang): Conversation<Next> {
  turn.memory.language = language
  turn.memory.isLanguageChosen = true
  yield* perform({ do: 'choose-language', language })
  replyText(turn, say(turn, 'bot.language.done'))
  return turn.memory.state === 'idle' ? 'menu' : 'answered'
}

export function* callPerson(
  turn: TurnContext,
  reason: 'asked' | 'not-understood' | 'switched-off' = 'asked',
): Conversation<Next> {
  yield* perform({ do: 'call-person', reason })
  // A yes to the summary still places the order.
  if (turn.memory.state !== 'confirm') enter(turn, 'idle')
  turn.memory.misses = 0
  const key = {
    asked: 'bot.person.asked',
    'not-understood': 'bot.person.notUnderstood',
    'switched-off': 'bot.person.off',
  }
  // The keys exist for these three reasons.
  const text = say(turn, key[reason] as 'bot.person.asked')
  turn.memory.isQuietSaid = true
  replyText(turn, reason === 'switched-off' ? text : quietText(turn, text))
  return 'answered'
}

/** At the question for a phone or a code: calls a person, asks something, or goes on with the order the phone is for. */
export function isQuestionDuringSecret({ meaning: { intent, confidence, slots }, memory }: TurnContext): boolean {
  if (intent === 'person') return true
  const isOrder = memory.state === 'phone' && intent === 'order' && slots.items.length > 0
  return confidence >= SURE && (intent === 'price' || intent === 'shop' || isOrder)
}
export const isSecret = (state: State) => state === 'phone' || state === 'code'

/** Newer accounts hide their number, which an order needs. */
export function askPhone(turn: TurnContext): Next {
  enter(turn, 'phone')
  replyText(turn, say(turn, 'bot.phone.ask'))
  return 'answered'
}

/** A typed number or one on a card is unverified until its code is entered. */
export const handlePhone = (turn: TurnContext) => takePhone(turn, turn.meaning.text)
export const handleCard = (turn: TurnContext) => takePhone(turn, turn.incoming.parts.phones?.[0] ?? '')

function* takePhone(turn: TurnContext, text: string): Conversation<Next> {
  const parsed = parsePhone(text)
  if (!parsed.ok) {
    replyText(turn, say(turn, 'bot.phone.wrong'))
    return 'answered'
  }
  turn.memory.phone = parsed.phone
  return yield* sendCode(turn, parsed.phone)
}

function* sendCode(turn: TurnContext, phone: string): Conversation<Next> {
  const outcome = yield* perform({ do: 'send-code', phone })
  if (outcome.ok) return askCode(turn)
  const isWait = outcome.code === 'TOO_MANY_REQUESTS'
  replyText(
    turn,
    say(
      turn,
      isWait ? 'bot.code.wait' : outcome.code === 'PHONE_NOT_ALLOWED' ? 'bot.phone.notAllowed' : 'bot.code.notSent',
    ),
  )
  return 'answered'
}

/** Asks for the code that was sent. */
export function askCode(turn: TurnContext): Next {
  const { phone } = turn.memory
  if (phone === null) return 'phone'
  enter(turn, 'code')
  offer(turn, say(turn, 'bot.code.ask', { phone: leftToRight(formatPhone(phone)) }), [
    ['code:again', say(turn, 'bot.code.again')],
    ['go:phone', say(turn, 'bot.code.otherPhone')],
  ])
  return 'answered'
}

export function* sendCodeAgain(turn: TurnContext): Conversation<Next> {
  const { phone } = turn.memory
  return phone === null ? 'phone' : yield* sendCode(turn, phone)
}

export function* handleCode(turn: TurnContext): Conversation<Next> {
  const { phone } = turn.memory
  if (phone === null) return 'phone'
  const code = /^\D*(\d{4,6})\D*$/.exec(westernDigits(turn.meaning.text))?.[1]
  if (code === undefined) {
    replyText(turn, say(turn, 'bot.code.wrong'))
    return 'answered'
  }
  const outcome = yield* perform({ do: 'check-code', phone, code })
  if (!outcome.ok) {
    replyText(turn, say(turn, outcome.code === 'INVALID_CODE' ? 'bot.code.wrong' : 'bot.code.wait'))
    return 'answered'
  }
  turn.person = outcome.person
  turn.cart = outcome.cart
  turn.memory.phone = null
  return phoneKnown(turn)
}

/** Continues with what the number was needed for. */
export function phoneKnown(turn: TurnContext): Next {
  replyText(turn, say(turn, 'bot.phone.done'))
  return turn.memory.productId !== null || turn.cart.items.length === 0 ? 'advance' : 'checkout'
}
