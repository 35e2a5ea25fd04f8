import { dirOf, type Lang } from '@qatra/contract/lib/lang'
import type { Head } from './page.ts'
import { stringifySearch } from './routes/search.ts'
import tokens from './styles/tokens.css?raw'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** JSON that cannot close its script element and has no line terminators. */
export const scriptSafe = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')

const [light, dark] = [...tokens.matchAll(/--page: (#\w+)/g)].map(([, colour]) => colour)
const themeColours = [['light', light] as const, ['dark', dark] as const]
  .map(([theme, colour]) => `<meta name="theme-color" media="(prefers-color-scheme: ${theme})" content="${colour}">`)
  .join('')

const drop = 'M24 3C29 11 39 19.3 39 29.3A15 15 0 0 1 9 29.3C9 19.3 19 11 24 3Z'
const sea = 'M0 31C6 26 12 26 18 30S30 34 39 30 45 28 48 29V64H0Z'
/** The splash: the logo over the rendered content; the style sheet hides it after 500 ms. */
const splash = [
  '<div class="splash" aria-hidden="true"><svg viewBox="0 0 48 48">',
  `<clipPath id="drop"><path d="${drop}"/></clipPath><path d="${drop}" fill="var(--mark)"/>`,
  `<g clip-path="url(#drop)"><path class="splash-sea" d="${sea}"/></g>`,
  '<circle cx="20.5" cy="21" r="3.2" fill="var(--mark-pearl)"/></svg></div>',
].join('')

export interface Address {
  origin: string
  /** Path with the query keys that identify the page. */
  path: string
}

/** `path?vendor=3` in one language, as search engines should list it. */
function inLanguage({ origin, path }: Address, lang: Lang | null) {
  const [pathname = '/', query = ''] = path.split('?')
  const search = Object.fromEntries(new URLSearchParams(query))
  return `${origin}${pathname}${stringifySearch(lang ? { ...search, lang } : search)}`
}

export function headTags(head: Head, lang: Lang, address: Address): string {
  const meta = (name: string, content: string | undefined) =>
    content ? `<meta name="${name}" content="${escape(content)}">` : ''
  const property = (name: string, content: string) => `<meta property="${name}" content="${escape(content)}">`
  const link = (rel: string, href: string, hreflang?: string) =>
    `<link rel="${rel}"${hreflang ? ` hreflang="${hreflang}"` : ''} href="${escape(href)}">`
  // An address without `lang` is Arabic.
  const canonical = inLanguage(address, lang === 'ar' ? null : lang)
  const listed = head.hidden
    ? meta('robots', 'noindex')
    : [
        link('canonical', canonical),
        link('alternate', inLanguage(address, null), 'ar'),
        link('alternate', inLanguage(address, 'en'), 'en'),
        link('alternate', inLanguage(address, null), 'x-default'),
        property('og:url', canonical),
        property('og:title', head.title),
        property('og:type', 'website'),
        property('og:locale', lang === 'ar' ? 'ar_BH' : 'en_BH'),
        head.description ? property('og:description', head.description) : '',
        property('og:image', new URL(head.image ?? '/icon-512.png', address.origin).href),
      ].join('')
  const data = [head.jsonLd ?? []].flat().map((one) => `<script type="application/ld+json">${scriptSafe(one)}</script>`)
  return `<title>${escape(head.title)}</title>${meta('description', head.description)}${listed}${data.join('')}`
}

export interface DocumentParts {
  lang: Lang
  head: Head
  address: Address
  /** Result of `assetTags`. */
  assets: string
  body: string
  /** The filled query cache. */
  state: unknown
  /** Shows the splash for the first half second. */
  hasSplash?: boolean
}

/** The complete HTML document, without inline scripts, as `script-src 'self'` requires. */
export function documentOf({ lang, head, address, assets, body, state, hasSplash = true }: DocumentParts): string {
  return [
    `<!doctype html><html lang="${lang}" dir="${dirOf(lang)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    headTags(head, lang, address),
    assets,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">',
    themeColours,
    `</head><body><div id="root">${body}</div>`,
    hasSplash ? splash : '',
    `<script type="application/json" id="state">${scriptSafe(state)}</script></body></html>`,
  ].join('')
}
