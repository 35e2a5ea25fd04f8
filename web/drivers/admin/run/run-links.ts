import type { Coordinates } from '@qatra/contract/places/geo'

const point = ({ lat, lng }: Coordinates) => `${lat.toFixed(6)},${lng.toFixed(6)}`
const digits = (phone: string) => phone.replace(/\D/g, '')

/** Navigation links: Google Maps, Waze and the device's default app. */
export const navigationTo = (at: Coordinates) => ({
  google: `https://www.google.com/maps/dir/?api=1&destination=${point(at)}&travelmode=driving`,
  waze: `https://waze.com/ul?ll=${encodeURIComponent(point(at))}&navigate=yes`,
  other: `geo:${point(at)}?q=${point(at)}`,
})

/** The written address, for a pin that is only approximate. */
export const searchFor = (address: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${address}, Bahrain`)}`

export const telephone = (phone: string) => `tel:+${digits(phone)}`
export const whatsapp = (phone: string) => `https://wa.me/${digits(phone)}`
