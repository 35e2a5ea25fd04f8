import { randomInt } from 'node:crypto'
import { westernDigits } from '@qatra/contract/lib/digits'
import { hmac, keyFor } from '../lib/secrets.ts'

/** The parts of an incoming message that a login reads. */
interface IncomingText {
  type: string
  content: string
  /** `id` of a pressed button. */
  parts: { id?: string }
}

// Without letters and digits that look alike.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 6

/** `LOGIN 7F3K2M`: identifies the waiting page. */
export const newLoginWord = () => Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Two digits, shown by the page and sent by the phone; above the numbers of list choices. */
export const newLoginAnswer = () => String(randomInt(10, 100))

const shape = /^(?:log\s?in|دخول)[\s:-]{0,3}([a-z2-9]{3}[\s-]?[a-z2-9]{3})$/i

const plain = (text: string) =>
  westernDigits(text)
    .replace(/[\u200e\u200f\u2066-\u2069]/g, '')
    .trim()

/** The word of a message that contains nothing else; null for all other messages. */
export function parseLoginWord(text: string): string | null {
  if (text.length > 60) return null
  const found = shape.exec(plain(text))
  return found?.[1]?.replace(/[\s-]/g, '').toUpperCase() ?? null
}

/** Whether the message can be part of a message login. */
export const isLoginMessage = (message: IncomingText): boolean =>
  (message.type === 'text' && parseLoginWord(message.content) !== null) || parseLoginAnswer(message) !== null

const keyed = (secret: Buffer, phone: string, text: string) => hmac(keyFor(secret, 'message login'), `${phone} ${text}`)
export const wordHash = keyed
/** Bound to the word: the digits of one page are not valid for another. */
export const answerHash = (secret: Buffer, phone: string, word: string, answer: string) =>
  keyed(secret, phone, `${word} ${answer}`)

const NOT_ME = 'login:not-me:'
/** ID of the button by which the phone's owner refuses the login. */
export const notMeId = (loginId: number) => `${NOT_ME}${loginId}`
export const isLoginButton = ({ id }: IncomingText['parts']) => id?.startsWith(NOT_ME) ?? false

export type LoginAnswer =
  | { isMe: true; digits: string }
  /** `loginId`: the refused login; null for the waiting one. */
  | { isMe: false; loginId: number | null }

// A linked device has no buttons: the only choice is answered by its number.
const notMe = /^(?:1|no|not me|it[’']?s not me|لا|لست أنا|مو أنا|مب أنا)[.!]?$/i

/** Reads the answer of a phone whose page waits for two digits; null if it is none. */
export function parseLoginAnswer(message: IncomingText): LoginAnswer | null {
  const { type, content, parts } = message
  if (isLoginButton(parts)) return { isMe: false, loginId: Number(parts.id?.slice(NOT_ME.length)) || 0 }
  if (type !== 'text' || content.length > 60) return null
  const text = plain(content)
  if (notMe.test(text)) return { isMe: false, loginId: null }
  const [digits] = /^\d{2}$/.exec(text) ?? []
  return digits === undefined ? null : { isMe: true, digits }
}
