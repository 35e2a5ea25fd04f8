import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPhone, maskPhone, maskPhoneOnScreen, parsePhone, phoneInput, telLink, whatsappLink } from './phone.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const digit = fc.constantFrom(...'0123456789')
const digits = (minLength: number, maxLength: number) => fc.string({ unit: digit, minLength, maxLength })
const bahraini = digits(8, 8).map((local) => `+973${local}`)
const foreign = fc.tuple(fc.constantFrom(...'123456789'), digits(8, 14)).map((parts) => `+${parts.join('')}`)

describe('a typed phone', () => {
  it.each([
    '36000412',
    '3600 0412',
    '97336000412',
    '+97336000412',
    '+973 3600-0412',
    '0097336000412',
    '00 973 (3600) 0412',
    '973.3600.0412',
    '٣٦٠٠٠٤١٢',
    '+٩٧٣ ٣٦٠٠ ٠٤١٢',
    '۳۶۰۰۰۴۱۲',
    '\u202a+973\u00a03600\u20110412\u202c',
    '\u200f36000412\u200e',
    '＋97336000412',
    ' 3600–0412 ',
    'tel:+97336000412',
    '\u2068TEL:3600-0412\u2069',
  ])('is a number of Bahrain: %j', (typed) => {
    expect(parsePhone(typed)).toEqual({ ok: true, phone: '+97336000412' })
  })

  it.each([
    ['966501234567', '+966501234567'],
    ['+44 20 7946 0018', '+442079460018'],
    ['123456789', '+123456789'],
    ['123456789012345', '+123456789012345'],
  ])('keeps its own country code: %j', (typed, phone) => {
    expect(parsePhone(typed)).toEqual({ ok: true, phone })
  })

  it('is parsed from at most 200 characters, spaces included', () => {
    expect(parsePhone('36000412'.padStart(200))).toEqual({ ok: true, phone: '+97336000412' })
  })

  it.each([
    ['', 'too-short'],
    ['   ', 'too-short'],
    ['1234567', 'too-short'],
    ['+', 'too-short'],
    [null, 'too-short'],
    [undefined, 'too-short'],
    ['1234567890123456', 'too-long'],
    ['3'.repeat(100_000), 'too-long'],
    ['36000412'.padStart(201), 'too-long'],
    ['3600041x', 'bad-characters'],
    ['360+00412', 'bad-characters'],
    ['++97336000412', 'bad-characters'],
    ['3600/0412', 'bad-characters'],
    ['36000412\u0000', 'bad-characters'],
    ['3600041\ud800', 'bad-characters'],
    ['036000412', 'bad-characters'],
    ['<b>36000412', 'bad-characters'],
    ['mailto:36000412', 'bad-characters'],
    [36_000_412, 'bad-characters'],
    [['36000412'], 'bad-characters'],
    [{}, 'bad-characters'],
  ])('is rejected: %j', (typed, reason) => {
    expect(parsePhone(typed)).toEqual({ ok: false, reason })
  })

  it('is parsed from every format in which the shop displays it', () => {
    fc.assert(
      fc.property(fc.oneof(bahraini, foreign), (phone) => {
        expect(parsePhone(phone)).toEqual({ ok: true, phone })
        expect(parsePhone(formatPhone(phone))).toEqual({ ok: true, phone })
        expect(parsePhone(phone.replace('+', '00'))).toEqual({ ok: true, phone })
      }),
      runs,
    )
  })

  it('is E.164 or rejected for any input', () => {
    const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-() .٣٧۵x\u200f') })
    fc.assert(
      fc.property(fc.oneof(phoneLike, fc.string({ unit: 'binary' }), fc.anything()), (typed) => {
        const parsed = parsePhone(typed)
        if (!parsed.ok) return
        expect(parsed.phone).toMatch(/^\+[1-9]\d{8,14}$/)
        expect(parsePhone(parsed.phone)).toEqual(parsed)
      }),
      runs,
    )
  })
})

describe('the schema of a phone', () => {
  it('outputs E.164', () => {
    expect(phoneInput.parse('3600 0412')).toBe('+97336000412')
  })

  it.each([
    ['123', 'validation.phoneTooShort'],
    [undefined, 'validation.phoneTooShort'],
    ['1234567890123456', 'validation.phoneTooLong'],
    ['abcdefgh', 'validation.phoneBadCharacters'],
  ])('names the message key for %j', (typed, key) => {
    expect(phoneInput.safeParse(typed).error?.issues).toMatchObject([{ message: key }])
  })
})

describe('a displayed phone', () => {
  it.each([
    ['+97336000412', '+973 3600 0412'],
    ['+966501234567', '+966 50 123 4567'],
    ['+96512345678', '+965 1234 5678'],
    ['+442079460018', '+442079460018'],
    ['+9731', '+973 1'],
    ['nothing', 'nothing'],
  ])('%s is displayed as %s', (phone, shown) => {
    expect(formatPhone(phone)).toBe(shown)
  })

  it('masks everything except the ends', () => {
    expect(maskPhone('+97336123456')).toBe('+973****3456')
    expect(maskPhoneOnScreen('+97336123456')).toBe('+973 **** 3456')
    expect(maskPhone('36123456')).toBe('****')
    expect(maskPhone('+97336123456 x')).toBe('****')
  })

  it('has links for calls and WhatsApp', () => {
    expect(telLink('3600 0412')).toBe('tel:+97336000412')
    expect(whatsappLink('+973 3600 0412')).toBe('https://wa.me/97336000412')
    expect(whatsappLink('36000412', 'طلب 9HXR & co\ud800')).toBe(
      `https://wa.me/97336000412?text=${encodeURIComponent('طلب 9HXR & co\ufffd')}`,
    )
  })

  it.each([null, undefined, '', 'ask at the desk'])('has no link without a number: %j', (none) => {
    expect([telLink(none), whatsappLink(none, 'hello')]).toEqual([null, null])
  })
})
