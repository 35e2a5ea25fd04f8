import type messages from '@qatra/contract/messages/bot.ar.json'
import type { AnswerKey } from '@qatra/contract/whatsapp/bot'

/**
 * What an error costs the customer: one more message (`word`), a question that is asked before anything is done
 * (`step`), somebody's time (`time`), or a cart, an order, a consent, a place or a name (`deed`).
 */
type Cost = 'word' | 'step' | 'time' | 'deed'

/** What else is known of an intent. */
type Trait =
  /** A command that no question holds up, not even the one for a phone number or a code. */
  | 'urgent'
  /** Puts products into the cart, or changes them. */
  | 'items'
  /** A line that says one thing together with others: `order`, `4 cartons`, `Hayrat`, `Seef`. */
  | 'part'
  /** A later line that takes back or corrects what earlier ones order. */
  | 'correction'
  /** Taken back by a bare no right after it. What is ordered and then refused is read as one. */
  | 'untilNo'
  /** Says nothing beside a request. */
  | 'courtesy'
  /** May carry the name of a place, known or not. */
  | 'placeName'
  /** A view that is shown although an answer in free words is asked for. */
  | 'view'
  /** Answered without an end of the open question, which is asked again. */
  | 'aside'
  /** A way out of a question, also where an answer in free words is given the second time. */
  | 'wayOut'
  /** Said beside the link of a place; other words are its name or an address. */
  | 'withLink'
  /** Accepts the order that a reminder offers. */
  | 'acceptsOffer'
  /** May name the day of a delivery. */
  | 'ofDelivery'
  /** Carried out after the stop of the offers. Other requests may be the reason for it: `stop sending me prices`. */
  | 'afterStop'
  /** Written to the person who is called, at a question that known words answer. */
  | 'toPerson'

interface Row {
  cost: Cost
  /** Said beside an order, with which it does not compete. */
  isBeside?: true
  /** Words that mean nothing are like it: only a great likeness counts. */
  isVague?: true
  /** Only answers a question. */
  isAnswer?: true
  /** Its button where the bot asks what is meant. */
  title?: keyof typeof messages
  is?: readonly Trait[]
}

const NEVER = 1.01

/** What a customer can want. */
const rows = {
  optOut: { cost: 'deed', title: 'bot.meant.optOut', is: ['urgent', 'wayOut'] },
  optIn: { cost: 'deed', title: 'bot.meant.optIn', is: ['urgent', 'untilNo'] },
  trouble: { cost: 'time', title: 'bot.meant.trouble', is: ['urgent', 'withLink', 'afterStop'] },
  person: { cost: 'time', title: 'bot.menu.person', is: ['urgent', 'wayOut', 'withLink', 'afterStop', 'toPerson'] },
  callMe: { cost: 'time', title: 'bot.menu.person', is: ['wayOut', 'afterStop', 'toPerson'] },
  cancelOrder: {
    cost: 'step',
    title: 'bot.order.cancel',
    is: ['urgent', 'correction', 'wayOut', 'withLink', 'afterStop'],
  },
  undo: { cost: 'deed', title: 'bot.meant.undo', is: ['correction'] },
  clear: { cost: 'deed', title: 'bot.edit.clear', is: ['items'] },
  track: { cost: 'word', isBeside: true, title: 'bot.menu.orders', is: ['view', 'aside', 'afterStop'] },
  reschedule: { cost: 'step', title: 'bot.meant.reschedule', is: ['untilNo', 'afterStop'] },
  again: {
    cost: 'deed',
    title: 'bot.menu.again',
    is: ['items', 'part', 'view', 'withLink', 'acceptsOffer', 'ofDelivery'],
  },
  sameAddress: { cost: 'deed', is: ['part', 'acceptsOffer'] },
  change: { cost: 'deed', title: 'bot.meant.change', is: ['items', 'part', 'withLink'] },
  order: {
    cost: 'deed',
    title: 'bot.meant.order',
    is: ['items', 'part', 'placeName', 'withLink', 'acceptsOffer', 'ofDelivery'],
  },
  price: { cost: 'word', isBeside: true, title: 'bot.meant.price', is: ['aside'] },
  has: { cost: 'word', isBeside: true, title: 'bot.meant.price', is: ['aside'] },
  shop: { cost: 'word', isBeside: true, title: 'bot.meant.question', is: ['aside'] },
  changePlace: { cost: 'step', title: 'bot.edit.place', is: ['untilNo', 'view'] },
  address: { cost: 'deed', isBeside: true, title: 'bot.meant.address', is: ['part', 'placeName', 'withLink'] },
  place: { cost: 'deed', isBeside: true, title: 'bot.meant.address', is: ['part', 'placeName'] },
  name: { cost: 'deed', isBeside: true, is: ['placeName'] },
  notes: { cost: 'deed', isBeside: true, title: 'bot.meant.notes', is: ['placeName'] },
  number: { cost: 'deed', isBeside: true, isAnswer: true, is: ['part', 'placeName'] },
  refuse: { cost: 'deed', title: 'bot.summary.no', is: ['correction', 'wayOut'] },
  cart: { cost: 'word', isBeside: true, title: 'bot.menu.cart', is: ['view', 'aside', 'afterStop'] },
  checkout: { cost: 'step', isBeside: true, title: 'bot.cart.checkout', is: ['withLink', 'acceptsOffer'] },
  edit: { cost: 'word', isBeside: true, title: 'bot.cart.edit', is: ['correction', 'view'] },
  brands: { cost: 'word', isBeside: true, title: 'bot.meant.brands', is: ['view'] },
  language: { cost: 'word', is: ['view', 'aside'] },
  help: { cost: 'word', isBeside: true, isVague: true, is: ['view', 'toPerson'] },
  menu: { cost: 'word', title: 'bot.menu.title', is: ['urgent'] },
  back: { cost: 'deed', is: ['urgent'] },
  more: { cost: 'deed', isBeside: true, is: ['acceptsOffer'] },
  skip: { cost: 'deed', isAnswer: true },
  yes: { cost: 'deed', isBeside: true, isAnswer: true, is: ['wayOut', 'acceptsOffer'] },
  no: { cost: 'deed', isAnswer: true, is: ['correction', 'wayOut'] },
  greeting: { cost: 'word', isBeside: true, isVague: true, is: ['courtesy', 'view', 'aside', 'toPerson'] },
  thanks: { cost: 'word', isBeside: true, isVague: true, is: ['courtesy', 'toPerson'] },
  smallTalk: { cost: 'word', isBeside: true, isVague: true, is: ['correction', 'courtesy', 'aside', 'toPerson'] },
  unknown: { cost: 'word', is: ['part', 'placeName', 'ofDelivery', 'toPerson'] },
} as const satisfies Readonly<Record<string, Row>>

export type IntentName = keyof typeof rows

export const intentTable: Readonly<Record<IntentName, Row>> = rows

/** Whether it is of that kind. */
export const hasTrait = (intent: IntentName, trait: Trait): boolean => intentTable[intent].is?.includes(trait) ?? false

/** Said together they can mean either, whatever is more likely: both are offered. */
export const contested: readonly (readonly [IntentName, AnswerKey])[] = [['changePlace', 'invoice']]

/** Intents of such costs. */
export const intentsOfCost = (...costs: readonly Cost[]): IntentName[] =>
  intentNames.filter((intent) => costs.includes(intentTable[intent].cost))

export const isIntent = (name: string | undefined): name is IntentName =>
  name !== undefined && Object.hasOwn(rows, name)

const intentNames: readonly IntentName[] = Object.keys(rows).filter(isIntent)

/** Least probabilities of a meaning that no words of its own speak for, by what an error costs. */
export const thresholds: Readonly<Record<Cost, { act: number; ask: number }>> = {
  word: { act: 0.4, ask: 0.3 },
  step: { act: 0.4, ask: 0.3 },
  time: { act: 0.86, ask: 0.6 },
  // A cart, an order, a consent, a place and a name change by words alone.
  deed: { act: NEVER, ask: 0.5 },
}
