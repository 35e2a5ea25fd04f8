import { fold } from '@qatra/contract/lib/text'

/** A word of a message; `number` if it is one, in words or digits. */
export interface Token {
  text: string
  number: number | null
}

/** Number words: English, Hindi, Tagalog, Arabic with dialects, and Arabic in Latin letters. */
const spoken: Readonly<Record<number, string>> = {
  1: 'one ek isa isang uno واحد واحده وحده wahed wahid wa7ed wa7id wahda wa7da',
  2: 'two dalawa dalawang dos couple pair both اثنين ثنين اثنان اثنا اثني اثنتا اثنتي اثنتين ثنتين اتنين تنتين زوج جوز zoj joz',
  3: 'three teen tatlo tatlong tres ثلاث ثلاثه تلات تلاته',
  4: 'four chaar char apat اربع اربعه arba arbaa',
  5: 'five paanch panch lima limang خمس خمسه',
  6: 'six chhe cheh anim ست سته sitt sitta sitah sittah sette',
  7: 'seven saat pito pitong سبع سبعه saba',
  8: 'eight aath walo walong ثمان ثمانيه ثماني تمانيه تمان tmanya',
  9: 'nine siyam تسع تسعه tisa',
  10: 'ten das sampu sampung عشر عشره ashra ashara',
  11: 'eleven احدعشر احدعش حداعش حدعش حدعشر ايدعش حداشر',
  12: 'twelve dozen درزن دزينه دسته درزينه darzan derzen',
  13: 'thirteen',
  14: 'fourteen',
  15: 'fifteen',
  16: 'sixteen',
  17: 'seventeen',
  18: 'eighteen',
  19: 'nineteen',
  20: 'twenty bees dalawampu dalawampung',
  24: 'درزنين دزينتين',
  30: 'thirty',
  40: 'forty fourty',
  50: 'fifty',
  60: 'sixty',
  70: 'seventy',
  80: 'eighty',
  90: 'ninety',
  100: 'hundred مئه ميه مائه miya miyah miyya meya',
  200: 'ميتين مئتين مئتان مائتين miteen miteyn miyatain meetain meeten mitain mitein meteen metain myteen maitain',
}

const values: ReadonlyMap<string, number> = new Map(
  Object.entries(spoken).flatMap(([value, words]) => words.split(' ').map((word) => [fold(word), Number(value)])),
)

/** Numbers of Arabic by their stem, in Arabic letters and in Latin ones: `خمس`, `khams`. */
const stems: readonly (readonly [value: number, arabic: string, latin: string])[] = [
  [3, '[ثت]لا?[ثت]?', 'th?[aei]?l[aei]{0,2}th?'],
  [4, 'اربع', '[aei]?rb[ae]?[3a]?'],
  [5, 'خمس', '(?:kh|5)[aeuo]?ms'],
  [6, 'س[تط]', 'si?t'],
  [7, 'سبع', 's[aei]?b[aei]?3?'],
  [8, '[ثت]ما?ن', 'th?[aei]?m[aei]{0,2}n'],
  [9, 'تسع', 't[aei]?s[aei]?3?'],
]

/** Their plain forms, which vary in Latin letters alone; others of so few letters are words of English. */
const plainLatin: readonly (readonly [value: number, form: string])[] = [
  [2, '[aei]?th?i?n[ae]{0,2}[iy]?nh?|th[ie]?nt[aei]{1,2}n'],
  [3, 'th?[aei]?l[ae]{1,2}th?[ae]{0,2}h?'],
  [4, '[aei]?rb[ae]?3[ae]{0,2}h?'],
  [5, '(?:kh|5)[aeu]?ms[ae]{0,2}h?'],
  [7, 's[aei]?b[aei]?3[ae]{0,2}h?'],
  [8, 'th[aei]?m[ae]{1,2}n[iy]{0,2}[ae]{0,2}h?|thmanya'],
  [9, 't[aei]?s[aei]?3[ae]{0,2}h?'],
  [10, '3[aei]?sh[aei]?r[ae]{0,2}h?'],
  [11, '[aei]{0,2}[h7][aei]?d[ae]{0,2}3?[aei]?sh(?:[aei]?r)?'],
  [12, '[aei]?(?:th|t|6)n[ae]{0,2}3[aei]?sh(?:[aei]?r)?'],
  [20, '3?[aei]?shr[aei]{1,2}n'],
]

/** With the endings of teens, tens and hundreds. */
const formed: readonly (readonly [form: RegExp, value: number])[] = [
  ...plainLatin.map(([value, form]) => [new RegExp(`^(?:${form})$`), value] as const),
  [/^ا?[ثطت]نا?ا?[عا]ا?شر?$/u, 12],
  [/^عشر[يو]ن$/u, 20],
  ...stems.flatMap(([value, arabic, latin]): [RegExp, number][] => [
    [
      new RegExp(`^(?:${arabic}[طت]{0,2}[عا]{1,2}شر?|${latin}[aei]?[t6]{0,2}[ae]{0,2}3?[aei]?sh(?:[aei]?r)?)$`, 'u'),
      value + 10,
    ],
    [new RegExp(`^(?:${arabic}[يو]ن|${latin}t?(?:[aei]{1,2}|oo|u)n)$`, 'u'), value * 10],
    [new RegExp(`^(?:${arabic}م(?:ي|اي)[هت]|${latin}[aei]?mi?y*[aei]{1,2}h?)$`, 'u'), value * 100],
  ]),
]

const joinedEnglish =
  /^(twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety)(one|two|three|four|five|six|seven|eight|nine)$/

/** The number of a word, in letters. */
function spokenValue(word: string): number | undefined {
  const known = values.get(word) ?? formed.find(([form]) => form.test(word))?.[1]
  if (known !== undefined) return known
  const [, tens = '', units = ''] = joinedEnglish.exec(word) ?? []
  return tens === '' ? undefined : (values.get(tens) ?? 0) + (values.get(units) ?? 0)
}

const halves = new Set(['half', 'نص', 'نصف', 'nos', 'nus'])
const joiners = new Set(['and', 'و', 'w'])
const digits = /^\d+(?:[.,٫]\d+)?$/

/** The number of one word: `2`, `1,5`, `two`; null for `كرتون`. A leading و is a conjunction, not part of the word. */
function numberOf(word: string): number | null {
  if (digits.test(word)) return word.length > 9 ? null : Number(word.replace(/[,٫]/, '.'))
  return spokenValue(word) ?? null
}

/** Numbers only before `عشر`: «أحد» alone is somebody, or Sunday. */
const beforeTen = new Map(['احد', 'احدى'].map((word) => [fold(word), 1]))
const isTen = (word: string | undefined) => word !== undefined && spokenValue(word) === 10 && !digits.test(word)

const joined = (word: string) => (word.startsWith('و') && word.length > 2 ? word.slice(1) : null)

/** Folded words, with a number phrase as one token: `خمسة وعشرين` 25, `two hundred` 200, `half a dozen` 6. */
export function tokensOf(words: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < words.length; ) {
    const word = words[i] ?? ''
    const dozen = halves.has(word) ? dozenAfter(words, i + 1) : null
    if (dozen !== null) {
      tokens.push({ text: words.slice(i, dozen).join(' '), number: 6 })
      i = dozen
      continue
    }
    const first = numberOf(word) ?? (isTen(words[i + 1]) ? (beforeTen.get(word) ?? null) : null)
    if (first === null || digits.test(word)) {
      const next = first === null ? null : scaleAfter(words, i + 1, first)
      tokens.push(next ? { text: words.slice(i, i + 2).join(' '), number: next } : { text: word, number: first })
      i += next ? 2 : 1
      continue
    }
    const { number, end } = composed(words, i, first)
    tokens.push({ text: words.slice(i, end).join(' '), number })
    i = end
  }
  return tokens
}

function dozenAfter(words: readonly string[], at: number): number | null {
  const next = words[at] === 'a' || words[at] === 'ال' ? at + 1 : at
  return numberOf(words[next] ?? '') === 12 && !digits.test(words[next] ?? '') ? next + 1 : null
}

const isDozen = (word: string) => values.get(word) === 12 && word !== 'twelve'

/** `2 dozen` */
const scaleAfter = (words: readonly string[], at: number, count: number): number | null =>
  isDozen(words[at] ?? '') && Number.isInteger(count) ? count * 12 : null

/** Consecutive number words: a larger one multiplies, a smaller joined one adds. */
function composed(words: readonly string[], start: number, first: number): { number: number; end: number } {
  let number = first
  let end = start + 1
  for (;;) {
    const skips = joiners.has(words[end] ?? '') ? 1 : 0
    const word = words[end + skips] ?? ''
    if (digits.test(word)) break
    const rest = joined(word)
    const plain = spokenValue(word)
    const next = plain ?? (rest === null ? undefined : spokenValue(rest))
    if (next === undefined) break
    const isJoined = skips === 1 || plain === undefined
    // `two-two cartons each`
    if (!isJoined && next === number && word === words[start] && end === start + 1) number = next
    // `one dozen`
    else if (!isJoined && number === 1 && isDozen(word)) number = next
    else if (!isJoined && number >= 2 && number <= 9 && (next === 100 || next === 12)) number *= next
    // `three thirty`: 330.
    else if (!isJoined && number >= 2 && number <= 9 && end === start + 1 && next === 30 && /^[a-z]/.test(word))
      number = number * 100 + next
    else if (canAdd(number, next, isJoined) && (isJoined || number < 100 || /^[a-z]/.test(word))) number += next
    else break
    end += skips + 1
  }
  return { number, end }
}

/** `twenty five`, `خمسة وعشرين`, `two hundred and ten`, `عشرة` after a unit (`ثلاثة عشر`). */
function canAdd(number: number, next: number, isJoined: boolean): boolean {
  // `ميتين وست غيمة`: a size, and a quantity of its own.
  if (number >= 100) return next < 100 && !(isJoined && number >= 200 && next < 20)
  if (number >= 20) return next < 10
  if (!isJoined) return number < 10 && next === 10
  return number < 10 && next >= 20 && next < 100
}
