import type { State } from '../dialogue/memory.ts'
import { type IntentName, intentsOfCost, thresholds } from '../intent-table.ts'
import type { ItemRequest } from './item-request.ts'
import type { Day, PlaceSlot } from './slots.ts'
import { type Guess, type Tag, tagOf } from './tags.ts'

/** What two readings of a message are compared by. */
interface Reading {
  intent: IntentName
  probability: number
  secondIntent: IntentName | null
  slots: {
    items: readonly (ItemRequest & { productIds: readonly number[] })[]
    place: PlaceSlot | null
    day: Day | null
  }
}

/** What may not be done on a guess; answers may, and what is asked about before it is done. */
const acting: ReadonlySet<IntentName> = new Set(intentsOfCost('deed'))
/** A person is called where the examples are as like it. */
const calling: ReadonlySet<IntentName> = new Set(intentsOfCost('time'))
const steps: ReadonlySet<IntentName> = new Set(intentsOfCost('step'))
/** Questions that a step answers: `close the order`. */
const deciding: ReadonlySet<State> = new Set(['confirm', 'cancel', 'change', 'switch'] as const)
/** What is done with the place or the day of a message. */
const placing: ReadonlySet<IntentName> = new Set([
  'order',
  'place',
  'address',
  'has',
  'shop',
  'unknown',
  'changePlace',
] as const)
const dating: ReadonlySet<IntentName> = new Set(['order', 'reschedule', 'again', 'shop', 'unknown'] as const)
const ordering: ReadonlySet<IntentName> = new Set(['order', 'change', 'again', 'refuse', 'number', 'optOut'] as const)

/** More guesses are asked about together, without looking for those that decide. */
const MOST_WEIGHED = 6

/** The tag without its guess: a word like any other. */
export const asWritten = (tag: Tag): Tag =>
  tag.guess === null ? tag : tagOf('word', tag.text, { isJoined: tag.isJoined })

/** The guesses that decide what is done; none if the same would be done without them, or nothing but an answer given. */
export function decisiveGuesses(
  tags: readonly Tag[],
  meaning: Reading,
  { read, state }: { read: (tags: readonly Tag[]) => Reading; state: State },
): Guess[] {
  const { intent, slots, probability } = meaning
  const guessed = tags.filter(({ guess }) => guess !== null)
  const takesPlace = slots.place !== null && placing.has(intent)
  const acts =
    acting.has(intent) ||
    (steps.has(intent) && deciding.has(state)) ||
    (calling.has(intent) && probability < thresholds.time.ask)
  if (guessed.length === 0 || (!acts && !takesPlace)) return []
  const decides = (some: readonly Tag[]) =>
    !isSameReading(meaning, read(tags.map((tag) => (some.includes(tag) ? asWritten(tag) : tag))))
  const alone = guessed.length > MOST_WEIGHED ? [] : guessed.filter((tag) => decides([tag]))
  const found = alone.length > 0 || !decides(guessed) ? alone : guessed
  return found.every((tag) => isCertain(tag, meaning)) ? [] : found.flatMap(({ guess }) => guess ?? [])
}

/** A word with the sounds of a brand, a unit or a kind in a whole order: how many of which product. */
const isCertain = ({ guess, type }: Tag, { intent, slots: { items } }: Reading): boolean =>
  guess?.isOfSounds === true &&
  (type === 'vendor' || type === 'lexeme') &&
  intent === 'order' &&
  items.every(({ quantity, productIds }) => quantity !== null && productIds.length === 1)

function isSameReading(a: Reading, b: Reading): boolean {
  const compared = ({ intent, secondIntent, slots: { items, place, day } }: Reading) =>
    JSON.stringify([
      intent,
      secondIntent,
      ordering.has(intent) &&
        items.map(({ change, quantity, productIds, vendorId, size }) => [change, quantity, productIds, vendorId, size]),
      placing.has(intent) && place,
      dating.has(intent) && day,
    ])
  return compared(a) === compared(b)
}
