import { FRIDAY, formatClock, isDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import {
  compareSlots,
  type DeliverySlot,
  promisedSlot,
  sameSlot,
  slotOn,
  slotWords,
} from '@qatra/contract/calendar/slot'
import { offeredSlotsFor, promisedSlotFor } from '../../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../../vendors/snapshot.ts'
import { isCheckingOut } from '../memory.ts'
import { dateOf } from '../orders/order-edit.ts'
import { type Choice, list, type Next, replyText, say, type TurnContext } from '../replies.ts'

const MOST_DAYS = 9

/** The day that was chosen, as long as it can be; else the promised one. */
export function slotFor({ facts, memory }: TurnContext, vendor: CatalogueVendor): DeliverySlot {
  const [promised, ...others] = offeredSlotsFor(facts.catalogue, vendor, facts.now)
  const chosen = memory.day === null ? undefined : others.find((slot) => sameSlot(slot, slotOn(memory.day ?? '')))
  return chosen ?? promised
}

/** `not tomorrow, Thursday`, of an order that is not placed: one of the open days, which are shown where another is said. */
export function chooseDay(turn: TurnContext, date?: string): Next {
  const { memory, facts, cart, meaning } = turn
  const vendor = facts.catalogue.vendors.get(cart.vendorId ?? 0)
  if (!vendor || cart.items.length === 0) return 'lost'
  const { language } = memory
  const { day } = meaning.slots
  const said = date !== undefined && isDay(date) ? date : day === null ? null : dateOf(day, facts.now)
  const slots = offeredSlotsFor(facts.catalogue, vendor, facts.now)
  const chosen = said === null ? undefined : slots.find((slot) => sameSlot(slot, slotOn(said)))
  if (chosen) {
    memory.day = chosen.date
    if (memory.state !== 'confirm')
      replyText(turn, say(turn, 'bot.summary.arrives', { day: slotWords(chosen, language, 'long') }))
    return isCheckingOut(memory.state) ? 'checkout' : 'cart'
  }
  memory.summary = null
  turn.intent = 'reschedule'
  const words = (slot: DeliverySlot) => slotWords(slot, language, 'long')
  const next = said === null ? undefined : slots.find((slot) => compareSlots(slot, slotOn(said)) > 0)
  const closed =
    said === null
      ? []
      : weekdayOf(said) === FRIDAY
        ? [say(turn, 'bot.friday'), next ? say(turn, 'bot.friday.next', { day: words(next) }) : '']
        : [say(turn, 'bot.day.closed', { day: words(slotOn(said)) })]
  return list(
    turn,
    `${closed.join(' ')}\n${say(turn, 'bot.day.ask')}`.trim(),
    slots.slice(0, MOST_DAYS).map((slot): Choice => [`day:${slot.date}`, slotWords(slot, language, 'short')]),
  )
}

/** The number of a day that was shown. */
export function chooseDayRow(turn: TurnContext): Next {
  const { memory, meaning } = turn
  const id = memory.choices[(meaning.slots.number ?? 0) - 1]
  return id?.startsWith('day:') ? chooseDay(turn, id.slice('day:'.length)) : 'lost'
}

/** After the vendor's last hour for the next day of delivery: which hour that is; else null. */
export function lateWords(turn: TurnContext, vendor: CatalogueVendor | null): string | null {
  const { catalogue, now } = turn.facts
  if (!vendor?.cutOff) return null
  const { holidays } = catalogue
  const inTime = promisedSlot({ at: now, cutOff: null, holidays, closures: vendor.closures })
  const isLate = !sameSlot(inTime, promisedSlotFor(catalogue, vendor, now))
  return isLate ? say(turn, 'bot.fee.late', { time: formatClock(vendor.cutOff, turn.memory.language) }) : null
}
