import type { IncomingHttpHeaders } from 'node:http'
import { isLang, type Lang } from '@qatra/contract/lib/lang'
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { CookieChange } from '../database/context.ts'
import { newToken } from '../lib/secrets.ts'

const YEAR_SECONDS = 31_536_000

/** `g.…` is a visitor's cart, `u.…` a signed-in session; only the SHA-256 of the value is stored. */
export const newSessionCookie = (kind: 'guest' | 'user') => `${kind === 'guest' ? 'g' : 'u'}.${newToken()}`

/** Over https the `__Host-` prefix binds the cookies to this host and to `Secure`. */
export const cookieNames = (isSecure: boolean) =>
  isSecure ? { session: '__Host-sid', device: '__Host-did' } : { session: 'sid', device: 'did' }
export type CookieNames = ReturnType<typeof cookieNames>

export const readCookie = ({ cookie }: IncomingHttpHeaders, name: string): string | null =>
  parseCookie(cookie ?? '')[name] ?? null

/** By the cookie's form only, under both of its names: whether the session is valid does not matter to caches. */
export const mayBeSignedIn = ({ cookie }: IncomingHttpHeaders) => cookie?.includes('sid=u.') === true

/** What anonymous pages depend on. */
export interface Visitor {
  lang: Lang
  /** Area in the cookie `area`; it need not exist. */
  areaId: number | null
}
const arabic: Visitor = { lang: 'ar', areaId: null }
const english: Visitor = { lang: 'en', areaId: null }
const preferences = /^(?:lang=(?<lang>ar|en))?(?:(?:^|; )area=(?<area>[1-9]\d{0,8}))?(?:; lang=(?<after>ar|en))?$/

/** A visitor without cookies other than `lang` and `area`; null if there are others or a value has another form. */
export function visitorOf({ cookie }: IncomingHttpHeaders): Visitor | null {
  if (cookie === undefined || cookie === 'lang=ar') return arabic
  if (cookie === 'lang=en') return english
  const { lang, area, after } = preferences.exec(cookie)?.groups ?? {}
  if (area === undefined || (lang !== undefined && after !== undefined)) return null
  return { lang: (lang ?? after) === 'en' ? 'en' : 'ar', areaId: Number(area) }
}

/** The area that the visitor chose; null if the value has another form than an id. */
export function readAreaId(headers: IncomingHttpHeaders): number | null {
  const value = readCookie(headers, 'area')
  return value !== null && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
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

/** Set-Cookie of a cookie that scripts cannot read. */
export const cookieHeader = ({ name, value, maxAgeSeconds }: CookieChange, isSecure: boolean): string => {
  const maxAge = value === null ? 0 : maxAgeSeconds
  return setCookie({ name, value: value ?? '', httpOnly: true, ...(maxAge === undefined ? {} : { maxAge }) }, isSecure)
}

/** Set-Cookie of the language, which scripts read and change. */
export const langCookie = (lang: Lang, isSecure: boolean): string =>
  setCookie({ name: 'lang', value: lang, maxAge: YEAR_SECONDS }, isSecure)

const setCookie = (cookie: SetCookie, isSecure: boolean) =>
  stringifySetCookie({ ...cookie, path: '/', secure: isSecure, sameSite: 'lax' })
