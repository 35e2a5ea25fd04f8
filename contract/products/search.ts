import { fold } from '../lib/text.ts'
import { formatSize, sizeKey, volumeOf } from './sizes.ts'

type Text = string | null

interface Searched {
  name: string
  nameAr: Text
  description: Text
  descriptionAr: Text
  size: string
}

/** Folded search text of a product: names, descriptions, vendor and spellings of the size. */
export function productSearchText(
  { name, nameAr, description, descriptionAr, size }: Searched,
  vendor: { name: string; nameAr: Text } | undefined,
): string {
  const sizes = [size, formatSize(size, 'en'), formatSize(size, 'ar'), sizeWord(size)]
  return [name, nameAr, description, descriptionAr, vendor?.name, vendor?.nameAr, ...sizes]
    .map((text) => fold(text ?? ''))
    .join('\n')
}

/** Begins with a mark, so that 500 ml is not found in 1500 ml. */
const sizeWord = (size: string) => `#${sizeKey(size)}`

/**
 * Folded words of a search; all must be in the text, in any order. A number and its unit are one word, the same in all
 * spellings: "0.5 لتر" finds 500 ml.
 */
export function searchWords(typed: string): string[] {
  const words = fold(typed).split(' ').filter(Boolean)
  const found: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const pair = `${word} ${words[at + 1] ?? ''}`
    const isPair = !/\p{L}/u.test(word) && volumeOf(pair) !== null
    const size = isPair ? pair : word
    found.push(volumeOf(size) === null ? word : sizeWord(size))
    if (isPair) at += 1
  }
  return found
}

export const matchesSearch = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word))
