import { manifest } from 'virtual:assets'
import type { Lang } from '@qatra/contract/lang'
import type { StaticDataRouteOption } from '@tanstack/react-router'
import { directionOf } from './i18n.tsx'
import type { Head } from './page.ts'
import { stringifySearch } from './search.ts'
import tokens from './styles/tokens.css?raw'

const entrySource = 'app/entry-client.tsx'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** JSON that cannot end its script element, nor a line of it. */
export const scriptSafe = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')

function chunk(source: string) {
  const found = manifest[source]
  if (!found) throw new Error(`The browser build has no chunk for ${source}`)
  return found
}

/** Files a chunk cannot run without, itself first. */
function filesOf(source: string, found = new Set<string>()): Set<string> {
  const { file, imports } = chunk(source)
  if (found.has(file)) return found
  found.add(file)
  for (const needed of imports ?? []) filesOf(needed, found)
  return found
}

const sources = Object.keys(manifest)
/** The manifest writes a virtual module's name as a path of its own making. */
const wordsSource = (group: string, lang: Lang) =>
  sources.find((name) => name.endsWith(`virtual:messages/${group}.${lang}`)) ?? ''
const fontsOf = (lang: Lang) =>
  (lang === 'ar' ? ['arabic-400', 'arabic-600'] : ['latin-400', 'latin-600']).map(
    (name) => `/${chunk(`app/fonts/plex-${name}.woff2`).file}`,
  )

const assetsOf = (lang: Lang, { source, words = [] }: PageFiles) => {
  const styles = chunk(entrySource).css ?? []
  const modules = filesOf(entrySource)
  for (const group of ['shop', ...words]) filesOf(wordsSource(group, lang), modules)
  if (source) filesOf(source, modules)
  return [
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...fontsOf(lang).map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`),
    ...[...modules].map((file) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${chunk(entrySource).file}"></script>`,
  ].join('')
}

const [light, dark] = [...tokens.matchAll(/--page: (#\w+)/g)].map(([, colour]) => colour)
const themeColours = [['light', light] as const, ['dark', dark] as const]
  .map(([theme, colour]) => `<meta name="theme-color" media="(prefers-color-scheme: ${theme})" content="${colour}">`)
  .join('')

const drop = 'M24 3C29 11 39 19.3 39 29.3A15 15 0 0 1 9 29.3C9 19.3 19 11 24 3Z'
const sea = 'M0 31C6 26 12 26 18 30S30 34 39 30 45 28 48 29V64H0Z'
/** The mark, whose sea rises once over content that is already there; the style sheet takes it away after 500 ms. */
const splash = [
  '<div class="splash" aria-hidden="true"><svg viewBox="0 0 48 48">',
  `<clipPath id="drop"><path d="${drop}"/></clipPath><path d="${drop}" fill="var(--mark)"/>`,
  `<g clip-path="url(#drop)"><path class="splash-sea" d="${sea}"/></g>`,
  '<circle cx="20.5" cy="21" r="3.2" fill="var(--mark-pearl)"/></svg></div>',
].join('')

/** What a page's route says about its chunks. */
type PageFiles = Pick<StaticDataRouteOption, 'source' | 'words'>

const knownAssets = new Map<string, string>()
function assetTags(lang: Lang, files: PageFiles) {
  const key = `${lang} ${files.source}`
  const tags = knownAssets.get(key) ?? assetsOf(lang, files)
  knownAssets.set(key, tags)
  return tags
}

export interface Address {
  origin: string
  /** Path with the query keys that make it another page. */
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
  // Arabic is the language of an address without `lang`.
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
  files: PageFiles
  body: string
  /** The filled query cache. */
  state: unknown
}

/** The complete page. It holds no script that runs from within itself, so that the policy can be `script-src 'self'`. */
export function documentOf({ lang, head, address, files, body, state }: DocumentParts): string {
  return [
    `<!doctype html><html lang="${lang}" dir="${directionOf(lang)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    headTags(head, lang, address),
    assetTags(lang, files),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">',
    themeColours,
    `</head><body><div id="root">${body}</div>`,
    splash,
    `<script type="application/json" id="state">${scriptSafe(state)}</script></body></html>`,
  ].join('')
}
