import { cut } from '../../lib/fit.ts'
import { parseUrl } from '../../lib/url.ts'
import { storedHeadingOf } from '../../media.ts'

/** Where a value of a message template goes: texts, the file of a header, or the code of a copy button. */
export const templateParts = ['body', 'header', 'button', 'image', 'document', 'code'] as const
export type TemplatePart = (typeof templateParts)[number]

/** Why staff cannot fill in a template. */
export const unfillableReasons = [
  /** Sign-in codes are sent by the shop itself. */
  'authentication',
  'carousel',
  'limited-time-offer',
  /** Products of a Meta catalogue. */
  'catalogue',
  'flow',
  /** A header with a video, a place or a product. */
  'header',
  /** Variables that are left out, mixed or unreadable. */
  'variables',
  'empty',
  'unsupported',
] as const
export type UnfillableReason = (typeof unfillableReasons)[number]

/** Meta's limits, in characters. A header includes its fixed text, which the server adds. */
export const longestValue: Readonly<Record<TemplatePart, number>> = {
  body: 1024,
  header: 60,
  button: 1024,
  image: 1024,
  document: 1024,
  code: 20,
}

export const isFilePart = (part: TemplatePart): part is 'image' | 'document' => part === 'image' || part === 'document'

export const valueProblems = ['missing', 'too-long', 'code', 'address'] as const
export type ValueProblem = (typeof valueProblems)[number]

/** Why Meta would refuse a value; null if it is valid. */
export function problemOfValue(part: TemplatePart, value: string): ValueProblem | null {
  const text = value.trim()
  if (text === '') return 'missing'
  if (text.length > longestValue[part]) return 'too-long'
  if (part === 'code' && !/^[A-Za-z0-9]+$/.test(text)) return 'code'
  if (isFilePart(part) && storedHeadingOf(text) === null && !isWebAddress(text)) return 'address'
  return null
}

/** Whether there is one valid value for each variable. */
export const hasValidValues = (variables: readonly { part: TemplatePart }[], values: readonly string[]): boolean =>
  variables.length === values.length &&
  variables.every(({ part }, at) => problemOfValue(part, values[at] ?? '') === null)

function isWebAddress(text: string): boolean {
  if (/\s/.test(text)) return false
  const url = parseUrl(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}

const anyGap = /\{\{([^{}]*)\}\}/g

/**
 * Names of the placeholders of a text: `1` to `n`, or names in the order of their first use. Null if they are mixed,
 * unreadable or leave a number out.
 */
export function placeholdersOf(text: string): string[] | null {
  const names = [...new Set([...text.matchAll(anyGap)].map(([, name = '']) => name.trim()))]
  if (names.some((name) => /^\d/.test(name))) {
    const numbers = names.map((name) => (/^\d{1,2}$/.test(name) ? Number(name) : 0)).sort((a, b) => a - b)
    return numbers.every((number, at) => number === at + 1) ? numbers.map(String) : null
  }
  return names.every((name) => /^[a-z]\w*$/i.test(name)) ? names : null
}

/** The text with its values by placeholder; a placeholder without one remains. */
export const withValues = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(anyGap, (whole, name: string) => valueOf(name.trim()) ?? whole)

/** Name of a file by its address: `?name=` of uploaded files, else the end of the path. */
export function fileNameOf(address: string): string | null {
  const url = parseUrl(address, storedHeadingOf(address) === null ? undefined : 'https://shop.invalid')
  if (!url) return null
  const given = url.searchParams.get('name')
  if (given) return cut(given, 100)
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return cut(decodeURIComponent(last), 100) || null
  } catch {
    return last.slice(0, 100) || null
  }
}
