import { type Draft, namesProduct } from './item-request.ts'
import { is, type Tag } from './tags.ts'

/** The parts of a turn in order: what is said first, then what takes its place. */
export interface Clauses {
  first: readonly Tag[]
  /** Each without the words that introduce it. */
  corrections: readonly (readonly Tag[])[]
}

/** `no`, `قصدي`, `sorry` at the beginning of a clause or after a request. */
export const isCorrection = (tags: readonly Tag[], i: number): boolean => {
  const [tag, next] = [tags[i], tags[i + 1]]
  if (is(tag, 'correction', 'mistakeOfMine')) return true
  return (
    is(tag, 'no') &&
    /^(?:no+|nope|لا|لالا|la+2?)$/.test(tag?.text ?? '') &&
    next !== undefined &&
    !is(next, 'want') &&
    // `لا تتأخرون` forbids something.
    !(next.type === 'word' && next.text.startsWith('ت'))
  )
}

const isMark = ({ type }: Tag) => type === 'separator' || type === 'filler'

/** `wait`, and `not Hayrat` at the beginning of a clause: they correct what was said before. */
function introduces(tags: readonly Tag[], i: number): boolean {
  const [before, tag] = [tags[i - 1], tags[i]]
  // `not that one, the 500`
  const next = tags.slice(i + 1).find(({ type, text }) => type !== 'filler' && text !== 'one')
  // `100 cartons, haha kidding, 2`
  if (isCorrection(tags, i) || is(tag, 'wait', 'nevermind')) return true
  const isNamed =
    next !== undefined && (['vendor', 'product', 'size', 'separator'].includes(next.type) || is(next, 'small', 'large'))
  return is(tag, 'not') && isNamed && before?.type === 'separator'
}

/** Parts between commas, lines and conjunctions. */
export function partsOf(tags: readonly Tag[]): Tag[][] {
  const parts: Tag[][] = [[]]
  for (const tag of tags) {
    if (tag.type === 'separator' || tag.isJoined) parts.push([])
    if (tag.type !== 'separator') parts.at(-1)?.push(tag)
    if (tag.type === 'question') parts.push([])
  }
  return parts
}

export function clausesOf(tags: readonly Tag[]): Clauses {
  const starts = tags.flatMap((_, i) =>
    introduces(tags, i) && tags.slice(0, i).some((tag) => !isMark(tag)) ? [i] : [],
  )
  const parts = starts.map((start, n) => tags.slice(start, starts[n + 1]))
  return {
    first: tags.slice(0, starts[0]),
    // A denial is part of what is said: `not Hayrat`.
    corrections: parts
      .map((part) =>
        part.slice(
          Math.max(
            0,
            part.findIndex((tag) => !isMark(tag) && !isIntroduction(tag)),
          ),
        ),
      )
      .filter((part) => part.some((tag) => !isMark(tag) && !isIntroduction(tag))),
  }
}

export const isIntroduction = (tag: Tag) => is(tag, 'no', 'wait', 'correction', 'mistakeOfMine', 'nevermind', 'laugh')

/** Puts what a later clause says in the place of the same details of the request that it is about. */
export function corrected(requests: readonly Draft[], later: readonly Draft[]): Draft[] {
  const fixes = later.filter(({ change }) => change !== 'refuse')
  const open = requests.filter(({ change }) => change !== 'refuse')
  // `no, I typed 4, it should be 14`: the last number counts.
  const isSaidAgain = open.length === 1 && fixes.every((one) => !namesProduct(one) && one.unit === null)
  const [fix, ...more] = isSaidAgain ? fixes.slice(-1) : fixes
  const last = (fix && open.findLast((one) => isAbout(fix, one))) ?? open.at(-1)
  if (!fix || !last) return [...requests, ...later]
  // `remove it. No, replace it with …`
  if (fix.swap !== null) return [...requests.filter((one) => one !== last || last.change !== 'remove'), ...later]
  // `2 and 3. Sorry, 3 and 2`
  if (more.length > 0 && fixes.length === open.length && fixes.every((one) => !namesProduct(one)))
    return requests.map((one) => {
      const counted = fixes[open.indexOf(one)]
      return counted ? patched(one, counted) : one
    })
  // `no, add one more` is a change of its own, `two more. No, three more` is not.
  const isSame = fix.change === last.change && !namesProduct(fix)
  if (fix.isExplicit && fix.change !== 'set' && !isSame) return [...requests, ...later]
  // `2 of the 500, no, make it 3, and one of the 330`
  const others =
    last.change === 'add' ? more.map((one) => (one.change === 'set' ? { ...one, change: last.change } : one)) : more
  return [...requests.map((one) => (one === last ? patched(last, fix) : one)), ...others]
}

const isAbout = (fix: Draft, one: Draft) =>
  (fix.unit !== null && fix.unit === one.unit) || (fix.size !== null && fix.size === one.size)

function patched(last: Draft, fix: Draft): Draft {
  const namesSize = fix.size !== null || fix.relative !== null
  const isOtherUnit = fix.unit !== null && last.unit === 'gallon' && fix.unit !== 'gallon'
  return {
    ...last,
    quantity: fix.quantity ?? last.quantity,
    vendorId: fix.vendorId ?? last.vendorId,
    productId: namesProduct(fix) ? fix.productId : last.productId,
    kinds: fix.kinds.length > 0 ? fix.kinds : last.kinds,
    size: namesSize || isOtherUnit ? fix.size : last.size,
    relative: namesSize ? fix.relative : last.relative,
    unit: fix.unit ?? last.unit,
  }
}

/** `لا خلاص` takes back; `خلاص` alone is the end of the order. */
const enough = /^(?:خلاص|khala[9s]|5ala[9s]|khl[9a]s|5la[9s])$/

/** A message that corrects the one before: `no, stay with Seef`, `oops I meant less`. */
export const opposes =
  /^\W{0,3}(?:no+|nope|not|sorry|oops|wait|actually|i mean[t]?|la+2?|mo|mu|asi?f|[3a]fwan|لا+|مو|مب|مش|[اآ]سف|غلطت|قصدي|[اأ]قصد|عفو(?:اً|\u064bا|ا))[\s,،.!]/iu

/** `لا خلاص`, after what is ordered or changed. */
export const isEnough = (text: string): boolean =>
  /^(?:لا+|la+2?)[\s,،.!]{1,3}(?:خلاص|khala[9s]|5ala[9s]|khl[9a]s|5la[9s])\W{0,3}$/iu.test(text.trim())

const backWords = [
  'no',
  'not',
  'cancel',
  'nevermind',
  'remove',
  'wait',
  'want',
  'add',
  'bring',
  'send',
  'order',
  'confirm',
  'again2',
  'only',
] as const

/** `خلهم`, `keep it`: as it is. */
const isKept = (tag: Tag) =>
  is(tag, 'keepAt') && /^(?:خل|kh?al|5al|keep|leave).*(?:ه|ها|هم|ha|h|hom|hum|it|them)$/.test(tag.text)

const hasDenied = (tags: readonly Tag[]) =>
  tags.some((tag, i) => is(tag, 'not') && is(tags[i + 1], 'want', 'add', 'bring', 'send', 'order', 'confirm'))

const isOfLast = (tag: Tag) => is(tag, 'last', 'undo', 'thanks') || tag.text === 'one'

/** `no, forget the last one`, `لا خلاص شيلهم ما ابيهم`: of what was done last, without a name. */
export function takesLastBack(tags: readonly Tag[]): boolean {
  const said = tags.filter((tag) => !isMark(tag))
  const isBack = said.every((tag) => is(tag, ...backWords, 'done', 'correction', 'mistakeOfMine') || isOfLast(tag))
  const isOut = said.some((tag) => is(tag, 'remove', 'cancel', 'nevermind', 'undo'))
  const isOfDeed = said.some((tag) => is(tag, 'last', 'undo')) || is(said[0], 'no', 'correction', 'mistakeOfMine')
  return isBack && isOfDeed && (isOut || hasDenied(said))
}

/** The last of several lines takes back what those before it order: `2 cartons`, `don't add it`. */
export function takesBack(tags: readonly Tag[]): boolean {
  const at = tags.findLastIndex(({ text }) => text === '\n')
  const last = tags.slice(at + 1).filter((tag) => !isMark(tag))
  if (at < 0 || last.length === 0) return false
  const isBack = last.every((tag) => is(tag, ...backWords, 'done', 'correction', 'laugh') || isKept(tag))
  const isDenied = hasDenied(last)
  // `remove everything`, `keep them`
  const isOut = tags.slice(0, at).some((tag) => is(tag, 'remove', 'cancel', 'less', 'empty'))
  const isSaid = last.some((tag) => is(tag, 'cancel', 'nevermind', 'remove') || (isOut && isKept(tag)))
  return (
    isBack &&
    (isSaid ||
      isDenied ||
      (last.some((tag) => is(tag, 'no')) &&
        last.every((tag) => is(tag, 'no', 'wait', 'correction') || enough.test(tag.text))))
  )
}
