import { sizeKey } from '@qatra/contract/products/sizes'
import { changeOf, isDenied } from './changes.ts'
import { clausesOf, corrected } from './clauses.ts'
import { inherited, swapped } from './exchanges.ts'
import { type Change, type Draft, fresh, type ItemRequest, isEmpty, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

const gallonSize = sizeKey('5 gallon')

/** The requests of a message while its tags are read from left to right. */
interface Reader {
  readonly tags: readonly Tag[]
  done: Draft[]
  current: Draft
  /** A separator or conjunction stands before the tag. */
  isBroken: boolean
  /** Number of requests before a word of exchange. */
  swapAt: number | null
  /** A word of change had nothing to change. */
  dropsChange: boolean
}

/** The requests of a message in order; later clauses correct earlier ones. */
export function itemRequestsIn(tags: readonly Tag[]): { requests: ItemRequest[]; dropsChange: boolean } {
  const { first, corrections } = clausesOf(tags)
  const { done, swapAt, dropsChange } = requestsIn(first)
  const later = corrections.map((clause) => ({ clause, reader: requestsIn(clause) }))
  const said = later.reduce<Draft[]>((before, { clause, reader }) => corrected(before, swappedIn(reader, clause)), done)
  return {
    requests: inherited(swapped(said, swapAt, tags), tags),
    dropsChange: dropsChange || later.some(({ reader }) => reader.dropsChange),
  }
}

/** `500 instead` says what comes, in the place of what was said before. */
const swappedIn = ({ done, swapAt }: Reader, tags: readonly Tag[]) =>
  swapAt === null || (done.length === 1 && tags.at(-1)?.text === 'instead') ? done : swapped(done, swapAt, tags)

/** Each number belongs to the nearest unit or product. */
function requestsIn(tags: readonly Tag[]): Reader {
  const reader: Reader = {
    tags,
    done: [],
    current: fresh('add', false),
    isBroken: false,
    swapAt: null,
    dropsChange: false,
  }
  for (const [i, tag] of tags.entries()) {
    if (tag.type === 'separator' || tag.isJoined) reader.isBroken = true
    if (isTrailing(reader, tag)) {
      const change = fewer.has(tag.text) ? 'less' : 'add'
      if (reader.current.change !== 'refuse') Object.assign(reader.current, { change, isExplicit: true })
      continue
    }
    if (isOtherSide(reader, tag)) begin(reader, 'add', true)
    if (takeVerb(reader, tag, i)) continue
    const isTaken =
      takeNumber(reader, tag, i) ||
      takeName(reader, tag) ||
      takeSize(reader, tag) ||
      takeKind(reader, tag, i) ||
      takeGallon(reader, tag, i) ||
      takePack(reader, tag, i)
    if (isTaken) reader.isBroken = false
  }
  begin(reader, reader.current.change, false)
  reader.done = reader.done.map(completed)
  return reader
}

/** Closes the current request and begins the next one. */
function begin(reader: Reader, change: Change, isExplicit: boolean): void {
  if (!isEmpty(reader.current)) reader.done.push(reader.current)
  else if (reader.current.isExplicit && reader.current.change !== change) reader.dropsChange = true
  reader.current = fresh(change, isExplicit)
  reader.isBroken = false
}

/** A detail that the current request already has begins another of the same change: `زيد كرتون هيرات و غيمة`. */
function beginIf(reader: Reader, isTaken: boolean, tag: Tag): void {
  const { change, isExplicit } = reader.current
  // `not Hayrat, Ghaima`: the next one is wanted; `ما ابي هيرات وغيمة` refuses both.
  if (isTaken) begin(reader, change === 'refuse' && !tag.isJoined ? 'add' : change, isExplicit)
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
  (trailing.has(text) || fewer.has(text)) && !isEmpty(current) && hasCount(current) && !isBroken
const fewer = new Set(['less', 'fewer', 'اقل'])
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
    // `200, not 330`: what is refused is another one.
    const isOther = change === 'refuse' && is(tag, 'not')
    if (!isEmpty(current) && (isOther || current.isExplicit || hasCount(current) || isBroken))
      begin(reader, change, change !== 'refuse')
    if (isEmpty(reader.current) && reader.current.isExplicit && reader.current.change !== change)
      reader.dropsChange = true
    Object.assign(reader.current, { change, isExplicit: change !== 'refuse' })
    if (tag.text === 'another') reader.current.isSingular = true
    return true
  }
  // `8 galoon Hayrat tabdeel`: full ones for empty ones.
  if (is(tag, 'swap') && current.unit === 'gallon' && !namesMore(tags, i)) return true
  if (is(tag, 'swap')) {
    begin(reader, 'add', true)
    reader.swapAt = reader.done.length
    return true
  }
  if (!is(tag, 'want', 'bring') || isDenied(tags, i)) return false
  if (current.change === 'refuse' || (isBroken && !isEmpty(current))) begin(reader, 'add', false)
  return true
}

/** `the small one`, `the half litre one` */
function isPronoun(tags: readonly Tag[], i: number): boolean {
  const [before, ...more] = tags.slice(0, i).reverse()
  if (tags[i]?.text !== 'one') return false
  if (/^(?:that|this|other|last|which)$/.test(before?.text ?? '')) return true
  const isNamed = before?.type === 'size' || (before?.lexemes.some((one) => one.startsWith('k:')) ?? false)
  return (
    is(before, 'small', 'large') || (isNamed && more.slice(0, 3).some(({ text }) => /^(?:the|that|this)$/.test(text)))
  )
}

/** `4 not 2`: takes the place of the number that is denied. */
function takeInstead({ done, current, tags }: Reader, i: number): boolean {
  const number = tags[i]?.number ?? null
  const denied = is(tags[i + 1], 'not') ? (tags[i + 2]?.number ?? null) : null
  const request = [...done, current].findLast((one) => one.quantity !== null && one.quantity === denied)
  if (number === null || denied === null || !request) return false
  request.quantity = number
  return true
}

const counted = /^(?:people|persons?|pax|guests|staffs?|families|انفار|نفر|اشخاص|ضيوف|عمال|anfar|nafar|ash5a9)$/

function takeNumber(reader: Reader, tag: Tag, i: number): boolean {
  const { tags, current, isBroken } = reader
  if (isPronoun(tags, i)) return true
  // `we are 4 people`
  const next = tags[i + 1]?.type === 'filler' ? tags[i + 2] : tags[i + 1]
  if (tag.type === 'number' && counted.test(next?.text ?? '')) return true
  const isOrderNumber = is(tags[i - 1], 'numberWord') && is(tags[i - 2], 'myOrder', 'order')
  if (tag.type !== 'number' || tag.isOrdinal || isOrderNumber || isDenied(tags, i)) return false
  if (takeInstead(reader, i)) return true
  // `قللها الى 2`, `increase to 5`, `change the 4 to 2`.
  const isTo = /^(?:ل|الي|to)$/.test(tags[i - 1]?.text ?? '')
  const isOfNumber = isTo && tags[i - 2]?.type === 'number' && !namesProduct(current)
  if (isOfNumber && tags.slice(0, i).some((one) => is(one, 'change', 'keepAt', 'add', 'less'))) {
    Object.assign(current, { quantity: tag.number, change: 'set', isExplicit: true })
    return true
  }
  beginIf(reader, current.quantity !== null || (isBroken && namesProduct(current) && namesMore(tags, i)), tag)
  const request = reader.current
  request.quantity = tag.number === null ? null : tag.number + (is(tags[i + 1], 'andAHalf') ? 0.5 : 0)
  if (isTo && request.isExplicit && (request.change === 'less' || request.change === 'add')) request.change = 'set'
  return true
}

function takeName(reader: Reader, tag: Tag): boolean {
  const { type, ids } = tag
  if (type !== 'vendor' && type !== 'product') return false
  const { size, kinds, vendorId } = reader.current
  const isNext = reader.isBroken && (size !== null || kinds.length > 0 || vendorId !== null)
  beginIf(reader, isNext || (type === 'vendor' && vendorId !== null), tag)
  reader.current[type === 'vendor' ? 'vendorId' : 'productId'] = ids[0] ?? null
  return true
}

function takeSize(reader: Reader, tag: Tag): boolean {
  const { size, relative } = reader.current
  if (tag.type === 'size') {
    const isOther = relative !== null && (reader.isBroken || reader.current.change === 'refuse')
    beginIf(reader, size !== null || isOther, tag)
    reader.current.size = tag.value
    return true
  }
  if (!is(tag, 'small', 'large')) return false
  beginIf(reader, relative !== null, tag)
  reader.current.relative = is(tag, 'small') ? 'small' : 'large'
  return true
}

/** The gallon that is being read, or was read just before: `2 gallons, I have no empty`. */
const gallonOf = ({ current, done }: Reader): Draft | null =>
  [current, ...(isEmpty(current) ? done.slice(-1) : [])].find(({ size }) => size === gallonSize) ?? null

/** `غالون جديد`, and `ما عندي فاضي` beside a gallon: with its bottle. */
function isOfNewBottle(reader: Reader, i: number): boolean {
  const { tags, current } = reader
  const isGallon = current.size === gallonSize || is(tags[i + 1], 'gallon', 'gallons', 'bottle', 'bottles')
  if (is(tags[i], 'newWord')) return isGallon && !isDenied(tags, i)
  const before = tags.slice(Math.max(0, i - 2), i)
  const hasNone = is(tags[i], 'deposit', 'empty') && before.some((tag) => is(tag, 'not', 'no', 'without', 'skip'))
  return hasNone && gallonOf(reader) !== null
}

function takeKind(reader: Reader, tag: Tag, i: number): boolean {
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
  if (kind !== 'k:refill' && !kinds.includes(kind)) kinds.push(kind)
  return true
}

function takeGallon(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'gallon', 'gallons', 'twoGallons')) return false
  const { size, unit, relative } = reader.current
  // `2 large and a gallon`
  const isOther = (size !== null && size !== gallonSize) || (relative !== null && reader.isBroken)
  beginIf(reader, isOther || unit === 'pack' || (unit === 'gallon' && reader.isBroken), tag)
  const { current } = reader
  Object.assign(current, { unit: 'gallon', size: gallonSize })
  if (is(tag, 'twoGallons')) current.quantity = 2
  else if (is(tag, 'gallon') && current.quantity === null && !isDefinite(tag, reader.tags[i - 1]))
    // `3 cartons and a gallon`: one of it.
    current.isSingular = current.isExplicit || reader.done.some(hasCount)
  return true
}

function takePack(reader: Reader, tag: Tag, i: number): boolean {
  if (!is(tag, 'pack', 'packs', 'twoPacks', 'bottle', 'bottles', 'twoBottles')) return false
  const isPair = is(tag, 'twoPacks', 'twoBottles')
  beginIf(reader, reader.current.unit !== null || (isPair && reader.current.quantity !== null), tag)
  const { current, tags } = reader
  current.unit = is(tag, 'pack', 'packs', 'twoPacks') ? 'pack' : 'bottle'
  if (isPair) current.quantity = 2
  const before = tags[i - 1]?.type === 'filler' ? tags[i - 2] : tags[i - 1]
  if (is(before, 'half', 'quarter')) current.quantity = 0.5
  // An unknown word before it can be a number.
  else if (
    is(tag, 'pack', 'bottle') &&
    current.quantity === null &&
    !isDefinite(tag, tags[i - 1]) &&
    !(tags[i - 1]?.type === 'word' && /^[a-z]{2,6}$/.test(tags[i - 1]?.text ?? ''))
  )
    current.isSingular = true
  if (is(tags[i + 1], 'andAHalf')) current.quantity = (current.quantity ?? 1) + 0.5
  return true
}

const isDefinite = (tag: Tag, before?: Tag) =>
  /^(?:ال|بال|لل)/.test(tag.text) || ['the', 'el', 'al', 'per'].includes(before?.text ?? '')

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
