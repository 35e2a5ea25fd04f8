import { isAdminPath } from '../admin-path.ts'
import { parseUrl } from '../lib/url.ts'

const longest = 512
const longestWithParams = 8192
/** First path segments that are allowed as redirect targets after sign-in. */
const destinations: ReadonlySet<string> = new Set([
  'orders',
  'checkout',
  'products',
  'profile',
  'about',
  'faqs',
  'privacy',
  'terms',
  'admin',
])

/** The value as a path of this site, or the fallback. `origin` as in `https://qatra.example`. */
export function safeRedirect(value: unknown, origin: string, fallback: string): string {
  return ownPath(value, origin, longest) ?? fallback
}

/** Redirect target of a magic link. Admin paths become `/`, because a link signs in only customers. */
export function linkRedirect(value: unknown, origin: string): string {
  const path = safeRedirect(value, origin, '/')
  const { pathname } = new URL(path, origin)
  return isAdminPath(pathname) ? '/' : path
}

/** The flat parameters of a JSON object or its text; any invalid part discards all of them. */
export function safeRedirectParams(value: unknown): Record<string, string> {
  const parsed = typeof value === 'string' ? parseShort(value) : value
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {}
  const entries = Object.entries(parsed)
  const isSafe = entries.length <= 10 && entries.every(([key, item]) => isSafeKey(key) && isScalar(item))
  const texts = isSafe ? entries.map(([key, item]) => [key, String(item)] as const) : []
  const size = texts.reduce((sum, [key, text]) => sum + key.length + text.length, 0)
  return size <= 2048 ? Object.fromEntries(texts) : {}
}

/** The link's path with its safe parameters; without them if the combined URL is not safe. */
export function redirectWithParams(value: unknown, params: unknown, origin: string): string {
  const path = linkRedirect(value, origin)
  const added = Object.entries(safeRedirectParams(params))
  const url = parseUrl(path, origin)
  if (added.length === 0 || !url) return path
  for (const [key, text] of added) url.searchParams.set(key, text)
  return ownPath(pathOf(url), origin, longestWithParams) ?? path
}

function ownPath(value: unknown, origin: string, limit: number): string | null {
  if (typeof value !== 'string' || value.length > limit || !/^\/(?![/\\])/.test(value)) return null
  if (/[\\\p{Cc}\p{Cs}]/u.test(value)) return null
  const url = parseUrl(value, origin)
  if (!url || url.origin !== origin || !isDestination(url.pathname)) return null
  return pathOf(url)
}

/** Checked after the parser has resolved dots: `/orders/..//evil.example` is then `//evil.example`. */
function isDestination(pathname: string) {
  if (pathname === '/') return true
  const [, first = ''] = pathname.split('/')
  return destinations.has(first)
}

const pathOf = (url: URL) => `${url.pathname}${url.search}${url.hash}`

const isSafeKey = (key: string) => /^[A-Za-z][\w-]{0,30}$/.test(key) && !/^redirect/i.test(key)
const isScalar = (item: unknown) =>
  typeof item === 'string' || typeof item === 'boolean' || (typeof item === 'number' && Number.isFinite(item))

function parseShort(text: string): unknown {
  if (text.length > 2048) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
