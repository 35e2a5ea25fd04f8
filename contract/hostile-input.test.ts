import { describe, expect, it } from 'vitest'
import { cartQuantity } from './cart/rules.ts'
import { delimiterOf } from './lib/csv.ts'
import { westernDigits } from './lib/digits.ts'
import { isLang, nameIn } from './lib/lang.ts'
import { feeBhd, priceBhd } from './lib/money.ts'
import { pageQuery } from './lib/page.ts'
import { parsePhone, phoneInput, telLink, whatsappLink } from './lib/phone.ts'
import {
  addressText,
  customerName,
  fold,
  freeText,
  hasUnsafeCharacters,
  instructionsText,
  personName,
  withoutInvisible,
} from './lib/text.ts'
import { vatNumberInput } from './lib/vat.ts'
import { redirectWithParams, safeRedirect, safeRedirectParams } from './links/redirect.ts'
import { parseOrderId } from './orders/order-id.ts'
import { areaGeometryInput } from './places/areas-admin.ts'
import { coordinates } from './places/geo.ts'
import { compareSizes, formatSize, silhouetteOf, sizeKey } from './products/sizes.ts'

const size = 100_000
const fill = (piece: string) => piece.repeat(Math.ceil(size / Buffer.byteLength(piece)))
const worst = [
  'a',
  ' ',
  'a ',
  "a.'-",
  '\t\n',
  '\r',
  '\r\n',
  '0',
  '٣',
  '1,',
  '1.',
  '+',
  '00',
  '-',
  '(',
  '/',
  '/..',
  '%2e',
  '\\',
  'a\u0301',
  '\u0301',
  '\u064e',
  'ـ',
  'ﷺ',
  'ا\u0654',
  '\u200f',
  '\u202e',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '👩‍👩‍👧',
  '가',
  'ᄀ\u200eᅡ',
  'İ',
  'Σ',
  '[',
  '{"a":',
  '__proto__',
].flatMap((piece) => [fill(piece), `${fill(piece)}!`, `1${fill(piece)}`, ` ${fill(piece)} x`])

const odd: unknown[] = [
  undefined,
  null,
  true,
  0,
  -0,
  Number.NaN,
  Infinity,
  1e309,
  1n,
  Symbol('x'),
  '',
  [],
  [[]],
  {},
  Object.create(null),
  JSON.parse('{"__proto__":{"lat":1},"type":"Polygon"}'),
  () => 1,
  new Date(Number.NaN),
  new Map(),
]

const schemas = {
  customerName: customerName(3),
  personName: personName(1),
  longName: personName(3),
  freeText: freeText(500),
  addressText,
  instructionsText,
  phoneInput,
  priceBhd,
  feeBhd,
  cartQuantity,
  vatNumberInput,
  coordinates,
  areaGeometryInput,
  pageQuery,
}

const readers: Record<string, (text: string) => unknown> = {
  fold,
  westernDigits,
  hasUnsafeCharacters,
  delimiterOf: (text) => delimiterOf(text, (cells) => cells.length),
  parsePhone,
  telLink,
  whatsappLink: (text) => whatsappLink('36000412', text),
  parseOrderId,
  sizeKey,
  compareSizes: (text) => compareSizes(text, '500ml'),
  formatSize: (text) => formatSize(text, 'ar'),
  silhouetteOf,
  nameIn: (text) => nameIn('ar', { name: text, nameAr: text }),
  safeRedirect: (text) => safeRedirect(text, 'https://qatra.example', '/'),
  safeRedirectParams,
  redirectWithParams: (text) => redirectWithParams(text, text, 'https://qatra.example'),
}

/** Processor time of this thread, so that other load does not count; backtracking over 100 kB takes many seconds. */
function isQuick(work: () => unknown): boolean {
  for (let run = 0; run < 3; run++) {
    const before = process.threadCpuUsage()
    work()
    const { user } = process.threadCpuUsage(before)
    if (user < 500_000) return true
  }
  return false
}

describe.each(Object.entries(schemas))('the schema %s', (_, schema) => {
  it('returns a result for any value, without throwing', () => {
    for (const value of odd) expect(typeof schema.safeParse(value).success).toBe('boolean')
    for (const value of odd) {
      for (const key of ['page', 'lat', 'coordinates']) {
        expect(typeof schema.safeParse({ type: 'Polygon', [key]: value }).success).toBe('boolean')
      }
    }
  })

  it('rejects 100 kB of any input without backtracking', () => {
    for (const text of worst) {
      const value = schema === pageQuery ? { page: text } : text
      const named = JSON.stringify(text.slice(0, 9))
      expect(
        isQuick(() => schema.safeParse(value)),
        named,
      ).toBe(true)
      // Surrounding blanks and invisible marks are removed before the check.
      if (withoutInvisible(text).trim().length > 1) expect(schema.safeParse(value).success, named).toBe(false)
    }
  })
})

describe.each(Object.entries(readers))('%s', (_, reader) => {
  it('parses 100 kB of any input without backtracking', () => {
    for (const text of worst)
      expect(
        isQuick(() => reader(text)),
        JSON.stringify(text.slice(0, 9)),
      ).toBe(true)
  })
})

describe('values of other types', () => {
  it('are not accepted as language, phone, order id or redirect', () => {
    for (const value of odd) {
      expect(isLang(value)).toBe(false)
      expect(parsePhone(value).ok).toBe(false)
      expect(parseOrderId(value)).toBeNull()
      expect(safeRedirect(value, 'https://qatra.example', '/')).toBe('/')
      expect(safeRedirectParams(value)).toEqual({})
    }
  })
})
