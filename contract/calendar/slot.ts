import { sinceMidnight } from '../lib/clock.ts'
import type { Lang } from '../lib/lang.ts'
import {
  addDays,
  bahrainDate,
  type Days,
  daysBetween,
  FRIDAY,
  formatDay,
  formatWeekday,
  startOfBahrainDay,
  weekdayOf,
} from './calendar.ts'

/**
 * When a delivery is promised, announced, chosen or offered. Only this file compares and formats it: other days (holidays,
 * closures, a driver's run, reports) are plain dates.
 */
export interface DeliverySlot {
  /** YYYY-MM-DD */
  readonly date: string
  /** Null: during the whole day, the only slot of a day until vendors have windows. */
  readonly windowId: number | null
}

/** The columns of an order and the fields of answers that promise a delivery. */
export interface PromiseFields {
  promisedDate: string
}

export const slotOn = (date: string): DeliverySlot => ({ date, windowId: null })
export const slotOf = ({ promisedDate }: PromiseFields): DeliverySlot => slotOn(promisedDate)
export const promiseFields = ({ date }: DeliverySlot): PromiseFields => ({ promisedDate: date })
/** As lists of slots are sent. */
export const datesOf = (slots: readonly DeliverySlot[]): string[] => slots.map(({ date }) => date)

export const sameSlot = (a: DeliverySlot | null | undefined, b: DeliverySlot | null | undefined): boolean =>
  a?.date === b?.date && a?.windowId === b?.windowId

/** By day. Windows of a day have no order yet. */
export const compareSlots = (a: DeliverySlot, b: DeliverySlot): number =>
  a.date < b.date ? -1 : a.date > b.date ? 1 : 0

export const includesSlot = (slots: readonly DeliverySlot[], slot: DeliverySlot): boolean =>
  slots.some((one) => sameSlot(one, slot))

/** Days from a date to the slot: 0 on the same day, negative once the day of the slot is over. */
export const daysUntil = ({ date }: DeliverySlot, from: string): number => daysBetween(from, date)

/** The styles of `formatDay`, or the weekday alone. */
export const slotWords = (
  { date }: DeliverySlot,
  lang: Lang,
  style: Parameters<typeof formatDay>[2] | 'weekday',
): string => (style === 'weekday' ? formatWeekday(date, lang) : formatDay(date, lang, style))

interface ClosedDays {
  /** Public holidays. */
  holidays: Days
  /** Closures of the vendor. */
  closures: Days
}

interface Placement extends ClosedDays {
  at: Date
  /** HH:MM in Bahrain. An order after it counts from the next day. */
  cutOff: string | null
}

/** Slot of an order placed at `at`: the first day after it that is not a Friday, a holiday or a closure. */
export function promisedSlot({ at, cutOff, ...closed }: Placement): DeliverySlot {
  const ordered = bahrainDate(at)
  const isLate = cutOff !== null && at.getTime() - startOfBahrainDay(ordered).getTime() > sinceMidnight(cutOff)
  return firstOpenSlot(addDays(ordered, isLate ? 2 : 1), closed)
}

/** The first instant after `at` at which the promised day of one of these vendors can change. */
export function nextPromiseChange(vendors: readonly { cutOff: string | null }[], at: Date): Date {
  const today = bahrainDate(at)
  const midnight = startOfBahrainDay(addDays(today, 1)).getTime()
  const pastCutOffs = vendors.flatMap(({ cutOff }) => {
    if (cutOff === null) return []
    // An order exactly at the cut-off is in time.
    const late = startOfBahrainDay(today).getTime() + sinceMidnight(cutOff) + 1
    return late > at.getTime() ? [late] : []
  })
  return new Date(Math.min(midnight, ...pastCutOffs))
}

/** Number of open days from which a slot is chosen. */
const OFFERED_DAYS = 14

/** The slots that can be chosen at `at`, the promised one first. */
export function offeredSlots(placement: Placement): [DeliverySlot, ...DeliverySlot[]] {
  let last = promisedSlot(placement)
  const slots: [DeliverySlot, ...DeliverySlot[]] = [last]
  while (slots.length < OFFERED_DAYS) {
    last = firstOpenSlot(addDays(last.date, 1), placement)
    slots.push(last)
  }
  return slots
}

/** The first slot on the given day or after it. */
export function firstOpenSlot(from: string, closed: ClosedDays): DeliverySlot {
  let slot = slotOn(from)
  while (!isOpen(slot, closed)) slot = slotOn(addDays(slot.date, 1))
  return slot
}

/** Whether a slot can be promised. The capacity of a day or window belongs here; there is no rule for it yet. */
export const isOpen = ({ date }: DeliverySlot, { holidays, closures }: ClosedDays): boolean =>
  weekdayOf(date) !== FRIDAY && !holidays.has(date) && !closures.has(date)

/**
 * Maximum difference in days: a vendor past its cut-off delivers one delivery day later, and a Friday can lie between.
 */
const MOST_APART = 2

/** One promise for several vendors: their common slot, else the latest; null if the days are too far apart. */
export function commonPromise(slots: readonly DeliverySlot[]): { slot: DeliverySlot; isExact: boolean } | null {
  const sorted = [...slots].sort(compareSlots)
  const [first, last] = [sorted[0], sorted[sorted.length - 1]]
  if (first === undefined || last === undefined || daysUntil(last, first.date) > MOST_APART) return null
  return { slot: last, isExact: sameSlot(first, last) }
}
