import { sizeKey } from '@qatra/contract/sizes'
import type { Lexeme } from './lexicon.ts'
import { is, type Tag } from './tags.ts'

/** Change by (`add`, `less`), change to (`set`), the whole line (`remove`), or not wanted (`refuse`). */
export type Change = 'add' | 'less' | 'set' | 'remove' | 'refuse'

/** A requested item as written, before the catalogue is asked. */
export interface ItemRequest {
  change: Change
  /** A word of change was written: `زيد`, `make it`. Without one it is an order. */
  isExplicit: boolean
  vendorId: number | null
  /** By an alias of the office. */
  productId: number | null
  /** Lexemes `k:…`. */
  kinds: Lexeme[]
  /** In the format of `sizeKey`. */
  size: string | null
  relative: 'small' | 'large' | null
  quantity: number | null
  unit: 'pack' | 'bottle' | 'gallon' | null
  /** Taken out or put in by an exchange. */
  swap: 'from' | 'to' | null
  isGuess: boolean
}

interface Draft extends ItemRequest {
  /** `كرتون`, `a carton`: one, if no number is found. */
  isSingular: boolean
}

const gallonSize = sizeKey('5 gallon')
const fresh = (change: Change, isExplicit: boolean): Draft => ({
  change,
  isExplicit,
  vendorId: null,
  productId: null,
  kinds: [],
  size: null,
  relative: null,
  quantity: null,
  unit: null,
  swap: null,
  isGuess: false,
  isSingular: false,
})

/** Whether more than a number was said. */
export const namesProduct = (request: ItemRequest) =>
  request.vendorId !== null ||
  request.productId !== null ||
  request.size !== null ||
  request.kinds.length > 0 ||
  request.relative !== null
const isEmpty = (request: Draft) =>
  !namesProduct(request) && request.quantity === null && request.unit === null && !request.isSingular

const changes: readonly (readonly [Lexeme, Change])[] = [
  ['less', 'less'],
  ['remove', 'remove'],
  ['without', 'remove'],
  ['keepAt', 'set'],
  ['add', 'add'],
]

/** The requests of a message in order; each number belongs to the nearest unit or product. */
export function itemRequestsIn(tags: readonly Tag[]): ItemRequest[] {
  const done: Draft[] = []
  let current = fresh('add', false)
  let isBroken = false
  let swapAt: number | null = null
  const flush = (change = current.change, isExplicit = current.isExplicit) => {
    if (!isEmpty(current)) done.push(current)
    current = fresh(change, isExplicit)
    isBroken = false
  }
  const own = (isTaken: boolean) => {
    // An order goes on after a change: `زيد كرتون هيرات و غيمة`.
    if (isTaken) flush()
  }
  for (const [i, tag] of tags.entries()) {
    const next = tags[i + 1]
    if (tag.type === 'separator' || tag.isJoined) isBroken = true
    if (isTrailing(tag) && !isEmpty(current) && (current.quantity !== null || current.isSingular) && !isBroken) {
      if (current.change !== 'refuse') Object.assign(current, { change: 'add', isExplicit: true })
      continue
    }
    // `بدل ال500 بغيمة`, `replace the 500 with ghaima`: the other side of an exchange begins.
    const isOtherSide = isWith(tag) || (tag.type === 'vendor' && tag.text.startsWith('ب'))
    if (swapAt !== null && isOtherSide && namesProduct(current)) flush('add', true)
    const change = changeOf(tags, i)
    if (change !== null) {
      if (!isEmpty(current) && (current.isExplicit || current.quantity !== null || current.isSingular || isBroken))
        flush(change, change !== 'refuse')
      current.change = change
      current.isExplicit = change !== 'refuse'
      if (tag.text === 'another') current.isSingular = true
      continue
    }
    if (is(tag, 'swap')) {
      flush('add', true)
      swapAt = done.length
      continue
    }
    if (is(tag, 'want', 'bring') && !isDenied(tags, i)) {
      if (current.change === 'refuse' || (isBroken && !isEmpty(current))) flush('add', false)
      continue
    }
    if (tag.type === 'number') {
      const isOrderNumber = is(tags[i - 1], 'numberWord') && is(tags[i - 2], 'myOrder', 'order')
      if (tag.isOrdinal || isOrderNumber || isDenied(tags, i)) continue
      own(current.quantity !== null || (isBroken && namesProduct(current) && namesMore(tags, i)))
      current.quantity = tag.number === null ? null : tag.number + (is(next, 'andAHalf') ? 0.5 : 0)
      // `قللها الى 2`, `increase to 5`.
      const isTo = /^(?:ل|الي|to)$/.test(tags[i - 1]?.text ?? '')
      if (isTo && current.isExplicit && (current.change === 'less' || current.change === 'add')) current.change = 'set'
    } else if (tag.type === 'vendor' || tag.type === 'product') {
      own(
        (tag.type === 'vendor' && current.vendorId !== null) ||
          (isBroken && (current.size !== null || current.kinds.length > 0 || current.vendorId !== null)),
      )
      if (tag.type === 'vendor') current.vendorId = tag.ids[0] ?? null
      else current.productId = tag.ids[0] ?? null
      current.isGuess ||= tag.isGuess
    } else if (tag.type === 'size') {
      own(current.size !== null || (current.relative !== null && isBroken))
      current.size = tag.value
    } else if (is(tag, 'small', 'large')) {
      own(current.relative !== null)
      current.relative = is(tag, 'small') ? 'small' : 'large'
    } else if (tag.lexemes.some((lexeme) => lexeme.startsWith('k:'))) {
      const kind = tag.lexemes.find((lexeme) => lexeme.startsWith('k:'))
      own(isBroken && current.kinds.length > 0)
      if (kind && kind !== 'k:refill' && !current.kinds.includes(kind)) current.kinds.push(kind)
      current.isGuess ||= tag.isGuess
    } else if (is(tag, 'gallon', 'gallons', 'twoGallons')) {
      own(
        (current.size !== null && current.size !== gallonSize) ||
          current.unit === 'pack' ||
          (current.unit === 'gallon' && isBroken),
      )
      current.unit = 'gallon'
      current.size = gallonSize
      if (is(tag, 'twoGallons')) current.quantity = 2
      else if (is(tag, 'gallon') && current.quantity === null && !isDefinite(tag, tags[i - 1]))
        current.isSingular = current.isExplicit
    } else if (is(tag, 'pack', 'packs', 'twoPacks', 'bottle', 'bottles', 'twoBottles')) {
      own(current.unit !== null || (is(tag, 'twoPacks', 'twoBottles') && current.quantity !== null))
      current.unit = is(tag, 'pack', 'packs', 'twoPacks') ? 'pack' : 'bottle'
      if (is(tag, 'twoPacks', 'twoBottles')) current.quantity = 2
      if (is(tags[i - 1], 'half') || is(tags[i - 1], 'quarter')) current.quantity = 0.5
      else if (is(tag, 'pack', 'bottle') && current.quantity === null && !isDefinite(tag, tags[i - 1]))
        current.isSingular = true
      if (is(next, 'andAHalf')) current.quantity = (current.quantity ?? 1) + 0.5
    } else continue
    isBroken = false
  }
  flush()
  for (const request of done) {
    if (request.quantity === null && request.isSingular) request.quantity = 1
    // `شيل واحد`: by one, not the whole line.
    if (request.change === 'remove' && request.quantity !== null) request.change = 'less'
  }
  return inherited(swapped(done, swapAt, tags))
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

const isWith = ({ text }: Tag) => /^(?:with|for|by|to|الي|ب|b)$/.test(text)

/** `two more`, `كرتونين بعد`, `كرتون ثاني`: the word of change stands behind. */
const isTrailing = ({ text }: Tag) => trailing.has(text)
const trailing = new Set('more extra additional زياده بعد كمان ثاني ثانيه another ba3ad zyada zyadah thani'.split(' '))

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

/** `بدل X ب Y`, `replace X with Y`, `change X to Y`; `Y instead of X`, `Y بدل X`. */
function swapped(requests: Draft[], swapAt: number | null, tags: readonly Tag[]): Draft[] {
  const [single, ...more] = requests
  if (single && more.length === 0 && namesProduct(single) && tags.some((tag) => is(tag, 'swap', 'change', 'keepAt'))) {
    // `بدلها موجة`, `change it to 330`: the only line of the cart. `بدل هيرات` says what goes, not what comes.
    if (tags.some((tag, i) => isOfCart(tag, tags[i + 1])) && (swapAt !== null || single.quantity === null))
      return [
        { ...fresh('remove', true), swap: 'from' },
        { ...single, change: 'add', isExplicit: true, swap: 'to' },
      ]
    return swapAt === null ? requests : [{ ...single, change: 'refuse', isExplicit: false, swap: 'from' }]
  }
  const isChanged =
    swapAt === null &&
    requests.length === 2 &&
    tags.some((tag) => is(tag, 'change')) &&
    requests.every(({ change }) => change === 'add' || change === 'set')
  if (swapAt === null && !isChanged) return requests
  const at = swapAt ?? 0
  const [from, to] = at > 0 ? [requests[at], requests[at - 1]] : [requests[0], requests[1]]
  if (!from || !to) return requests
  const rest = requests.filter((request) => request !== from && request !== to)
  if (!namesProduct(to) && to.unit !== 'gallon') {
    // `خلها 4 بدل 3`: a number takes the place of a number.
    return [...rest, { ...from, change: 'set', isExplicit: true, quantity: to.quantity ?? from.quantity }]
  }
  if (isChanged && !namesProduct(from)) return requests
  const exchanged = namesProduct(from)
    ? { ...from, change: 'remove' as const, isExplicit: true, swap: 'from' as const }
    : null
  const taken = {
    ...to,
    change: 'add' as const,
    isExplicit: true,
    swap: 'to' as const,
    quantity: to.quantity ?? from.quantity,
  }
  return [...rest, ...(exchanged ? [{ ...exchanged, quantity: from.quantity }] : []), taken]
}

/** `بدلها`, `change it to`, `switch to`, `instead`. */
const isOfCart = (tag: Tag, next: Tag | undefined) =>
  is(tag, 'swap', 'change', 'keepAt') &&
  (/(?:ها|[^ي]ه|هم|it|them|that|to|ha)$/.test(tag.text) ||
    (tag.text === 'instead' && next === undefined) ||
    /^(?:to|الي|ل)$/.test(next?.text ?? ''))

/** A brand named once counts for the other requests of the message, except the two sides of an exchange. */
function inherited(requests: Draft[]): ItemRequest[] {
  const isOfCart = ({ change }: Draft) => change === 'remove' || change === 'less' || change === 'refuse'
  const [first] = requests.filter((request) => request.vendorId !== null && !isOfCart(request))
  let last: number | null = null
  return requests.map(({ isSingular: _, ...request }) => {
    if (request.swap !== null || isOfCart({ ...request, isSingular: false })) return request
    const vendorId =
      request.vendorId ??
      (request.productId === null && namesProduct(request) ? (last ?? first?.vendorId ?? null) : null)
    last = vendorId ?? last
    return { ...request, vendorId }
  })
}
