import { fold } from '@qatra/contract/lib/text'
import { type ClosedList, closedList } from './fuzzy.ts'
import { skeletonOf } from './normalize.ts'
import { actions } from './vocabulary.actions.ts'
import { common, fillers, harmless, past, relatives, hedging } from './vocabulary.common.ts'
import { things } from './vocabulary.things.ts'
import { topics } from './vocabulary.topics.ts'

const all = { ...things, ...actions, ...topics }
/** The meaning of a word or phrase; `k:` kinds of water, `d:` weekdays. */
export type Lexeme = keyof typeof all

/** Names of lexemes, separated by white space. */
export const lexemesIn = (names: string): readonly Lexeme[] =>
  names.split(/\s+/).map((name) => {
    if (!Object.hasOwn(all, name)) throw new Error(`No lexeme is called ${name}`)
    return name as Lexeme // a key of the table above
  })

const setOf = (words: string) => new Set(words.split(/\s+/).map(fold))
export const fillerWords: ReadonlySet<string> = setOf(fillers)
export const commonWords: ReadonlySet<string> = setOf(common)
export const harmlessWords: ReadonlySet<string> = setOf(`${harmless} ${relatives}`)
export const relativeWords: ReadonlySet<string> = setOf(relatives)
export const pastWords: ReadonlySet<string> = setOf(past)
export const hedgingWords: ReadonlySet<string> = setOf(hedging)

const prefixes = ['', 'ا', 'ت', 'ي', 'ن', 'ب', 'با', 'بت', 'بي', 'بن']
const suffixes =
  'ه ها هم وا و ون ين ي ت نا ني لي لنا وه وها وهم ونه ونها وني ونا وا_لي ولي ولنا تو توا يه يها هالي ته تها'.split(' ')

/** Forms of an Arabic verb root: `√طلب` → `اطلب`, `تطلبون`, `طلبته`. */
function inflected(phrase: string): string[] {
  if (!phrase.startsWith('√')) return [phrase]
  const root = phrase.slice(1)
  return prefixes.flatMap((prefix) => ['', ...suffixes].map((suffix) => `${prefix}${root}${suffix.replace('_', ' ')}`))
}

const split = (phrase: string) =>
  fold(phrase)
    .replace(/['’`.]/g, '')
    .split(' ')

interface Entry {
  words: readonly string[]
  lexeme: Lexeme
  /** Forms of a verb are too close to each other to be corrected to. */
  isInflected: boolean
}

const entries: readonly Entry[] = Object.entries(all).flatMap(([lexeme, list]) =>
  list.split(',').flatMap((written) => {
    const phrase = written.trim()
    if (phrase === '') return []
    const isInflected = phrase.startsWith('√')
    // A key of the table above.
    return inflected(phrase).map((form) => ({ words: split(form), lexeme: lexeme as Lexeme, isInflected }))
  }),
)

/** Lexemes by phrase, its folded words separated by single spaces. */
export const lexemesByPhrase: ReadonlyMap<string, readonly Lexeme[]> = grouped(
  entries.map(({ words, lexeme }) => [words.join(' '), lexeme]),
)
export const longestPhrase = Math.max(...entries.map(({ words }) => words.length))

/** Skeletons with fewer consonants fit too many words. */
const FEWEST_CONSONANTS = 3

/** Arabic words and two-word phrases by their consonants, for Arabizi. */
const skeletons = entries
  .filter(({ words }) => words.length <= 2 && words.every((word) => /^\p{Script=Arabic}+$/u.test(word)))
  .flatMap(({ words, lexeme }) => {
    const skeleton = words.map(skeletonOf).join('')
    const bare = skeleton.replaceAll('3', '')
    return [...new Set([skeleton, bare])]
      .filter((one) => one.length >= FEWEST_CONSONANTS)
      .map((one) => ({ skeleton: one, lexeme, word: words.join(' ') }))
  })
export const lexemesBySkeleton: ReadonlyMap<string, readonly Lexeme[]> = grouped(
  skeletons.map(({ skeleton, lexeme }) => [skeleton, lexeme]),
)
/** The first word of such consonants, to ask about. */
export const wordBySkeleton: ReadonlyMap<string, string> = new Map(
  skeletons.toReversed().map(({ skeleton, word }) => [skeleton, word]),
)

/** Single words that a typing mistake is corrected to, by first letter. */
export const vocabularyWords: ClosedList = closedList(
  new Set(
    entries.flatMap(({ words: [only = '', ...more], isInflected }) =>
      more.length === 0 && only.length > 4 && !isInflected ? [only] : [],
    ),
  ),
)

function grouped(pairs: readonly (readonly [string, Lexeme])[]): Map<string, Lexeme[]> {
  const groups = new Map<string, Lexeme[]>()
  for (const [key, lexeme] of pairs) {
    const group = groups.get(key)
    if (!group) groups.set(key, [lexeme])
    else if (!group.includes(lexeme)) group.push(lexeme)
  }
  return groups
}
