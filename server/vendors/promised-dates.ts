import { addDays, bahrainDate, FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, offeredSlots, promisedSlot } from '@qatra/contract/calendar/slot'
import type { UnavailableDay } from '@qatra/contract/vendors/vendors'
import type { CatalogueVendor, VendorSnapshot } from './snapshot.ts'

const noClosures: ReadonlySet<string> = new Set()

/** Slot of an order placed at `at`; without a vendor, as for a vendor without closures and cut-off. */
export const promisedSlotFor = (
  catalogue: Pick<VendorSnapshot, 'holidays'>,
  vendor: Pick<CatalogueVendor, 'closures' | 'cutOff'> | null,
  at: Date,
): DeliverySlot =>
  promisedSlot({
    at,
    holidays: catalogue.holidays,
    closures: vendor?.closures ?? noClosures,
    cutOff: vendor?.cutOff ?? null,
  })

/** The slots that can be chosen for a delivery of this vendor at `at`. */
export const offeredSlotsFor = (
  { holidays }: Pick<VendorSnapshot, 'holidays'>,
  { closures, cutOff }: Pick<CatalogueVendor, 'closures' | 'cutOff'>,
  at: Date,
) => offeredSlots({ at, holidays, closures, cutOff })

/** Their days, each with the closed days before it. */
export function openAndClosedDaysFor(
  catalogue: Pick<VendorSnapshot, 'holidays'>,
  vendor: Pick<CatalogueVendor, 'closures' | 'cutOff'>,
  at: Date,
): { date: string; closedBefore: UnavailableDay[] }[] {
  const unavailableDay = (date: string): UnavailableDay => {
    const none = { name: null, nameAr: null }
    if (weekdayOf(date) === FRIDAY) return { date, reason: 'friday', ...none }
    const holiday = catalogue.holidays.get(date)
    if (holiday) return { date, reason: 'holiday', name: holiday.name, nameAr: holiday.nameAr }
    return { date, reason: vendor.closures.has(date) ? 'closure' : 'cutOff', ...none }
  }
  let next = addDays(bahrainDate(at), 1)
  return offeredSlotsFor(catalogue, vendor, at).map(({ date }) => {
    const closedBefore: UnavailableDay[] = []
    for (; next < date; next = addDays(next, 1)) closedBefore.push(unavailableDay(next))
    next = addDays(date, 1)
    return { date, closedBefore }
  })
}
