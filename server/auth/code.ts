import { randomInt, timingSafeEqual } from 'node:crypto'
import { hmac, keyFor } from '../lib/secrets.ts'

export interface CodeKeys {
  hash: Buffer
  /** Opens the code that travels to the channel's job. */
  travel: Buffer
}

export const codeKeys = (secret: Buffer): CodeKeys => ({
  hash: keyFor(secret, 'hash of a code'),
  travel: keyFor(secret, 'code on its way'),
})

/** Every value of so many digits is as likely, 0000 too. */
export const newCode = (digits: number) => String(randomInt(10 ** digits)).padStart(digits, '0')

/** No hash alone would resist 10,000 guesses; the key stands outside the database. */
export const hashOfCode = (keys: CodeKeys, phone: string, code: string) => hmac(keys.hash, `${phone}|${code}`)

export const isSameHash = (a: string, b: string) => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
