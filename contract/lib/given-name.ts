import { fold } from './text.ts'

/** Folded words that are half a name: the word after them belongs to it (عبد الله, Abu Bakr). */
const beginnings = new Set(
  fold(
    'عبد عبيد أبو بو أم بن ابن بنت آل السيد سيد الشيخ شيخ الحاج حاج abd abdul abdel abdal abdool abu abo bu um umm bin ibn bint al el sayed sayyid syed sheikh shaikh haji mohd',
  ).split(' '),
)
/** Folded words that end the name before them (نور الدين, Noor Al Deen, Habib Ullah). */
const ends = new Set(fold('الله الدين الإسلام allah ullah ud uddin eddin aldeen aldin').split(' '))

/** The given name of a person, with both halves of a compound one; the whole text where there is one name only. */
export function givenName(name: string): string {
  const words = name.trim().split(/\s+/)
  const bare = words.map((word) => fold(word).replace(/\.$/, ''))
  let end = 1
  while (end < words.length && (beginnings.has(bare[end - 1] ?? '') || ends.has(bare[end] ?? ''))) end += 1
  return words.slice(0, end).join(' ')
}
