/** What the order of vendors in an area depends on. Amounts are in BHD. */
export interface Offering {
  id: number
  promisedDate: string
  deliveryFee: number
  minDeliveryAmount: number
}

/** By day, fee, minimum, then id, so that the order is total. */
const byOffer = (a: Offering, b: Offering) =>
  (a.promisedDate < b.promisedDate ? -1 : a.promisedDate > b.promisedDate ? 1 : 0) ||
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

/** The earliest day on which any of these vendors delivers, and those that keep it; null without vendors. */
export function earliestPromise<V extends Pick<Offering, 'promisedDate'>>(
  vendors: readonly V[],
): { day: string; vendors: V[] } | null {
  const [day] = vendors.map(({ promisedDate }) => promisedDate).sort()
  return day === undefined ? null : { day, vendors: vendors.filter(({ promisedDate }) => promisedDate === day) }
}
