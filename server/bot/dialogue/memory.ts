import { isLang, type Lang } from '@qatra/contract/lib/lang'
import type { Coordinates } from '@qatra/contract/places/geo'
import { type PinSource, pinSources } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'

/** States of the conversation: what the bot waits for. */
export const states = [
  'idle',
  'place',
  'vendor',
  'product',
  'quantity',
  'cart',
  'item',
  'switch',
  'phone',
  'code',
  'address',
  'notes',
  'name',
  'confirm',
  'cancel',
  'change',
  'orderItems',
  'handback',
] as const
export type State = (typeof states)[number]

/** The summary shown before a confirmation; nothing else can be confirmed. */
export interface Summary {
  token: string
  cartVersion: number
  /** BHD */
  total: number
  /** Milliseconds since 1970, database clock. */
  at: number
  /** The shown delivery day; missing in summaries of older versions. */
  promisedDate?: string | undefined
}

/** A requested item of a message; what is missing is asked for. */
export interface RequestedItem {
  vendorId: number | null
  productId: number | null
  size: string | null
  quantity: number | null
}

/** A line of the cart before the last change. */
export interface CartLine {
  productId: number
  quantity: number
}

/** A change of a placed order that was asked about, with the version that the customer saw. */
export type OrderChange = { orderId: string; version: number } & (
  | { kind: 'day'; date: string }
  /** `total` in BHD. */
  | { kind: 'items'; lines: readonly CartLine[]; total: number }
  /** The address is that of the conversation. */
  | { kind: 'address' }
)

/** State of a conversation between messages; plain JSON. */
export interface Memory {
  state: State
  /** Previous states for "back", latest last. */
  trail: State[]
  language: Lang
  isLanguageChosen: boolean
  /** Ids of the options shown last, chosen by number. */
  choices: string[]
  /** Consecutive messages that were not understood. */
  misses: number
  /** Whether an answer in free words was refused once; the next one is taken. */
  isRefused: boolean
  /** Parts of an address that were written before the rest: `flat 3`. */
  addressStart: string | null
  vendorId: number | null
  productId: number | null
  /** Given before the product was known. */
  quantity: number | null
  size: string | null
  /** Further requested items of the same message, handled after the current one. */
  later: RequestedItem[]
  /** The cart before its last change, for "undo"; null if nothing can be undone. */
  undo: CartLine[] | null
  /** The text whose two meanings were asked about; null once it is settled. */
  doubt: string | null
  /** The cart item being edited. */
  itemId: number | null
  point: Coordinates | null
  /** How the point was given. */
  pinSource: PinSource | null
  address: string | null
  addressParts: AddressParts | null
  notes: string | null
  /** The saved address that was adopted or chosen; null for an address written here. */
  addressId: number | null
  /** Whether notes were asked for or copied from the last order. */
  isNoted: boolean
  name: string | null
  summary: Summary | null
  /** Last order placed here, for repeated confirmations. */
  placedId: string | null
  /** The order to cancel, awaiting confirmation. */
  orderId: string | null
  /** The change of a placed order, while it is asked about. */
  changing: OrderChange | null
  /** A typed number that is not verified yet. */
  phone: string | null
  /** Whether the customer was told that a person answers and the bot does not. */
  isQuietSaid: boolean
  /** Milliseconds since 1970; null before the first message. */
  lastAt: number | null
}

export const freshMemory = (language: Lang): Memory => ({
  state: 'idle',
  trail: [],
  language,
  isLanguageChosen: false,
  choices: [],
  misses: 0,
  isRefused: false,
  addressStart: null,
  vendorId: null,
  productId: null,
  quantity: null,
  size: null,
  later: [],
  undo: null,
  doubt: null,
  itemId: null,
  point: null,
  pinSource: null,
  address: null,
  addressParts: null,
  notes: null,
  addressId: null,
  isNoted: false,
  name: null,
  summary: null,
  placedId: null,
  orderId: null,
  changing: null,
  phone: null,
  isQuietSaid: false,
  lastAt: null,
})

/** Updates several fields. */
export const remember = (memory: Memory, news: Partial<Memory>): Memory => Object.assign(memory, news)

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isState = (value: unknown): value is State => states.some((state) => state === value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNullOr = (isRight: (value: unknown) => boolean, value: unknown) => value === null || isRight(value)
const isRequestedItem = (value: unknown): value is RequestedItem =>
  isObject(value) &&
  isNullOr(isNumber, value['vendorId']) &&
  isNullOr(isNumber, value['productId']) &&
  isNullOr(isText, value['size']) &&
  isNullOr(isNumber, value['quantity'])
const isCartLine = (value: unknown): value is CartLine =>
  isObject(value) && isNumber(value['productId']) && isNumber(value['quantity'])

/** Reads stored memory of any version of the bot; drops invalid fields. */
export function readMemory(stored: unknown, language: Lang): Memory {
  const fresh = freshMemory(language)
  if (!isObject(stored)) return fresh
  const text = (key: keyof Memory) => (isText(stored[key]) ? stored[key] : null)
  const number = (key: keyof Memory) => (isNumber(stored[key]) ? stored[key] : null)
  const { state, trail, choices, later, undo, misses, point, addressParts, summary } = stored
  return {
    ...fresh,
    state: isState(state) ? state : 'idle',
    trail: Array.isArray(trail) ? trail.filter(isState) : [],
    language: isLang(stored['language']) ? stored['language'] : language,
    isLanguageChosen: stored['isLanguageChosen'] === true,
    choices: Array.isArray(choices) ? choices.filter(isText) : [],
    misses: isNumber(misses) ? misses : 0,
    isRefused: stored['isRefused'] === true,
    addressStart: text('addressStart'),
    vendorId: number('vendorId'),
    productId: number('productId'),
    quantity: number('quantity'),
    size: text('size'),
    later: Array.isArray(later) ? later.filter(isRequestedItem) : [],
    undo: Array.isArray(undo) ? undo.filter(isCartLine) : null,
    doubt: text('doubt'),
    itemId: number('itemId'),
    point:
      isObject(point) && isNumber(point['lat']) && isNumber(point['lng'])
        ? { lat: point['lat'], lng: point['lng'] }
        : null,
    pinSource: pinSources.find((source) => source === stored['pinSource']) ?? null,
    address: text('address'),
    addressParts: isObject(addressParts) ? partsOf(addressParts) : null,
    notes: text('notes'),
    addressId: number('addressId'),
    isNoted: stored['isNoted'] === true,
    name: text('name'),
    summary: isObject(summary) ? summaryOf(summary) : null,
    placedId: text('placedId'),
    orderId: text('orderId'),
    changing: changeOf(stored['changing']),
    phone: text('phone'),
    isQuietSaid: stored['isQuietSaid'] === true,
    lastAt: number('lastAt'),
  }
}

function changeOf(stored: unknown): OrderChange | null {
  if (!isObject(stored)) return null
  const { orderId, version, kind, date, lines, total } = stored
  if (!isText(orderId) || !isNumber(version)) return null
  if (kind === 'address') return { orderId, version, kind }
  if (kind === 'day' && isText(date)) return { orderId, version, kind, date }
  if (kind !== 'items' || !Array.isArray(lines) || !isNumber(total)) return null
  return { orderId, version, kind, lines: lines.filter(isCartLine), total }
}

function summaryOf({ token, cartVersion, total, at, promisedDate }: Record<string, unknown>): Summary | null {
  return isText(token) && isNumber(cartVersion) && isNumber(total) && isNumber(at)
    ? { token, cartVersion, total, at, ...(isText(promisedDate) ? { promisedDate } : {}) }
    : null
}

function partsOf({ block, road, building, flat }: Record<string, unknown>): AddressParts {
  return {
    ...(isText(block) ? { block } : {}),
    ...(isText(road) ? { road } : {}),
    ...(isText(building) ? { building } : {}),
    ...(isText(flat) ? { flat } : {}),
  }
}

/** States that accept any text. */
export const isFree = (state: State) => state === 'address' || state === 'notes' || state === 'name'
