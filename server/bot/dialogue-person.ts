import { westernDigits } from '@qatra/contract/digits'
import type { Lang } from '@qatra/contract/lang'
import { formatPhone } from '@qatra/contract/phone'
import { parsePhone } from '../lib/phone.ts'
import { enter, isolated, leftToRight, list, type Next, offer, say, type TurnContext, tell } from './replies.ts'
import { act, type Conversation } from './turn-context.ts'

export function greet(talk: TurnContext): Next {
  const { person, cart } = talk
  enter(talk, 'idle')
  const name = person.account?.name ?? null
  const hello = name ? say(talk, 'bot.hello.named', { name: isolated(name) }) : say(talk, 'bot.hello')
  const isKnown = person.account?.delivery.address !== null && person.account !== null
  offer(talk, hello, [
    ['go:order', say(talk, 'bot.menu.order')],
    cart.items.length > 0
      ? ['go:cart', say(talk, 'bot.menu.cart')]
      : isKnown
        ? ['go:again', say(talk, 'bot.menu.again')]
        : ['go:language', say(talk, 'bot.menu.otherLanguage')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}

export function showMenu(talk: TurnContext): Next {
  enter(talk, 'idle')
  Object.assign(talk.memory, { trail: [], later: [] })
  const { count } = { count: talk.cart.items.length }
  list(talk, say(talk, 'bot.menu.ask'), [
    ['go:order', say(talk, 'bot.menu.order'), say(talk, 'bot.menu.order.hint')],
    ...(count > 0 ? [['go:cart', say(talk, 'bot.menu.cart'), say(talk, 'bot.items', { count })] as const] : []),
    ['go:again', say(talk, 'bot.menu.again'), say(talk, 'bot.menu.again.hint')],
    ['go:orders', say(talk, 'bot.menu.orders'), say(talk, 'bot.menu.orders.hint')],
    ['go:cancel', say(talk, 'bot.order.cancel'), say(talk, 'bot.menu.cancel.hint')],
    ['go:place', say(talk, 'bot.edit.place')],
    ['go:language', say(talk, 'bot.menu.language'), say(talk, 'bot.menu.otherLanguage')],
    ['go:person', say(talk, 'bot.menu.person')],
  ])
  return 'answered'
}

/** Greeting after a long silence: keeps the cart, asks what to do. */
export function welcomeBack(talk: TurnContext): Next {
  enter(talk, 'idle')
  const count = talk.cart.items.length
  if (count === 0) return 'greet'
  offer(talk, say(talk, 'bot.back.cart', { count }), [
    ['go:checkout', say(talk, 'bot.cart.checkout')],
    ['go:cart', say(talk, 'bot.menu.cart')],
    ['go:menu', say(talk, 'bot.menu.title')],
  ])
  return 'answered'
}

export function askLanguage(talk: TurnContext): Next {
  offer(talk, say(talk, 'bot.language.ask'), [
    ['lang:ar', say(talk, 'bot.language.ar')],
    ['lang:en', say(talk, 'bot.language.en')],
  ])
  return 'answered'
}

/** An explicit choice, kept until the next one. */
export function* chooseLanguage(talk: TurnContext, language: Lang): Conversation<Next> {
  talk.memory.language = language
  talk.memory.isLanguageChosen = true
  yield* act({ do: 'choose-language', language })
  tell(talk, say(talk, 'bot.language.done'))
  return talk.memory.state === 'idle' ? 'menu' : 'answered'
}

export function* callPerson(
  talk: TurnContext,
  reason: 'asked' | 'not-understood' | 'switched-off' = 'asked',
): Conversation<Next> {
  yield* act({ do: 'call-person', reason })
  enter(talk, 'idle')
  talk.memory.misses = 0
  const key = {
    asked: 'bot.person.asked',
    'not-understood': 'bot.person.notUnderstood',
    'switched-off': 'bot.person.off',
  }
  // The keys exist for these three reasons.
  tell(talk, say(talk, key[reason] as 'bot.person.asked'))
  return 'answered'
}

/** Newer accounts hide their number, which an order needs. */
export function askPhone(talk: TurnContext): Next {
  enter(talk, 'phone')
  tell(talk, say(talk, 'bot.phone.ask'))
  return 'answered'
}

/** A typed number or one on a card is unverified until its code is entered. */
export const handlePhone = (talk: TurnContext) => takePhone(talk, talk.heard.text)
export const handleCard = (talk: TurnContext) => takePhone(talk, talk.incoming.parts.phones?.[0] ?? '')

function* takePhone(talk: TurnContext, text: string): Conversation<Next> {
  const parsed = parsePhone(text)
  if (!parsed.ok) {
    tell(talk, say(talk, 'bot.phone.wrong'))
    return 'answered'
  }
  talk.memory.phone = parsed.phone
  return yield* sendCode(talk, parsed.phone)
}

function* sendCode(talk: TurnContext, phone: string): Conversation<Next> {
  const outcome = yield* act({ do: 'send-code', phone })
  if (outcome.ok) {
    enter(talk, 'code')
    offer(talk, say(talk, 'bot.code.ask', { phone: leftToRight(formatPhone(phone)) }), [
      ['code:again', say(talk, 'bot.code.again')],
      ['go:phone', say(talk, 'bot.code.otherPhone')],
    ])
    return 'answered'
  }
  const isWait = outcome.code === 'TOO_MANY_REQUESTS'
  tell(
    talk,
    say(
      talk,
      isWait ? 'bot.code.wait' : outcome.code === 'PHONE_NOT_ALLOWED' ? 'bot.phone.notAllowed' : 'bot.code.notSent',
    ),
  )
  return 'answered'
}

export function* sendCodeAgain(talk: TurnContext): Conversation<Next> {
  const { phone } = talk.memory
  return phone === null ? 'phone' : yield* sendCode(talk, phone)
}

export function* handleCode(talk: TurnContext): Conversation<Next> {
  const { phone } = talk.memory
  if (phone === null) return 'phone'
  const code = /^\D*(\d{4,6})\D*$/.exec(westernDigits(talk.heard.text))?.[1]
  if (code === undefined) {
    tell(talk, say(talk, 'bot.code.wrong'))
    return 'answered'
  }
  const outcome = yield* act({ do: 'check-code', phone, code })
  if (!outcome.ok) {
    tell(talk, say(talk, outcome.code === 'INVALID_CODE' ? 'bot.code.wrong' : 'bot.code.wait'))
    return 'answered'
  }
  talk.person = outcome.person
  talk.cart = outcome.cart
  talk.memory.phone = null
  return phoneKnown(talk)
}

/** Continues with what the number was needed for. */
export function phoneKnown(talk: TurnContext): Next {
  tell(talk, say(talk, 'bot.phone.done'))
  return talk.memory.productId !== null || talk.cart.items.length === 0 ? 'advance' : 'checkout'
}
