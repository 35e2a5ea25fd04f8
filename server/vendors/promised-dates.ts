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

/** What every vendor promises to an order that is placed from `from` until before `until`. */
export interface Promises {
  from: Date
  until: Date
  /** The day of vendors that are not named below. */
  usual: string
  /** JSON: vendor → day, where it is another. */
  unusual: string
}

const promisesOf = new WeakMap<VendorSnapshot, Promises>()
/** Two clocks never show the same: so long before `at` the promises hold too, unless one changed since. */
const CLOCKS_DIFFER_MS = 5_000

/** Made once for each catalogue and stretch of time. */
export function promisesAt(catalogue: VendorSnapshot, at: Date): Promises {
  const known = promisesOf.get(catalogue)
  if (known && known.from <= at && at < known.until) return known
  const vendors = [...catalogue.vendors.values()]
  const earlier = new Date(at.getTime() - CLOCKS_DIFFER_MS)
  const from = nextPromiseChange(vendors, earlier) > at ? earlier : at
  const usual = promisedDateFor(catalogue, null, from)
  const unusual = vendors.flatMap((vendor) => {
    const date = promisedDateFor(catalogue, vendor, from)
    return date === usual ? [] : [[vendor.id, date] as const]
  })
  const promises = {
    from,
    until: nextPromiseChange(vendors, from),
    usual,
    unusual: JSON.stringify(Object.fromEntries(unusual)),
  }
  promisesOf.set(catalogue, promises)
  return promises
}
