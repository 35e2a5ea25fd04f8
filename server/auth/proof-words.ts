import { randomInt } from 'node:crypto'
import { westernDigits } from '@qatra/contract/digits'

// Without the letters and digits that are taken for one another.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 6

/** `LOGIN 7F3K2M`: which of the pages that are waiting for a phone is meant. */
export const newProofWord = () => Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')

const shape = /^(?:log\s?in|دخول)[\s:-]{0,3}([a-z2-9]{3}[\s-]?[a-z2-9]{3})$/i

/** The word of a message that is nothing but a proof; null for every other message. */
export function proofWordIn(text: string): string | null {
  if (text.length > 60) return null
  const found = shape.exec(
    westernDigits(text)
      .replace(/[\u200e\u200f\u2066-\u2069]/g, '')
      .trim(),
  )
  return found?.[1]?.replace(/[\s-]/g, '').toUpperCase() ?? null
}
