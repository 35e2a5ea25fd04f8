import { deliveryDays, promisedDate } from '@qatra/contract/calendar'
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
