import type { BottleTerms } from '../bottles.ts'
import { fold } from '../lib/text.ts'
import { formatSize, sizeKey, volumeOf } from './sizes.ts'
import { bare, spokenSizes, type TradeWord, tradeVocabulary, tradeWordOf } from './trade-words.ts'

type Text = string | null

interface Searched {
  name: string
  nameAr: Text
  description: Text
  descriptionAr: Text
  size: string
  inventoryUnit: Text
  inventoryUnitAr: Text
  unitsPerInventoryUnit: number
  bottle?: { terms: BottleTerms } | null
}

/** Millilitres. The gallon of the dispensers is sold as 5 gallons, 18.9, 19 or 20 litres. */
const gallonFrom = 18_000
const gallonTo = 20_000

/**
 * Folded search text of a product. The first line has the names, whose words a typing error can mean; then come
 * descriptions, spellings of the size, the unit, and a mark for each meaning of the trade (`#carton`).
 */
export function productSearchText(product: Searched, vendor: { name: string; nameAr: Text } | undefined): string {
  const { name, nameAr, description, descriptionAr, size, inventoryUnit, inventoryUnitAr } = product
  const names = fold([name, nameAr, vendor?.name, vendor?.nameAr].filter(Boolean).join(' '))
  const unit = fold([inventoryUnit, inventoryUnitAr, String(product.unitsPerInventoryUnit)].filter(Boolean).join(' '))
  const sizes = [size, formatSize(size, 'en'), formatSize(size, 'ar')].map(fold)
  const withBottle = product.bottle?.terms === 'sold' ? 'with a new bottle مع قارورة جديدة' : ''
  const rest = [description, descriptionAr, withBottle].map((text) => fold(text ?? ''))
  const meanings = new Set(meaningsOf(product, `${names} ${unit}`))
  return [names, ...rest, ...sizes, unit, sizeWord(size), ...[...meanings].map(mark)].join('\n')
}

const mark = (meaning: TradeWord) => `#${meaning}`

/** What the product is, by its size and count, and what its names and unit call it. */
function meaningsOf({ size, unitsPerInventoryUnit, bottle }: Searched, called: string): TradeWord[] {
  const volume = volumeOf(size)
  const found = called.split(' ').flatMap((word) => tradeWordOf(word) ?? [])
  if (volume !== null) found.push('water', volume < gallonFrom ? 'bottle' : 'gallon')
  if (unitsPerInventoryUnit > 1) found.push('carton')
  if (bottle?.terms === 'exchange') found.push('exchange')
  return found
}

/** Begins with a mark, so that 500 ml is not found in 1500 ml. */
function sizeWord(size: string): string {
  const volume = volumeOf(size)
  return volume !== null && volume >= gallonFrom && volume <= gallonTo ? '#dispenser' : `#${sizeKey(size)}`
}

/** One typed word: the texts of which one must be in the search text. */
type Word = readonly string[]

/**
 * Words of a search; all must be found, in any order. A number and its unit are one word, the same in all spellings:
 * "0.5 لتر" and "نص لتر" find 500 ml.
 */
export function searchWords(typed: string): Word[] {
  const words = fold(typed).split(' ').filter(Boolean)
  const found: Word[] = []
  for (let at = 0; at < words.length; ) {
    const spoken = [3, 2].find((count) => spokenSizes.has(words.slice(at, at + count).join(' ')))
    const word = words[at] ?? ''
    const pair = `${word} ${words[at + 1] ?? ''}`
    const isPair = !/\p{L}/u.test(word) && volumeOf(pair) !== null
    const size = spoken ? (spokenSizes.get(words.slice(at, at + spoken).join(' ')) ?? '') : isPair ? pair : word
    found.push(volumeOf(size) === null ? alternativesOf(word) : [sizeWord(size)])
    at += spoken ?? (isPair ? 2 : 1)
  }
  return found
}

/** The word itself, without its article, and what it means in the trade. */
function alternativesOf(word: string): Word {
  const meaning = tradeWordOf(word)
  return [...new Set([word, bare(word), ...(meaning ? [mark(meaning)] : [])])]
}

const matches = (text: string, words: readonly Word[]) =>
  words.every((alternatives) => alternatives.some((one) => hasWord(text, one)))

/** A number begins where no other one goes on: 500 is not in 1500. */
function hasWord(text: string, word: string): boolean {
  if (!/^\d/.test(word)) return text.includes(word)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\d.]/.test(text[at - 1] ?? '')) return true
  return false
}

export interface Search {
  isFound(text: string): boolean
  /** False if nothing matches what was typed, and words with one wrong letter are read as the nearest ones. */
  isExact: boolean
}

/**
 * The search for what was typed. Only where nothing matches are words that occur nowhere read as a name of the catalogue
 * or a word of the trade that differs in one letter, or in Latin letters sounds the same.
 * @param texts search texts of all products that can be found
 */
export function searchFor(typed: string, texts: readonly string[]): Search {
  const words = searchWords(typed)
  const exact: Search = { isFound: (text) => matches(text, words), isExact: true }
  if (words.length === 0 || texts.some(exact.isFound)) return exact
  const vocabulary = new Set(tradeVocabulary)
  for (const text of texts)
    for (const name of text.slice(0, text.indexOf('\n')).split(' ')) vocabulary.add(name).add(bare(name))
  const meant: Word[] = []
  for (const word of words) {
    const isKnown = texts.some((text) => matches(text, [word]))
    const near = isKnown ? word : [...vocabulary].filter((known) => isSlip(word, known)).flatMap(alternativesOf)
    if (near.length === 0) return exact
    meant.push(near)
  }
  return { isFound: (text) => matches(text, meant), isExact: false }
}

/** Shorter words differ from too many others in one letter. */
const SHORTEST = 4
/** Letters that are taken for each other in short words too, by sound and by keyboard. */
const alike = ['ضظ', 'سصث', 'تط', 'ذزد', 'قغكج', 'حهخ', 'اع', 'جش', 'ck', 'sz', 'iye', 'ou', 'bp', 'vf']

const isSlip = (word: Word, known: string) =>
  word.some((typed) => !/[\d#]/.test(typed) && (isOneLetterOff(typed, known) || soundsAlike(typed, known)))

/** Arabic in Latin letters has no fixed vowels: "hirat" is Hayrat, "gamra" is Qamra. */
const soundsAlike = (a: string, b: string) => a.length >= SHORTEST && soundOf(a) !== null && soundOf(a) === soundOf(b)

/** The consonants of a Latin word, with g, q and k as one; null with fewer than two. */
function soundOf(word: string): string | null {
  if (!/^[a-z]+$/.test(word)) return null
  const sound = word
    .replace(/([dtsgk])h/g, '$1')
    .replace(/[gq]/g, 'k')
    .replace(/[aeiouwy]/g, '')
    .replace(/(.)\1+/g, '$1')
  return sound.length < 2 ? null : sound
}

/** One letter more, fewer or other, or two that changed places. ء is no slip: ماء is not ما. */
export function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1]
  const [partA, partB] = [a.slice(start, endA), b.slice(start, endB)]
  if (`${partA}${partB}`.includes('ء')) return false
  if (Math.min(a.length, b.length) < SHORTEST)
    return a.length === 3 && partA.length === 1 && alike.some((some) => some.includes(partA) && some.includes(partB))
  const isSwap = partA.length === 2 && partB.length === 2 && partA[0] === partB[1] && partA[1] === partB[0]
  return isSwap || (partA.length <= 1 && partB.length <= 1)
}
