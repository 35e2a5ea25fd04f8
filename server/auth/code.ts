import { randomInt } from 'node:crypto'
import { hmac, keyFor } from '../lib/secrets.ts'

export interface CodeKeys {
  hash: Buffer
  /** Encrypts the code in the payload of the sending job. */
  travel: Buffer
}

export const codeKeys = (secret: Buffer): CodeKeys => ({
  hash: keyFor(secret, 'hash of a code'),
  travel: keyFor(secret, 'code on its way'),
})

/** Uniform over all values, including 0000. */
export const newCode = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** A plain hash would not resist 10,000 guesses; the key is not in the database. */
export const hashOfCode = (keys: CodeKeys, phone: string, code: string) => hmac(keys.hash, `${phone}|${code}`)

// Without letters and digits that look alike.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** A one-time code of 80 bits that the console prints. */
export const newConsoleCode = () => Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')
export const shownConsoleCode = (code: string) => code.match(/.{4}/g)?.join('-') ?? code
