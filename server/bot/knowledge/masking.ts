import { westernDigits } from '@qatra/contract/lib/digits'
import { fold, wellFormed } from '@qatra/contract/lib/text'

const MASK = '•••'
const LONGEST_TEXT = 200

const parts =
  'مجمع|طريق|شارع|مبنى|مبني|بناية|عمارة|بيت|منزل|فيلا|شقة|شقه|block|blk|road|rd|street|st|building|bldg|house|villa|flat|apt|apartment'
const masks: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\S{1,200}@\S{1,200}/gu, MASK],
  [/(?:https?:\/\/|www\.)\S{1,400}/giu, MASK],
  // `block 340`, `شقة رقم ٣`
  [
    new RegExp(`(?<!\\p{L})(${parts})([\\s.:#]{1,3}(?:no|number|رقم)?[\\s.:#]{0,2})\\d{1,6}\\p{L}?(?!\\p{L})`, 'giu'),
    `$1$2${MASK}`,
  ],
  // Phone numbers with spaces and dashes
  [new RegExp(`\\+?\\d(?:[\\s()-]?\\d){6,16}`, 'gu'), MASK],
  // Codes and numbers of addresses, but no sizes
  [new RegExp(`(?<!\\d)(?!(?:200|250|330|500|600|1000|1500)(?!\\d))\\d{3,20}(?! ?(?:ml|مل|ملي))`, 'giu'), MASK],
  [/((?<!\p{L})(?:اسمي|my name is|name:|i am called|i'm called))\s.{1,200}$/giu, `$1 ${MASK}`],
]

/** A message without phone numbers, addresses, names after `my name is`, links and codes; one line of limited length. */
export function maskPersonal(text: string): string {
  let masked = westernDigits(wellFormed(text))
    .slice(0, 2 * LONGEST_TEXT)
    .replace(/\s+/g, ' ')
    .trim()
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement)
  return [...masked].slice(0, LONGEST_TEXT).join('')
}

/** The same for texts that differ only in spelling marks, punctuation and numbers. */
export const missKey = (text: string): string =>
  fold(text)
    .replace(/\p{N}+/gu, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TEXT)
