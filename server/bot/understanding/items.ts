import { sizeKey } from '@qatra/contract/products/sizes'
import { inherited, swapped } from './exchanges.ts'
import { type Change, type Draft, fresh, type ItemRequest, isEmpty, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'
import type { Lexeme } from './vocabulary.ts'

const gallonSize = sizeKey('5 gallon')

const changes: readonly (readonly [Lexeme, Change])[] = [
  ['less', 'less'],
  ['remove', 'remove'],
  ['without', 'remove'],
  ['keepAt', 'set'],
  ['add', 'add'],
]

/** The requests of a message while its tags are read from left to right. */
interface Reader {
  readonly tags: readonly Tag[]
  done: Draft[]
  current: Draft
  /** A separator or conjunction stands before the tag. */
  isBroken: boolean
  /** Number of requests before a word of exchange. */
  swapAt: number | null
  /** `no, four`: what follows takes the place of what was said. */
  isCorrecting: boolean
}

/** The requests of a message in order; each number belongs to the nearest unit or product. */
export function itemRequestsIn(tags: readonly Tag[]): ItemRequest[] {
  const reader: Reader = {
    tags,
    done: [],
    current: fresh('add', false),
    isBroken: false,
    swapAt: null,
    isCorrecting: false,
  }
  for (const [i, tag] of tags.entries()) {
    if (tag.type === 'separator' || tag.isJoined) reader.isBroken = true
    if (isCorrection(tags, i)) reader.isCorrecting = true
    if (isTrailing(reader, tag)) {
      if (reader.current.change !== 'refuse') Object.assign(reader.current, { change: 'add', isExplicit: true })
      continue
    }
    if (isOtherSide(reader, tag)) begin(reader, 'add', true)
    if (is(tag, 'correction') && (reader.done.length > 0 || !isEmpty(reader.current))) continue
    if (takeVerb(reader, tag, i)) {
      reader.isCorrecting = false
      continue
    }
    const isTaken =
      correct(reader, tag, i) ||
      takeNumber(reader, tag, i) ||
      takeName(reader, tag) ||
      takeSize(reader, tag) ||
      takeKind(reader, tag) ||
      takeGallon(reader, tag, i) ||
      takePack(reader, tag, i)
    if (isTaken) reader.isBroken = false
  }
  begin(reader, 'add', false)
  return inherited(swapped(reader.done.map(completed), reader.swapAt, tags))
}

/** `no`, `قصدي`, `sorry` at the beginning of a clause or after a request. */
export const isCorrection = (tags: readonly Tag[], i: number): boolean => {
  const [tag, next] = [tags[i], tags[i + 1]]
  if (is(tag, 'correction', 'mistakeOfMine')) return true
  return (
    is(tag, 'no') && /^(?:no+|nope|لا|لالا|la+2?)$/.test(tag?.text ?? '') && next !== undefined && !is(next, 'want')
  )
}

/** Puts a number, size or brand of a correction in the place of that of the last request. */
function correct(reader: Reader, tag: Tag, i: number): boolean {
  if (!reader.isCorrecting || tag.type === 'separator') return false
  const last = isEmpty(reader.current) ? reader.done.at(-1) : reader.current
  const pair = is(tag, 'twoPacks', 'twoBottles', 'twoGallons') ? 2 : null
  const count = tag.type === 'number' && !tag.isOrdinal ? tag.number : pair
  if (!last) return false
  if (count !== null && hasCount(last)) last.quantity = count
  else if (tag.type === 'size' && last.size !== null) last.size = tag.value
  else if (tag.type === 'vendor' && last.vendorId !== null) last.vendorId = tag.ids[0] ?? null
  // The unit is said again: `no, four cartons`.
  else return isUnit(tag) && reader.tags[i - 1]?.type === 'number' && last.quantity === reader.tags[i - 1]?.number
  return true
}

const isUnit = (tag: Tag) => is(tag, 'pack', 'packs', 'bottle', 'bottles', 'gallon', 'gallons')

/** Closes the current request and begins the next one. */
function begin(reader: Reader, change: Change, isExplicit: boolean): void {
  if (!isEmpty(reader.current)) reader.done.push(reader.current)
  reader.current = fresh(change, isExplicit)
  reader.isBroken = false
}

/** A detail that the current request already has begins another of the same change: `زيد كرتون هيرات و غيمة`. */
function beginIf(reader: Reader, isTaken: boolean): void {
  if (isTaken) begin(reader, reader.current.change, reader.current.isExplicit)
}

function completed(request: Draft): Draft {
  const quantity = request.quantity ?? (request.isSingular ? 1 : null)
  // `شيل واحد`: by one, not the whole line.
  const change = request.change === 'remove' && quantity !== null ? 'less' : request.change
  return { ...request, quantity, change }
}

const hasCount = ({ quantity, isSingular }: Draft) => quantity !== null || isSingular

/** `two more`, `كرتونين بعد`, `كرتون ثاني`: the word of change comes last. */
const isTrailing = ({ current, isBroken }: Reader, { text }: Tag) =>
  trailing.has(text) && !isEmpty(current) && hasCount(current) && !isBroken
const trailing = new Set('more extra additional زياده بعد كمان ثاني ثانيه another ba3ad zyada zyadah thani'.split(' '))

/** `بدل ال500 بغيمة`, `replace the 500 with ghaima`: the other side of an exchange begins. */
const isOtherSide = ({ current, swapAt }: Reader, { type, text }: Tag) =>
  swapAt !== null &&
  namesProduct(current) &&
  (/^(?:with|for|by|to|الي|ب|b)$/.test(text) || (type === 'vendor' && text.startsWith('ب')))

/** Words of change, exchange and wanting. */
function takeVerb(reader: Reader, tag: Tag, i: number): boolean {
  const { current, tags, isBroken } = reader
  const change = changeOf(tags, i)
  if (change !== null) {
    if (!isEmpty(current) && (current.isExplicit || hasCount(current) || isBroken))
      begin(reader, change, change !== 'refuse')
    Object.assign(reader.current, { change, isExplicit: change !== 'refuse' })
    if (tag.text === 'another') reader.current.isSingular = true
    return true
  }
  if (is(tag, 'swap')) {
    begin(reader, 'add', true)
    reader.swapAt = reader.done.length
    return true
  }
  if (!is(tag, 'want', 'bring') || isDenied(tags, i)) return false
  if (current.change === 'refuse' || (isBroken && !isEmpty(current))) begin(reader, 'add', false)
  return true
}

function takeNumber(reader: Reader, tag: Tag, i: number): boolean {
  const { tags, current, isBroken } = reader
  const isOrderNumber = is(tags[i - 1], 'numberWord') && is(tags[i - 2], 'myOrder', 'order')
  if (tag.type !== 'number' || tag.isOrdinal || isOrderNumber || isDenied(tags, i)) return false
  beginIf(reader, current.quantity !== null || (isBroken && namesProduct(current) && namesMore(tags, i)))
  const request = reader.current
  request.quantity = tag.number === null ? null : tag.number + (is(tags[i + 1], 'andAHalf') ? 0.5 : 0)
  // `قللها الى 2`, `increase to 5`.
  const isTo = /^(?:ل|الي|to)$/.test(tags[i - 1]?.text ?? '')
  if (isTo && request.isExplicit && (request.change === 'less' || request.change === 'add')) request.change = 'set'
  return true
}

function takeName(reader: Reader, { type, ids }: Tag): boolean {
  if (type !== 'vendor' && type !== 'product') return false
  const { size, kinds, vendorId } = reader.current
  const isNext = reader.isBroken && (size !== null || kinds.length > 0 || vendorId !== null)
  beginIf(reader, isNext || (type === 'vendor' && vendorId !== null))
  reader.current[type === 'vendor' ? 'vendorId' : 'productId'] = ids[0] ?? null
  return true
}

function takeSize(reader: Reader, tag: Tag): boolean {
  const { size, relative } = reader.current
  if (tag.type === 'size') {
    beginIf(reader, size !== null || (relative !== null && reader.isBroken))
    reader.current.size = tag.value
    return true
  }
  if (!is(tag, 'small', 'large')) return false
  beginIf(reader, relative !== null)
  reader.current.relative = is(tag, 'small') ? 'small' : 'large'
  return true
}

function takeKind(reader: Reader, { lexemes }: Tag): boolean {
  const kind = lexemes.find((lexeme) => lexeme.startsWith('k:'))
  if (kind === undefined) return false
  beginIf(reader, reader.isBroken && reader.current.kinds.length > 0)
  const { kinds } = reader.current
  if (kind !== 'k:refill' && !kinds.includes(kind)) kinds.push(kind)
  return true
}

function takeGallon(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'gallon', 'gallons', 'twoGallons')) return false
  const { size, unit } = reader.current
  const isOther = size !== null && size !== gallonSize
  beginIf(reader, isOther || unit === 'pack' || (unit === 'gallon' && reader.isBroken))
  const { current } = reader
  Object.assign(current, { unit: 'gallon', size: gallonSize })
  if (is(tag, 'twoGallons')) current.quantity = 2
  else if (is(tag, 'gallon') && current.quantity === null && !isDefinite(tag, reader.tags[i - 1]))
    current.isSingular = current.isExplicit
  return true
}

function takePack(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'pack', 'packs', 'twoPacks', 'bottle', 'bottles', 'twoBottles')) return false
  const isPair = is(tag, 'twoPacks', 'twoBottles')
  beginIf(reader, reader.current.unit !== null || (isPair && reader.current.quantity !== null))
  const { current, tags } = reader
  current.unit = is(tag, 'pack', 'packs', 'twoPacks') ? 'pack' : 'bottle'
  if (isPair) current.quantity = 2
  if (is(tags[i - 1], 'half', 'quarter')) current.quantity = 0.5
  else if (is(tag, 'pack', 'bottle') && current.quantity === null && !isDefinite(tag, tags[i - 1]))
    current.isSingular = true
  if (is(tags[i + 1], 'andAHalf')) current.quantity = (current.quantity ?? 1) + 0.5
  return true
}

const isDefinite = (tag: Tag, before?: Tag) =>
  /^(?:ال|بال|لل)/.test(tag.text) || ['the', 'el', 'al', 'per'].includes(before?.text ?? '')

/** `ما ابي`, `not hayrat`, `don't want`. */
export const isDenied = (tags: readonly Tag[], i: number): boolean => {
  const before = tags[i - 1]
  if (is(before, 'not')) return true
  return before?.text === 'لا' && /^(?:اريد|نريد|احتاج|ت)/.test(tags[i]?.text ?? '')
}

/** Whether a product follows the number: `hayrat 500, 2 ghaima`, but not `hayrat 500, 2 cartons`. */
const namesMore = (tags: readonly Tag[], i: number): boolean => {
  const next = tags.slice(i + 1).findIndex(({ type }) => type === 'number' || type === 'separator')
  const part = next < 0 ? tags.slice(i + 1) : tags.slice(i + 1, i + 1 + next)
  return part.some(
    (tag) =>
      tag.type === 'vendor' ||
      tag.type === 'size' ||
      tag.type === 'product' ||
      is(tag, 'gallon', 'gallons', 'small', 'large') ||
      tag.lexemes.some((one) => one.startsWith('k:')),
  )
}

function changeOf(tags: readonly Tag[], i: number): Change | null {
  const tag = tags[i]
  const next = tags[i + 1]?.type === 'filler' ? tags[i + 2] : tags[i + 1]
  if (is(tag, 'want', 'bring', 'order') && isDenied(tags, i)) return 'refuse'
  if (is(tag, 'not') && (next?.type === 'vendor' || next?.type === 'size')) return 'refuse'
  if (
    is(tag, 'cancel') &&
    (next?.type === 'vendor' ||
      next?.type === 'size' ||
      is(next, 'gallon', 'gallons') ||
      next?.lexemes.some((one) => one.startsWith('k:')))
  )
    return 'remove'
  const found = changes.find(([lexeme]) => is(tag, lexeme))
  if (found) return isDenied(tags, i) ? 'refuse' : found[1]
  const isMore =
    is(tag, 'again2') &&
    (next?.type === 'number' ||
      next?.type === 'vendor' ||
      is(next, 'pack', 'packs', 'twoPacks', 'gallon', 'twoGallons', 'bottle'))
  return isMore ? 'add' : null
}
