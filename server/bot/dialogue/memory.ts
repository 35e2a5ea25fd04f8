import { type Lang, langs } from '@qatra/contract/lib/lang'
import type messages from '@qatra/contract/messages/bot.ar.json'
import { pinSources } from '@qatra/contract/places/pin'
import { partNames } from '@qatra/contract/users/address-parts'
import * as z from 'zod/mini'
import type { Lexeme } from '../understanding/vocabulary.ts'

interface StateRow {
  /** After words that are no answer to its question. */
  hint?: keyof typeof messages
  /** After a message without text. */
  awaited?: keyof typeof messages
  /**
   * Asked again after an answer to something else: if that left the state (`left`), if it ended in no other question
   * (`ended`), or whenever its buttons are no longer the last ones (`always`).
   */
  isAskedAgain?: 'left' | 'ended' | 'always'
  /** What `back` leads to; other states are no step of an order. */
  back?: 'menu' | 'place' | 'vendor' | 'product' | 'cart' | 'address' | 'notes' | 'name' | 'checkout'
  /** Any text is an answer. */
  isFree?: true
  /** A phone number or a code is asked for. */
  isSecret?: true
  /** Numbers are rows of its list. */
  isList?: true
  /** Its answers are known words. */
  isChoice?: true
  /** A yes or no is asked for. */
  isYesNo?: true
  /** A yes changes an order. */
  isBinding?: true
  /** A name or an address can have been given just before. */
  isCorrectable?: true
  /** A placed order can be in change. */
  isOfChange?: true
}

const yesNo = { isYesNo: true, isBinding: true, hint: 'bot.lost.yesNo' } as const

/** States of the conversation: what the bot waits for. */
const rows = {
  idle: { back: 'menu' },
  place: { isAskedAgain: 'ended', back: 'place', isOfChange: true, hint: 'bot.lost.place', awaited: 'bot.await.place' },
  vendor: { back: 'vendor', isList: true, isChoice: true, hint: 'bot.lost.list', awaited: 'bot.await.list' },
  product: { back: 'product', isList: true, isChoice: true, hint: 'bot.lost.list', awaited: 'bot.await.list' },
  quantity: { isAskedAgain: 'ended', isChoice: true, hint: 'bot.lost.quantity', awaited: 'bot.await.quantity' },
  cart: { back: 'cart', isChoice: true, isCorrectable: true, awaited: 'bot.cart.next' },
  item: { isChoice: true, hint: 'bot.lost.quantity', awaited: 'bot.await.quantity' },
  switch: { isAskedAgain: 'always', isBinding: true, hint: 'bot.lost.yesNo', awaited: 'bot.await.yesNo' },
  phone: { isAskedAgain: 'always', isSecret: true, hint: 'bot.lost.code' },
  code: { isAskedAgain: 'always', isSecret: true, hint: 'bot.lost.code' },
  address: { isAskedAgain: 'left', back: 'address', isFree: true, isOfChange: true, awaited: 'bot.await.address' },
  notes: { isAskedAgain: 'left', back: 'notes', isFree: true, isCorrectable: true, awaited: 'bot.notes.ask' },
  name: { isAskedAgain: 'left', back: 'name', isFree: true, isCorrectable: true, awaited: 'bot.name.ask' },
  empties: {
    isAskedAgain: 'left',
    back: 'checkout',
    isChoice: true,
    hint: 'bot.lost.empties',
    awaited: 'bot.lost.empties',
  },
  confirm: { ...yesNo, isAskedAgain: 'left', back: 'checkout', isCorrectable: true, awaited: 'bot.await.yesNo' },
  cancel: { ...yesNo, isAskedAgain: 'always', awaited: 'bot.await.yesNo' },
  collect: { ...yesNo, isAskedAgain: 'always', awaited: 'bot.await.yesNo' },
  change: { ...yesNo, isAskedAgain: 'always', isOfChange: true },
  orderItems: { isOfChange: true, hint: 'bot.change.items.ask' },
  handback: { isYesNo: true, hint: 'bot.lost.yesNo' },
} as const satisfies Readonly<Record<string, StateRow>>

export type State = keyof typeof rows
export const stateTable: Readonly<Record<State, StateRow>> = rows
export const isState = (name: string | undefined): name is State => name !== undefined && Object.hasOwn(rows, name)
/** States that accept any text. */
export const isFree = (state: State) => stateTable[state].isFree === true
/** The cart is complete, its order is not placed yet. */
export const isCheckingOut = (state: State) => isFree(state) || state === 'confirm'
export const isSecret = (state: State) => stateTable[state].isSecret === true

/** Whose question is asked again. */
type Question = { [S in State]: (typeof rows)[S] extends { isAskedAgain: string } ? S : never }[State]
export const isQuestion = (state: State): state is Question => stateTable[state].isAskedAgain !== undefined

const orElse = z.catch
const state = z.custom<State>((value) => typeof value === 'string' && isState(value))
const text = orElse(z.nullable(z.string()), null)
const number = orElse(z.nullable(z.number()), null)
const flag = orElse(z.boolean(), false)
const line = { productId: z.number(), quantity: z.number() }
const lines = z.array(z.object(line))
const empties = z.enum(['none', 'all'])
/** What is no longer of this form is forgotten. */
const orNull = <S extends z.core.$ZodType>(schema: S) => orElse(z.nullable(schema), null)
const orNone = <S extends z.core.$ZodType>(schema: S) => orElse(z.array(schema), () => [])
const change = { orderId: z.string(), version: z.number() }
const wanted = z.object({
  size: z.nullable(z.string()),
  kinds: z.array(z.custom<Lexeme>((value) => typeof value === 'string')),
  relative: z.nullable(z.enum(['small', 'large'])),
  /** Of the quantity. */
  unit: z.nullable(z.enum(['pack', 'bottle', 'gallon'])),
})

/** State of a conversation between messages; plain JSON, also of older versions of the bot. */
const shape = z.object({
  state: orElse(state, 'idle'),
  /** Previous states for "back", latest last. */
  trail: orNone(state),
  language: orNull(z.enum(langs)),
  isLanguageChosen: flag,
  /** Ids of the options shown last, chosen by number. */
  choices: orNone(z.string()),
  /** Consecutive messages that were not understood. */
  misses: orElse(z.number(), 0),
  /** Whether an answer in free words was refused once; the next one is taken. */
  isRefused: flag,
  /** Parts of an address that were written before the rest: `flat 3`. */
  addressStart: text,
  vendorId: number,
  productId: number,
  /** Given before the product was known. */
  quantity: number,
  /** What was said of the empty bottles for it. */
  empties: orNull(empties),
  /** What was said of the product that is not known yet. */
  wanted: orNull(wanted),
  /** Products of the cart that leave it once the one that is being chosen is in it. */
  replaced: orNone(z.number()),
  /** Further requested items of the same message, handled after the current one; what is missing is asked for. */
  later: orNone(
    z.object({
      vendorId: z.nullable(z.number()),
      productId: z.nullable(z.number()),
      wanted: z.nullable(wanted),
      quantity: z.nullable(z.number()),
      empties: z.optional(z.nullable(empties)),
    }),
  ),
  /** The cart before its last change, for "undo"; null if nothing can be undone. */
  undo: orNull(z.array(z.object({ ...line, empties: z.optional(z.number()) }))),
  /** Whether the last message took something out of the cart. */
  hasRemoved: flag,
  /** The last message, if it changed the cart; null otherwise. */
  said: text,
  /** The text whose two meanings were asked about; null once it is settled. */
  doubt: text,
  /** Whether that text was heard in a voice message; a no to the question says that it was heard wrongly. */
  isHeard: flag,
  /** What a model suggested for that text, as `readSuggestion` reads it, and a yes to the question means. */
  suggested: orNull(z.record(z.string(), z.unknown())),
  /** The cart item being edited. */
  itemId: number,
  point: orNull(z.object({ lat: z.number(), lng: z.number() })),
  /** How the point was given. */
  pinSource: orNull(z.enum(pinSources)),
  address: text,
  addressParts: orNull(z.partialRecord(z.enum(partNames), z.string())),
  notes: text,
  /** The day of delivery that was chosen for the cart (YYYY-MM-DD); null for the promised one. */
  day: text,
  /** Says to have no empty bottle for a gallon. */
  hasNoEmpties: flag,
  /** The saved address that was adopted or chosen; null for an address written here. */
  addressId: number,
  /** Whether notes were asked for or copied from the last order. */
  isNoted: flag,
  name: text,
  /** The summary shown before a confirmation; nothing else can be confirmed. `total` in BHD, `at` by the database clock. */
  summary: orNull(
    z.object({
      token: z.string(),
      cartVersion: z.number(),
      total: z.number(),
      at: z.number(),
      /** The shown delivery day; missing in summaries of older versions. */
      promisedDate: z.optional(z.string()),
    }),
  ),
  /** Last order placed here, for repeated confirmations. */
  placedId: text,
  /** The order to cancel, awaiting confirmation. */
  orderId: text,
  /** The change of a placed order, while it is asked about, with the version that the customer saw. */
  changing: orNull(
    z.union([
      z.object({ ...change, kind: z.literal('day'), date: z.string() }),
      /** `total` in BHD. */
      z.object({ ...change, kind: z.literal('items'), lines, total: z.number() }),
      /** The address is that of the conversation. */
      z.object({ ...change, kind: z.literal('address') }),
    ]),
  ),
  /** A typed number that is not verified yet. */
  phone: text,
  /** Whether the customer was told that a person answers and the bot does not. */
  isQuietSaid: flag,
  /** Date of the last message that the office is closed (YYYY-MM-DD); null if none was sent. */
  closedSaidOn: text,
  /** Milliseconds since 1970; null before the first message. */
  lastAt: number,
})

export interface Memory extends Omit<z.output<typeof shape>, 'language'> {
  language: Lang
}
export type Wanted = NonNullable<Memory['wanted']>
export type RequestedItem = Memory['later'][number]
export type CartLine = z.output<typeof lines>[number]
export type OrderChange = NonNullable<Memory['changing']>
export type StoredSuggestion = NonNullable<Memory['suggested']>

/** Reads stored memory of any version of the bot; drops invalid fields. */
export function readMemory(stored: unknown, language: Lang): Memory {
  const { data } = shape.safeParse(stored)
  const known = data ?? shape.parse({})
  return { ...known, language: known.language ?? language }
}

export const freshMemory = (language: Lang): Memory => readMemory({}, language)

/** Updates several fields. */
export const remember = (memory: Memory, news: Partial<Memory>): Memory => Object.assign(memory, news)
