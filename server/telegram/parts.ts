import { fit, letterAt } from '@qatra/contract/fit'

/** The longest text that Telegram takes, in UTF-16 units. */
export const MAX_LENGTH = 4096
/** What would fill more than this is cut: nobody reads on, and the inbox has the whole. */
const MAX_PARTS = 4

const isLow = (unit: number) => unit >= 0xdc_00 && unit <= 0xdf_ff

/** Where a part of at most so many units ends: after a line or a word where one ends late enough, never within a letter. */
function endOf(text: string, most: number): number {
  const whole = letterAt(text, most)
  // One letter with thousands of marks: not even half a surrogate pair is left alone.
  const end = whole > 0 ? whole : most - (isLow(text.charCodeAt(most)) ? 1 : 0)
  for (const space of ['\n', ' ']) {
    const at = text.lastIndexOf(space, end - 1) + 1
    if (at > end / 2 && letterAt(text, at) === at) return at
  }
  return end
}

/** A text in parts that Telegram takes, in their order. */
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
