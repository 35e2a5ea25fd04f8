import { bahrainDate } from '@qatra/contract/calendar/calendar'
import {
  type DeliverySlot,
  datesOf,
  daysUntil,
  includesSlot,
  isOpen,
  offeredSlots,
} from '@qatra/contract/calendar/slot'
import { AppError } from '../lib/errors.ts'

/** What a vendor's delivery days follow from, as stored. */
export interface DeliveryTerms {
  cutOff: string | null
  /** Holidays and the vendor's closures, from today on. */
  closedDays: readonly string[]
}

const noDays: ReadonlySet<string> = new Set()
export const closedIn = ({ closedDays }: DeliveryTerms) => ({ holidays: noDays, closures: new Set(closedDays) })

/** The slots that a customer can choose at `at`. */
export const slotsFor = (terms: DeliveryTerms, at: Date) =>
  offeredSlots({ at, cutOff: terms.cutOff, ...closedIn(terms) })

/** The slots that staff can choose: the cut-off does not bind them. */
export const staffSlotsFor = (terms: DeliveryTerms, at: Date) => slotsFor({ ...terms, cutOff: null }, at)

/** Whether a promise made earlier can be kept: the day is not over, and not closed meanwhile. */
export const canKeepSlot = (terms: DeliveryTerms, slot: DeliverySlot, at: Date): boolean =>
  daysUntil(slot, bahrainDate(at)) >= 0 && isOpen(slot, closedIn(terms))

/** The slot, if it is one of these. @throws DATE_NOT_AVAILABLE, with the days that are */
export function requireOffered(slots: readonly DeliverySlot[], slot: DeliverySlot): DeliverySlot {
  if (!includesSlot(slots, slot)) throw new AppError('DATE_NOT_AVAILABLE', { days: datesOf(slots) })
  return slot
}
