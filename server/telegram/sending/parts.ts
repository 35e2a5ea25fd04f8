import { fit, letterAt } from '@qatra/contract/lib/fit'

/** Telegram's limit of a text, in UTF-16 units. */
export const MAX_LENGTH = 4096
/** Longer texts are cut; the inbox has the whole. */
const MAX_PARTS = 4

const isLow = (unit: number) => unit >= 0xdc_00 && unit <= 0xdf_ff

/** End of a part: after a line or word if there is one late enough, never within a grapheme. */
function endOf(text: string, most: number): number {
  const whole = letterAt(text, most)
  // A single grapheme that is too long is split, but never within a surrogate pair.
  const end = whole > 0 ? whole : most - (isLow(text.charCodeAt(most)) ? 1 : 0)
  for (const space of ['\n', ' ']) {
    const at = text.lastIndexOf(space, end - 1) + 1
    if (at > end / 2 && letterAt(text, at) === at) return at
  }
  return end
}

/** Splits a text into parts that Telegram accepts. */
export function inParts(text: string, most = MAX_LENGTH): string[] {
  const parts: string[] = []
  let rest = fit(text.trim(), most * MAX_PARTS)
  while (rest.length > most) {
    const end = endOf(rest, most)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest].filter((part) => part !== '')
}
