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

/** One form for all spellings of a text, for search and duplicate keys only; a bare ء stays, so ماء ≠ ما. */
export function fold(text: string): string {
  // Decomposed, so that é and أ lose their marks like any other letter.
  const bare = text
    .normalize('NFKD')
    .replace(/[\p{M}ـ]/gu, '')
    .normalize('NFKC')
  const seated = bare.replace(/[أإآٱىیئةؤ]/g, (letter) => seats[letter] ?? letter)
  return westernDigits(seated)
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export const includesFolded = (text: string, sought: string): boolean => fold(text).includes(fold(sought))

/** Bidi embeddings, overrides and isolates, NUL and all other control characters, halves of surrogate pairs. */
export const hasUnsafeCharacters = (text: string): boolean => /[\p{Cc}\u202a-\u202e\u2066-\u2069\p{Cs}]/u.test(text)

/** The same for texts of several lines: line breaks and tabs are at home there. */
const hasUnsafeInText = (text: string) => hasUnsafeCharacters(text.replace(/[\n\t]/g, ''))

const latin = 'A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ\\u0300-\\u036f'
const arabic = 'ء-يٮ-ۓەۮۯۺ-ۼۿݐ-ݿࢠ-ࣉ\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed'
const nameCharacters = new RegExp(`^[${latin}${arabic} .'-]+$`)
const anyLetter = /[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿء-ؿف-يٮ-ۓە]/

/** A person's name, trimmed, ’ written as '. `min` counts composed characters: é is one in either form. */
export const personName = (min: number) =>
  z.string('validation.name').check(
    z.overwrite((text: string) => text.trim().replace(/[’‘ʼ]/g, "'")),
    z.maxLength(100, 'validation.nameTooLong'),
    z.refine((text) => text.length > 100 || text.normalize('NFC').length >= min, 'validation.name'),
    z.refine(
      (text) => text.length > 100 || text === '' || (nameCharacters.test(text) && anyLetter.test(text)),
      'validation.nameCharacters',
    ),
  )

const cleanLines = z.overwrite((text: string) => text.replace(/\r\n?/g, '\n').trim())
const safeLines = z.refine<string>((text) => !hasUnsafeInText(text), 'validation.unsafeCharacters')

/** What people write, over several lines if they like; trimmed. */
export const freeText = (max: number) =>
  z.string('validation.text').check(cleanLines, z.maxLength(max, 'validation.textTooLong'), safeLines)

export const addressText = z
  .string('validation.address')
  .check(cleanLines, z.minLength(10, 'validation.address'), z.maxLength(500, 'validation.address'), safeLines)

export const instructionsText = freeText(1000)
