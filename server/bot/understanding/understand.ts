import type { Lang } from '@qatra/contract/lib/lang'
import type { AnswerKey } from '@qatra/contract/whatsapp/bot'
import { isFree } from '../dialogue/memory.ts'
import type { IntentName } from '../intent-table.ts'
import type { AddressSlot } from './address.ts'
import { isDenied } from './changes.ts'
import { takesLastBack } from './clauses.ts'
import { isOfGoods } from './conditions.ts'
import { decide } from './decision.ts'
import type { Evidence } from './evidence.ts'
import { isExplained } from './explained.ts'
import { asWritten, decisiveGuesses } from './guesses.ts'
import { intentAfterStop } from './intents.ts'
import { namesProduct } from './item-request.ts'
import { type Writing, writingOf } from './language.ts'
import { likelyMeanings } from './learned.ts'
import type { Shop } from './names.ts'
import { addressReading, noteReading } from './notes.ts'
import type { Known } from './products.ts'
import { foundIn, type Reading, tagsIn } from './reading.ts'
import { type Item, resolved } from './resolving.ts'
import { type Day, dayIn, type PlaceSlot, type Row, rowsIn } from './slots.ts'
import type { Guess, Tag } from './tags.ts'
import { catalogueQuestion } from './topics.ts'

export interface Slots {
  items: readonly Item[]
  place: PlaceSlot | null
  address: AddressSlot | null
  day: Day | null
  isQuestion: boolean
  /** Says to have no empty bottle: `no empties`, `ما عندي غراش فاضية`. */
  hasNoEmpties: boolean
  /** A time of the day is said: `after 6 pm`. */
  hasTime: boolean
  name: string | null
  /** A complaint is about goods that came. */
  isOfGoods: boolean
  /** A note for the driver that was not asked for. */
  note: string | null
  /** The language that is asked for. */
  language: Lang | null
  /** Not the same as before: what is ordered takes the place of the cart. */
  isInstead: boolean
  /** The same order to another place, which is named or not: `to my office`. */
  isElsewhere: boolean
  /** Takes back what was done last, without a name of it. */
  takesLastBack: boolean
  /** Says that something was said wrongly before. */
  isCorrection: boolean
  /** Questions to the shop, also beside an order. */
  topics: readonly AnswerKey[]
  /** What the catalogue answers. */
  asks: ReturnType<typeof catalogueQuestion>
  /** A number that stands alone. */
  number: number | null
  /** Rows of a list, with how many of each. */
  rows: readonly Row[]
  /** The words without a known meaning. */
  unknown: string
}

/** The meaning of one message. */
export interface Understanding {
  /** As written, trimmed. */
  text: string
  /** No word, number or known mark. */
  isEmpty: boolean
  writing: Writing
  slots: Slots
  /** The strongest first. */
  intents: readonly IntentName[]
  intent: IntentName
  /** The second intent where both are about as likely: the answer offers both. */
  alternative: IntentName | null
  /** What else is asked for with the stop of the offers. */
  secondIntent: IntentName | null
  /** Calibrated, 0 to 1. */
  probability: number
  /** What the reading suffices for. */
  certainty: Certainty
  /** Every word is accounted for by what was read; else a deed is shown and asked about before it is done. */
  isExplained: boolean
  /** Without an intent: what is likely enough to be asked about. */
  likeliest: IntentName | null
  /** Words that are not written as known, and that decide what would be done: the answer asks about them first. */
  guesses: readonly Guess[]
}

/**
 * `act`: what is meant can be done. `ask`: first the customer is asked about it. `person`: nothing is read in it; the
 * second such message goes to a person.
 */
export type Certainty = 'act' | 'ask' | 'person'

/** The longest note for the driver with its heading; the messages of a turn together can be much longer. */
const LONGEST_READ = 1_100

/**
 * Reads a message: what is meant, with which confidence. Pure; the catalogue's names are indexed once per snapshot.
 * Answers in free words are read as written, as is every message with `isLiteral`: nothing is guessed there. No
 * pattern sees more than the first letters.
 */
export function understand(written: string, shop: Shop, known: Known, isLiteral = isFree(known.state)): Understanding {
  const text = written.slice(0, LONGEST_READ)
  const tags = tagsIn(text, shop)
  const read = (some: readonly Tag[]) => meaningOf(some, { text, shop, known })
  const meaning = read(isLiteral ? tags.map(asWritten) : tags)
  const guesses = isLiteral ? [] : decisiveGuesses(tags, meaning, { read, state: known.state })
  return { ...meaning, text: written.trim(), guesses }
}

function meaningOf(raw: readonly Tag[], { text, shop, known }: Reading): Understanding {
  const found = foundIn(raw, { text, shop, known })
  const { tags, evidence, place, address, number, name, note } = found
  const { requests } = evidence
  const writing = writingOf(text)
  // Other scripts are not like any example.
  const likely = writing.isForeign ? [] : likelyMeanings(found)
  // Whatever its words resemble, unless a brand or a size is named.
  const isOther = writing.isForeign && writing.isLatin && !isFree(known.state) && !requests.some(namesProduct)
  const heard = isOther ? { ...found, said: new Set<IntentName>(), owned: null, topics: [] } : found
  const { intents, probability, alternative, likeliest, topics } = decide(heard, likely)
  const [first = 'unknown'] = intents
  const reading =
    known.state === 'notes' || note !== null
      ? // A note that names the driver calls nobody.
        noteReading(note === null ? intents : intents.filter((intent) => intent !== 'person'), evidence, address)
      : ((known.state === 'address' ? addressReading(intents, address?.parts) : null) ?? { intent: first, alternative })
  const items = resolved(requests, { shop, known, evidence, isOfLast: first === 'again' })
  return {
    text: text.trim(),
    isEmpty: tags.length === 0,
    writing,
    slots: {
      items,
      place,
      address,
      day: dayIn(tags),
      isQuestion: evidence.isQuestion,
      hasNoEmpties: found.hasNoEmpties,
      hasTime: tags.some(({ type }) => type === 'time'),
      name,
      isOfGoods: isOfGoods(evidence),
      note,
      language: languageAsked(evidence),
      isInstead: evidence.denied('same', 'again'),
      isElsewhere: !found.said.has('sameAddress') && evidence.any('officeWord', 'building', 'placeWord', 'company'),
      takesLastBack: takesLastBack(tags),
      isCorrection:
        evidence.any('correction', 'mistakeOfMine', 'wrong') ||
        tags.some((tag, i) => tag.type === 'number' && isDenied(tags, i)),
      topics,
      asks: catalogueQuestion(evidence),
      number,
      rows: rowsIn(tags),
      unknown: tags.flatMap(({ type, text: word }) => (type === 'word' ? [word] : [])).join(' '),
    },
    intents,
    ...reading,
    isExplained: isExplained(reading.intent, {
      evidence,
      items,
      dropsChange: found.dropsChange,
      details: [
        name,
        address?.text,
        note,
        ...raw.flatMap(({ type, text: word }) => (type === 'area' || type === 'landmark' ? word : [])),
      ],
    }),
    secondIntent: reading.intent === 'optOut' ? intentAfterStop(intents, evidence) : null,
    probability,
    likeliest,
    certainty: certaintyOf({ ...reading, likeliest }, evidence),
    guesses: [],
  }
}

/** Neither certain nor in need of one certain answer: what is meant may be something else altogether. */
export const isDoubtful = ({ certainty, alternative }: Understanding): boolean =>
  certainty !== 'act' && alternative === null

const languageAsked = (e: Evidence): Lang | null =>
  e.any('english') === e.any('arabic') ? null : e.any('english') ? 'en' : 'ar'

/** More words that mean nothing make an order or a change doubtful. */
const MOST_UNKNOWN = 6

function certaintyOf(
  { intent, alternative, likeliest }: Pick<Understanding, 'intent' | 'alternative' | 'likeliest'>,
  { unknown, tags }: Evidence,
): Certainty {
  if (intent === 'unknown') return likeliest === null ? 'person' : 'ask'
  const isTwoPlaces = intent === 'order' && tags.filter(({ type }) => type === 'area').length > 1
  // `هيرات البيبسي الصغير`: which size is it?
  const isNickname = intent === 'order' && tags.some(({ text }) => /(?:بيبسي|pepsi|كولا|cola|coke)$/.test(text))
  return alternative !== null || isTwoPlaces || isNickname || unknown > MOST_UNKNOWN ? 'ask' : 'act'
}
