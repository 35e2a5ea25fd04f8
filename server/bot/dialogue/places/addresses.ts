import { nameIn } from '@qatra/contract/lib/lang'
import { addressText, isolated } from '@qatra/contract/lib/text'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import { areaAt } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import { allowedMistakes, distance } from '../../understanding/fuzzy.ts'
import { bareWords } from '../../understanding/names.ts'
import { fillerWords } from '../../understanding/vocabulary.ts'
import { remember } from '../memory.ts'
import { type Choice, enter, goOn, list, type Next, offer, requestLocation, say, type TurnContext } from '../replies.ts'
import type { Delivery } from '../turn-context.ts'

export const noAddress = {
  address: null,
  addressParts: null,
  addressStart: null,
  notes: null,
  addressId: null,
  isNoted: false,
}

/** With the row for another place, as many as a list has. */
const MOST_OFFERED = 9

interface Deliverable extends Delivery {
  point: Coordinates
  area: CatalogueArea
}

/** The saved addresses in areas, the default one first. */
const deliverable = ({ person, facts }: TurnContext): Deliverable[] =>
  (person.account?.addresses ?? []).flatMap((delivery) => {
    const { point } = delivery
    const area = isChosen(point) ? areaAt(facts.catalogue, point) : null
    return isChosen(point) && area ? [{ ...delivery, point, area }] : []
  })

/** Uses the saved address, if there is only one, unless another place was given here. */
export function adoptDelivery(turn: TurnContext): void {
  const [only, other] = deliverable(turn)
  if (!turn.memory.point && only && !other) adopt(turn, only)
}

function adopt({ memory }: TurnContext, delivery: Deliverable): void {
  const isWhole = delivery.address !== null && addressText.safeParse(delivery.address).success
  memory.point = delivery.point
  memory.pinSource = delivery.pinSource ?? null
  memory.address = isWhole ? delivery.address : null
  memory.addressParts = isWhole ? delivery.addressParts : null
  memory.notes = isWhole ? delivery.notes : null
  memory.isNoted = isWhole
  memory.addressId = delivery.id
}

/** The customer asked for the usual address. */
export function sameAddress(turn: TurnContext): Next {
  const [usual] = deliverable(turn)
  if (!usual) return turn.memory.point ? 'address' : 'place'
  return deliverTo(turn, usual)
}

/** `البيت`, `work`: a saved address by its name. One that is written otherwise is asked about. */
export function takeSavedByName(turn: TurnContext): Next {
  const { memory, meaning, incoming } = turn
  const known = deliverable(turn)
  if (memory.state !== 'place' || incoming.type !== 'text' || known.length < 2) return 'lost'
  const written = wordsOf(meaning.text)
  const named = known.map((delivery) => {
    const { label, area } = delivery
    return { delivery, names: (label ? [label] : [area.name, area.nameAr ?? area.name]).map(wordsOf) }
  })
  const [only, other] = named.filter(({ names }) => names.includes(written))
  if (only && !other) return deliverTo(turn, only.delivery)
  if (written === '' || meaning.slots.place !== null) return 'lost'
  const alike = named.filter(({ names }) =>
    names.some(
      (name) =>
        distance(written, name, MOST_MISTAKES) <= Math.min(allowedMistakes(written), allowedMistakes(name)) ||
        written.split(' ').every((word) => name.split(' ').includes(word)),
    ),
  )
  const [first, ...others] = alike.map(({ delivery }) => delivery)
  // A home that is not among them is asked for again.
  if (!first) return isHome.test(written) ? 'place' : 'lost'
  if (others.length > 0)
    return list(
      turn,
      say(turn, 'bot.place.saved'),
      alike.map(({ delivery }) => rowOf(turn, delivery)),
    )
  return offer(turn, say(turn, 'bot.readAs', { meant: isolated(nameOf(turn, first)) }), [
    [`address:${first.id}`, say(turn, 'bot.readAs.yes')],
    ['address:new', say(turn, 'bot.readAs.no')],
  ])
}

const MOST_MISTAKES = 2
const isHome = /^(?:بيت|منزل|home|house|bait|beit|bayt|work|دوام|شغل|مكتب|office)$/
/** The words that say which, without articles and prepositions: `to my office`, `للبيت`. */
const wordsOf = (text: string): string =>
  bareWords(text)
    .map((word) => (/^لل|^ل(?=بيت)/.test(word) ? word.replace(/^لل?/, '') : word))
    .filter(
      (word) => !fillerWords.has(word) && !['deliver', 'address', 'place', 'عنوان', 'وصلوه', 'ودوه'].includes(word),
    )
    .join(' ')

/** A row of the list of saved addresses. */
export function chooseAddress(turn: TurnContext, id: number): Next {
  const chosen = deliverable(turn).find((one) => one.id === id)
  return chosen ? deliverTo(turn, chosen) : 'place'
}

function deliverTo(turn: TurnContext, delivery: Deliverable): Next {
  const { memory } = turn
  remember(memory, { point: null, ...noAddress })
  adopt(turn, delivery)
  return goOn(turn)
}

const nameOf = ({ memory }: TurnContext, { label, area }: Deliverable) => label ?? nameIn(memory.language, area)

function rowOf(turn: TurnContext, delivery: Deliverable): Choice {
  const { id, address } = delivery
  const title = nameOf(turn, delivery)
  return address ? [`address:${id}`, title, address] : [`address:${id}`, title]
}

/** The saved addresses as a list, if there are several; else the location. */
export function askPlace(turn: TurnContext): Next {
  const known = deliverable(turn)
  if (known.length < 2) return askLocation(turn)
  enter(turn, 'place')
  const rows = known.slice(0, MOST_OFFERED).map((delivery) => rowOf(turn, delivery))
  return list(turn, say(turn, 'bot.place.saved'), [...rows, ['address:new', say(turn, 'bot.place.new')]])
}

export const askLocation = (turn: TurnContext): Next => requestLocation(turn, say(turn, 'bot.place.ask'))
