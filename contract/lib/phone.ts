import * as z from 'zod/mini'
import { westernDigits } from './digits.ts'
import { wellFormed } from './text.ts'

export type PhoneProblem = 'too-short' | 'too-long' | 'bad-characters'
export type ParsedPhone = { ok: true; phone: string } | { ok: false; reason: PhoneProblem }

/** Spaces, dashes, brackets, dots and the invisible marks that copied numbers contain. */
const ornament = /[\s\p{Pd}\u2212\p{Cf}\ufe00-\ufe0f().]/gu

/** Western digits with an optional `+`, without ornament and the `tel:` of copied links; other characters stay. */
export const bareNumber = (typed: string): string =>
  westernDigits(typed).replace(ornament, '').replace(/^tel:/i, '').replace('＋', '+')
const longestTyped = 200

let canonical = (phone: string): string => phone

/**
 * Sets the function that converts a cleaned number to its canonical E.164 form. The server sets a phone library
 * (`server/lib/phone.ts`); the browser sends numbers as they are.
 */
export function setCanonicalPhone(form: (phone: string) => string): void {
  canonical = form
}

/** Normalizes a number in any notation to E.164. A number of 8 digits is a Bahraini number. */
export function parsePhone(input: unknown): ParsedPhone {
  if (typeof input !== 'string') return refused(input === undefined || input === null ? 'too-short' : 'bad-characters')
  if (input.length > longestTyped) return refused('too-long')
  const cleaned = bareNumber(input).replace(/^00/, '+')
  const digits = cleaned.startsWith('+') ? cleaned.slice(1) : cleaned
  if (/[^0-9]/.test(digits)) return refused('bad-characters')
  if (digits.length < 8) return refused('too-short')
  if (digits.length > 15) return refused('too-long')
  if (digits.length === 8) return { ok: true, phone: canonical(`+973${digits}`) }
  // No country code begins with 0.
  return digits.startsWith('0') ? refused('bad-characters') : { ok: true, phone: canonical(`+${digits}`) }
}

const refused = (reason: PhoneProblem): ParsedPhone => ({ ok: false, reason })

const gulf = /^\+(973|966|971|965|968|974)(\d+)$/

/** `+973 3600 0412`; numbers from outside the Gulf states are not grouped. */
export function formatPhone(e164: string): string {
  const [, code, rest] = gulf.exec(e164) ?? []
  if (!code || !rest) return e164
  if (rest.length === 8) return `+${code} ${rest.slice(0, 4)} ${rest.slice(4)}`
  if (rest.length === 9) return `+${code} ${rest.slice(0, 2)} ${rest.slice(2, 5)} ${rest.slice(5)}`
  return `+${code} ${rest}`
}

/** `+973****3456`, for logs. */
export const maskPhone = (e164: string): string => masked(e164, '')
/** `+973 **** 3456`, for screens. */
export const maskPhoneOnScreen = (e164: string): string => masked(e164, ' ')

function masked(e164: string, space: string) {
  return /^\+\d{8,15}$/.test(e164) ? [e164.slice(0, 4), '****', e164.slice(-4)].join(space) : '****'
}

/** Null without a number, so that the page shows no button. */
export function telLink(number: string | null | undefined): string | null {
  const parsed = parsePhone(number)
  return parsed.ok ? `tel:${parsed.phone}` : null
}

/** A `wa.me` link, with a prefilled message if `text` is given; null without a number. */
export function whatsappLink(number: string | null | undefined, text?: string): string | null {
  const parsed = parsePhone(number)
  if (!parsed.ok) return null
  const link = `https://wa.me/${parsed.phone.slice(1)}`
  return text ? `${link}?text=${encodeURIComponent(wellFormed(text))}` : link
}

const problemKeys = {
  'too-short': 'validation.phoneTooShort',
  'too-long': 'validation.phoneTooLong',
  'bad-characters': 'validation.phoneBadCharacters',
} as const satisfies Record<PhoneProblem, string>

/** Message key of a problem, as `phoneInput` reports it. */
export const phoneProblemKey = (problem: PhoneProblem): (typeof problemKeys)[PhoneProblem] => problemKeys[problem]

/** A phone number as typed; the output is E.164. */
export const phoneInput = z.pipe(
  z.string('validation.phoneTooShort'),
  z.transform((input: string, ctx) => {
    const parsed = parsePhone(input)
    if (parsed.ok) return parsed.phone
    ctx.issues.push({ code: 'custom', message: problemKeys[parsed.reason], input })
    return z.NEVER
  }),
)
