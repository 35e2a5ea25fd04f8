import { sizeKey, volumeOf } from '@qatra/contract/products/sizes'
import type { Shop } from './names.ts'
import { is, type Tag, tagOf } from './tags.ts'
import type { Lexeme } from './vocabulary.ts'

/** Replaces runs of tags by one tag: address parts, times, money, sizes. Address numbers come first. */
export function withPatterns(tags: readonly Tag[], shop: Shop): Tag[] {
  const sizes = new Set([...shop.products.values()].map(({ size }) => volumeOf(size)))
  const result: Tag[] = []
  for (let i = 0; i < tags.length; ) {
    const found = addressAt(tags, i) ?? timeAt(tags, i) ?? moneyAt(tags, i) ?? sizeAt(tags, i, sizes)
    const tag = tags[i]
    if (found) {
      result.push({ ...found.tag, isJoined: tag?.isJoined ?? false })
      i += found.length
    } else {
      if (tag) result.push(tag)
      i += 1
    }
  }
  return result
}

interface Found {
  tag: Tag
  length: number
}

const textOf = (tags: readonly Tag[]) => tags.map(({ text }) => text).join(' ')
const addressParts = [
  'block',
  'road',
  'building',
  'flat',
  'floor',
  'gate',
  'officeWord',
] as const satisfies readonly Lexeme[]

/** `مجمع ٣٣٣`, `bldg no 12`, `flat 3`, `بيت رقم 5`, `villa 12A`. */
function addressAt(tags: readonly Tag[], i: number): Found | null {
  const part = addressParts.find((one) => is(tags[i], one))
  if (!part) return null
  let at = i + 1
  // `المبنى غلط، ٢٢ مو ١٢`, `building should be 14`
  const isFixed = is(tags[at], 'wrong', 'keepAt')
  while (
    is(tags[at], 'numberWord') ||
    (tags[at]?.type === 'filler' && at === i + 1) ||
    (isFixed && (is(tags[at], 'wrong', 'keepAt') || tags[at]?.type === 'separator'))
  )
    at += 1
  const number = tags[at]
  if (number?.type !== 'number' || number.number === null || !/\d/.test(number.text)) {
    return part === 'floor' && tags[at]?.type === 'number'
      ? { tag: tagOf('address', textOf(tags.slice(i, at + 1)), { part }), length: at + 1 - i }
      : null
  }
  if (!Number.isInteger(number.number) || number.text.length > 5) return null
  const letter = tags[at + 1]
  const hasLetter = letter?.type !== 'number' && /^[a-z]$/.test(letter?.text ?? '') && !is(letter, 'litre')
  const length = at + (hasLetter ? 2 : 1) - i
  const value = number.text + (hasLetter ? (letter?.text ?? '') : '')
  return { tag: tagOf('address', textOf(tags.slice(i, i + length)), { part, value }), length }
}

const LAST_HOUR = 12
const isCounted = (tag: Tag | undefined) =>
  is(tag, 'pack', 'packs', 'bottle', 'bottles', 'gallon', 'gallons') || tag?.type === 'vendor' || tag?.type === 'size'

/** `الساعة 5`, `5 pm`, `4 العصر`, `after 6`. Numbers of times are no quantities. */
function timeAt(tags: readonly Tag[], i: number): Found | null {
  const [a, b, c] = [tags[i], tags[i + 1], tags[i + 2]]
  const isNumber = (tag: Tag | undefined) => tag?.type === 'number' || tag?.type === 'time'
  const after = (tag: Tag | undefined) => is(tag, 'clock', 'partOfDay')
  if (isNumber(a) && after(b)) return { tag: tagOf('time', textOf(tags.slice(i, i + 2))), length: 2 }
  if (is(a, 'clock') && isNumber(b)) {
    const length = after(c) ? 3 : 2
    return { tag: tagOf('time', textOf(tags.slice(i, i + length))), length }
  }
  const isHour = b?.type === 'number' && (b.number ?? LAST_HOUR + 1) <= LAST_HOUR && !isCounted(c)
  if (/^(?:after|before|until|till)$/.test(a?.text ?? '') && isHour)
    return { tag: tagOf('time', textOf(tags.slice(i, i + 2))), length: 2 }
  return is(a, 'partOfDay') ? { tag: tagOf('time', a?.text ?? ''), length: 1 } : null
}

function moneyAt(tags: readonly Tag[], i: number): Found | null {
  const [a, b] = [tags[i], tags[i + 1]]
  const isMoney = (a?.type === 'number' && is(b, 'money')) || (is(a, 'money') && b?.type === 'number')
  return isMoney ? { tag: tagOf('money', textOf(tags.slice(i, i + 2))), length: 2 } : null
}

const isHalfAfter = (tags: readonly Tag[], i: number): number => {
  if (is(tags[i], 'andAHalf')) return 1
  if (is(tags[i], 'half') && tags[i]?.isJoined) return 1
  if (tags[i]?.isJoined !== true) return 0
  const skips = ['a', 'an'].includes(tags[i + 1]?.text ?? '') ? 2 : 1
  return is(tags[i + skips], 'half') ? skips + 1 : 0
}

/** `500 ml`, `نص لتر`, `لتر ونص`, `half a litre`, `1.5`, `330`, `5 gallon`. */
function sizeAt(tags: readonly Tag[], i: number, sizes: ReadonlySet<number | null>): Found | null {
  const [before, tag, next] = [tags[i - 1], tags[i], tags[i + 1]]
  const made = (size: string, length: number): Found => ({
    tag: tagOf('size', textOf(tags.slice(i, i + length)), { value: sizeKey(size) }),
    length,
  })
  if (is(tag, 'half')) {
    const skips = next?.type === 'filler' ? 1 : 0
    if (is(tags[i + 1 + skips], 'litre')) return made('0.5 l', 2 + skips)
    if (tag?.text === 'النص' || /^و?(?:ابو|بو|ام|abu|bu|um)$/.test(before?.text ?? '')) return made('0.5 l', 1)
  }
  if (is(tag, 'third') && is(next, 'litre')) return made('330 ml', 2)
  if (is(tag, 'quarter') && is(next, 'litre')) return made('0.25 l', 2)
  if (is(tag, 'litre')) {
    const half = isHalfAfter(tags, i + 1)
    return made(half > 0 ? '1.5 l' : '1 l', 1 + half)
  }
  const number = tag?.type === 'number' ? tag.number : null
  if (number === null || number === undefined) return null
  if (is(next, 'litre')) {
    // What the trade calls 19 or 20 litres.
    if (number > 18 && number <= 20) return made('5 gallon', 2)
    // `2 لتر ونص`: two of a litre and a half.
    if (number !== 1 && isHalfAfter(tags, i + 2) > 0) return null
    const half = number === 1 ? isHalfAfter(tags, i + 2) : 0
    return made(half > 0 ? '1.5 l' : `${number} l`, 2 + half)
  }
  if (is(next, 'millilitre')) return made(`${number} ml`, 2)
  if (number === 1 && isHalfAfter(tags, i + 1) > 0 && is(tags[i + 1 + isHalfAfter(tags, i + 1)], 'litre'))
    return made('1.5 l', 2 + isHalfAfter(tags, i + 1))
  // `1 and a half`, where no unit is counted by it.
  const halves = number === 1 ? (is(next, 'andAHalf') ? 1 : isHalfAfter(tags, i + 1)) : 0
  const counted = tags[i + 1 + halves]
  if (halves > 0 && !is(counted, 'pack', 'packs', 'bottle', 'bottles', 'gallon', 'gallons'))
    return made('1.5 l', 1 + halves)
  if (number === 5 && is(next, 'gallon') && /^[a-z]/.test(next?.text ?? '')) return made('5 gallon', 2)
  if (!Number.isInteger(number) && number > 0 && number <= 20) return made(`${number} l`, 1)
  const isOfPack =
    is(next, 'pack', 'packs') &&
    !(before && (before.type === 'vendor' || before.text === 'ال' || is(before, 'add', 'less', 'remove', 'keepAt')))
  const isBare = number > 100 && !isOfPack && (sizes.has(number) || (number <= 2000 && number % 10 === 0))
  return isBare ? made(`${number} ml`, 1) : null
}
