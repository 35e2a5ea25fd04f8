import type { AddressParts } from '@qatra/contract/auth'
import type { Cart } from '@qatra/contract/cart'
import type { Coordinates } from '@qatra/contract/geo'
import type { Lang } from '@qatra/contract/lang'
import type { Order, ReorderResult } from '@qatra/contract/orders'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReceivedParts, ReceivedType } from '../conversations/received.ts'
import type { Memory } from './memory.ts'

/** A message as it came in. */
export interface Incoming {
  /** Ours; never the same twice. */
  id: number
  type: ReceivedType
  content: string
  parts: ReceivedParts
  /** The sender's clock, to the second. */
  at: Date
  /** The database's clock when it came in. */
  receivedAt: Date
}

/** Where and to whom the last order went. */
export interface Delivery {
  point: Coordinates | null
  address: string | null
  addressParts: AddressParts | null
  notes: string | null
}

export interface Person {
  /** E.164, proven by the provider; null for accounts that show none. */
  phone: string | null
  /** As the person calls themselves; anybody can write anything there. */
  profileName: string | null
  /** Null where the phone has none yet. */
  account: { name: string | null; isActive: boolean; delivery: Delivery } | null
}

/** Everything a turn of the conversation may look at. */
export interface Facts {
  now: Date
  catalogue: Catalogue
  person: Person
  cart: Cart
}

/** What the bot wants done: each is a command of the shop, for the customer. */
export type Intent =
  | { do: 'add'; productId: number; quantity: number }
  | { do: 'set'; itemId: number; quantity: number }
  | { do: 'switch'; productId: number; quantity: number }
  | { do: 'clear' }
  | { do: 'place'; token: string; expectedTotal: number; wish: PlacingWish }
  | { do: 'orders' }
  | { do: 'again'; orderId: string }
  | { do: 'cancel'; orderId: string }
  | { do: 'call-person'; reason: 'asked' | 'not-understood' | 'switched-off' }
  | { do: 'choose-language'; language: Lang }
  | { do: 'send-code'; phone: string }
  | { do: 'check-code'; phone: string; code: string }

export interface PlacingWish {
  customerName: string
  address: string
  addressParts: AddressParts | null
  point: Coordinates
  instructions: string | null
}

export interface Placed {
  id: string
  total: number
  vendorId: number
  promisedDate: string
  cancellableUntil: string
}

interface Refused {
  ok: false
  code: string
  details: Record<string, unknown>
}
type Answer<Done> = ({ ok: true } & Done) | Refused

export interface Outcomes {
  add: Answer<{ cart: Cart }>
  set: Answer<{ cart: Cart }>
  switch: Answer<{ cart: Cart }>
  clear: Answer<{ cart: Cart }>
  place: Answer<{ placed: Placed; cart: Cart }>
  orders: { ok: true; orders: readonly Order[] }
  again: Answer<{ result: ReorderResult; cart: Cart }>
  cancel: Answer<{ order: Order }>
  'call-person': { ok: true }
  'choose-language': { ok: true }
  'send-code': Answer<object>
  /** The person as known from now on: with this phone. */
  'check-code': Answer<{ person: Person; cart: Cart }>
}
export type Outcome = Outcomes[Intent['do']]

/** A part of the conversation: it asks for acts and is told what became of each; it does nothing itself. */
export type Conversation<T> = Generator<Intent, T, Outcome>

export function* act<I extends Intent>(intent: I): Conversation<Outcomes[I['do']]> {
  // Whoever drives a conversation answers an intent with the outcome of its own kind.
  return (yield intent) as Outcomes[I['do']]
}

/** Drives a conversation to its end. */
export async function carryOut<T>(
  conversation: Conversation<T>,
  perform: (intent: Intent) => Promise<Outcome>,
): Promise<T> {
  let step = conversation.next()
  while (!step.done) step = conversation.next(await perform(step.value))
  return step.value
}

export interface Turn {
  memory: Memory
  /** What was understood, for the history. */
  intent: string
}
