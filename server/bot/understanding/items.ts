import { changeOf, isDenied } from './changes.ts'
import { clausesOf, corrected } from './clauses.ts'
import { inherited, inPlace, swapped } from './exchanges.ts'
import {
  begin,
  beginIf,
  hasCount,
  type Reader,
  takeGallon,
  takeKind,
  takeName,
  takePack,
  takeSize,
} from './item-details.ts'
import { type Draft, fresh, type ItemRequest, isEmpty, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

/** The requests of a message in order; later clauses correct earlier ones. */
export function itemRequestsIn(tags: readonly Tag[]): { requests: ItemRequest[]; dropsChange: boolean } {
  const { first, corrections } = clausesOf(tags)
  const { done, swapAt, dropsChange } = requestsIn(first)
  const later = corrections.map((clause) => ({ clause, reader: requestsIn(clause) }))
  const said = later.reduce<Draft[]>((before, { clause, reader }) => corrected(before, swappedIn(reader, clause)), done)
  return {
    requests: inherited(swapped(said, swapAt, tags), tags).filter(
      (one, _, all) => !all.some((other) => isAskedOf(one, other)),
    ),
    dropsChange: dropsChange || later.some(({ reader }) => reader.dropsChange),
  }
}

/** `what is alkaline? Give me 3 alkaline of Hayrat`: the same, first asked about and then counted. */
const isAskedOf = (one: ItemRequest, other: ItemRequest) =>
  one.change === 'add' &&
  !one.isExplicit &&
  one.quantity === null &&
  one.swap === null &&
  one.kinds.length > 0 &&
  other.change === 'add' &&
  other.quantity !== null &&
  (one.vendorId === null || one.vendorId === other.vendorId) &&
  (one.size === null || one.size === other.size) &&
  `${one.kinds}` === `${other.kinds}`

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
    isJoined: false,
    hasVerb: false,
    swapAt: null,
    dropsChange: false,
  }
  for (const [i, tag] of tags.entries()) {
    if (tag.type === 'separator' || tag.isJoined) reader.isBroken = true
    if (tag.isJoined && !is(tag, 'andAHalf', 'half')) reader.isJoined = true
    if (isTrailing(reader, tag)) {
      const change = fewer.has(tag.text) ? 'less' : 'add'
      if (reader.current.change !== 'refuse') Object.assign(reader.current, { change, isExplicit: true })
      continue
    }
    // `remove the 500, only the 200`: what is named next is not of the removal.
    const isOut = reader.current.change === 'remove' || reader.current.change === 'refuse'
    if (isOut && namesProduct(reader.current) && isOnly(tag)) begin(reader, 'add', false)
    if (isOtherSide(reader, tag)) begin(reader, 'add', true)
    if (takeVerb(reader, tag, i)) continue
    const isTaken =
      takeNumber(reader, tag, i) ||
      takeName(reader, tag) ||
      takeSize(reader, tag, i) ||
      takeKind(reader, tag, i) ||
      takeGallon(reader, tag, i) ||
      takePack(reader, tag, i)
    if (isTaken) reader.isBroken = reader.isJoined = false
  }
  begin(reader, reader.current.change, false)
  reader.done = reader.done.map(completed)
  return reader
}

function completed(request: Draft): Draft {
  const quantity = request.quantity ?? (request.isSingular ? 1 : null)
  // `شيل واحد`: by one, not the whole line.
  const change = request.change === 'remove' && quantity !== null ? 'less' : request.change
  return { ...request, quantity, change }
}

export const isOnly = (tag: Tag) => is(tag, 'only') || /^b[ae]?s$/.test(tag.text)

/** `two more`, `كرتونين بعد`, `كرتون ثاني`: the word of change comes last. */
const isTrailing = ({ current, isBroken }: Reader, { text }: Tag) =>
  (trailing.has(text) || fewer.has(text)) && !isEmpty(current) && hasCount(current) && !isBroken
const fewer = new Set(['less', 'fewer', 'اقل'])
const trailing = new Set(
  'more_of more extra additional زياده بعد كمان ثاني ثانيه another ba3ad zyada zyadah thani'
    .split(' ')
    .map((word) => word.replace('_', ' ')),
)

/** `بدل ال500 بغيمة`, `replace the 500 with ghaima`: the other side of an exchange begins. */
const isOtherSide = ({ current, swapAt }: Reader, { type, text }: Tag) =>
  swapAt !== null &&
  (namesProduct(current) || hasCount(current)) &&
  (/^(?:with|for|by|to|الي|ب|b)$/.test(text) || (type === 'vendor' && text.startsWith('ب')))

/** Words of change, exchange and wanting. */
function takeVerb(reader: Reader, tag: Tag, i: number): boolean {
  const { current, tags, isBroken } = reader
  const change = changeOf(tags, i)
  if (change !== null) {
    // `200, not 330`: what is refused is another one.
    const isOther = change === 'refuse' && is(tag, 'not')
    // `how much is the 500? And add 3`
    const isOfAsked = isBroken && change === 'add' && isNamedBefore(reader, i)
    if (!isEmpty(current) && (isOther || reader.hasVerb || hasCount(current) || (isBroken && !isOfAsked)))
      begin(reader, change, change !== 'refuse')
    if (isEmpty(reader.current) && reader.current.isExplicit && reader.current.change !== change)
      reader.dropsChange = true
    Object.assign(reader.current, { change, isExplicit: change !== 'refuse' })
    reader.hasVerb = true
    if (tag.text === 'another') reader.current.isSingular = true
    return true
  }
  // `8 galoon Hayrat tabdeel`: full ones for empty ones.
  if (is(tag, 'swap') && current.unit === 'gallon' && !namesMore(tags, i)) {
    current.empties ??= 'all'
    return true
  }
  // `remove the 200 and put one 330 in its place`
  if (inPlace.test(tag.text) && reader.hasVerb && tags.slice(0, i).some((one) => is(one, 'remove'))) {
    reader.dropsChange = false
    return true
  }
  if (is(tag, 'swap')) {
    begin(reader, 'add', true)
    reader.swapAt = reader.done.length
    return true
  }
  if (!is(tag, 'want', 'bring') || isDenied(tags, i)) return false
  if (current.change === 'refuse' || (isBroken && !isEmpty(current) && !isNamedBefore(reader, i)))
    begin(reader, 'add', false)
  return true
}

/** Whether what is counted after this word was named before it: `do you have the 1.5? I take 2`. */
const isNamedBefore = ({ current, tags }: Reader, i: number): boolean =>
  namesProduct(current) &&
  !hasCount(current) &&
  current.change === 'add' &&
  tags.slice(i + 1).some(({ type }) => type === 'number') &&
  !tags.slice(i + 1).some((tag, at) => ofProduct(tag) || changeOf(tags, i + 1 + at) !== null)

/** `the small one`, `the half litre one` */
function isPronoun({ tags, done, current }: Reader, i: number): boolean {
  const [before, ...more] = tags.slice(0, i).reverse()
  if (tags[i]?.text !== 'one') return false
  if (/(?:^|\s)(?:that|this|other|last|which)$/.test(before?.text ?? '')) return true
  // `make the 500 six and the 200 one`
  if (before?.type === 'size' && done.some(hasCount) && !hasCount(current)) return false
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

/** `5 is too much, 2 only` */
const tooMany = /^(?:too|much|many|كثير|كثيره|وايد|wayed|wayid|wajid|katheer|kitheer)$/

function takeNumber(reader: Reader, tag: Tag, i: number): boolean {
  const { tags, current, isBroken } = reader
  if (isPronoun(reader, i)) return true
  // `we are 4 people`
  const next = tags.slice(i + 1).find(({ type }) => type !== 'filler')
  if (tag.type === 'number' && counted.test(next?.text ?? '')) return true
  const isTooMany = tooMany.test(next?.text ?? '') && tags.some(({ type }, at) => at !== i && type === 'number')
  if (tag.type === 'number' && isTooMany) return true
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
  // `change the 200 to 4 and the 500 to 1`
  const isChanged = namesProduct(request) && !namesMore(tags, i) && tags.some((one) => is(one, 'change'))
  if (isTo && isChanged) Object.assign(request, { change: 'set', isExplicit: true })
  if (isTo && request.isExplicit && (request.change === 'less' || request.change === 'add')) request.change = 'set'
  return true
}

/** Whether a product follows the number: `hayrat 500, 2 ghaima`, but not `hayrat 500, 2 cartons`. */
const namesMore = (tags: readonly Tag[], i: number): boolean => {
  const next = tags
    .slice(i + 1)
    .findIndex(({ type, isJoined }) => type === 'number' || type === 'separator' || (isJoined && type === 'filler'))
  const part = next < 0 ? tags.slice(i + 1) : tags.slice(i + 1, i + 1 + next)
  return part.some(ofProduct)
}

const ofProduct = (tag: Tag) =>
  ['vendor', 'size', 'product'].includes(tag.type) ||
  is(tag, 'gallon', 'gallons', 'small', 'large') ||
  tag.lexemes.some((one) => one.startsWith('k:'))
