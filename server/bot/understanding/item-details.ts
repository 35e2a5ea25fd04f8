import { sizeKey } from '@qatra/contract/products/sizes'
import { isDenied } from './changes.ts'
import { type Change, type Draft, fresh, isEmpty } from './item-request.ts'
import { is, type Tag } from './tags.ts'

const gallonSize = sizeKey('5 gallon')

/** The requests of a message while its tags are read from left to right. */
export interface Reader {
  readonly tags: readonly Tag[]
  done: Draft[]
  current: Draft
  /** A separator or conjunction is before the tag. */
  isBroken: boolean
  /** `and` is before the tag. */
  isJoined: boolean
  /** The word of change is of the current request itself, not of the one before it. */
  hasVerb: boolean
  /** Number of requests before a word of exchange. */
  swapAt: number | null
  /** A word of change had nothing to change. */
  dropsChange: boolean
}

/** Closes the current request and begins the next one. */
export function begin(reader: Reader, change: Change, isExplicit: boolean): void {
  if (!isEmpty(reader.current)) reader.done.push(reader.current)
  else if (reader.current.isExplicit && reader.current.change !== change) reader.dropsChange = true
  reader.current = fresh(change, isExplicit)
  reader.isBroken = reader.isJoined = reader.hasVerb = false
}

/** A detail that the current request already has begins another of the same change: `زيد كرتون هيرات و غيمة`. */
export function beginIf(reader: Reader, isTaken: boolean, tag: Tag): void {
  const { change, isExplicit } = reader.current
  // `not Hayrat, Ghaima`: the next one is wanted; `ما ابي هيرات وغيمة` refuses both.
  if (isTaken) begin(reader, change === 'refuse' && !tag.isJoined ? 'add' : change, isExplicit)
}

/** `5 and a carton of …` */
const isNext = ({ current, isJoined }: Reader) => isJoined && hasCount(current)

export const hasCount = ({ quantity, isSingular }: Draft) => quantity !== null || isSingular

export function takeName(reader: Reader, tag: Tag): boolean {
  const { type, ids } = tag
  if (type !== 'vendor' && type !== 'product') return false
  const { size, kinds, vendorId } = reader.current
  const isNext = reader.isBroken && (size !== null || kinds.length > 0 || vendorId !== null)
  beginIf(reader, isNext || (type === 'vendor' && vendorId !== null), tag)
  reader.current[type === 'vendor' ? 'vendorId' : 'productId'] = ids[0] ?? null
  return true
}

const others = ['company', 'officeWord', 'building'] as const

/** `a small clinic`, `مكتب صغير`: the size of something that is not sold. */
function isOfOther(tags: readonly Tag[], i: number): boolean {
  const [before, next] = [tags[i - 1], tags[i + 1]]
  const isArabic = /^\p{Script=Arabic}/u.test(tags[i]?.text ?? '')
  if (isArabic) return is(before, ...others) || (before?.type === 'word' && is(tags[i - 2], 'have', 'mine'))
  return is(next, ...others) || (next?.type === 'word' && /^(?:an?|our|my)$/.test(before?.text ?? ''))
}

export function takeSize(reader: Reader, tag: Tag, i: number): boolean {
  const { size, relative } = reader.current
  if (tag.type === 'size') {
    const isOther = relative !== null && (reader.isBroken || reader.current.change === 'refuse')
    beginIf(reader, size !== null || isOther, tag)
    reader.current.size = tag.value
    return true
  }
  if (!is(tag, 'small', 'large') || isOfOther(reader.tags, i)) return false
  beginIf(reader, relative !== null, tag)
  reader.current.relative = is(tag, 'small') ? 'small' : 'large'
  return true
}

/** `غالون جديد`: with its bottle. */
function isOfNewBottle(reader: Reader, i: number): boolean {
  const { tags, current } = reader
  const isGallon = current.size === gallonSize || is(tags[i + 1], 'gallon', 'gallons', 'bottle', 'bottles')
  return is(tags[i], 'newWord') && isGallon && !isDenied(tags, i)
}

export function takeKind(reader: Reader, tag: Tag, i: number): boolean {
  const kind = isOfNewBottle(reader, i) ? 'k:newBottle' : tag.lexemes.find((lexeme) => lexeme.startsWith('k:'))
  if (kind === undefined) return false
  // `still, not sparkling`: plain water.
  if (isDenied(reader.tags, i)) return true
  const { current, isBroken } = reader
  // `2 gallons Hayrat and one lemon`
  const isOther = kind !== 'k:refill' && kind !== 'k:newBottle' && current.size === gallonSize && hasCount(current)
  const isCounted = reader.tags[i + 1]?.type === 'number' || reader.tags[i - 1]?.type === 'number'
  // `2 cartons of the 330, and do you have sparkling?`: of the question.
  const isAsked = isBroken && hasCount(current) && reader.tags.slice(i).some((one) => is(one, 'have'))
  beginIf(reader, (isBroken && current.kinds.length > 0) || isAsked || (isOther && (isBroken || isCounted)), tag)
  const { kinds } = reader.current
  // What is refilled are gallons, whatever they are called.
  const isOfLast = !hasCount(reader.current) && reader.done.at(-1)?.size === gallonSize
  if (kind === 'k:refill' && reader.current.size === null && reader.current.unit !== 'pack' && !isOfLast)
    Object.assign(reader.current, { size: gallonSize, unit: 'gallon' })
  const bottled = isOfLast ? reader.done.at(-1) : reader.current
  if (bottled && kind === 'k:newBottle') bottled.empties = 'none'
  if (bottled && kind === 'k:refill') bottled.empties ??= 'all'
  if (kind !== 'k:refill' && !kinds.includes(kind)) kinds.push(kind)
  return true
}

export function takeGallon(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'gallon', 'gallons', 'twoGallons')) return false
  const { size, unit, relative } = reader.current
  // `2 large and a gallon`
  const isOther = (size !== null && size !== gallonSize) || (relative !== null && reader.isBroken)
  beginIf(reader, isOther || unit === 'pack' || (unit === 'gallon' && reader.isBroken) || isNext(reader), tag)
  const { current } = reader
  Object.assign(current, { unit: 'gallon', size: gallonSize })
  if (is(tag, 'twoGallons')) current.quantity = 2
  else if (is(tag, 'gallon') && current.quantity === null && !isDefinite(tag, reader.tags[i - 1]))
    // `3 cartons and a gallon`: one of it.
    current.isSingular = current.isExplicit || reader.done.some(hasCount)
  return true
}

export function takePack(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'pack', 'packs', 'twoPacks', 'bottle', 'bottles', 'twoBottles')) return false
  const isPair = is(tag, 'twoPacks', 'twoBottles')
  beginIf(reader, reader.current.unit !== null || (isPair && reader.current.quantity !== null) || isNext(reader), tag)
  const { current, tags } = reader
  current.unit = is(tag, 'pack', 'packs', 'twoPacks') ? 'pack' : 'bottle'
  if (isPair) current.quantity = 2
  const before = tags[i - 1]?.type === 'filler' ? tags[i - 2] : tags[i - 1]
  if (is(before, 'half', 'quarter')) current.quantity = 0.5
  // An unknown word before it can be a number.
  else if (
    is(tag, 'pack', 'bottle') &&
    !isAskedOf(tags, i) &&
    current.quantity === null &&
    !isDefinite(tag, tags[i - 1]) &&
    !(tags[i - 1]?.type === 'word' && /^[a-z]{2,6}$/.test(tags[i - 1]?.text ?? ''))
  )
    current.isSingular = true
  if (is(tags[i + 1], 'andAHalf')) current.quantity = (current.quantity ?? 1) + 0.5
  return true
}

/** `بكم كرتون هيرات`: of the price, no quantity. */
const isAskedOf = (tags: readonly Tag[], i: number) => is(tags[i - 1], 'howMuch')

const isDefinite = (tag: Tag, before?: Tag) =>
  /^(?:ال|بال|لل)/.test(tag.text) || ['the', 'el', 'al', 'per'].includes(before?.text ?? '')
