import { isLang, type Lang } from '@qatra/contract/lib/lang'
import type { Visitor } from '../session-cookie.ts'
import { type Audience, audienceOf } from './response-cache.ts'

/** The URLs that may be cached: caching any others would let strangers fill the memory. */
export interface PageFacts {
  hasVendor: (id: number) => boolean
  hasProduct: (id: number) => boolean
  hasSize: (size: string) => boolean
  hasArea: (id: number) => boolean
  /** When pages next change by the calendar alone. */
  changeAt: (now: Date) => Date
}

export interface PageAddress {
  path: string
  query: URLSearchParams
}

export function readAddress(url: string): PageAddress {
  const end = url.indexOf('?')
  return end < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, end), query: new URLSearchParams(url.slice(end + 1)) }
}

/** `?lang=` if it is given once and is a language. */
export function langOfQuery(query: URLSearchParams): Lang | null {
  const [lang, second] = query.getAll('lang')
  return second === undefined && isLang(lang) ? lang : null
}

const plain = new Set(['/', '/about', '/faqs', '/privacy', '/terms', '/login', '/offline'])
const rowId = /^[1-9]\d{0,8}$/

function isKnownValue(facts: PageFacts, path: string, key: string, value: string): boolean {
  if (key === 'lang') return isLang(value)
  if (path !== '/') return false
  return key === 'vendor' ? rowId.test(value) && facts.hasVendor(Number(value)) : key === 'size' && facts.hasSize(value)
}

/** Whether the URL is one of the shop's own pages in its canonical form. */
export function isCacheable(facts: PageFacts, url: string, { path, query }: PageAddress): boolean {
  const product = /^\/products\/([^/]+)$/.exec(path)?.[1]
  const isPage = product === undefined ? plain.has(path) : rowId.test(product) && facts.hasProduct(Number(product))
  if (!isPage || new Set(query.keys()).size !== query.size) return false
  if (![...query].every(([key, value]) => isKnownValue(facts, path, key, value))) return false
  return query.size === 0 ? url === path : url === `${path}?${query}`
}

/** A URL with a language has the same page for both saved languages; otherwise there is one page for each. */
export const audiencesOf = (queryLang: Lang | null, visitor: Visitor): readonly Audience[] =>
  queryLang ? [audienceOf({ ...visitor, lang: 'ar' }), audienceOf({ ...visitor, lang: 'en' })] : [audienceOf(visitor)]
