import { addDays, daysBetween } from '@qatra/contract/calendar/calendar'

/** Deliveries from which a customer has a usual interval, and how many of the last ones count. */
export const DELIVERIES = 5

/** How often a customer orders, and when the next order is due. */
export interface Rhythm {
  /** The median of the last four gaps between deliveries. */
  usualDays: number
  dueDate: string
}

/**
 * Null for fewer than five deliveries. The median of four gaps is the mean of the middle two, rounded up from a half.
 * @param days the last Bahrain dates with a delivery, each once, newest first
 */
export function rhythmOf(days: readonly string[]): Rhythm | null {
  const last = days.slice(0, DELIVERIES)
  const [newest] = last
  if (newest === undefined || last.length < DELIVERIES) return null
  const gaps = last.slice(1).map((day, at) => daysBetween(day, last[at] ?? day))
  const [, low = 0, high = 0] = gaps.sort((a, b) => a - b)
  const usualDays = Math.round((low + high) / 2)
  return { usualDays, dueDate: addDays(newest, usualDays) }
}

/** What a due customer said. */
export interface Said {
  /** Until the day before; null: nothing was said. */
  quietUntil: string | null
  /** Bahrain date of the answer. */
  saidOn: string | null
}

/** Whether the customer is not asked for now. A delivery after the answer ends the quiet. */
export const isQuiet = ({ quietUntil, saidOn }: Said, newest: string | undefined, today: string): boolean =>
  quietUntil !== null && quietUntil > today && (newest === undefined || saidOn === null || newest <= saidOn)
