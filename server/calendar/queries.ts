import { promisedDate } from '@qatra/contract/calendar'
import type { Catalogue, CatalogueVendor } from '../catalogue/queries.ts'

const noClosures: ReadonlySet<string> = new Set()

/** The day an order placed at `at` arrives; without a vendor, that of a vendor with no closure or cut-off. */
export const promisedDateFor = (
  catalogue: Pick<Catalogue, 'holidays'>,
  vendor: Pick<CatalogueVendor, 'closures' | 'cutOff'> | null,
  at: Date,
): string =>
  promisedDate({
    at,
    holidays: catalogue.holidays,
    closures: vendor?.closures ?? noClosures,
    cutOff: vendor?.cutOff ?? null,
  })
