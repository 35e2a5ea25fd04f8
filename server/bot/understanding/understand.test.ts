import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { knownOf, noted, shop } from '../../test/fixtures/bot-corpus.ts'
import { closedList, distance, nearest } from './fuzzy.ts'
import { languageOf, writingOf } from './language.ts'
import type { Alias } from './names.ts'
import { skeletonOf } from './normalize.ts'
import { understand } from './understand.ts'

const idle = { group: '', expect: '', state: 'idle', cart: '', asked: '', last: '' } as const
const read = (text: string, cart = '') => noted(understand(text, shop, knownOf({ ...idle, text, cart })))

const brands = {
  hayrat: ['هيرات', 'hayrat', 'hairat', 'حيرات'],
  ghaima: ['غيمة', 'ghayma', 'غيمه'],
  qamra: ['قمرة', 'gamra', '8amra'],
}
const sizes = {
  200: ['200', '٢٠٠ مل'],
  500: ['500ml', 'نص لتر', 'half litre'],
  1.5: ['1.5L', 'لتر ونص', 'litre and a half'],
}
const quantities = {
  1: ['كرتون', 'a box of'],
  2: ['كرتونين', '2', 'kartonain'],
  3: ['٣ كراتين', '3karton', 'three boxes'],
  25: ['خمسة وعشرين كرتون'],
}
const templates = [
  '{q} {b} {s}',
  '{b} {s} {q}',
  '{b} {s}, {q}',
  '{q} {s} {b}',
  'ابي {q} ماي {b} {s} لو سمحت',
  'hi can i get {q} {b} {s}?',
  '{q} {b} {s} حق السيف',
]

describe('an order', () => {
  it.each(templates)('is understood whatever the script and order of its parts: %s', (template) => {
    for (const [brand, names] of Object.entries(brands))
      for (const [size, spellings] of Object.entries(sizes))
        for (const [quantity, words] of Object.entries(quantities))
          for (const b of names)
            for (const s of spellings)
              for (const q of words) {
                const text = template.replace('{b}', b).replace('{s}', s).replace('{q}', q)
                expect(read(text).split(' | ').slice(0, 2).join(' | '), text).toBe(
                  `order | add ${quantity} ${brand}/${size}`,
                )
              }
  })
})

it('digits within a word of Arabizi are letters, with or without an apostrophe', () => {
  for (const word of ["9'3aar", '9’3aar', '9`3aar', "7'all", "bai9'", "3'eer", '93aar'])
    expect(read(`hayrat ${word} 200 6 krateen`), word).not.toMatch(/add (?!6 )\d/)
})

it('a word of change with a number changes by it, to it or adds it', () => {
  const ways = {
    less: ['نقص', 'شيل', 'قلل', 'remove', 'sheel', 'can you remove'],
    add: ['زيد', 'ضيف', 'حط بعد', 'add', 'zeed'],
    set: ['خلها', 'سوها', 'make it', '5alha', 'ok make it'],
  }
  for (const [change, verbs] of Object.entries(ways))
    for (const verb of verbs)
      for (const [count, words] of [
        ['1', 'كرتون'],
        ['2', 'كرتونين'],
        ['3', 'three cartons'],
        ['1', 'wahed'],
      ] as const)
        expect(read(`${verb} ${words}`, '4 hayrat/500'), `${verb} ${words}`).toBe(
          `change | ${change} ${count} hayrat/500`,
        )
})

describe('words that are not written as known', () => {
  const guessed = (text: string) =>
    understand(text, shop, knownOf({ ...idle, text })).guesses.map(({ written, meant }) =>
      typeof meant === 'string' ? `${written} ${meant}` : `${written} ${meant.type}`,
    )

  it.each([
    ['ghaimma 500', ['ghaimma vendor']],
    ['2 cartons of hairat', ['hairat vendor']],
    ['2 cartons haydat 500', ['haydat vendor']],
    ['deliver to bodaiya', ['bodaiya area']],
    ['unsubscibe', ['unsubscibe unsubscribe']],
    ['stoop sending ads', ['stoop stopp']],
    ['3 cartons hayrat 500 to bodaiya', ['bodaiya area']],
  ])('are named where they decide what is done: %s', (text, expected) => {
    expect(guessed(text)).toEqual(expected)
  })

  it.each([
    '2 cartons ghaima 500',
    // The sounds of a brand in a whole order.
    '2 cartons ghaimma 500',
    '2 cartons hairat 500',
    // The brand, size and number are clear without the unit.
    '2 kartoonat hayrat 500',
    // A view does no harm.
    'how much is ghaimma 500',
    'option 1',
    'bhaiya 20 litre bottle 3 nos hayrat',
  ])('are not asked about where nothing depends on them: %s', (text) => {
    expect(guessed(text)).toEqual([])
  })

  it('decide nothing in an answer in free words', () => {
    for (const state of ['name', 'notes', 'address'] as const) {
      const { intent, guesses } = understand('Waleed Hasan', shop, knownOf({ ...idle, text: '', state }))
      expect([state, intent === 'yes' || intent === 'shop', guesses]).toEqual([state, false, []])
    }
  })
})

describe('the answer to the question for a name', () => {
  const names = readFileSync(new URL('../corpus/names.txt', import.meta.url), 'utf8').split('\n')
  const answer = (text: string) =>
    understand(text, shop, knownOf({ ...idle, text, state: 'name', cart: '4 hayrat/500' }))

  it('is each of 60 common names in both scripts, and of 60 that the rules were not tried on', () => {
    const written = names.filter((line) => line !== '' && !line.startsWith('#'))
    expect(written).toHaveLength(120)
    const refused = written.filter((name) => answer(name).intent !== 'name' || answer(name).slots.name !== name)
    expect(refused).toEqual([])
  })

  it.each([
    'menu',
    'رجوع',
    'cancel',
    'ابي موظف',
    'talk to a person',
    'كم الحساب',
    'وين طلبي',
    'زيد كرتون',
    'ليش تبون اسمي',
    'thank you',
  ])('is no name if the whole message is a command or a question: %s', (text) => {
    expect(answer(text).intent).not.toBe('name')
  })

  it.each([
    ['my name is Ali Hasan', 'Ali Hasan'],
    ['ok Fatima please', 'Fatima'],
    ['أنا وليد', 'وليد'],
    ['باسم خالد الدوسري', 'خالد الدوسري'],
    ['Ali\nno, Hasan', 'Hasan'],
  ])('is the name alone: %j', (text, name) => {
    expect(answer(text).slots.name).toBe(name)
  })

  it('is read from the first letters of messages that are long together', () => {
    const text = Array.from({ length: 10 }, () => `Ali${'\n'.repeat(9_990)}Hasan`).join('\n')
    expect(answer(text)).toMatchObject({ text, slots: { name: 'Ali' } })
  })
})

describe('the answer to the question for an address', () => {
  it.each([
    ['flat 3 building 12 road 3810 block 428 next to the complaints office', 'trouble'],
    ['building 12 road 3810 block 428 opposite the mosque', null],
    ['building 9 road 3, customer service centre, block 428', null],
    ['flat 2 cancel street building 5 block 428', 'cancelOrder'],
    ['مقابل محل الغراش المكسورة مبنى 12 طريق 5', 'trouble'],
  ] as const)('is read as an address with a possible command as the alternative: %s', (text, other) => {
    const known = knownOf({ ...idle, text, state: 'address', cart: '4 hayrat/500' })
    expect(understand(text, shop, known)).toMatchObject({ intent: 'address', alternative: other })
  })
})

describe('the last word counts', () => {
  it.each([
    ['2 cartons hayrat 500 no, four', 'order | add 4 hayrat/500'],
    ['2 cartons hayrat 500\nno, four cartons', 'order | add 4 hayrat/500'],
    ['كرتونين هيرات ٥٠٠ لا ثلاث', 'order | add 3 hayrat/500'],
    ['kartonain hayrat 500, la thalatha', 'order | add 3 hayrat/500'],
    ['كرتون هيرات 500 قصدي كرتونين', 'order | add 2 hayrat/500'],
    ['2 cartons hayrat 500, sorry i meant 330', 'order | add 2 hayrat/330'],
    ['2 cartons hayrat 500\n*ghaima', 'order | add 2 ghaima/500'],
    ['Seef\nno, Juffair', 'place | @juffair'],
    ['مو السيف، الجفير', 'place | @juffair'],
    ['no, 2 cartons hayrat 500', 'order | add 2 hayrat/500'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    ['yes. wait no', 'no'],
    ['اي لا لحظة', 'no'],
    ['ee la la', 'no'],
    ['yes po', 'yes'],
    ['eee', 'yes'],
    ['clear the cart\nno wait', 'refuse'],
    ['no wait yes', 'smallTalk'],
    ['yes but make it 5', 'change'],
    ['yes, how much is delivery?', 'shop'],
  ])('of a yes and a no: %s', (text, intent) => {
    const known = knownOf({ ...idle, text, state: 'confirm', cart: '4 hayrat/500' })
    expect(understand(text, shop, known).intent).toBe(intent)
  })
})

it.each([
  'بدون عروض، كم سعر الكرتون؟',
  'ما ابي عروض ابي سعر الكرتون بس',
  'no offers, how much is a carton?',
  'no ads please, 2 cartons hayrat 500',
  'stop sending me ghaima, i want hayrat',
  'send me offers again and where is my order',
  "don't send me my order today, send it tomorrow",
])('consent does not change with another request: %s', (text) => {
  const { intent } = understand(text, shop, knownOf({ ...idle, text }))
  expect(['optOut', 'optIn']).not.toContain(intent)
})

it.each([
  ['stop sending me prices', 'price'],
  ['please stop sending me messages about your prices', 'price'],
  ["don't send me offers, how much is a carton?", 'price'],
  ['لا ترسلون لي عروض وأسعار', 'price'],
  ['ما ابي رسائلكم، لا ترسلون اسعار', 'price'],
  ['stop sending me messages and call me', 'callMe'],
  ['لا ترسلون لي شي، ابي موظف', 'person'],
  ['وقفوا الرسايل وابي موظف', 'person'],
  ['stop the messages please I will order when I want', 'order'],
  ['cancel my order and stop messaging me', 'cancelOrder'],
  ['stop the offers, where is my order?', 'track'],
  ['stop messaging me, my order did not arrive', 'trouble'],
  ['وقفوا الرسائل، ما ابي اطلب', null],
  ['please stop the marketing messages', null],
] as const)('a stop that is asked for counts with another request, which is kept: %s', (text, secondIntent) => {
  const meaning = understand(text, shop, knownOf({ ...idle, text }))
  expect(meaning).toMatchObject({ intent: 'optOut', alternative: null, secondIntent, guesses: [] })
})

it('a stop that is only guessed is asked about', () => {
  const text = 'unsubscrlbe me and call me'
  expect(understand(text, shop, knownOf({ ...idle, text })).guesses).toMatchObject([{ meant: 'unsubscribe' }])
})

it('an alias of the office names its brand', () => {
  const aliases = [{ text: 'ام الغيم', means: { type: 'vendor' as const, id: 2 } }]
  const { slots } = understand('كرتونين ام الغيم 500', { ...shop, aliases }, knownOf({ ...idle, text: '' }))
  expect(slots.items).toMatchObject([{ vendorId: 2, quantity: 2 }])
})

it('an area with the code of a property of objects is read by its name', () => {
  const areas = new Map([...shop.areas].map(([id, area]) => [id, id === 1 ? { ...area, areaId: 'constructor' } : area]))
  const { slots } = understand(
    `توصلون ${shop.areas.get(1)?.nameAr}؟`,
    { ...shop, areas },
    knownOf({ ...idle, text: '' }),
  )
  expect(slots.place?.areaIds).toEqual([1])
})

describe('a further name by the office', () => {
  const read = (text: string, alias: Alias, of = shop) =>
    understand(text, { ...of, aliases: [alias] }, knownOf({ ...idle, text: '' }))
  const phrase: Alias = { text: 'وين مصنعكم', means: { type: 'topic', topic: 'own:7' } }

  it('of a size orders that size', () => {
    const { slots } = read('ابي 2 كرتون هيرات ننو', { text: 'ننو', means: { type: 'size', size: '330ml' } })
    expect(slots.items).toMatchObject([{ vendorId: 1, size: '330ml', quantity: 2 }])
  })

  it('of an answer is a question to the shop, after a trouble and beside an order', () => {
    expect(read('السلام عليكم وين مصنعكم؟', phrase)).toMatchObject({ intent: 'shop', slots: { topics: ['own:7'] } })
    expect(read('الكرتون مكسور وين مصنعكم', phrase).intent).toBe('trouble')
    expect(read('ابي 2 كرتون هيرات 500 وين مصنعكم', phrase)).toMatchObject({
      intent: 'order',
      slots: { topics: ['own:7'] },
    })
  })

  it('of a brand that is switched off means nothing', () => {
    const vendors = new Map([...shop.vendors].map(([id, vendor]) => [id, { ...vendor, isActive: id !== 2 }]))
    const alias: Alias = { text: 'دبدوب', means: { type: 'vendor', id: 2 } }
    expect(read('كرتونين دبدوب', alias).slots.items[0]?.vendorId).toBe(2)
    expect(read('كرتونين دبدوب', alias, { ...shop, vendors }).slots.items[0]?.vendorId ?? null).toBeNull()
  })
})

it('Arabic and Latin spellings have the same consonants', () => {
  expect(skeletonOf('muharraq')).toBe(skeletonOf('محرق'))
  expect(skeletonOf('busaiteen')).toBe(skeletonOf('بسيتين'))
  expect(skeletonOf('5alas')).toBe(skeletonOf('خلاص'))
})

it('a mistake is an omission, addition, replacement or exchange of neighbours; short words allow none', () => {
  expect(distance('cratno', 'carton', 2)).toBe(2)
  expect(distance('katron', 'karton', 2)).toBe(1)
  const list = closedList(['ghaima', 'seef', 'saar'])
  expect(nearest('ghiama', list)).toEqual(['ghaima'])
  expect(nearest('sef', list)).toEqual([])
})

it.each(['وقفوا', 'stop please', 'إيقاف لو سمحت'])(
  'a stop amid an order does not mean advertising, unless it is the bare word: %s',
  (text) => {
    const known = knownOf({ ...idle, text, state: 'confirm', cart: '4 hayrat/500' })
    expect(understand(text, shop, known).intent).not.toBe('optOut')
  },
)

it.each(['لا ترسلون السايق قبل العصر', "don't send the invoice", 'when does the offer stop?', 'شيلوا رقمي القديم'])(
  'a sentence about a delivery, invoice, offer or number stops no advertising: %s',
  (text) => {
    expect(understand(text, shop, knownOf({ ...idle, text })).intent).not.toBe('optOut')
  },
)

it.each([
  'لا ترسلون رسالة اتصلوا',
  'الجرس خربان دقوا الباب',
  'شيلوا كل الغراش الفاضية',
  'please take away all the empty bottles',
  'خلوا كرتون عند الباب',
  'ما في مشكلة',
])('a note for the driver interrupts nothing and changes no cart: %s', (text) => {
  const known = knownOf({ ...idle, text, state: 'notes', cart: '4 hayrat/500' })
  expect(['optOut', 'trouble', 'clear', 'change']).not.toContain(understand(text, shop, known).intent)
})

it.each(['شيل كل شي الا هيرات', 'remove everything except hayrat'])(
  'the product that is to stay is not taken out: %s',
  (text) => {
    const known = knownOf({ ...idle, text, state: 'cart', cart: '4 hayrat/500' })
    expect(understand(text, shop, known).slots.items.flatMap(({ productIds }) => productIds)).toEqual([])
  },
)

it.each([
  ['زيد كرتون', 'change'],
  ['الغاء الجرس', 'cancelOrder'],
  ['cancel the bell', 'cancelOrder'],
  ['افرغ السلة', 'clear'],
  ['3 كراتين غيمة 500', 'order'],
  ['لا توصلون قبل العصر', null],
  ['خلوا كرتون عند الباب', null],
  ['الباب الأزرق', null],
] as const)(
  'an answer to the question for a note stays a note; a possible command is its alternative: %s',
  (text, other) => {
    const known = knownOf({ ...idle, text, state: 'notes', cart: '4 hayrat/500' })
    expect(understand(text, shop, known)).toMatchObject({ intent: 'notes', alternative: other })
  },
)

it.each([
  ['ملاحظة للسائق: الغاء الجرس', 'الغاء الجرس'],
  ['tell the driver to call first', 'call first'],
  ['اكتبوا له "لا ترن الجرس"', 'لا ترن الجرس'],
  ['“2 cartons 500 ml”', null],
  ['3 كراتين "هيرات" 500', null],
] as const)('a note that was not asked for is found by its heading or its quotation marks: %s', (text, note) => {
  const known = knownOf({ ...idle, text, state: 'cart', cart: '4 hayrat/500' })
  expect(understand(text, shop, known).slots.note).toBe(note)
})

it('two meanings of the same weight are both returned, but not a question beside an order', () => {
  const read = (text: string) => understand(text, shop, knownOf({ ...idle, text }))
  expect(read('change the address on my invoice')).toMatchObject({ intent: 'changePlace', alternative: 'shop' })
  expect(read('ابي 3 كراتين هيرات 500 وشنو اقل طلب').alternative).toBeNull()
})

it.each([
  'you send me offers again!',
  'why do you send me offers again',
  'you sent me offers again',
  'offers again??',
  'ترسلون لي عروض مرة ثانية',
  'رجعتوا ترسلون عروض',
  'ليش ترسلون اعلانات من جديد',
  'tersloon 3rooth marra thanya',
])('offers that are sent again are read as opting out, with opting in as the alternative: %s', (text) => {
  const known = knownOf({ ...idle, text })
  expect(understand(text, shop, known)).toMatchObject({ intent: 'optOut', alternative: 'optIn' })
})

it('a single Latin word does not change an Arabic conversation; Arabizi is answered in Arabic', () => {
  expect(languageOf(writingOf('checkout'), 'ar', false)).toBe('ar')
  expect(languageOf(writingOf('i want water please'), 'ar', false)).toBe('en')
  expect(languageOf(writingOf('abi 3 karton'), 'en', false)).toBe('ar')
  expect(languageOf(writingOf('hey there'), 'ar', true)).toBe('en')
})
