import { addDays, bahrainDate, deliveryDays, promisedDate, startOfBahrainDay } from '@qatra/contract/calendar'
import type { CatalogueVendor, VendorSnapshot } from './snapshot.ts'

const noClosures: ReadonlySet<string> = new Set()

/** Delivery day of an order placed at `at`; without a vendor, as for a vendor without closures and cut-off. */
export const promisedDateFor = (
  catalogue: Pick<VendorSnapshot, 'holidays'>,
  vendor: Pick<CatalogueVendor, 'closures' | 'cutOff'> | null,
  at: Date,
): string =>
  promisedDate({
    at,
    holidays: catalogue.holidays,
    closures: vendor?.closures ?? noClosures,
    cutOff: vendor?.cutOff ?? null,
  })

/** The days that can be chosen for a delivery of this vendor at `at`. */
export const deliveryDaysFor = (
  { holidays }: Pick<VendorSnapshot, 'holidays'>,
  { closures, cutOff }: Pick<CatalogueVendor, 'closures' | 'cutOff'>,
  at: Date,
): string[] => deliveryDays({ at, holidays, closures, cutOff })

/** The first instant after `at` at which the promised day of one of these vendors can change. */
export function nextPromiseChange(vendors: readonly Pick<CatalogueVendor, 'cutOff'>[], at: Date): Date {
  const today = bahrainDate(at)
  const midnight = startOfBahrainDay(addDays(today, 1)).getTime()
  const pastCutOffs = vendors.flatMap(({ cutOff }) => {
    if (cutOff === null) return []
    const [hours = 0, minutes = 0] = cutOff.split(':').map(Number)
    // An order exactly at the cut-off is in time.
    const late = startOfBahrainDay(today).getTime() + (hours * 60 + minutes) * 60_000 + 1
    return late > at.getTime() ? [late] : []
  })
  return new Date(Math.min(midnight, ...pastCutOffs))
}
