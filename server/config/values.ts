import { type Choice, type ChoiceName, type DefaultedName, type SettingName, settings } from './settings.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Refuse = (problem: string) => void

/** A name or address of this machine. An IPv6 socket reports IPv4 clients as `::ffff:…`. */
export const isLoopback = (host: string) =>
  ['127.0.0.1', 'localhost', '::1', '[::1]', '::ffff:127.0.0.1'].includes(host)

/** The trimmed value; null if it is unset or empty. */
export const given = (env: Env, name: SettingName) => {
  const value = env[name]?.trim()
  return value ? value : null
}

export const valueOf = (env: Env, name: DefaultedName): string => given(env, name) ?? settings[name].fallback

/** One of the setting's allowed values; the default if the given value is refused. */
export function readChoice<Name extends ChoiceName>(env: Env, name: Name, refuse: Refuse): Choice<Name> {
  const values: readonly Choice<Name>[] = settings[name].values
  const text = valueOf(env, name)
  const value = values.find((one) => one === text)
  if (value !== undefined) return value
  refuse(`${name} is ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
  return settings[name].fallback
}

export const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/**
 * URL of an outside service: https, or http on loopback. Refuses credentials in the URL, which would be visible with
 * it. Null if unset.
 */
export function readWebAddress(env: Env, name: SettingName, refuse: Refuse): string | null {
  const text = given(env, name)
  if (text === null) return null
  const url = URL.parse(text)
  if (!url || /[\s\\]/.test(text)) refuse(`${name} is not an address`)
  else if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    refuse(`${name} begins with https:// (http:// on loopback only)`)
  else if (url.username !== '' || url.password !== '') refuse(`${name} holds a name or password`)
  else if (url.hash !== '') refuse(`${name} has a hash`)
  return text
}

const idShapes = {
  GA_ID: [/^(?:G|GT|AW)-[A-Z0-9]{4,20}$/, 'G- and letters or digits'],
  META_PIXEL_ID: [/^\d{6,20}$/, 'a number'],
  SNAP_PIXEL_ID: [/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'a UUID'],
} as const

/** The ID becomes part of a script URL, so it must match the service's format exactly. */
export function readAnalyticsId(env: Env, name: keyof typeof idShapes, refuse: Refuse): string | null {
  const text = given(env, name)
  const [shape, words] = idShapes[name]
  if (text !== null && !shape.test(text)) refuse(`${name} is ${words}`)
  return text
}

const placeholder = /^(?:change[-_ ]?me|secret|password|test|example|default|placeholder|x+|0+|1234567890*)$/i
/** Words too long to occur in random text; compared without separators. */
const placeholderWords =
  /changeme|changethis|replaceme|replacethis|placeholder|password|yoursecret|mysecret|supersecret|secretkey|insecure|notasecret|example|default|development|keyboardcat|qwerty|abcdefgh|12345678|01234567|deadbeef/
/** Minimum number of distinct characters for 32 characters; half of it for hexadecimal. */
const MIN_DISTINCT_LETTERS = 8

/** Why a secret is weak, whatever its length; null if it is acceptable. */
export function weaknessOf(secret: string): string | null {
  if (placeholder.test(secret) || placeholderWords.test(secret.toLowerCase().replace(/[^a-z\d]/g, '')))
    return 'is a placeholder'
  if (new Set(secret).size < Math.min(MIN_DISTINCT_LETTERS, secret.length / 4)) return 'repeats a few letters'
  return isRepetition(secret) ? 'repeats itself' : null
}

/** Whether the text repeats a shorter one; the last repetition may be cut. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.slice(length) === text.slice(0, -length)) return true
  }
  return false
}
