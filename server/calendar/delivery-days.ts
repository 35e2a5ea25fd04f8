import { bahrainDate, deliveryDays, firstOpenDay } from '@qatra/contract/calendar/calendar'

/** What a vendor's delivery days follow from, as stored. */
export interface DeliveryTerms {
  cutOff: string | null
  /** Holidays and the vendor's closures, from today on. */
  closedDays: readonly string[]
}

const noHolidays: ReadonlySet<string> = new Set()

/** The days that a customer can choose at `at`. */
export const daysOf = ({ cutOff, closedDays }: DeliveryTerms, at: Date): string[] =>
  deliveryDays({ at, cutOff, holidays: noHolidays, closures: new Set(closedDays) })

/** The days that staff can choose: the cut-off does not bind them. */
export const staffDaysOf = (terms: DeliveryTerms, at: Date): string[] => daysOf({ ...terms, cutOff: null }, at)

/** Whether a promise made earlier can be kept: the day is not over, and not closed meanwhile. */
export const canKeepDay = ({ closedDays }: DeliveryTerms, day: string, at: Date): boolean =>
  day >= bahrainDate(at) && firstOpenDay(day, { holidays: noHolidays, closures: new Set(closedDays) }) === day
