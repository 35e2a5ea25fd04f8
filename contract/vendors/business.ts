import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../lib/ids.ts'
import { feeBhd } from '../lib/money.ts'
import { paymentMeans } from '../orders/payments.ts'

/** A wrong number of empty bottles at the door is collected or refunded at once, or owed on the customer's balance. */
export const bottleDifferences = ['at-once', 'owed'] as const

/** Roles whose refunds and write-offs a vendor can limit. */
export const limitedRoles = ['vendor_admin', 'vendor_staff', 'vendor_sales', 'driver'] as const
export type LimitedRole = (typeof limitedRoles)[number]

const onOff = /* @__PURE__ */ z.boolean()
const facts = {
  // Parts of the product that a vendor turns on; off at first.
  bottles: onOff,
  areaDays: onOff,
  capacity: onOff,
  standingOrders: onOff,
  accounts: onOff,
  /** Whether orders are processed before they are shipped; on at first. Without it an order with a driver is ready. */
  processing: onOff,
  /** Means of payment that the vendor's drivers take, in the order of `paymentMeans`. */
  means: /* @__PURE__ */ z
    .array(/* @__PURE__ */ z.enum(paymentMeans), 'validation.means')
    .check(/* @__PURE__ */ z.minLength(1, 'validation.means'), /* @__PURE__ */ z.maxLength(20, 'validation.means')),
  bottleDifference: /* @__PURE__ */ z.enum(bottleDifferences),
  /** Whether the driver chooses between a refund now and credit. */
  refundChoice: onOff,
  /** BHD that one person of the role may refund or write off in a day; a role that is missing has no limit. */
  limits: /* @__PURE__ */ z.partialRecord(/* @__PURE__ */ z.enum(limitedRoles), feeBhd),
}
export const businessFields = Object.keys(facts) as (keyof typeof facts)[] // the keys, which `Object.keys` widens

export const business = /* @__PURE__ */ z.object({
  ...facts,
  /** 0 until the first change. */
  version: z.number(),
})
export type Business = z.output<typeof business>

const access = {
  path: '/api/admin/vendors/{id}/business',
  allow: ['super_admin', 'vendor_admin'],
  permissions: ['vendors.business'],
  params: idParams,
  returns: business,
} as const

export const getBusiness = endpoint({
  ...access,
  method: 'GET',
  summary: 'How a vendor does business: means of payment, limits, and parts of the product that are on',
  errors: ['VENDOR_NOT_FOUND'],
})

export const saveBusiness = endpoint({
  ...access,
  method: 'PUT',
  summary: 'Change how a vendor does business; a field that is missing stays as it is',
  body: z.extend(z.partial(z.object(facts)), { version: z.optional(z.int().check(z.gte(0))) }),
  errors: ['VENDOR_NOT_FOUND', 'VERSION_CONFLICT'],
})
