import { withoutArticle } from '@qatra/contract/lib/text'
import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import { distance, nearest } from './fuzzy.ts'
import { articles, type Named, type Names } from './names.ts'
import { skeletonOf, type Token } from './normalize.ts'
import {
  commonWords,
  fillerWords,
  type Lexeme,
  lexemesByPhrase,
  lexemesBySkeleton,
  longestPhrase,
  vocabularyWords,
  wordBySkeleton,
} from './vocabulary.ts'

export type TagType =
  | 'lexeme'
  | 'vendor'
  | 'product'
  | 'area'
  | 'landmark'
  | 'number'
  | 'size'
  | 'topic'
  | 'address'
  | 'time'
  | 'money'
  | 'phone'
  | 'filler'
  | 'separator'
  | 'question'
  | 'word'

/** A word that is not written as known: as written, and the name or word that it is read as. */
export interface Guess {
  written: string
  meant: Named | string
  /** The consonants are those of the word. */
  isOfSounds?: true
}

/** A span of tokens with its meaning. */
export interface Tag {
  type: TagType
  /** As written, folded. */
  text: string
  /** Meanings of type `lexeme`. */
  lexemes: readonly Lexeme[]
  /** Vendor, product, areas or landmark. */
  ids: readonly number[]
  number: number | null
  /** Of type `size`: in the format of `sizeKey`; of type `address`: the part and value. */
  value: string
  part: string | null
  topic: AnswerKey | null
  /** Found by its consonants or with a typing mistake: the answer asks before it acts on it. */
  guess: Guess | null
  isJoined: boolean
  isOrdinal: boolean
  /** A place name that is also an everyday word. */
  needsContext: boolean
}

export const tagOf = (type: TagType, text: string, more: Partial<Tag> = {}): Tag => ({
  type,
  text,
  lexemes: [],
  ids: [],
  number: null,
  value: '',
  part: null,
  topic: null,
  guess: null,
  isJoined: false,
  isOrdinal: false,
  needsContext: false,
  ...more,
})

export const is = (tag: Tag | undefined, ...lexemes: readonly Lexeme[]): boolean =>
  tag !== undefined && lexemes.some((lexeme) => tag.lexemes.includes(lexeme))

const marks: Readonly<Record<string, TagType>> = {
  '?': 'question',
  '؟': 'question',
  ',': 'separator',
  '،': 'separator',
  ';': 'separator',
  '\n': 'separator',
  '&': 'separator',
  '+': 'separator',
  '/': 'separator',
  '!': 'filler',
}

const hasArabic = (text: string) => /^\p{Script=Arabic}/u.test(text)

/** Tags the longest known spans first: exact, then by consonants, then with typing mistakes. */
export function tagsOf(tokens: readonly Token[], names: Names): Tag[] {
  const starts = new Map<number, { tag: Tag; length: number }>()
  const used = new Set<number>()
  const take = (at: number, length: number, tag: Tag) => {
    starts.set(at, { tag: { ...tag, isJoined: tokens[at]?.isJoined ?? false }, length })
    for (let i = at; i < at + length; i += 1) used.add(i)
  }
  const isFree = (at: number, length: number) => {
    for (let i = at; i < at + length; i += 1) if (used.has(i)) return false
    return at + length <= tokens.length
  }
  for (let length = Math.max(longestPhrase, names.mostWords + 1); length > 0; length -= 1)
    for (let at = 0; at + length <= tokens.length; at += 1) {
      if (!isFree(at, length)) continue
      const tag = exactTag(tokens.slice(at, at + length), names)
      if (tag) take(at, length, tag)
    }
  for (let length = 3; length > 0; length -= 1)
    for (let at = 0; at + length <= tokens.length; at += 1) {
      if (!isFree(at, length)) continue
      const tag = skeletonTag(tokens.slice(at, at + length), names)
      if (tag) take(at, length, tag)
    }
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const tag = isFree(at, 2) ? splitTag(tokens.slice(at, at + 2)) : null
    if (tag) take(at, 2, tag)
  }
  for (const [at, token] of tokens.entries())
    if (isFree(at, 1)) take(at, 1, correctedTag(token, names) ?? tagOf('word', token.text))
  return [...starts].sort(([a], [b]) => a - b).map(([, { tag }]) => tag)
}

const textOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(' ')

function exactTag(tokens: readonly Token[], names: Names): Tag | null {
  const [first, ...rest] = tokens
  if (!first) return null
  const text = textOf(tokens)
  if (rest.length === 0) {
    const mark = marks[first.text]
    if (mark) return tagOf(mark, text)
    if (first.number !== null || /^\d+:\d+$/.test(first.text)) return numberTag(first)
  }
  const tail = rest.map((token) => ` ${token.text}`).join('')
  for (const form of first.forms) {
    const lexemes = lexemesByPhrase.get(form + tail)
    if (lexemes) return tagOf('lexeme', text, { lexemes })
    const named = nameOf([form, ...rest.map((token) => token.text)], names)
    if (named) return namedTag(text, named, form !== first.text)
  }
  return rest.length === 0 && first.forms.some((form) => fillerWords.has(form)) ? tagOf('filler', text) : null
}

function numberTag({ text, number, isOrdinal }: Token): Tag {
  const isPhone = /^\d{7,}$/.test(text)
  if (/^\d{1,2}:\d\d$/.test(text)) return tagOf('time', text)
  return tagOf(isPhone ? 'phone' : 'number', text, { number, isOrdinal })
}

function nameOf(words: readonly string[], names: Names): Named | undefined {
  const kept = words.filter((word) => !articles.has(word))
  if (kept.length === 0 || articles.has(words[0] ?? '')) return undefined
  return names.byName.get(kept.join(' ')) ?? names.byName.get(kept.map(withoutArticle).join(' '))
}

function namedTag(text: string, named: Named, hasClitic: boolean, { isGuess = false, isOfSounds = false } = {}): Tag {
  const guess: Guess | null = isGuess
    ? { written: text, meant: named, ...(isOfSounds && { isOfSounds: true as const }) }
    : null
  switch (named.type) {
    case 'area':
      return tagOf('area', text, {
        ids: named.ids,
        guess,
        // A guess within other words is none.
        needsContext: (named.needsContext || isGuess) && !(hasClitic && /^[بل]/.test(text)),
      })
    case 'landmark':
      return tagOf('landmark', text, { ids: [named.index], guess })
    case 'size':
      return tagOf('size', text, { value: named.size, guess })
    case 'topic':
      return tagOf('topic', text, { topic: named.topic })
    default:
      return tagOf(named.type, text, { ids: [named.id], guess })
  }
}

const isCommon = (text: string) => commonWords.has(text) || fillerWords.has(text)

/** Arabizi and other spellings of the vowels. Single common words are never read this way. */
function skeletonTag(tokens: readonly Token[], names: Names): Tag | null {
  const kept = tokens.filter(({ text }) => !articles.has(text))
  if (kept.length === 0 || kept.length < tokens.length - 1 || articles.has(tokens[0]?.text ?? '')) return null
  if (kept.some(({ text, number }) => number !== null || marks[text] !== undefined)) return null
  if (kept.some(({ forms }) => forms.some(isCommon))) return null
  const text = textOf(tokens)
  const [first, ...rest] = kept
  if (!first) return null
  for (const form of first.forms) {
    const skeleton = skeletonOf(form) + rest.map((token) => skeletonOf(token.text)).join('')
    const named = names.bySkeleton.get(skeleton)
    const isShort = skeleton.length < 3
    if (named && (named.type === 'vendor' ? !isShort || (form.length > 3 && kept.length === 1) : !isShort))
      if (named.type === 'vendor' || !hasArabic(form))
        return namedTag(text, named, form !== first.text, { isGuess: true, isOfSounds: true })
    if (hasArabic(form) || isShort || kept.length > 2) continue
    const lexemes = lexemesBySkeleton.get(skeleton)
    // Words of so many meanings mean nothing.
    if (lexemes && lexemes.length < 3)
      return tagOf('lexeme', text, {
        lexemes,
        guess: { written: text, meant: wordBySkeleton.get(skeleton) ?? text, isOfSounds: true },
      })
  }
  return null
}

const SHORTEST_SPLIT = 6

/** A word of a dictation that was written as two: `غال ونين`. */
function splitTag(tokens: readonly Token[]): Tag | null {
  const whole = tokens.map(({ text }) => text).join('')
  const lexemes =
    whole.length < SHORTEST_SPLIT || tokens.some(({ number }) => number !== null) ? null : lexemesByPhrase.get(whole)
  const text = textOf(tokens)
  return lexemes ? tagOf('lexeme', text, { lexemes, guess: { written: text, meant: whole } }) : null
}

function correctedTag({ text, forms }: Token, names: Names): Tag | null {
  if (forms.some(isCommon) || /\d/.test(text)) return null
  for (const form of forms) {
    const named = new Set(nearest(form, names.closed).flatMap((name) => names.byName.get(name) ?? []))
    const keys = new Set([...named].map((one) => JSON.stringify(one)))
    const [only] = named
    if (only && keys.size === 1) return namedTag(text, only, form !== text, { isGuess: true })
  }
  for (const form of forms) {
    // Arabic words of five letters are too close to each other.
    const words =
      form.length > (hasArabic(form) ? 5 : 4)
        ? nearest(form, vocabularyWords).filter((word) => distance(form, word, 2) < (form.length < 8 ? 2 : 3))
        : []
    const lexemes = [...new Set(words.flatMap((word) => lexemesByPhrase.get(word) ?? []))]
    const [meant] = [...words].sort((a, b) => b.length - a.length)
    if (meant !== undefined && lexemes.length > 0 && lexemes.length < 3)
      return tagOf('lexeme', text, { lexemes, guess: { written: text, meant } })
  }
  return null
}
