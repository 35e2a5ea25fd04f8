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

/** `ما ابي`, `not hayrat`, `don't want`. */
export const isDenied = (tags: readonly Tag[], i: number): boolean => {
  const before = tags[i - 1]
  if (is(before, 'not')) return true
  return before?.text === 'لا' && /^(?:اريد|نريد|احتاج|ت)/.test(tags[i]?.text ?? '')
}

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
  const found = changes.find(([lexeme]) => is(tag, lexeme))
  if (found) return isDenied(tags, i) ? 'refuse' : found[1]
  const isMore =
    is(tag, 'again2') &&
    (next?.type === 'number' ||
      next?.type === 'vendor' ||
      is(next, 'pack', 'packs', 'twoPacks', 'gallon', 'twoGallons', 'bottle'))
  return isMore ? 'add' : null
}

const isKept = (tag: Tag) => is(tag, 'keepAt') && /^(?:خل|ابق|بق|keep|leave|kh?al|5al)/.test(tag.text)

/** `keep Hayrat only`, `شيل كل شي الا ٢٠٠`, `remove the rest`: all lines but the named ones leave. */
export function keepsNamed(requests: readonly ItemRequest[], tags: readonly Tag[]): boolean {
  const has = (...lexemes: readonly Lexeme[]) => tags.some((tag) => is(tag, ...lexemes))
  if (requests.length === 0 || requests.some((one) => !(namesProduct(one) || one.unit) || one.quantity !== null))
    return false
  const isOut = has('remove', 'less', 'without', 'empty', 'cancel')
  const isExcept = tags.some(({ text }) => /^(?:الا|ما عدا|except|excluding|but|illa|ela)$/.test(text))
  if (isOut && has('all') && isExcept) return true
  return tags.some((tag) => isKept(tag) || tag.text === 'leave')
    ? has('only', 'rest')
    : isOut && has('rest') && requests.every(({ change }) => change !== 'remove')
}
