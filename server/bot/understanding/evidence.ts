import type { State } from '../dialogue/memory.ts'
import { denies } from './changes.ts'
import type { ItemRequest } from './item-request.ts'
import { is, type Tag } from './tags.ts'
import type { Lexeme } from './vocabulary.ts'

/** What the intent rules look at. */
export interface Evidence {
  state: State
  tags: readonly Tag[]
  requests: readonly ItemRequest[]
  /** All of these lexemes occur without negation. */
  has: (...lexemes: readonly Lexeme[]) => boolean
  any: (...lexemes: readonly Lexeme[]) => boolean
  /** Directly after a negation: `ما وصل`, `don't cancel`, `لا ترسلون`. */
  denied: (...lexemes: readonly Lexeme[]) => boolean
  /** Nothing but these lexemes and words without meaning. */
  only: (...lexemes: readonly Lexeme[]) => boolean
  isQuestion: boolean
  hasArea: boolean
  hasDay: boolean
  /** Words without any known meaning. */
  unknown: number
  hasCart: boolean
}

const weekdays = ['d:0', 'd:1', 'd:2', 'd:3', 'd:4', 'd:5', 'd:6'] as const satisfies readonly Lexeme[]
export const dayLexemes = ['afterTomorrow', 'tomorrow', 'today', ...weekdays] as const satisfies readonly Lexeme[]

export function evidenceOf(
  tags: readonly Tag[],
  requests: readonly ItemRequest[],
  { state, hasCart }: { state: State; hasCart: boolean },
): Evidence {
  const deniedTags = new Set(tags.flatMap((_, i) => deniedBy(tags, i)))
  const asserted = new Set<Lexeme>()
  const negated = new Set<Lexeme>()
  for (const tag of tags) for (const lexeme of tag.lexemes) (deniedTags.has(tag) ? negated : asserted).add(lexeme)
  const any = (...lexemes: readonly Lexeme[]) => lexemes.some((lexeme) => asserted.has(lexeme))
  const asks = tags.some((tag) => tag.type === 'question')
  return {
    state,
    hasCart,
    tags,
    requests,
    any,
    has: (...lexemes) => lexemes.every((lexeme) => asserted.has(lexeme)),
    denied: (...lexemes) => lexemes.some((lexeme) => negated.has(lexeme)),
    only: (...lexemes) =>
      asserted.size + negated.size > 0 &&
      tags.every((tag) => ['filler', 'separator', 'question'].includes(tag.type) || is(tag, ...lexemes)),
    isQuestion: asks || any('whether', 'have', 'howMuch', 'howMany', 'what', 'why', 'who', 'how', 'when', 'where'),
    hasArea: tags.some(({ type }) => type === 'area' || type === 'landmark'),
    hasDay: any(...dayLexemes),
    unknown: tags.filter(({ type }) => type === 'word').length,
  }
}

/** The tag that a negation at this place belongs to. */
function deniedBy(tags: readonly Tag[], i: number): Tag[] {
  const tag = tags[i]
  const next = tags[i + 1]?.type === 'filler' ? tags[i + 2] : tags[i + 1]
  if (!tag || !next) return []
  // `قبل لا توصل` means before.
  if (/(?:^|\s)(?:قبل|gabil|gabel)$/.test(tags[i - 1]?.text ?? '')) return []
  if (is(tag, 'not')) return [next]
  return denies(tag, next) ? [next] : []
}

export const politeness = [
  'thanks',
  'greeting',
  'confirm',
  'yes',
  'done',
  'order',
  'myOrder',
  'want',
  'only',
  'congratulation',
  'praise',
  'all',
  'bring',
  'send',
] as const

/** `yes. wait no`: of yes and no the last counts. */
export const isTakenBack = (e: Evidence) =>
  e.any('yes', 'confirm', 'wait', 'correction') &&
  !e.any('done') &&
  is(
    e.tags.findLast((tag) => is(tag, 'yes', 'confirm', 'no')),
    'no',
  ) &&
  e.only(...politeness, 'no', 'nevermind', 'wait', 'not', 'correction', 'stop', 'mistakeOfMine')
