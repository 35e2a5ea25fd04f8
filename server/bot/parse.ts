import type { Lang } from '@qatra/contract/lang'
import { sizeKey } from '@qatra/contract/sizes'
import { fold } from '@qatra/contract/text'
import { type Token, tokensOf } from './numbers.ts'
import {
  aloneByPhrase,
  andAHalf,
  arabizi,
  type CustomerAction,
  deniers,
  english,
  fillers,
  gallons,
  halfWords,
  litres,
  millilitres,
  neutral,
  packs,
  pairsOfGallons,
  pairsOfPacks,
  wanting,
  withinPhrases,
  wordsIn,
} from './vocabulary.ts'

export interface ParsedText {
  /** As written, trimmed. */
  text: string
  /** Folded, with numbers as written. */
  words: readonly string[]
  action: CustomerAction | null
  /** Whether the message contains only the action. */
  isAlone: boolean
  /** A whole number: a quantity, or the row of a list. */
  quantity: number | null
  /** The quantity counts packs: `2 cartons`, `كرتونين`. */
  isOfPacks: boolean
  /** In the format of `sizeKey`. */
  size: string | null
  /** `arabizi`: Arabic in Latin letters. Null if ambiguous. */
  writing: 'ar' | 'en' | 'arabizi' | null
  /** Two or more words indicate the language. */
  isClear: boolean
  /** Only Latin letters, and more than neutral words. */
  isLatin: boolean
}

/** Longer than any order; the rest is ignored. */
const MAX_LENGTH = 600

/** Parses a text without the catalogue. Pure. */
export function parseText(written: string): ParsedText {
  const text = written.trim()
  const folded = fold(text.slice(0, MAX_LENGTH)).replace(/(\p{L})\1{2,}/gu, '$1')
  const parts = wordsIn(folded).flatMap(splitUnit)
  const words = lastRequest(parts.length > 1 ? parts.filter((word) => word !== '?' && word !== '؟') : parts)
  const { action, isAlone } = actionOf(words)
  const tokens = tokensOf(words)
  const { size, rest } = sizeIn(tokens)
  const { quantity, isOfPacks } = quantityIn(rest)
  const isLatin =
    !/\p{Script=Arabic}/u.test(folded) && words.some((word) => /^\p{Script=Latin}{2}/u.test(word) && !neutral.has(word))
  return { text, words, action, isAlone, quantity, isOfPacks, size, ...writingOf(folded, words), isLatin }
}

const units = (word: string) =>
  packs.has(word) || gallons.has(word) || litres.has(word) || millilitres.has(word) || word === 'x'

/** `2cartons`, `500ml`, `x2`: splits a number from its unit. `3abi` is not split. */
function splitUnit(word: string): string[] {
  const [, number = '', unit = ''] = /^(\d+(?:[.,٫]\d+)?)(\p{L}+)$/u.exec(word) ?? []
  if (unit !== '' && units(unit)) return [number, unit]
  const [, times] = /^x(\d+)$/.exec(word) ?? []
  return times === undefined ? [word] : ['x', times]
}

function actionOf(words: readonly string[]): { action: CustomerAction | null; isAlone: boolean } {
  const all = words.join(' ')
  const bare = words.filter((word) => !fillers.has(word)).join(' ')
  const action = aloneByPhrase.get(all) ?? aloneByPhrase.get(bare)
  if (action) return { action, isAlone: true }
  const padded = ` ${all} `
  const held = withinPhrases.filter(({ phrase }) => padded.includes(` ${phrase} `))
  // A request wins over a greeting.
  const found = held.find((one) => one.action !== 'greeting') ?? held[0]
  if (!found) return { action: forbidden(words), isAlone: false }
  return {
    action: isDenied(padded, found.phrase) ? (negated.get(found.action) ?? found.action) : found.action,
    isAlone: false,
  }
}

/** `don't cancel my order`, `ما اطلب نفس الطلب`: what a negated action becomes. */
const negated: ReadonlyMap<CustomerAction, CustomerAction> = new Map([
  ...(['order', 'again', 'checkout'] as const).map((action) => [action, 'refuse'] as const),
  ...(['cancelOrder', 'clear', 'remove', 'more'] as const).map((action) => [action, 'no'] as const),
])

function isDenied(padded: string, phrase: string): boolean {
  const before = padded.slice(0, padded.indexOf(` ${phrase} `)).split(' ')
  return deniers.has(before.at(-1) ?? '')
}

/** `لا تكنسل`, `لا تطلبون`: the Arabic prohibitive form. */
function forbidden(words: readonly string[]): CustomerAction | null {
  const after = words.filter((_, i) => words[i - 1] === 'لا')
  if (after.some((word) => /^ت(?:كنسل|لغ[يوى]|شيل|حذف|مسح)/u.test(word))) return 'no'
  return after.some((word) => /^ت(?:طلب|اكد|كمل|ضيف|جيب|رسل|طرش)/u.test(word)) ? 'refuse' : null
}

/** `I don't want Hayrat, I want Ghaima`: only the last request counts. */
function lastRequest(words: readonly string[]): readonly string[] {
  const isNot = (i: number) => deniers.has(words[i - 1] ?? '') || (words[i - 1] === 'لا' && words[i] === 'اريد')
  const last = words.findLastIndex((word) => wanting.has(word))
  const first = words.findIndex((word) => wanting.has(word))
  return last > first && isNot(first) && !isNot(last) ? words.slice(last) : words
}

interface Sized {
  size: string | null
  /** Remaining tokens, for the quantity. */
  rest: readonly Token[]
}

const isOne = (set: ReadonlySet<string>, token: Token | undefined) => token !== undefined && set.has(token.text)

/**
 * Volume of a bottle: `500 ml`, `نص لتر`, `لتر ونص`, `1.5`, `330`. A number before gallons is a quantity, except `5
 * gallon`.
 */
function sizeIn(tokens: readonly Token[]): Sized {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    const without = (count: number): readonly Token[] => [...tokens.slice(0, i), ...tokens.slice(i + count)]
    if (halfWords.has(token.text)) {
      const skips = next?.text === 'a' ? 1 : 0
      if (isOne(litres, tokens[i + 1 + skips])) return { size: sizeKey('0.5 l'), rest: without(2 + skips) }
    }
    const half = litres.has(token.text) ? tokensToHalf(tokens, i) : 0
    if (half > 0) return { size: sizeKey('1.5 l'), rest: without(1 + half) }
    const number = token.number
    if (number !== null && (isOne(litres, next) || isOne(millilitres, next)))
      return { size: sizeKey(`${number} ${isOne(litres, next) ? 'l' : 'ml'}`), rest: without(2) }
    if (number === 5 && next?.text === 'gallon') return { size: sizeKey('5 gallon'), rest: without(2) }
    if (pairsOfGallons.has(token.text))
      return {
        size: sizeKey('5 gallon'),
        rest: [
          { text: 'x', number: null },
          { text: '2', number: 2 },
        ],
      }
    if (gallons.has(token.text)) return { size: sizeKey('5 gallon'), rest: gallonsCounted(tokens, i) }
  }
  const bare = tokens.findIndex(
    ({ number }, i) => number !== null && isBareSize(number) && !isOne(packs, tokens[i + 1]),
  )
  const found = tokens[bare]
  if (!found || found.number === null) return { size: null, rest: tokens }
  const unit = Number.isInteger(found.number) ? 'ml' : 'l'
  return { size: sizeKey(`${found.number} ${unit}`), rest: tokens.filter((_, i) => i !== bare) }
}

/** `لتر ونص`, `لتر و نص`, `a litre and a half`: number of tokens of the half. */
function tokensToHalf(tokens: readonly Token[], i: number): number {
  const after = tokens.slice(i + 1, i + 4).map(({ text }) => text)
  if (andAHalf.has(after[0] ?? '')) return 1
  return ['و', 'and', 'w'].includes(after[0] ?? '') ? after.findIndex((word) => halfWords.has(word)) + 1 : 0
}

/** A number before gallons is a quantity, as for packs. */
function gallonsCounted(tokens: readonly Token[], i: number): readonly Token[] {
  const before = tokens[i - 1]
  if (before?.number === null || before === undefined) return tokens.filter((_, at) => at !== i)
  return [{ text: 'x', number: null }, before]
}

/** A fraction, or a number too large for a quantity, is a size. */
const isBareSize = (number: number) =>
  (!Number.isInteger(number) && number > 0 && number <= 20) || (number > 100 && number <= 2_000 && number % 10 === 0)

function quantityIn(tokens: readonly Token[]): Pick<ParsedText, 'quantity' | 'isOfPacks'> {
  for (const [i, token] of tokens.entries()) {
    if (hasHalf(tokens, i)) return { quantity: 0.5, isOfPacks: true }
    if (pairsOfPacks.has(token.text)) return { quantity: 2, isOfPacks: true }
    const times = token.text === 'x' ? (tokens[i + 1]?.number ?? tokens[i - 1]?.number ?? null) : null
    if (times !== null) return { quantity: times, isOfPacks: true }
    if (!packs.has(token.text)) continue
    const before = between.has(tokens[i - 1]?.text ?? '') ? tokens[i - 2] : tokens[i - 1]
    const after = tokens[i + 1]
    const number = before?.number ?? (packs.has(tokens[i + 2]?.text ?? '') ? null : wholeOf(after))
    return { quantity: number ?? 1, isOfPacks: number !== null || isIndefinite(token.text, before) }
  }
  const numbers = tokens.filter(({ number }) => number !== null)
  const [only] = numbers
  return { quantity: numbers.length === 1 && only ? only.number : null, isOfPacks: false }
}

/** `كرتون ونص`, `نص كرتون`, `two and a half cartons`: packs are never split. */
function hasHalf(tokens: readonly Token[], i: number): boolean {
  const text = (at: number) => tokens[at]?.text ?? ''
  if (!packs.has(text(i)) && !pairsOfPacks.has(text(i))) return false
  if (andAHalf.has(text(i + 1)) || halfWords.has(text(i - 1))) return true
  if (text(i - 1) === 'a' && halfWords.has(text(i - 2))) return true
  return ['و', 'and', 'w'].includes(text(i + 1)) && (halfWords.has(text(i + 2)) || halfWords.has(text(i + 3)))
}

/** `كرتون واحد`, `كرتون 2` */
const wholeOf = (after: Token | undefined) =>
  after && after.number !== null && Number.isInteger(after.number) ? after.number : null

/** `two more cartons`, `a couple of cartons` */
const between = new Set(['of', 'more', 'extra', 'other', 'كمان', 'زياده', 'بعد', 'اضافيه'])

/** `a carton`, `كرتون` */
const isIndefinite = (pack: string, before: Token | undefined) =>
  before?.text === 'a' ||
  before?.text === 'one' ||
  /^(?:كرتون|كارتون|كرتونه|صندوق|حزمه|شده|carton|cartoon|kartoon|karton)$/.test(pack)

function writingOf(folded: string, words: readonly string[]): Pick<ParsedText, 'writing' | 'isClear'> {
  const arabicLetters = folded.match(/\p{Script=Arabic}/gu)?.length ?? 0
  const latinLetters = folded.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (arabicLetters > 0 && arabicLetters >= latinLetters) return { writing: 'ar', isClear: true }
  if (latinLetters === 0) return { writing: null, isClear: false }
  const inLatin = words.filter((word) => arabizi.has(word) || /^\p{L}+[235679]\p{L}*$|^[2379]\p{L}{2,}$/u.test(word))
  const inEnglish = words.filter((word) => english.has(word) && !arabizi.has(word))
  if (inLatin.length > inEnglish.length || (inLatin.length > 0 && inLatin.length === inEnglish.length))
    return { writing: 'arabizi', isClear: true }
  if (inEnglish.length > 0) return { writing: 'en', isClear: inEnglish.length > 1 }
  return { writing: null, isClear: false }
}

/** Language of the reply. A single Latin word does not change an Arabic conversation. */
export function languageOf(input: ParsedText, before: Lang, isFresh: boolean): Lang {
  if (input.writing === 'ar' || input.writing === 'arabizi') return 'ar'
  if (input.writing === 'en' && (isFresh || input.isClear)) return 'en'
  if (input.writing === null && isFresh && input.isLatin) return 'en'
  return before
}
