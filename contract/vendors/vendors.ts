import * as z from 'zod/mini'
import { instantInput } from '../calendar/dates.ts'
import { endpoint } from '../endpoint.ts'
import { idParams, rowId } from '../lib/ids.ts'

export const vendor = z.object({
  id: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
  description: z.nullable(z.string()),
  descriptionAr: z.nullable(z.string()),
  /** BHD */
  deliveryFee: z.number(),
  /** BHD; minimum subtotal of an order */
  minDeliveryAmount: z.number(),
  whatsappLink: z.nullable(z.string()),
  contactNumber: z.nullable(z.string()),
  isActive: z.boolean(),
  /** Colour of the drawn bottles and the emblem, `#rrggbb`. */
  tint: z.nullable(z.string()),
  /** Key in contract/vendors/emblems.ts. */
  emblem: z.nullable(z.string()),
  /** Bahrain time HH:MM after which orders count from the next day. */
  cutOff: z.nullable(z.string()),
  /** Delivery day of an order placed now. */
  promisedDate: z.string(),
})
export type Vendor = z.output<typeof vendor>

/** A vendor, and with `areaId` in the query whether it delivers to that area. */
const listedVendor = z.extend(vendor, { delivers: z.optional(z.boolean()) })

const idInQuery = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.transform((text: string) => Number(text)),
)

export const listVendors = endpoint({
  method: 'GET',
  path: '/api/vendors',
  allow: 'anyone',
  summary: 'Active vendors; for an area those that deliver there first, by day, fee and minimum',
  query: z.object({ areaId: z.optional(idInQuery) }),
  returns: z.array(listedVendor),
  errors: ['AREA_NOT_FOUND'],
})

export const getVendor = endpoint({
  method: 'GET',
  path: '/api/vendors/{id}',
  allow: 'anyone',
  summary: 'One vendor',
  params: idParams,
  returns: vendor,
  errors: ['VENDOR_NOT_FOUND'],
})

export const deliversTo = endpoint({
  method: 'GET',
  path: '/api/vendors/{vendorId}/delivers-to/{areaId}',
  allow: 'anyone',
  summary: 'Whether a vendor delivers to an area',
  params: z.object({ vendorId: idParams.shape.id, areaId: idParams.shape.id }),
  returns: z.object({ delivers: z.boolean() }),
  errors: ['VENDOR_NOT_FOUND', 'AREA_NOT_FOUND'],
})

/** `closure`: of this vendor; `cutOff`: the order came too late for the day. */
const closedReasons = ['friday', 'holiday', 'closure', 'cutOff'] as const

const unavailableDay = z.object({
  date: z.string(),
  reason: z.enum(closedReasons),
  /** Of a public holiday. */
  name: z.nullable(z.string()),
  nameAr: z.nullable(z.string()),
})
export type UnavailableDay = z.output<typeof unavailableDay>

const deliveryDay = z.object({
  date: z.string(),
  /** Empty: delivery during the whole day. */
  windows: z.array(z.object({ id: z.number(), free: z.number() })),
  /** The days without delivery between the previous day of the list, or the day of the order, and this one. */
  closedBefore: z.array(unavailableDay),
})
export type DeliveryDay = z.output<typeof deliveryDay>

export const getDeliveryDays = endpoint({
  method: 'GET',
  path: '/api/delivery-days',
  allow: 'anyone',
  summary:
    'Days that can be chosen for the delivery of an order: the next 14 open days of a vendor, the promised day first',
  query: z.object({
    vendorId: rowId,
    /** Without deliveries of the vendor to this area the list is empty. */
    areaId: z.optional(rowId),
    /** Default: now. Staff pass the start of the day, since the cut-off does not bind them. */
    at: z.optional(instantInput),
  }),
  returns: z.array(deliveryDay),
  errors: ['VENDOR_NOT_FOUND', 'AREA_NOT_FOUND'],
})

export const getDeliveryDate = endpoint({
  method: 'GET',
  path: '/api/delivery-date',
  allow: 'anyone',
  summary: 'Promised delivery day of an order placed at a given time',
  query: z.object({
    vendorId: z.optional(idInQuery),
    at: z.optional(instantInput),
  }),
  returns: z.object({ promisedDate: z.string() }),
  errors: ['VENDOR_NOT_FOUND'],
})
