import { readdirSync, readFileSync } from 'node:fs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { parse, type Token } from '@messageformat/parser'
import { describe, expect, it } from 'vitest'
import { type Lang, langs } from './lib/lang.ts'

type Messages = Record<string, string>

const folder = new URL('./messages/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const features = [...new Set(files.map((name) => name.replace(/\.(ar|en)\.json$/, '')))]
const read = (feature: string, lang: Lang): Messages =>
  JSON.parse(readFileSync(new URL(`${feature}.${lang}.json`, folder), 'utf8'))

const forms = {
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  en: ['one', 'other'],
} as const satisfies Record<Lang, readonly string[]>

interface Found {
  plurals: string[][]
  names: string[]
}

function lookThrough(tokens: Token[], found: Found): Found {
  for (const token of tokens) {
    if ('arg' in token) found.names.push(token.arg)
    if (token.type !== 'plural' && token.type !== 'select' && token.type !== 'selectordinal') continue
    if (token.type === 'plural') found.plurals.push(token.cases.map(({ key }) => key))
    for (const { tokens: inner } of token.cases) lookThrough(inner, found)
  }
  return found
}

const found = (text: string) => lookThrough(parse(text), { plurals: [], names: [] })

/** Spelling of tanwin: fathatan before the alef, as in طلبًا. */
const tanwinAfterAlef = /\u0627\u064b/
/** Problems of one message text. */
function faults(text: string, lang: Lang): string[] {
  if (text.trim() === '') return ['is empty']
  try {
    compileMessageOrThrow(text)
    const missing = found(text).plurals.flatMap((keys) => forms[lang].filter((form) => !keys.includes(form)))
    const tanwin = lang === 'ar' && tanwinAfterAlef.test(text) ? ['writes tanwin after its alef'] : []
    const hidden = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffd]/u.test(text.replace(/\n/g, ''))
      ? ['has hidden characters']
      : []
    return [...missing.map((form) => `lacks the form ${form}`), ...tanwin, ...hidden]
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

function keysTwice(json: string): string[] {
  const keys = [...json.matchAll(/^\s*"([^"]+)":/gm)].map(([, key = '']) => key)
  return keys.filter((key, at) => keys.indexOf(key) !== at)
}

describe('the checks of the messages', () => {
  it('detect invalid texts', () => {
    expect(faults('{n, plural, one {a} other {b}}', 'ar')).toEqual(
      ['zero', 'two', 'few', 'many'].map((f) => `lacks the form ${f}`),
    )
    expect(faults('{n, plural, other {b}}', 'en')).toEqual(['lacks the form one'])
    expect(faults('{x, select, a {{n, plural, other {b}}} other {c}}', 'en')).toEqual(['lacks the form one'])
    expect(faults('{n, plural, one {a}', 'en')[0]).toMatch(/^cannot be read/)
    expect(faults(' ', 'ar')).toEqual(['is empty'])
    expect(faults('طلب\u0627\u064b', 'ar')).toEqual(['writes tanwin after its alef'])
    expect(faults('طلب\u064b\u0627', 'ar')).toEqual([])
    expect(faults('a\u202eb', 'ar')).toEqual(['has hidden characters'])
    expect(faults('{count, plural, one {# item} other {# items}}', 'en')).toEqual([])
    expect(keysTwice('{\n"a": "1",\n"a": "2"}')).toEqual(['a'])
  })

  it('find message files', () => {
    expect(features.length).toBeGreaterThan(0)
    expect(files.length).toBe(features.length * langs.length)
  })
})

describe.each(features)('%s', (feature) => {
  const texts = { ar: read(feature, 'ar'), en: read(feature, 'en') }

  it('has all keys in both languages', () => {
    expect(Object.keys(texts.ar).sort()).toEqual(Object.keys(texts.en).sort())
  })

  it.each(langs)('has valid texts in %s', (lang) => {
    const wrong = Object.entries(texts[lang]).flatMap(([key, text]) =>
      faults(text, lang).map((fault) => `${key} ${fault}`),
    )
    expect(wrong).toEqual([])
    expect(keysTwice(readFileSync(new URL(`${feature}.${lang}.json`, folder), 'utf8'))).toEqual([])
  })

  it('uses the same placeholders in both languages', () => {
    const values = (text = '') => [...new Set(found(text).names)].sort()
    for (const key of Object.keys(texts.en)) expect([key, values(texts.ar[key])]).toEqual([key, values(texts.en[key])])
  })

  it('has no key of another feature', () => {
    const elsewhere = features.filter((other) => other !== feature).flatMap((other) => Object.keys(read(other, 'en')))
    expect(Object.keys(texts.en).filter((key) => elsewhere.includes(key))).toEqual([])
  })
})

describe('messages of invalid fields', () => {
  it('exist for every key that a schema names', () => {
    const sources = readdirSync(new URL('./', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    )
    const code = sources.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
    const named = new Set([...code.matchAll(/'(validation\.\w+)'/g)].map(([, key = '']) => key))
    const known = Object.keys(read('validation', 'ar'))
    expect([...named].filter((key) => !known.includes(key))).toEqual([])
    expect(named.size).toBeGreaterThan(10)
  })
})

describe('Arabic texts of the shop', () => {
  const all: Messages = Object.assign({}, ...features.map((feature) => read(feature, 'ar')))

  it.each([
    ['لم تبلغ', 'names what is missing for the minimum, not a failure'],
    ['توصيل سريع', 'promises the next day and nothing faster'],
    ['المس ', 'says اضغط for a tap'],
    ['خط سير', 'calls a round of a driver جولة'],
  ])('never say %s: it %s', (words) => {
    expect(Object.entries(all).filter(([, text]) => text.includes(words))).toEqual([])
  })

  it('use the agreed terms for minimum, payment, details, delivery and tap', () => {
    expect(all).toMatchObject({
      'cart.minimumAdd': 'أضف {amount} لتكمل الطلب',
      'checkout.error.minimumText': 'أضف {remaining} لتكمل الطلب. الحد الأدنى {required}.',
      'orders.payment.onDelivery': 'الدفع عند الاستلام',
      'receipt.status.onDelivery': 'الدفع عند الاستلام',
      'orders.view': 'عرض الطلب',
      'footer.fast': 'توصيل في اليوم التالي',
      'checkout.coverage.idleText': 'اضغط على الخريطة أو ابحث أو اختر منطقتك من القائمة.',
    })
  })
})
