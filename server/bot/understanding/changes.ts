import type { Change } from './item-request.ts'
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
