import { addDays, FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { compareSlots, firstOpenSlot, slotWords } from '@qatra/contract/calendar/slot'
import { promisedSlotFor } from '../../../vendors/promised-dates.ts'
import type { IntentName } from '../../understanding/rules.ts'
import { chosenVendor } from '../places/place.ts'
import { say, type TurnContext } from '../replies.ts'
import { namedVendor } from '../shopping/prices.ts'
import { dateOf } from './order-edit.ts'

const noClosures: ReadonlySet<string> = new Set()
/** What may name the day of a delivery, besides questions to the shop. */
const ofDelivery: ReadonlySet<IntentName> = new Set(['order', 'again', 'unknown'] as const)

/** Says before the reply that nothing is delivered on Fridays, and when instead. */
export function sayNoFriday(turn: TurnContext): void {
  const { meaning, facts, replies, intent } = turn
  const { day, topics } = meaning.slots
  const isAsked = topics[0] === 'days' || topics[0] === 'deliveryTime'
  // The day of a placed order is asked for with its own days.
  if (
    day === null ||
    intent === 'unclear' ||
    intent === 'reschedule' ||
    !(ofDelivery.has(meaning.intent) || (meaning.intent === 'shop' && isAsked))
  )
    return
  const friday = dateOf(day, facts.now)
  if (weekdayOf(friday) !== FRIDAY) return
  const text = `${say(turn, 'bot.friday')} ${nextDay(turn, friday)}`
  replies.unshift({ type: 'text', text })
}

function nextDay(turn: TurnContext, friday: string): string {
  const { catalogue, now } = turn.facts
  const { language } = turn.memory
  const vendor = namedVendor(turn) ?? chosenVendor(turn)
  const { holidays } = catalogue
  const promised = promisedSlotFor(catalogue, vendor, now)
  const open = firstOpenSlot(addDays(friday, 1), { holidays, closures: vendor?.closures ?? noClosures })
  const isPromisedLater = compareSlots(promised, open) > 0
  const day = slotWords(isPromisedLater ? promised : open, language, 'long')
  const isOrder = turn.meaning.intent === 'order' || turn.meaning.intent === 'again'
  return isOrder && compareSlots(promised, open) < 0
    ? say(turn, 'bot.friday.order', { promised: slotWords(promised, language, 'long'), day })
    : say(turn, 'bot.friday.next', { day })
}
