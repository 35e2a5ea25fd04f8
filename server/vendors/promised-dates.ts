import { addDays, bahrainDate, promisedDate, startOfBahrainDay } from '@qatra/contract/calendar'
import type { CatalogueVendor, VendorSnapshot } from './snapshot.ts'

const noClosures: ReadonlySet<string> = new Set()

/** The day an order placed at `at` arrives; without a vendor, that of a vendor with no closure or cut-off. */
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

/** The first instant after `at` from which any of these vendors may promise another day. */
export function nextPromiseChange(vendors: readonly Pick<CatalogueVendor, 'cutOff'>[], at: Date): Date {
  const today = bahrainDate(at)
  const midnight = startOfBahrainDay(addDays(today, 1)).getTime()
  const pastCutOffs = vendors.flatMap(({ cutOff }) => {
    if (cutOff === null) return []
    const [hours = 0, minutes = 0] = cutOff.split(':').map(Number)
    // An order at the very cut-off is still in time.
    const late = startOfBahrainDay(today).getTime() + (hours * 60 + minutes) * 60_000 + 1
    return late > at.getTime() ? [late] : []
  })
  return new Date(Math.min(midnight, ...pastCutOffs))
}
