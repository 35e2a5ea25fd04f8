import * as z from 'zod/mini'
import { westernDigits } from './digits.ts'

const seats: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ة: 'ه',
  ؤ: 'و',
}

/** Replaces lone surrogates with U+FFFD. `String.prototype.toWellFormed` is missing in the oldest supported browsers. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Normalizes spellings for search and duplicate keys only. A bare ء is kept, so ماء ≠ ما. */
export function fold(text: string): string {
  // Decomposed, so that letters such as é and أ lose their marks.
  const decomposed = wellFormed(text).normalize('NFKD')
  const bare = decomposed.replace(/[\p{M}ـ]/gu, '').normalize('NFKC')
  const seated = bare.replace(/[أإآٱىیئةؤ]/g, (letter) => seats[letter] ?? letter)
  const visible = westernDigits(seated)
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
  // Removed marks can leave composable neighbours, so the text is composed again.
  return visible.replace(/\s+/g, ' ').trim().normalize('NFKC')
}

/** A word without the Arabic article, if two letters or more are left. */
export const withoutArticle = (word: string): string => word.replace(/^ال(?=..)/u, '')

/** Without the article of a family name, which people do not sort by: الحداد under ح. */
const sortKey = (name: string): string => fold(withoutArticle(name.trim()).replace(/^al[- ]/i, ''))

/** Compares names in the alphabet of the language, ignoring articles, marks and letter case. */
export function nameOrder(lang: 'ar' | 'en'): (a: string, b: string) => number {
  const { compare } = new Intl.Collator(lang)
  return (a, b) => compare(sortKey(a), sortKey(b)) || compare(a, b)
}

export const includesFolded = (text: string, sought: string): boolean => fold(text).includes(fold(sought))

/** In isolates, so that its direction neither changes nor follows that of the text around it. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
/** The same for codes, phones and sums, which are read from left to right in every text. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`
export const hasArabicLetters = (text: string): boolean =>
  /[\u0620-\u065f\u066e-\u06d3\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]/.test(text)

/**
 * Marks that nobody sees or types: phones wrap copied numbers in them, keyboards and programs leave them between words.
 * Not bidi overrides, which show another text than the one that is stored, and not the joiners of emoji and Persian.
 */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u206f\ufeff]/g

/** Every text that people enter passes here before it is checked and stored. */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

/** Bidi embeddings, overrides and isolates, NUL and all other control characters, lone surrogates. */
export const hasUnsafeCharacters = (text: string): boolean => /[\p{Cc}\u202a-\u202e\u2066-\u2069\p{Cs}]/u.test(text)

/** Same check for multi-line texts, where line breaks and tabs are allowed. */
const hasUnsafeInText = (text: string) => /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\p{Cs}]/u.test(text)

const letters = 'A-Za-zÀ-ÖØ-öø-ɏḀ-ỿء-ؿف-يٮٯٱ-ۓەۮۯۺ-ۼۿݐ-ݿࢠ-ࣉ'
const marks = '\\u0300-\\u036f\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed'
const nameCharacters = /* @__PURE__ */ new RegExp(`^[${letters}${marks}ـ .'-]+$`)
const anyLetter = /* @__PURE__ */ new RegExp(`[${letters}]`)
const longestName = 100

const customerCharacters = /* @__PURE__ */ new RegExp(`^[${letters}${marks}ـ0-9٠-٩۰-۹ .'\\-–—&+/,،؛:()"«»“”#!°·]+$`)
/** What a messenger makes a link of, for everybody who gets the name in a message. */
const webAddress =
  /:\/\/|www\.|[\p{L}\p{N}]\.(?:com|net|org|info|biz|io|app|dev|shop|store|online|site|xyz|link|live|top|club|ly|me|co|bh|sa|ae|kw|qa|ru|cn|tk)(?![\p{L}\p{N}])|[\p{L}\p{N}]\.[a-z]{2,10}\//iu
const phoneNumber = /\p{Nd}(?:[ .()/-]{0,2}\p{Nd}){6}/u

/**
 * The name of a customer, a person or a company, as the office, a file or the customer writes it: `7-Eleven`, `Al Jazira
 * Supermarket (Branch 2)`. Stored as a person's name.
 */
export const customerName = (min: number) => nameOf(min, isCustomerLike, 'validation.customerName')
const isCustomerLike = (text: string) =>
  customerCharacters.test(text) && anyLetter.test(text) && !webAddress.test(text) && !phoneNumber.test(text)

/**
 * A person's name in its stored form: without invisible marks, NFKC, trimmed, ’ written as '. NFKC writes ligatures and presentation forms of
 * Arabic keyboards as plain letters (ﷲ becomes الله), so one name has one spelling and every font prints it.
 */
export const personName = (min: number) => nameOf(min, isNameLike, 'validation.nameCharacters')
const isNameLike = (text: string) => nameCharacters.test(text) && anyLetter.test(text)

const nameOf = (min: number, isLike: (text: string) => boolean, problem: string) =>
  z.string('validation.name').check(
    z.overwrite((text: string) => plainName(text.trim())),
    z.maxLength(longestName, 'validation.nameTooLong'),
    z.minLength(1, 'validation.name'),
    z.refine((text) => text === '' || text.length >= min, 'validation.nameTooShort'),
    z.refine((text) => text === '' || text.length > longestName || isLike(text), problem),
  )

/** In a name, joiners and variants of a character change nothing either. */
const invisibleInName = /\u200c|\u200d|[\ufe00-\ufe0f]/g

// A text that is too long is rejected anyway, so it is not normalized.
function plainName(text: string): string {
  const visible = withoutInvisible(text).replace(invisibleInName, '')
  return visible.length > longestName
    ? visible
    : visible.normalize('NFKC').trim().replace(/ +/g, ' ').replace(/[’‘ʼ]/g, "'")
}

const cleanLines = /* @__PURE__ */ z.overwrite((text: string) => withoutInvisible(text).replace(/\r\n?/g, '\n').trim())
const safeLines = /* @__PURE__ */ z.refine<string>((text) => !hasUnsafeInText(text), 'validation.unsafeCharacters')

/** Trimmed text of one or several lines. */
// @__NO_SIDE_EFFECTS__
export const freeText = (max: number) =>
  z.string('validation.text').check(cleanLines, z.maxLength(max, 'validation.textTooLong'), safeLines)

/** Trimmed text of one line. */
// @__NO_SIDE_EFFECTS__
export const lineText = (max: number) =>
  freeText(max).check(z.refine((text) => !/[\n\t]/.test(text), 'validation.unsafeCharacters'))

/** Longest address, and longest instructions for the driver. */
export const longestAddress = 500
export const longestInstructions = 1000

export const addressText = /* @__PURE__ */ z.string('validation.address').check(
  cleanLines,
  z.minLength(10, 'validation.address'),
  z.maxLength(longestAddress, 'validation.address'),
  z.refine((text) => /[\p{L}\p{N}]/u.test(text), 'validation.address'),
  safeLines,
)

export const instructionsText = /* @__PURE__ */ freeText(longestInstructions)
