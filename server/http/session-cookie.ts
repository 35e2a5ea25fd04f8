import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isLang, type Lang } from '@qatra/contract/lang'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
export const newToken = () => randomBytes(32).toString('base64url')
/** `g.…` is a visitor's cart, `u.…` a signed-in session; only the SHA-256 of the value is stored. */
export const newSessionCookie = (kind: 'guest' | 'user') => `${kind === 'guest' ? 'g' : 'u'}.${newToken()}`

/** Over https the `__Host-` prefix binds the cookies to this host and to `Secure`. */
export const cookieNames = (isSecure: boolean) =>
  isSecure ? { session: '__Host-sid', device: '__Host-did' } : { session: 'sid', device: 'did' }
export type CookieNames = ReturnType<typeof cookieNames>

export function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  const header = headers.cookie
  if (!header) return null
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return null
}

/** By the cookie's form only, under both of its names: whether the session is valid does not matter to caches. */
export const mayBeSignedIn = ({ cookie }: IncomingHttpHeaders) => cookie?.includes('sid=u.') === true

/** The language of a visitor without other cookies; null if there are others. */
export function langOfVisitor({ cookie }: IncomingHttpHeaders): Lang | null {
  if (cookie === undefined || cookie === 'lang=ar') return 'ar'
  return cookie === 'lang=en' ? 'en' : null
}

/** Query, then cookie, then Arabic. */
export function readLang(headers: IncomingHttpHeaders, queryLang?: unknown): Lang {
  if (isLang(queryLang)) return queryLang
  const saved = readCookie(headers, 'lang')
  if (isLang(saved)) return saved
  return 'ar'
}

/** Errors use the language of the cookie, else of Accept-Language, else Arabic. */
export function readApiLang(headers: IncomingHttpHeaders): Lang {
  const saved = readCookie(headers, 'lang')
  if (isLang(saved)) return saved
  const first = headers['accept-language']?.slice(0, 2).toLowerCase()
  return isLang(first) ? first : 'ar'
}

export function cookieHeader(
  change: { name: string; value: string | null; maxAgeSeconds?: number },
  isSecure: boolean,
): string {
  const age = change.value === null ? 0 : change.maxAgeSeconds
  return [
    `${change.name}=${change.value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
  ].join('; ')
}
