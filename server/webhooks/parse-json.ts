import { cut } from '@qatra/contract/lib/fit'
import { canonicalPhone } from '../lib/phone.ts'

/** Typed access to untrusted JSON. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
export const objectsIn = (value: unknown): Json[] =>
  Array.isArray(value)
    ? value.filter((one): one is Json => typeof one === 'object' && one !== null && !Array.isArray(one))
    : []
export const textOf = (value: unknown, most = 10_000): string | null =>
  typeof value === 'string' && value !== '' ? cut(value, most) : null
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** E.164 from digits with a country code, as Meta writes phones. */
export function phoneIn(value: unknown): string | null {
  const digits = textOf(value, 30)?.replace(/^\+/, '') ?? ''
  return /^[1-9]\d{7,14}$/.test(digits) ? canonicalPhone(`+${digits}`) : null
}

/** Country code, dot and up to 128 characters; other plain forms are accepted for future versions. */
export function scopedIdIn(value: unknown): string | null {
  const id = textOf(value, 200) ?? ''
  return /^[\w.:-]{3,180}$/.test(id) ? id : null
}

/** Sender of a message, from the message or its contact. */
export const senderIn = (message: Json, person: Json) => ({
  phone: phoneIn(message['from']) ?? phoneIn(person['wa_id']),
  businessScopedId: scopedIdIn(message['from_user_id']) ?? scopedIdIn(person['user_id']),
})

const FIRST = Date.UTC(2009, 0, 1)

/** Seconds since 1970, in a string; null if invalid. */
export function timeIn(value: unknown): Date | null {
  const seconds = typeof value === 'number' ? value : Number(textOf(value, 20) ?? Number.NaN)
  const at = seconds * 1000
  return Number.isFinite(at) && at > FIRST && at < Date.UTC(2100, 0, 1) ? new Date(at) : null
}

/** Nesting depth of brackets outside strings; checked before the JSON is parsed. */
export function depthOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  let inText = false
  for (let index = 0; index < bytes.length; index += 1) {
    const sign = bytes[index]
    if (inText) {
      if (sign === 0x5c) index += 1
      else if (sign === 0x22) inText = false
    } else if (sign === 0x22) inText = true
    else if (sign === 0x7b || sign === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (sign === 0x7d || sign === 0x5d) depth -= 1
  }
  return deepest
}
