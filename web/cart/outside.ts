import type { AreaSummary } from '@qatra/contract/places/areas'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'

/** Area and vendor of the offers that were made: each is made once in a visit. */
const made = new Set<string>()

/** For vendors that do not deliver to the chosen area. */
export function useOutside() {
  const area = useDeliveryArea()
  const outside = (vendorId: number | null): AreaSummary | undefined =>
    area && vendorId !== null && !deliversTo(area, vendorId) ? area : undefined
  return {
    outside,
    /** The area at the first press for a vendor that does not deliver there; the next presses act. */
    firstOutside(vendorId: number): AreaSummary | undefined {
      const key = `${area?.id} ${vendorId}`
      if (made.has(key)) return undefined
      const found = outside(vendorId)
      if (found) made.add(key)
      return found
    },
  }
}
