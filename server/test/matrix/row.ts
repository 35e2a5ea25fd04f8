import type { TestShop } from '../app.ts'
import type { Identity, Person } from '../fixtures/identities.ts'

export interface Sent {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
}

/** One row of the matrix: the request, and its status for all identities that may call the endpoint. */
export interface Row {
  name: string
  send?: (shop: TestShop, person: Person) => Promise<Sent> | Sent
  status: number
  /** Vendor of the record, if staff of others get another status: `elsewhere`, or 404. */
  vendor?: VendorId
  elsewhere?: 403 | 404
  /** Statuses that differ by identity for other reasons. */
  but?: Partial<Record<Identity, number>>
}

/** Vendor of `vendor_admin`, and of `other_vendor_admin`. */
type VendorId = 1 | 2
type Make = (shop: TestShop, vendorId: VendorId, person: Person) => Promise<Sent> | Sent
type More = Partial<Pick<Row, 'name' | 'status' | 'elsewhere' | 'but'>>

export const ofVendor = (vendor: VendorId, make: Make, more: More = {}): Row => ({
  name: vendor === 1 ? 'of the first vendor' : 'of the second vendor',
  status: 200,
  vendor,
  ...more,
  send: (shop, person) => make(shop, vendor, person),
})
export const ofEachVendor = (make: Make, more?: More): Row[] => [ofVendor(1, make, more), ofVendor(2, make, more)]

/** A list, filtered by the second vendor. */
export const listOfSecond = ofVendor(2, () => ({ query: { vendorId: '2' } }), { elsewhere: 403 })
export const everything = (name = 'all'): Row => ({ name, status: 200 })

export const NO_ID = 2_000_000_000
export const NO_ORDER = 'AAAA2222BBBB3333'
export const unknown = (params: Sent['params'] = { id: NO_ID }, body?: unknown): Row => ({
  name: 'unknown',
  status: 404,
  send: () => ({ params, body }),
})
