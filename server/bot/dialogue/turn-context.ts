import type { Cart } from '@qatra/contract/cart/cart'
import type { Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { changeAddress } from '@qatra/contract/orders/delivery'
import type { MyBottles } from '@qatra/contract/my-bottles'
import type { Order, ReorderResult } from '@qatra/contract/orders/orders'
import type { Coordinates } from '@qatra/contract/places/geo'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { ReceivedParts, ReceivedType } from '../../conversations/received.ts'
import type { CheckoutBody } from '../../orders/placing/rules.ts'
import type { KnownShop } from '../knowledge/snapshot.queries.ts'
import type { CartLine, Memory, StoredSuggestion } from './memory.ts'

/** An incoming message. */
export interface Incoming {
  /** Our own id, unique. */
  id: number
  type: ReceivedType
  content: string
  parts: ReceivedParts
  /** The sender's clock, in seconds. */
  at: Date
  /** The database clock on arrival. */
  receivedAt: Date
  /** Answers a campaign, such as a reminder. */
  isReplyToOffer?: boolean
  /** What a model reads in it. */
  suggestion?: StoredSuggestion
}

/** A saved address. */
export interface Delivery {
  id: number
  label: string | null
  point: Coordinates | null
  pinSource?: PinSource | null
  address: string | null
  addressParts: AddressParts | null
  notes: string | null
  receiverName: string | null
  receiverPhone: string | null
}

export interface Person {
  /** E.164, verified by the provider; null for accounts without a visible number. */
  phone: string | null
  /** Profile name; free text by the person. */
  profileName: string | null
  /** Null if the phone has no account yet. */
  account: {
    name: string | null
    isActive: boolean
    /** When the turn began. */
    hasOpenOrder?: boolean
    addresses: readonly Delivery[]
  } | null
}

/** All data that a turn may read. */
export interface Facts {
  now: Date
  catalogue: KnownShop
  person: Person
  cart: Cart
}

/** Effects of a conversation; each is a command of the shop, run for the customer. */
export type Intent =
  | { do: 'add'; productId: number; quantity: number }
  /** Without `empties` those of the line stay. */
  | { do: 'set'; itemId: number; quantity: number; empties?: number }
  | { do: 'switch'; productId: number; quantity: number }
  | { do: 'clear' }
  | { do: 'place'; token: string; body: CheckoutBody }
  | { do: 'orders' }
  | { do: 'bottles' }
  | { do: 'collect'; vendorId: number; addressId: number; date: string }
  | { do: 'again'; orderId: string }
  | { do: 'cancel'; orderId: string }
  | { do: 'reschedule'; orderId: string; date: string; version?: number }
  | { do: 'edit-items'; orderId: string; items: readonly CartLine[]; expectedTotal: number; version: number }
  | { do: 'edit-address'; orderId: string; input: Parsed<typeof changeAddress>['body'] }
  | { do: 'request-call'; orderId: string }
  | { do: 'receipt'; orderId: string }
  /** With the order that a complaint is about. */
  | {
      do: 'call-person'
      reason: 'asked' | 'not-understood' | 'switched-off' | 'trouble' | 'voice' | 'empties'
      orderId?: string | undefined
    }
  /** No more offers, or offers again; with the time of the message that asks for it. */
  | { do: 'opt-out' | 'opt-in'; at: Date }
  | { do: 'choose-language'; language: Lang }
  | { do: 'send-code'; phone: string }
  | { do: 'check-code'; phone: string; code: string }

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
  bottles: { ok: true; bottles: readonly MyBottles[] }
  /** The day of the visit, which may have been asked for before. */
  collect: Answer<{ date: string }>
  again: Answer<{ result: ReorderResult; cart: Cart }>
  cancel: Answer<{ order: Order }>
  reschedule: Answer<{ order: Order }>
  /** `edit`: number of the order's edits. */
  'edit-items': Answer<{ order: Order; edit: number }>
  'edit-address': Answer<{ order: Order; edit: number }>
  'request-call': Answer<object>
  receipt: Answer<object>
  'call-person': { ok: true }
  /** A later message may have decided otherwise. */
  'opt-out': { ok: true; isOut: boolean }
  'opt-in': { ok: true; isOut: boolean }
  'choose-language': { ok: true }
  'send-code': Answer<object>
  /** The person with the verified phone. */
  'check-code': Answer<{ person: Person; cart: Cart }>
}
export type Outcome = Outcomes[Intent['do']]

/** Part of a conversation: yields intents and receives their outcomes; has no effects itself. */
export type Conversation<T> = Generator<Intent, T, Outcome>

export function* perform<I extends Intent>(intent: I): Conversation<Outcomes[I['do']]> {
  // The runner answers an intent with the outcome of the same kind.
  return (yield intent) as Outcomes[I['do']]
}

/** Runs a conversation to its end. */
export async function runConversation<T>(
  conversation: Conversation<T>,
  execute: (intent: Intent) => Promise<Outcome>,
): Promise<T> {
  let step = conversation.next()
  while (!step.done) step = conversation.next(await execute(step.value))
  return step.value
}

export interface Turn {
  memory: Memory
  /** The recognized intent, for the history. */
  intent: string
}
