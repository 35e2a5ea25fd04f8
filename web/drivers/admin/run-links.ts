import type { Coordinates } from '@qatra/contract/geo'

const point = ({ lat, lng }: Coordinates) => `${lat.toFixed(6)},${lng.toFixed(6)}`
const digits = (phone: string) => phone.replace(/\D/g, '')

/** Ways to a stop: the two that everybody has, and whatever else is on the telephone. */
export const navigationTo = (at: Coordinates) => ({
  google: `https://www.google.com/maps/dir/?api=1&destination=${point(at)}&travelmode=driving`,
  waze: `https://waze.com/ul?ll=${encodeURIComponent(point(at))}&navigate=yes`,
  other: `geo:${point(at)}?q=${point(at)}`,
})

export const telephone = (phone: string) => `tel:+${digits(phone)}`
export const whatsapp = (phone: string) => `https://wa.me/${digits(phone)}`
