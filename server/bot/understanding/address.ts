import { type PartName, partNames } from '@qatra/contract/users/address-parts'
import type { AddressParts } from '@qatra/contract/users/auth'
import { isCorrection } from './clauses.ts'
import { is, type Tag } from './tags.ts'
import type { Lexeme } from './vocabulary.ts'

export interface AddressSlot {
  parts: AddressParts
  /** As written; what a later part corrects has its place. */
  text: string
  /** Parts with a name instead of a number: `Exhibition avenue`, `عمارة السلام`. */
  named: readonly PartName[]
  /** `no, 2843`: a number in the place of one that was written before, which is said or looks like it. */
  fix: { value: string; instead: string | null } | null
  /** Nothing but parts of an address, and words that correct one. */
  isAlone: boolean
}

const ofFix = [
  ...['no', 'not', 'wait', 'correction', 'mistakeOfMine', 'wrong', 'change', 'keepAt', 'swap', 'only'],
  ...['placeWord', 'numberWord', 'fromPlace', 'block', 'road', 'building', 'flat', 'floor'],
] as const satisfies readonly Lexeme[]

const isOfFix = (tag: Tag) =>
  ['filler', 'separator', 'address', 'number', 'size', 'area'].includes(tag.type) || is(tag, ...ofFix)

/** Houses that are known by their name. */
const house =
  /^(?:ال)?(?:جامع|مسجد|ماتم|مدرسه|روضه|حضانه|عياده|مستشفي|مركز|صيدليه|مطعم|كافيه|فندق|نادي|كراج|سوبرماركت|بقاله)$|^(?:mosque|masjid|school|nursery|clinic|hospital|pharmacy|restaurant|cafe|hotel|club|garage|supermarket|compound)$/

/** A number that is no part of the address. */
const isLoose = ({ type, text }: Tag) => (type === 'number' || type === 'size') && /^\d{1,5}$/.test(text)

/** Block, road, building and flat as the checkout's fields, and what corrects them; null without any. */
export function addressIn(tags: readonly Tag[], text: string): AddressSlot | null {
  const corrected = tags.findLastIndex((_, i) => isCorrection(tags, i))
  const isDeniedAt = (i: number) => is(tags[i - 1], 'not')
  const first: AddressParts = {}
  const parts: AddressParts = {}
  for (const name of partNames) {
    const all = tags.filter(
      ({ type, part, value }, i) => type === 'address' && part === name && value !== '' && !isDeniedAt(i),
    )
    const found = all.find((tag) => tags.indexOf(tag) > corrected) ?? all[0]
    if (all[0]) first[name] = all[0].value
    if (found) parts[name] = found.value
  }
  const isHouse = tags.some(({ type, text: word }) => type === 'landmark' || house.test(word))
  const isNamed = (...lexemes: readonly Lexeme[]) => tags.some((tag) => tag.type === 'lexeme' && is(tag, ...lexemes))
  const named: PartName[] = [
    ...(parts.road === undefined && isNamed('road') ? (['road'] as const) : []),
    ...(parts.building === undefined && (isHouse || isNamed('building', 'officeWord', 'company'))
      ? (['building'] as const)
      : []),
  ]
  const loose = tags.flatMap((tag, i) => (isLoose(tag) ? [{ value: tag.text, isDenied: isDeniedAt(i), i }] : []))
  const denied =
    loose.find(({ isDenied }) => isDenied)?.value ??
    tags.find(({ type }, i) => type === 'address' && isDeniedAt(i))?.value ??
    null
  const [meant, ...others] = loose.filter(({ isDenied, i }) => !isDenied && (denied !== null || i > corrected))
  const isFix = meant !== undefined && others.length === 0 && (denied !== null || corrected >= 0)
  const fix = isFix ? { value: meant.value, instead: denied } : null
  if (Object.keys(parts).length === 0 && named.length === 0 && fix === null) return null
  const isAlone = tags.every(isOfFix)
  const line = (some: string) => some.replace(deniedNumber, '').replace(/\s+/g, ' ').trim()
  const slot = { parts, text: line(text), named, fix, isAlone }
  const found = corrected > 0 && Object.keys(first).length > 0 ? correctionWord.exec(text) : null
  if (!found || !tags.slice(corrected + 1).every(isOfFix)) return slot
  const isMore = partNames.some((name) => parts[name] !== undefined && first[name] === undefined)
  const head = text.slice(0, found.index).replace(/[\s,،.…؛;-]{1,5}$/u, '')
  const written = isMore ? `${head}, ${text.slice(found.index + found[0].length)}` : head
  const start = { ...slot, parts: first, text: line(written) }
  return { ...withParts(start, { ...parts, ...fixed(first, fix) }), fix: null }
}

const deniedNumber = /[\s,،]{1,3}(?:not|mo|mu|mub|مو|مب|مش)\s{1,3}\d{1,5}(?!\d)/giu
const correctionWord =
  /(?<=\d\p{L}?[\s,،.…؛;-]{1,5})(?:no+|nope|sorry|wait|i mean|i meant|actually|oops|لا|لأ|قصدي|[اأ]قصد|عفو(?:اً|\u064bا|ا)|[اآ]سف|la2?|laa|[g8q]a[9s]di)[\s,،:.…]/iu

/** The part that a corrected number is of: the one that is denied, else the only one with as many digits. */
export function fixed(parts: AddressParts, fix: AddressSlot['fix']): AddressParts {
  if (fix === null) return {}
  const known = partNames.filter((name) => parts[name] !== undefined)
  const denied = known.filter((name) => parts[name] === fix.instead)
  const alike = known.filter((name) => parts[name]?.length === fix.value.length)
  const [name, ...others] = fix.instead === null ? alike : denied
  return name !== undefined && others.length === 0 ? { [name]: fix.value } : {}
}

const ARABIC_ZERO = 0x0660

/** An address with other parts in the place of those that were written. */
export function withParts<A extends Pick<AddressSlot, 'parts' | 'text'>>(address: A, said: AddressParts): A {
  let { text } = address
  for (const name of partNames) {
    const [old, value] = [address.parts[name], said[name]]
    if (old === undefined || value === undefined || old === value) continue
    const written = old.replace(/\d/g, (digit) => `[${digit}${String.fromCodePoint(ARABIC_ZERO + Number(digit))}]`)
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, 'iu'), value)
  }
  return { ...address, text, parts: { ...address.parts, ...said } }
}
