import { isCheckingOut, type State } from '../dialogue/memory.ts'
import { isCorrection } from './clauses.ts'
import { dayLexemes, type Evidence } from './evidence.ts'
import { bareWords, namesOf, type Shop } from './names.ts'
import { is, type Tag } from './tags.ts'

/** A place by its name or block. Several areas share a name such as `Riffa`: the customer is asked. */
export interface PlaceSlot {
  areaIds: readonly number[]
  /** Index in the list of landmarks. */
  landmark: number | null
  block: number | null
}

/** 0 to 6 from Sunday. */
export type Day = 'today' | 'tomorrow' | 'afterTomorrow' | number

const before = ['fromPlace', 'deliver', 'placeWord', 'bring', 'building', 'keepAt'] as const

const isOfOrder = (tag: Tag) =>
  ['vendor', 'size'].includes(tag.type) || is(tag, 'pack', 'packs', 'twoPacks', 'gallon', 'gallons', 'twoGallons')

/** Areas, a landmark or a block. Names that are also everyday words need a preposition or stand alone. */
export function placeIn(tags: readonly Tag[], shop: Shop, state: State): PlaceSlot | null {
  const known = tags.filter(({ type }) => type !== 'filler' && type !== 'separator' && type !== 'question')
  const isPlace = (tag: Tag) => {
    if (tag.type !== 'area') return false
    if (!tag.needsContext) return true
    const previous = known[known.indexOf(tag) - 1]
    // `3 كراتين هيرات 500 السيف`
    const isAfterOrder = known.at(-1) === tag && previous !== undefined && isOfOrder(previous)
    return (
      isAfterOrder ||
      is(previous, ...before) ||
      isLine(tags, tag) ||
      isOfAddress(tags, tag) ||
      known.length === 1 ||
      (state === 'place' && known.length < 6)
    )
  }
  const isStreet = (i: number) =>
    isCheckingOut(state) && [tags[i - 1], tags[i + 1]].some((tag) => tag?.type === 'lexeme' && is(tag, 'road'))
  // `not in Seef`
  const isDenied = (i: number) => {
    const previous = tags.slice(0, i).findLast((tag) => tag.type !== 'filler' && !is(tag, 'fromPlace'))
    return is(previous, 'not')
  }
  const named = tags.filter((tag, i) => isPlace(tag) && !isDenied(i) && !isStreet(i))
  // `Seef … no, Juffair`
  const corrected = tags.findLastIndex((_, i) => isCorrection(tags, i))
  const last = named.filter((tag) => tags.indexOf(tag) > corrected)
  const some = last.length > 0 ? last : named.length > 0 ? named : tags.filter((tag, i) => isPlace(tag) && !isStreet(i))
  const areas = some.map((tag) => narrowed(tag, tags, shop))
  const clear = areas.filter(({ ids }) => ids.length === 1)
  const areaIds = [...new Set((clear.length > 0 ? clear : areas).flatMap(({ ids }) => ids))]
  const landmark = tags.find(({ type }) => type === 'landmark')?.ids[0] ?? null
  const written = Number(tags.find(({ type, part }) => type === 'address' && part === 'block')?.value ?? Number.NaN)
  const block = Number.isInteger(written) && written > 99 && written < 10_000 ? written : null
  const areaOfBlock = block === null ? null : (shop.blocks.get(block)?.areaId ?? null)
  if (areaIds.length === 0 && landmark === null && block === null) return null
  return { areaIds: areaIds.length === 0 && areaOfBlock !== null ? [areaOfBlock] : areaIds, landmark, block }
}

/** `الرفاع … الشرقي … قصدي الغربي`: the one of several areas that a later word names. */
function narrowed(tag: Tag, tags: readonly Tag[], shop: Shop): Tag {
  if (tag.ids.length < 2) return tag
  const { byName } = namesOf(shop)
  const found = tags.toReversed().flatMap(({ type, text }) => {
    const named = type === 'word' ? byName.get([...bareWords(tag.text), ...bareWords(text)].join(' ')) : undefined
    return named?.type === 'area' && named.ids.every((id) => tag.ids.includes(id)) ? [named.ids] : []
  })
  return { ...tag, ids: found[0] ?? tag.ids }
}

/** `السيف مبنى ٢٠٠` */
const isOfAddress = (tags: readonly Tag[], tag: Tag) =>
  [-1, 1].some((step) => tags[tags.indexOf(tag) + step]?.type === 'address')

/** Whether the tag is a line or a part between commas of its own. */
function isLine(tags: readonly Tag[], tag: Tag): boolean {
  const at = tags.indexOf(tag)
  return [tags[at - 1], tags[at + 1]].every((neighbour) => neighbour === undefined || neighbour.type === 'separator')
}

/** Whether a tag of type `area` is no place here; it is a word like any other then. */
export const isNoPlace = (tag: Tag, place: PlaceSlot | null) =>
  tag.type === 'area' && !tag.ids.some((id) => place?.areaIds.includes(id) ?? false)

/**
 * The last day of a message: `not today, tomorrow`, `Thursday, not tomorrow`. After a word of moving the first, unless it is
 * corrected: `move it to Thursday, we travel tomorrow`.
 */
export function dayIn(tags: readonly Tag[]): Day | null {
  const moved = tags.findIndex((tag) => is(tag, 'reschedule'))
  const isMoved =
    moved >= 0 && !tags.slice(moved + 1).some((tag, i) => is(tag, 'not') || isCorrection(tags, moved + 1 + i))
  const said = (isMoved ? tags.slice(moved) : tags).filter((_, i, all) => !is(all[i - 1], 'not'))
  for (const tag of isMoved ? said : said.reverse())
    for (const lexeme of dayLexemes)
      if (is(tag, lexeme))
        return lexeme.startsWith('d:') ? Number(lexeme.slice(2)) : (lexeme as 'today' | 'tomorrow' | 'afterTomorrow') // not a weekday
  return null
}

const isEmpty = (tag: Tag | undefined) =>
  tag !== undefined &&
  (is(tag, 'deposit') || /^(?:empty|empties)$|^(?:fa[9d]h?[iy]|fath[iy]|fawar)|فاضي|فارغ|فوارغ/.test(tag.text))
const isBottle = (tag: Tag | undefined) => is(tag, 'bottle', 'bottles')

const haveNot = /^(?:ما ?عند|ma ?3[ei]?n?d|no(?:t)? have|dont have)/

/** `no bottles to return` */
const givenBack = /^(?:return|give|swap|exchange|replace|a?raj+[ie3]|ا?رجع|ترجيع|ارجاع|تبديل|ا?بدل)/

/** The words without those that say to have no empty bottle: `no empties`, `ما عندي غراش فاضية`, `بدون تبديل`. */
export function withoutEmpties(tags: readonly Tag[]): readonly Tag[] {
  for (const [from, tag] of tags.entries()) {
    if (!is(tag, 'no', 'not', 'without') && !haveNot.test(tag.text)) continue
    const near = tags.slice(from + 1, from + 5).findIndex(({ type }) => type === 'separator')
    const after = tags.slice(from + 1, near < 0 ? from + 5 : from + 1 + near)
    const isOwn = haveNot.test(tag.text) || [tags[from - 1], after[0]].some((one) => is(one, 'mine', 'have'))
    const at = after.findLastIndex(
      (one, i) => isEmpty(one) || (isOwn && isBottle(one)) || (i === 0 && is(one, 'k:refill')),
    )
    const given = isBottle(after[0]) ? after.findIndex(({ text }) => givenBack.test(text)) : -1
    if (given > 0) return tags.filter((_, i) => i < from || i > from + 1 + given)
    if (at < 0) continue
    const to = from + 1 + at + (isBottle(tags[from + 2 + at]) ? 1 : 0)
    return tags.filter((_, i) => i < from || i > to)
  }
  return tags
}

/** A number alone: the row of a list, a quantity or a code. Polite words do not count. */
export function numberAlone(tags: readonly Tag[]): number | null {
  const all = tags.filter(({ type }) => type === 'number' || type === 'phone' || type === 'size')
  const numbers = all.some(({ isOrdinal }) => isOrdinal) ? all.filter(({ isOrdinal }) => isOrdinal) : all
  const [only] = numbers
  const rest = tags.filter(
    (tag) => tag !== only && tag.type !== 'filler' && tag.type !== 'separator' && tag.text !== 'one',
  )
  if (
    numbers.length !== 1 ||
    !only ||
    rest.some((tag) => !is(tag, 'numberWord', 'only', 'want', 'thanks', 'yes', 'bring', 'fromPlace', 'done'))
  )
    return null
  return only.type === 'size' ? (/^\d+$/.test(only.text) ? Number(only.text) : null) : only.number
}

/** A row of the list that was shown last, and how many of it. */
export interface Row {
  row: number
  quantity: number | null
}

const rowWords = ['numberWord', 'fromPlace', 'want', 'bring', 'add', 'thanks', 'yes', 'each', 'only', 'no'] as const
const isOfRow = (tag: Tag) =>
  (['filler', 'separator', 'number'].includes(tag.type) && tag.text !== '\n') ||
  is(tag, ...rowWords, ...countWords) ||
  tag.text === 'second'
const countWords = ['pack', 'packs', 'twoPacks', 'gallon', 'gallons', 'twoGallons'] as const
/** `number`, `رقم`, `nos`, `#`; `no` also means something else. */
const isRowWord = (tag: Tag | undefined) => is(tag, 'numberWord') && tag?.text !== 'no'

/**
 * Rows by their numbers: `2 of number 4`, `رقم 4 ثنتين`, `the third one`, `nos 1 and 3`. A number is a row after such a
 * word or as an ordinal; bare ones are rows if none is, and nothing is counted.
 */
export function rowsIn(tags: readonly Tag[]): Row[] {
  if (!tags.every(isOfRow)) return []
  const numbers = tags.flatMap((tag, i) => {
    if (is(tag, 'twoPacks', 'twoGallons')) return [{ number: 2, isRow: false, isCounted: true }]
    if (tag.text === 'second') return [{ number: 2, isRow: true, isCounted: false }]
    if (tag.type !== 'number' || tag.number === null || !Number.isInteger(tag.number)) return []
    const before = tags[i - 1]?.type === 'filler' || is(tags[i - 1], 'fromPlace') ? tags[i - 2] : tags[i - 1]
    // `the third one`
    if (tag.text === 'one' && before?.isOrdinal) return []
    const isNamed =
      tag.isOrdinal || isRowWord(tags[i - 1]) || (tags[i - 1]?.type === 'filler' && isRowWord(tags[i - 2]))
    return [{ number: tag.number, isRow: isNamed, isCounted: is(tags[i + 1], ...countWords) }]
  })
  const isList = tags.some(({ text }) => /^(?:nos|numbers|ارقام)$/.test(text)) || !numbers.some(({ isRow }) => isRow)
  const isBare = !numbers.some(({ isCounted }) => isCounted) && !tags.some((tag) => is(tag, 'want', 'add', 'each'))
  if (isList) return isBare ? numbers.map(({ number }) => ({ row: number, quantity: null })) : []
  const counts = numbers.filter(({ isRow }) => !isRow)
  const rows = numbers.filter(({ isRow }) => isRow)
  const [only] = counts
  if (
    counts.length === 0 ||
    (counts.length === 1 && only && (rows.length === 1 || tags.some((tag) => is(tag, 'each'))))
  )
    return rows.map(({ number }) => ({ row: number, quantity: only?.number ?? null }))
  // Each row has its own, before or after it.
  const step = numbers[0]?.isRow ? 1 : -1
  const pairs = rows.map(({ number }, i) => ({ row: number, quantity: counts[i]?.number ?? null }))
  const isPaired = numbers.every(({ isRow }, i) => isRow || numbers[i - step]?.isRow === true)
  return counts.length === rows.length && isPaired ? pairs : []
}

const free = ['filler', 'separator', 'word', 'area'] as const
const isFree = ({ type }: Tag) => free.some((one) => one === type)

const ofAddress = [
  'block',
  'road',
  'building',
  'flat',
  'floor',
  'gate',
  'officeWord',
  'fromPlace',
  'numberWord',
  'placeWord',
] as const

const partsOfAddress = ['company', 'large', 'small', 'officeWord', 'more', 'otherWord', 'k:glass'] as const

const isPart = (tag: Tag) =>
  isFree(tag) ||
  ['number', 'size', 'landmark', 'address'].includes(tag.type) ||
  is(tag, ...ofAddress, ...partsOfAddress)

/** `near the big mosque`: words of a way, which order nothing. */
export const isOfWay = ({ tags, isQuestion }: Evidence): boolean =>
  !isQuestion && tags.every(isPart) && tags.some((tag) => tag.type === 'landmark' || is(tag, ...ofAddress, 'company'))

/** Streets and numbers: parts of an address, or three words with a house, street or number; no question or command. */
export function isAddressLike(text: string, { tags, isQuestion }: Evidence): boolean {
  const words = text.trim().split(/\s+/).length
  if (isQuestion || words < 2) return false
  const parts = tags.filter(({ type }) => type === 'address').length
  const strange = tags.filter((tag) => !isPart(tag)).length
  if (strange > 0) return parts >= 2 && strange <= parts
  const hasNumber = tags.some(({ type }) => type === 'number' || type === 'size')
  return (
    parts > 0 || (words > 2 && (hasNumber || tags.some((tag) => is(tag, 'building', 'road', 'flat', 'block', 'floor'))))
  )
}
