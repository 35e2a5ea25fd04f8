import { compareSlots, type DeliverySlot, type PromiseFields, sameSlot, slotOf } from '../calendar/slot.ts'

/** What the order of vendors in an area depends on. Amounts are in BHD. */
export interface Offering extends PromiseFields {
  id: number
  deliveryFee: number
  minDeliveryAmount: number
}

/** By day, fee, minimum, then id, so that the order is total. */
const byOffer = (a: Offering, b: Offering) =>
  compareSlots(slotOf(a), slotOf(b)) ||
  a.deliveryFee - b.deliveryFee ||
  a.minDeliveryAmount - b.minDeliveryAmount ||
  a.id - b.id

/** Vendors that deliver to an area in the order in which they deliver; the others last, as they were. */
export function inDeliveryOrder<V extends Offering>(
  vendors: readonly V[],
  delivers: (vendor: V) => boolean,
): (V & { delivers: boolean })[] {
  const marked = vendors.map((vendor) => ({ ...vendor, delivers: delivers(vendor) }))
  return [...marked.filter((one) => one.delivers).sort(byOffer), ...marked.filter((one) => !one.delivers)]
}

/** The earliest slot in which any of these vendors delivers, and those that keep it; null without vendors. */
export function earliestPromise<V extends PromiseFields>(
  vendors: readonly V[],
): { slot: DeliverySlot; vendors: V[] } | null {
  const [slot] = vendors.map(slotOf).sort(compareSlots)
  return slot === undefined ? null : { slot, vendors: vendors.filter((one) => sameSlot(slotOf(one), slot)) }
}
