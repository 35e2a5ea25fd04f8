import { type Change, type ItemRequest, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'
import type { Lexeme } from './vocabulary.ts'

const changes: readonly (readonly [Lexeme, Change])[] = [
  ['less', 'less'],
  ['remove', 'remove'],
  ['without', 'remove'],
  ['keepAt', 'set'],
  ['add', 'add'],
]

/** `لا ترسلون`, `la tjeeb`, `no need`: a no before a verb denies it. */
export const denies = (tag: Tag | undefined, next: Tag | undefined): boolean =>
  is(tag, 'no') &&
  /^(?:لا|la|laa|no)$/.test(tag?.text ?? '') &&
  /^(?:ت|اريد|نريد|احتاج|t[aeiow]?[bcdfgjklmnrstwz369]|need|want)/.test(next?.text ?? '')

/** `ما ابي`, `not hayrat`, `don't want`. */
export const isDenied = (tags: readonly Tag[], i: number): boolean =>
  is(tags[i - 1], 'not') || denies(tags[i - 1], tags[i])

/** The change that a word begins: `زيد`, `without`, `not Hayrat`. */
export function changeOf(tags: readonly Tag[], i: number): Change | null {
  const tag = tags[i]
  const next = tags[i + 1]?.type === 'filler' ? tags[i + 2] : tags[i + 1]
  if (is(tag, 'want', 'bring', 'order') && isDenied(tags, i)) return 'refuse'
  if (is(tag, 'not') && (next?.type === 'vendor' || next?.type === 'size' || is(next, 'small', 'large')))
    return 'refuse'
  if (
    is(tag, 'cancel') &&
    (next?.type === 'vendor' ||
      next?.type === 'size' ||
      is(next, 'gallon', 'gallons') ||
      next?.lexemes.some((one) => one.startsWith('k:')))
  )
    return 'remove'
  if (isRestOut(tag, next)) return null
  const found = changes.find(([lexeme]) => is(tag, lexeme))
  if (found) return isDenied(tags, i) ? 'refuse' : found[1]
  const isMore =
    is(tag, 'again2') &&
    (next?.type === 'number' ||
      next?.type === 'vendor' ||
      is(next, 'pack', 'packs', 'twoPacks', 'gallon', 'twoGallons', 'bottle'))
  return isMore ? 'add' : null
}

/** `remove the rest`, `remove other` */
const isRestOut = (tag: Tag | undefined, next: Tag | undefined) =>
  is(tag, 'remove') && is(next, 'rest', 'otherWord') && next?.text !== 'new'

const isKept = (tag: Tag) => is(tag, 'keepAt') && /^(?:خل|ابق|بق|keep|leave|kh?al|5al)/.test(tag.text)

/** `keep Hayrat only`, `شيل كل شي الا ٢٠٠`, `remove the rest`: all lines but the named ones leave. */
export function keepsNamed(requests: readonly ItemRequest[], tags: readonly Tag[]): boolean {
  const has = (...lexemes: readonly Lexeme[]) => tags.some((tag) => is(tag, ...lexemes))
  if (requests.length === 0 || requests.some((one) => !(namesProduct(one) || one.unit) || one.quantity !== null))
    return false
  const isOut = has('remove', 'less', 'without', 'empty', 'cancel')
  const isExcept = tags.some(({ text }) => /^(?:الا|ما عدا|except|excluding|but|illa|ela)$/.test(text))
  if (isOut && has('all') && isExcept) return true
  const isRest = has('rest') || tags.some((tag, i) => isRestOut(tag, tags[i + 1]))
  if (requests.some(({ change }) => change === 'remove' || change === 'refuse')) return false
  return tags.some((tag) => isKept(tag) || tag.text === 'leave') ? has('only', 'rest') : isOut && isRest
}
