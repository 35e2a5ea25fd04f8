import { nameIn } from '@qatra/contract/lib/lang'
import { addressText } from '@qatra/contract/lib/text'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import { areaAt } from '../../../areas/queries.ts'
import type { CatalogueArea } from '../../../areas/snapshot.ts'
import { remember } from '../memory.ts'
import { type Choice, enter, goOn, list, type Next, requestLocation, say, type TurnContext } from '../replies.ts'
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

/** The saved addresses as a list, if there are several; else the location. */
export function askPlace(turn: TurnContext): Next {
  const { language } = turn.memory
  const known = deliverable(turn)
  if (known.length < 2) return askLocation(turn)
  enter(turn, 'place')
  const rows = known.slice(0, MOST_OFFERED).map(({ id, label, area, address }): Choice => {
    const title = label ?? nameIn(language, area)
    return address ? [`address:${id}`, title, address] : [`address:${id}`, title]
  })
  return list(turn, say(turn, 'bot.place.saved'), [...rows, ['address:new', say(turn, 'bot.place.new')]])
}

export const askLocation = (turn: TurnContext): Next => requestLocation(turn, say(turn, 'bot.place.ask'))
