import { fold } from '@qatra/contract/lib/text'
import { tokensOf } from '../numbers.ts'

/** A word, number or mark of a message. */
export interface Token {
  /** Folded. */
  text: string
  /** The text, then the text without clitics, least stripped first: `وبالسيف` → `بالسيف`, `السيف`, `سيف`. */
  forms: readonly string[]
  number: number | null
  /** `الثاني`, `first`. */
  isOrdinal: boolean
  /** A conjunction is attached: `وغيمة`. */
  isJoined: boolean
}

/** Longer than any order; the rest is ignored. */
const MAX_LENGTH = 600

const word = /\d*\p{L}[\p{L}\d]*|\d+(?:[.,٫:]\d+)?|[👋👍👌✅✔👎❌🙏❤🌹💙😂🤣😅😊😍😁🥰😄?؟!,،;\n&+/]/gu

/** Stands for the apostrophe of `9'` and `3'`, and is a letter itself. */
const letterMark = 'ˈ'
/** غ ظ خ ض */
const marked: Readonly<Record<string, string>> = { 3: 'gh', 6: 'dh', 7: 'kh', 9: 'dh' }
/** `9'3aar`, `7’al`, `bai9'`: a digit with an apostrophe is a letter of Arabizi, never a quantity. */
const withLetterMarks = (folded: string): string =>
  folded.replace(/(?<=(?<!\d)[235-9]{1,2}|\p{L}[235-9])['’‘ʼ`](?=\d?\p{L})|(?<=\p{L}[235-9])['’‘ʼ`]/gu, letterMark)

/** Without apostrophes, and with one letter for three or more: `سلاااام` → `سلام`. */
export const plainWords = (folded: string): string => folded.replace(/['’‘ʼ`]/g, '').replace(/(\p{L})\1{2,}/gu, '$1')

/** `*3` corrects the message before; `*bold*` does not. */
const withCorrection = (line: string) =>
  line.startsWith('*') && !line.includes('*', 1) ? `قصدي ${line.slice(1)}` : line

/** Zero of the digits of Devanagari, Bengali and Gujarati. */
const zeros = [0x0966, 0x09e6, 0x0ae6]
const urdu: Readonly<Record<string, string>> = {
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ۂ: 'ه',
  ے: 'ي',
  ں: 'ن',
  ٹ: 'ت',
  ڈ: 'د',
  ڑ: 'ر',
}

/** Digits and letters that `fold` leaves, as others write them. */
const withKnownLetters = (text: string): string =>
  text
    .replace(/[०-९০-৯૦-૯]/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
    })
    .replace(/(?<=[\d٠-٩])½/gu, '.5')
    .replace(/½/gu, ' half ')
    .replace(/(?<!\d)(\d{1,3}) ?cl\b/giu, '$10 ml')
    .replace(/[کہھۂےںٹڈڑ]/gu, (letter) => urdu[letter] ?? letter)

/** Splits a folded text into tokens. Digits are separated from letters except in Arabizi (`7abba`, `3abi`). */
export function tokenize(text: string, isKnown: (word: string) => boolean): Token[] {
  const lines = withKnownLetters(text.slice(0, MAX_LENGTH)).split(/\n+/).map(withCorrection)
  const folded = lines
    .map(fold)
    .join(' \n ')
    .replace(/^\+ ?(?=\d{1,2}$)/, 'add ')
    .replace(/^[-−–] ?(?=\d{1,2}$)/, 'minus ')
    // `3 nos`: pieces, and no half. `too cartons` was dictated.
    .replace(/(\d) ?nos\b(?! ?(?:l|lit))/g, '$1 pcs')
    .replace(/\b(?:too|do)(?= (?:cartons?|boxe?s?|packs?|gallons?|bottles?|cases|peti|jars?)\b)/g, 'two')
    // Water in Egypt, and a hundred before what is counted: `عايز ميه`, `ميه كرتون`, `خلها ميه`.
    .replace(/(?<=(?:^| )(?!خل|سو|زي?د|و|\d)\S+ )ميه(?= (?!كرت|كرات|علب|غالون|قار|حب|غر|دب|بوكس|و|مل|الف)|$)/g, 'ماي')
    // `the one for the dispenser` counts nothing; `w no9` is and a half.
    .replace(/\bthe one (?=for|with|that|which|in)/g, 'the ')
    .replace(/\b(w ?)?(?:no|nu)[9s]{1,2}\b(?! ?\d)/g, '$1nos')
    // `لأ` in Latin letters: no quantity.
    .replace(/\bla+2+\b/g, 'la')
    .replace(/\bnos\.? (?=\d+ ?(?:,|&|and|w|و))/g, 'numbers ')
    .replace(/\bno\. ?(?=\d)/g, 'number ')
    // The 5 gallon bottle of Indians.
    .replace(/\bcans?(?= (?:refill|water|ready|paani|pani)\b)|\bjars?\b/g, 'gallon')
    .replace(/\b(?:derh|dedh|deedh) (?=l)/g, '1.5 ')
  const words = (
    plainWords(withLetterMarks(folded))
      .replace(/(?<=\d),(?=\d{3}\b)/g, '')
      .match(word) ?? []
  ).flatMap((part) => separated(part, isKnown))
  return tokensOf(words.flatMap((part) => splitNegation(part, isKnown)).map(westernNumber)).map(
    ({ text: part, number }) => {
      const ordinal = ordinals.get(part) ?? ordinals.get(part.replace(/^و(?=ال)/u, '')) ?? null
      const joined = number === null && /^و.{2}/u.test(part) && !isKnown(part) ? part.slice(1) : null
      const joinedNumber = joined === null ? null : (tokensOf([withoutPrefix(joined)])[0]?.number ?? null)
      return {
        text: part,
        forms: formsOf(part),
        number: number ?? joinedNumber ?? ordinal,
        isOrdinal: ordinal !== null,
        isJoined: joined !== null || conjunctions.has(part),
      }
    },
  )
}

const ordinals = new Map<string, number>([
  ...indexed('الاول اول الاولى first 1st awal', 1),
  ...indexed('الثاني الثانيه 2nd', 2),
  ...indexed('الثالث الثالثه third 3rd', 3),
  ...indexed('الرابع الرابعه fourth 4th', 4),
  ...indexed('الخامس الخامسه fifth 5th', 5),
])

function indexed(words: string, value: number): [string, number][] {
  return words.split(' ').map((one) => [fold(one), value])
}

const conjunctions = new Set(['و', 'and', 'w'])
const withoutPrefix = (part: string) => part.replace(/^ب?ال(?=.{2})|^ب(?=.{3})/u, '')

/** With the article a weekday, without it a number. */
const monday = fold('الاثنين')

/** `بثلاث`, `الثلاث`: a number word after a clitic counts as the number. */
function westernNumber(part: string): string {
  const bare = withoutPrefix(part)
  if (bare === part || ordinals.has(part) || part === monday) return part
  const [token] = tokensOf([bare])
  return token !== undefined && token.number !== null ? bare : part
}

/** `3كراتين`, `500ml`, `x2`, `blk338`, `هيرات٥٠٠`. */
function separated(part: string, isKnown: (word: string) => boolean): string[] {
  if (part.includes(letterMark)) {
    const plain = part.replaceAll(letterMark, '')
    return [isKnown(plain) ? plain : part.replace(/(\d)ˈ/g, (_, digit: string) => marked[digit] ?? digit)]
  }
  // `3rd` is no quantity.
  if (isKnown(part) || !/\p{L}/u.test(part) || !/\d/.test(part) || /^\d+(?:st|nd|rd|th)$/.test(part)) return [part]
  if (/\p{Script=Arabic}/u.test(part)) return part.match(/\d+|\D+/g) ?? [part]
  const [, first = '', rest = ''] = /^(\d+)(\p{L}[\p{L}\d]*)$/u.exec(part) ?? []
  if (first !== '') {
    // Digits that are also Arabizi letters stay with an unknown word: `3abi`, `93eer`.
    const isLetter = /^[235-9]{1,2}$/.test(first) && !isKnown(rest) && rest.length > 1
    return isLetter ? [part] : [first, ...(rest === 'x' ? [] : [rest])]
  }
  const [, letters = '', number = '', tail = ''] = /^(\p{L}+)(\d+)(\p{L}?)$/u.exec(part) ?? []
  const isSplit = letters !== '' && (number.length > 1 || isKnown(letters) || letters === 'x') && tail === ''
  return isSplit ? (letters === 'x' ? [number] : [letters, number]) : [part]
}

/** `مابي`, `ماوصل`: the negation is a word of its own. */
function splitNegation(part: string, isKnown: (word: string) => boolean): string[] {
  if (isKnown(part)) return [part]
  const [, want = ''] =
    /^ma?((?:a|n)?(?:bi|be|by|bgha|bghi|reed|red|beeh|bee|b3?aha|bghaha|beeha|biha))$/.exec(part) ?? []
  if (want !== '') return ['ma', 'abi']
  const [, rest = ''] = /^ما(\p{Script=Arabic}{2,})$/u.exec(part) ?? []
  if (rest === '') return [part]
  const known = [rest, `ا${rest}`].find(isKnown)
  return known === undefined ? [part] : ['ما', known]
}

const clitics = [/^[وف](?=.{2})/u, /^(?:[بكفل]?ال|لل|عال)(?=.{2})/u, /^[بلكعه](?=.{3})/u]
const latinClitics = [/^(?:w|b|l|f)(?:el|al|il)(?=.{3})/, /^(?:el|al|il|lil|bil|fil)(?=.{3})/, /^[wb](?=.{4})/]

/** The word, then the word without one to three clitics. */
export function formsOf(part: string): string[] {
  const forms = [part]
  if (/^\p{Script=Arabic}/u.test(part)) {
    let rest = part
    for (const clitic of clitics) {
      const next = rest.replace(clitic, '')
      if (next !== rest) forms.push(next)
      rest = next
    }
    // The preposition before the article is gone, the article may be part of the name: بالسيف → السيف.
    if (/^[بكف]ال/.test(part)) forms.splice(1, 0, part.slice(1))
  } else for (const clitic of latinClitics) if (clitic.test(part)) forms.push(part.replace(clitic, ''))
  return forms
}

const latin: readonly [RegExp, string][] = [
  [/kh|5/g, 'X'],
  [/gh|8|q|g/g, 'G'],
  [/sh/g, '$'],
  [/ch/g, 'C'],
  [/th/g, 'T'],
  [/dh/g, 'd'],
  [/ph|v/g, 'f'],
  [/6/g, 't'],
  [/7/g, 'h'],
  [/9/g, 's'],
  [/2/g, ''],
  [/c/g, 'k'],
  [/p/g, 'b'],
]
const arabic: Readonly<Record<string, string>> = {
  ...letters('ب پ', 'b'),
  ...letters('ت ط', 't'),
  ...letters('ث', 'T'),
  ...letters('ج', 'j'),
  ...letters('چ', 'C'),
  ...letters('ح ه', 'h'),
  ...letters('خ', 'X'),
  ...letters('د ذ ض ظ', 'd'),
  ...letters('ر', 'r'),
  ...letters('ز', 'z'),
  ...letters('س ص', 's'),
  ...letters('ش', '$'),
  ...letters('ع', '3'),
  ...letters('غ ق گ', 'G'),
  ...letters('ف ڤ', 'f'),
  ...letters('ك', 'k'),
  ...letters('ل', 'l'),
  ...letters('م', 'm'),
  ...letters('ن', 'n'),
}

function letters(written: string, code: string): Record<string, string> {
  return Object.fromEntries(written.split(' ').map((letter) => [letter, code]))
}

/**
 * Consonants of a folded word in one alphabet for both scripts: `muharraq` and `محرق` are `mhrG`. Long vowels, the
 * final ه and doubled letters are dropped; ط = ت, ص = س, ق = غ = g.
 */
export function skeletonOf(part: string): string {
  const isArabic = /\p{Script=Arabic}/u.test(part)
  const first = /^[wو]/.test(part) ? 'w' : /^[yي]/.test(part) ? 'y' : ''
  const coded = isArabic
    ? [...part].map((letter, i) => (letter === 'ه' && i === part.length - 1 ? '' : (arabic[letter] ?? ''))).join('')
    : latin
        .reduce((text, [pattern, code]) => text.replace(pattern, code), part.replace(/h$/, ''))
        .replace(/[aeiouyw\d](?<!3)/g, '')
  return first + coded.replace(/(.)\1+/g, '$1')
}
