import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressText,
  customerName,
  fold,
  freeText,
  hasUnsafeCharacters,
  includesFolded,
  instructionsText,
  nameOrder,
  personName,
} from './text.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

describe('folding', () => {
  it.each([
    ['أحمد إبراهيم آل ٱلسيد', 'احمد ابراهيم ال السيد'],
    ['مُحَمَّد', 'محمد'],
    ['ميـــاه', 'مياه'],
    ['المحرّق الشماليّة', 'المحرق الشماليه'],
    ['مستشفى', 'مستشفي'],
    ['لؤلؤة', 'لولوه'],
    ['هادئ', 'هادي'],
    ['ﻻ ﷲ', 'لا الله'],
    ['٥٠٠ مل ۵', '500 مل 5'],
    ['  HAYRAT\u00a0\n Water\u200f ', 'hayrat water'],
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['ＡＢ１', 'ab1'],
    ['①ﬁ', '1fi'],
    ['', ''],
    [' \u200f\u064b ', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('distinguishes ماء from ما by the bare hamza', () => {
    expect(fold('ماء')).toBe('ماء')
    expect(fold('ماء')).not.toBe(fold('ما'))
    expect(includesFolded('مياه الشرب', 'ماء')).toBe(false)
  })

  it('is equal for composed and decomposed texts, whatever their marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'أإآؤئةىيءابتé٣ \u064e\u0651ـ\u0654') }), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
        expect(fold([...text].join('ـ\u064f'))).toBe(fold(text))
      }),
      runs,
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      runs,
    )
  })

  it.each([
    ['halves of a syllable that meet', 'ᄀ\u200eᅡ', '가'],
    ['halves of a surrogate pair that would meet', '\ud834\u200e\udd65', '\ufffd\ufffd'],
  ])('reaches a fixed point in one pass for %s', (_, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('is idempotent for every single character', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const folded = fold(String.fromCodePoint(code))
      if (fold(folded) !== folded) expect.fail(`U+${code.toString(16)} folds twice`)
    }
  })

  it('finds folded substrings', () => {
    expect(includesFolded('مياه هيرات ٥٠٠ مل', 'هِيرات 500')).toBe(true)
    expect(includesFolded('Hayrat', 'RAT')).toBe(true)
    expect(includesFolded('Hayrat', '%')).toBe(false)
  })
})

describe('unsafe characters', () => {
  it.each(['\u0000', '\n', '\u001b', '\u007f', '\u0085', '\u202a', '\u202e', '\u2066', '\u2069', '\ud800', '\udc00'])(
    'are found: %j',
    (bad) => {
      expect(hasUnsafeCharacters(`a${bad}b`)).toBe(true)
    },
  )

  it('are not in ordinary texts', () => {
    for (const good of ['أحمد', 'O’Brien', 'a\u200fb', '👍🏽', 'مَرْحَبًا']) expect(hasUnsafeCharacters(good)).toBe(false)
  })
})

describe('a person’s name', () => {
  const name = personName(3)

  it.each([
    ['  Noora Aldoseri ', 'Noora Aldoseri'],
    ['O’Brien', "O'Brien"],
    ['أحمد بن عبدالله', 'أحمد بن عبدالله'],
    ['مُحَمَّد', 'مُحَمَّد'],
    ['عبد الـعـزيز', 'عبد الـعـزيز'],
    ['Jean-Luc St. Pierre', 'Jean-Luc St. Pierre'],
    ['José', 'José'],
    ['Jose\u0301', 'José'],
    ['آمنة'.normalize('NFD'), 'آمنة'],
    ['عبدﷲ', 'عبدالله'],
    ['عبد ﷲ', 'عبد الله'],
    ['ﻋﻠﻲ ﺣﺴﻦ', 'علي حسن'],
    ['Ａｌｉ\u00a0Ｈａｓａｎ', 'Ali Hasan'],
    [`${'a'.repeat(96)}ﷲ`, `${'a'.repeat(96)}الله`],
    ['گلناز پروین', 'گلناز پروین'],
    ['a'.repeat(100), 'a'.repeat(100)],
    ['علی\u200cرضا حسینی', 'علیرضا حسینی'],
    ['Ali\u200b Hassan', 'Ali Hassan'],
    ['\u200fمحمد علي\u200f', 'محمد علي'],
    ['\u202aAli\u202c \u2068Hassan\u2069', 'Ali Hassan'],
  ])('may be %j', (typed, stored) => {
    expect(name.parse(typed)).toBe(stored)
  })

  it.each([
    ['', 'validation.name'],
    ['   ', 'validation.name'],
    [undefined, 'validation.name'],
    [null, 'validation.name'],
    [7, 'validation.name'],
    [['Ali'], 'validation.name'],
    ['Al', 'validation.nameTooShort'],
    ['A\u0301l', 'validation.nameTooShort'],
    ['a'.repeat(101), 'validation.nameTooLong'],
    [`${'a'.repeat(97)}ﷲ`, 'validation.nameTooLong'],
    ['ﷺ'.repeat(100), 'validation.nameTooLong'],
    ['علي ①', 'validation.nameCharacters'],
    ['Ali 3', 'validation.nameCharacters'],
    ['علي ٣', 'validation.nameCharacters'],
    ['علي ۳', 'validation.nameCharacters'],
    ['Ali 👍', 'validation.nameCharacters'],
    ['<b>Ali</b>', 'validation.nameCharacters'],
    ['Ali\u202eilA', 'validation.nameCharacters'],
    ['Ali\u202dAli', 'validation.nameCharacters'],
    ['Ali\nAli', 'validation.nameCharacters'],
    ['Ali\u0000', 'validation.nameCharacters'],
    ['Ali\ud800', 'validation.nameCharacters'],
    ['...', 'validation.nameCharacters'],
    ['ـــ', 'validation.nameCharacters'],
    ["- ' .", 'validation.nameCharacters'],
    ['\u064e\u064e\u064e', 'validation.nameCharacters'],
    ['Али', 'validation.nameCharacters'],
    ['a×b', 'validation.nameCharacters'],
    ['a،b', 'validation.nameCharacters'],
    ['__proto__', 'validation.nameCharacters'],
  ])('may not be %j', (typed, key) => {
    expect(name.safeParse(typed).error?.issues.map((issue) => issue.message)).toContain(key)
  })

  it('accepts a single letter if the minimum is one', () => {
    expect(personName(1).safeParse('ع').success).toBe(true)
    expect(personName(1).safeParse('').success).toBe(false)
  })

  it('rejects digits, control characters and bidi marks', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const parsed = name.safeParse(typed)
        if (parsed.success) expect(parsed.data).not.toMatch(/[\p{N}\p{C}<>\p{Extended_Pictographic}]/u)
      }),
      runs,
    )
  })
})

describe('the name of a customer', () => {
  const name = customerName(3)

  it.each([
    'Gulf Hotel & Spa',
    'Al Jazira Supermarket (Branch 2)',
    '7-Eleven',
    'مؤسسة البحر للتجارة - فرع 3',
    'M/S Ahmed & Sons W.L.L.',
    'شركة «النور»، فرع ٢',
    'Villa 12/3, Sara Ali',
    'CR 12345-1 Trading Co.',
    'Pharmacy+ No. 4',
    'St.Pierre',
    'علي',
  ])('may be that of a company or a person: %j', (typed) => {
    expect(name.parse(typed)).toBe(typed)
  })

  it.each([
    ['  Gulf   Hotel  ', 'Gulf Hotel'],
    ['\u202aBranch\u202c ２', 'Branch 2'],
    ['Ali’s Café', "Ali's Café"],
  ])('is stored in one spelling: %j', (typed, stored) => {
    expect(name.parse(typed)).toBe(stored)
  })

  it.each([
    'evil.com',
    'Prize at www.win',
    'bit.ly/x1',
    'Win evil.ru/now',
    'https://x',
    'sara@example.com',
    'Sara 36001234',
    'Sara +973 3600 1234',
    'Sara ٣٦٠٠ ١٢٣٤',
    '36-00-12-34 Ali',
    '12 3',
    '٣٤٥',
    '(2) / 3',
    'Ali\nSons',
    'Ali\tSons',
    'Ali\u0000Sons',
    'Ali\u202eilA',
    'Ali\ud800',
    '=cmd|A1',
    '{name} Co',
    '<b>Ali</b>',
    '*Ali*',
    'Ali 👍',
  ])('may not be %j', (typed) => {
    expect(name.safeParse(typed).error?.issues.map(({ message }) => message)).toContain('validation.customerName')
  })

  it('holds nothing that a template, a table or the direction of a text would suffer from', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const parsed = name.safeParse(typed)
        if (parsed.success) expect(parsed.data).not.toMatch(/[\p{C}\n\t<>{}@=]| {2}|\d{7}/u)
      }),
      runs,
    )
  })
})

describe('longer texts', () => {
  it('are trimmed and keep their line breaks', () => {
    expect(freeText(20).parse('  two\r\nlines\tof it ')).toBe('two\nlines\tof it')
  })

  it.each(['a\u0000b', 'a\u0007b', 'a\u202eb', 'a\u202db', 'a\ud800b', '\ud83d\n\ude00', 'x'.repeat(1001)])(
    'are rejected: %j',
    (bad) => {
      expect(instructionsText.safeParse(bad).success).toBe(false)
    },
  )

  it.each([
    ['call my wife \u202a+973 3600 0412\u202c', 'call my wife +973 3600 0412'],
    ['call \u206836000412\u2069', 'call 36000412'],
    ['\ufeff\u200fالباب الخلفي\u200b', 'الباب الخلفي'],
    ['👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
  ])('lose the marks that nobody sees: %j', (typed, stored) => {
    expect(instructionsText.parse(typed)).toBe(stored)
    expect(addressText.parse(`\u202bمبنى 12 طريق 38\u202c`)).toBe('مبنى 12 طريق 38')
  })

  it('have at most 1,000 characters, an address 10 to 500', () => {
    expect(instructionsText.safeParse('x'.repeat(1_000)).success).toBe(true)
    for (const length of [10, 500]) expect(addressText.safeParse('x'.repeat(length)).success).toBe(true)
  })

  it('can be empty, an address cannot', () => {
    expect(instructionsText.safeParse('').success).toBe(true)
    for (const blank of ['', ' '.repeat(20), '\u200f'.repeat(20), '..........', 'x'.repeat(9), 'x'.repeat(501), null]) {
      expect(addressText.safeParse(blank).success).toBe(false)
    }
    expect(addressText.parse(' مجمع 428، طريق 2825، مبنى 12 ')).toBe('مجمع 428، طريق 2825، مبنى 12')
  })
})

describe('the order of names', () => {
  it('ignores the article, marks and hamza seats', () => {
    const sorted = ['يوسف', 'الحداد', 'إبراهيم', 'جاسم', 'أحمد', 'بَدر', 'Zaid', 'Al Amer'].sort(nameOrder('ar'))
    expect(sorted).toEqual(['إبراهيم', 'أحمد', 'بَدر', 'جاسم', 'الحداد', 'يوسف', 'Al Amer', 'Zaid'])
    expect(['Zaid', 'al-Amer', 'Basim'].sort(nameOrder('en'))).toEqual(['al-Amer', 'Basim', 'Zaid'])
  })
})
