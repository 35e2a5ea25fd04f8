import type { ItemRequest } from './item-request.ts'
import type { IntentName } from './rules.ts'
import type { Day, PlaceSlot } from './slots.ts'
import { type Guess, type Tag, tagOf } from './tags.ts'

/** What two readings of a message are compared by. */
interface Reading {
  intent: IntentName
  secondIntent: IntentName | null
  slots: {
    items: readonly (ItemRequest & { productIds: readonly number[] })[]
    place: PlaceSlot | null
    day: Day | null
  }
}

/** Commands that change a cart, an order, a consent or a place, or call a person. */
export const actingCommands = [
  ...(['optOut', 'optIn', 'trouble', 'person', 'callMe', 'cancelOrder', 'undo', 'clear', 'reschedule'] as const),
  ...(['again', 'sameAddress', 'change', 'changePlace', 'refuse', 'checkout', 'yes', 'no'] as const),
] satisfies readonly IntentName[]
/** What may not be done on a guess; views may. */
const acting: ReadonlySet<IntentName> = new Set([...actingCommands, 'order', 'address', 'place'])

/** More guesses are asked about together, without looking for those that decide. */
const MOST_WEIGHED = 6

/** The tag without its guess: a word like any other. */
export const asWritten = (tag: Tag): Tag =>
  tag.guess === null ? tag : tagOf('word', tag.text, { isJoined: tag.isJoined })

/** The guesses that decide what is done; none if the same would be done without them, or nothing but an answer given. */
export function decisiveGuesses(
  tags: readonly Tag[],
  meaning: Reading,
  read: (tags: readonly Tag[]) => Reading,
): Guess[] {
  const guessed = tags.filter(({ guess }) => guess !== null)
  if (guessed.length === 0 || (!acting.has(meaning.intent) && meaning.slots.place === null)) return []
  const decides = (some: readonly Tag[]) =>
    !isSameReading(meaning, read(tags.map((tag) => (some.includes(tag) ? asWritten(tag) : tag))))
  const alone = guessed.length > MOST_WEIGHED ? [] : guessed.filter((tag) => decides([tag]))
  const deciding = alone.length > 0 || !decides(guessed) ? alone : guessed
  return deciding.flatMap(({ guess }) => guess ?? [])
}

function isSameReading(a: Reading, b: Reading): boolean {
  const compared = ({ intent, secondIntent, slots: { items, place, day } }: Reading) =>
    JSON.stringify([
      intent,
      secondIntent,
      items.map(({ change, quantity, productIds, vendorId, size }) => [change, quantity, productIds, vendorId, size]),
      place,
      day,
    ])
  return compared(a) === compared(b)
}
