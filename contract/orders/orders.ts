import * as z from 'zod/mini'
import { orderBottleFields } from '../bottles.ts'
import { dayInput } from '../calendar/dates.ts'
import { endpoint, type Output } from '../endpoint.ts'
import { instant, rowIdNumber } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { customerName, freeText } from '../lib/text.ts'
import { coordinates } from '../places/geo.ts'
import { pinSources } from '../places/pin.ts'
import { addressInput } from '../users/addresses.ts'
import { addressParts } from '../users/auth.ts'
import { buyerFields, buyerInput } from './buyer.ts'
import { orderStatuses, paymentMethods, paymentStatuses, ratings } from './order-status.ts'
import { totalsFields } from './totals.ts'

/** Products of one order. */
export const mostOrderLines = 100

export const orderItem = z.object({
  id: z.number(),
  /** Null if the product was deleted permanently. */
  productId: z.nullable(z.number()),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  size: z.string(),
  imageUrl: z.nullable(z.string()),
  /** BHD, at the time of the order */
  price: z.number(),
  vatPercentage: z.number(),
  /** Of a delivered order the delivered quantity, which can be 0. */
  quantity: z.number(),
  /** Null unless another quantity was delivered than ordered; 0 of a product that was added at the door. */
  orderedQuantity: z.nullable(z.number()),
  /** The unit of sale at the time of the order; null in orders from before it was kept. */
  inventoryUnit: z.nullable(z.string()),
  inventoryUnitAr: z.nullable(z.string()),
  unitsPerInventoryUnit: z.number(),
  ...orderBottleFields,
  /** BHD; the product's price if sales agreed on another, with the reason. For vendor staff only. */
  listPrice: z.optional(z.nullable(z.number())),
  priceReason: z.optional(z.nullable(z.string())),
})
export type OrderItem = z.output<typeof orderItem>

/** An error of the synchronization of an order with the older system. */
export const syncError = z.object({
  at: instant,
  /** HTTP status; null without a response. */
  status: z.nullable(z.number()),
  message: z.string(),
})
export type SyncError = z.output<typeof syncError>

const rating = z.nullable(z.enum(ratings))

export const order = z.object({
  id: z.string(),
  userId: z.nullable(z.number()),
  vendorId: z.number(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  vendorLogo: z.nullable(z.string()),
  vendorTint: z.nullable(z.string()),
  vendorEmblem: z.nullable(z.string()),
  vendorWhatsappLink: z.nullable(z.string()),
  /** Whether the vendor's orders are processed before they are shipped. */
  processing: z.boolean(),
  vendorContactNumber: z.nullable(z.string()),
  status: z.enum(orderStatuses),
  customerName: z.string(),
  phone: z.string(),
  address: z.string(),
  addressParts: z.nullable(addressParts),
  mapCoordinates: coordinates,
  /** How the pin was set; null if not known. */
  pinSource: z.nullable(z.enum(pinSources)),
  areaId: z.nullable(z.number()),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  instructions: z.nullable(z.string()),
  /** Who takes the order, if not the customer. */
  receiverName: z.nullable(z.string()),
  receiverPhone: z.nullable(z.string()),
  ...buyerFields,
  paymentMethod: z.enum(paymentMethods),
  paymentStatus: z.enum(paymentStatuses),
  ...totalsFields,
  /** BHD received so far; for an order that is marked paid at least the total. */
  amountPaid: z.number(),
  /** BHD still to collect in cash. */
  cashDue: z.number(),
  items: z.array(orderItem),
  /** Of the delivery; null before it and after it was taken back. */
  invoiceNumber: z.nullable(z.string()),
  /** One for each delivery that was taken back, oldest first; BHD. The papers are read by their numbers. */
  creditNotes: z.array(z.object({ number: z.string(), amount: z.number(), at: instant, invoiceNumber: z.string() })),
  /** Sales agent and driver; null for the customer. */
  placedBy: z.nullable(z.number()),
  assignedDriverId: z.nullable(z.number()),
  /** Bahrain date of the promised delivery. */
  promisedDate: z.string(),
  /** The day before the last change of the promised day; null if it never changed. */
  movedFrom: z.nullable(z.string()),
  /** Whether that change was made because the day was closed. */
  movedByClosure: z.boolean(),
  /** Failed delivery attempts on all days. */
  failedAttempts: z.number(),
  /** Whether neither status nor day has changed since a failed attempt, so that the customer is asked for a day. */
  asksForDay: z.boolean(),
  /** Time of the last failed attempt, until the customer has chosen or confirmed a day; else null. */
  lastAttemptAt: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
  deliveredAt: z.nullable(instant),
  /** End of the hour within which the customer can cancel. */
  cancellableUntil: instant,
  version: z.number(),
  /** Id in the older system; null for the customer. */
  legacyBagId: z.nullable(z.string()),
  legacyTransactionId: z.nullable(z.string()),
  lastSyncAt: z.nullable(instant),
  syncStatus: z.nullable(z.string()),
  /** Errors of the synchronization with the older system, oldest first; null for the customer. */
  syncErrors: z.nullable(z.array(syncError)),
  /** What the customer said of the delivery, and when last; null without, and for drivers. */
  rating: z.nullable(z.object({ water: rating, driver: rating, at: instant })),
  /** Status history with the time of each change, oldest first. */
  steps: z.array(z.object({ status: z.enum(orderStatuses), at: instant })),
  /** Actions that are currently open to the caller. */
  can: z.object({
    cancel: z.boolean(),
    /** Move the delivery to another day. */
    reschedule: z.boolean(),
    /** Change the items. */
    items: z.boolean(),
    /** Change the delivery address. */
    address: z.boolean(),
    reorder: z.boolean(),
    /** Rate the delivery, or change the rating. */
    rate: z.boolean(),
    changeStatus: z.array(z.enum(orderStatuses)),
  }),
})
export type Order = z.output<typeof order>

export const orderParams = z.object({ id: z.string().check(z.maxLength(100)) })

/** Choice of the delivery day when an order is placed. */
export const deliveryChoice = {
  /** One of the next 14 open days. Default: the promised day. */
  deliveryDate: z.optional(dayInput),
  /** The promised day that the customer saw; compared if no day was chosen. */
  expectedDate: z.optional(dayInput),
}

export const placeOrder = endpoint({
  method: 'POST',
  path: '/api/orders',
  allow: 'signed-in',
  summary: 'Place the cart as a cash order',
  body: z.object({
    customerName: customerName(3),
    ...addressInput,
    addressParts: z.optional(addressParts),
    /** The saved address from which the form was filled; the order's address replaces it. Default: an equal address. */
    addressId: z.optional(z.nullable(rowIdNumber)),
    /** The customer was asked whether the approximate pin of the saved address is at the door. */
    isPinAsked: z.optional(z.boolean()),
    /** Facts of the company that are not sent are those of the account; sent ones are kept there. */
    ...buyerInput,
    paymentMethod: z.optional(z.enum(paymentMethods)),
    /** BHD; the total the customer saw. */
    expectedTotal: z.optional(z.number().check(z.gte(0), z.lte(1_000_000_000))),
    ...deliveryChoice,
  }),
  returns: z.object({
    id: z.string(),
    total: z.number(),
    vendorId: z.number(),
    promisedDate: z.string(),
    cancellableUntil: instant,
    createdAt: instant,
  }),
  errors: [
    'CART_EMPTY',
    'PRODUCT_UNAVAILABLE',
    'PRICE_CHANGED',
    'MINIMUM_NOT_MET',
    'ADDRESS_REQUIRED',
    'OUTSIDE_SERVICE_AREA',
    'VENDOR_DOES_NOT_DELIVER',
    'PAYMENT_METHOD_NOT_OFFERED',
    'DATE_CHANGED',
    'DATE_NOT_AVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const listMyOrders = endpoint({
  method: 'GET',
  path: '/api/auth/orders',
  allow: 'signed-in',
  summary: 'The orders of the signed-in user, newest first',
  /** `open`: neither delivered nor cancelled. */
  query: z.extend(pageQuery, { status: z.optional(z.enum(['open'])) }),
  returns: page(order),
})

export const getOrder = endpoint({
  method: 'GET',
  path: '/api/orders/{id}',
  allow: 'signed-in',
  summary: 'One order of the signed-in user',
  params: orderParams,
  returns: order,
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

export const getStopsLeft = endpoint({
  method: 'GET',
  path: '/api/orders/{id}/stops',
  allow: 'signed-in',
  summary: 'How many stops the driver of an own order has before it today; null unless the order is on its way',
  params: orderParams,
  returns: z.nullable(
    z.object({
      /** Open stops before this one; 0: it is the next one. */
      left: z.number(),
      /** Finished and cancelled stops before it. */
      done: z.number(),
      driverFirstName: z.nullable(z.string()),
    }),
  ),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
export type StopsLeft = NonNullable<Output<typeof getStopsLeft>>

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/api/orders/{id}/cancel',
  allow: 'signed-in',
  summary: 'Cancel an order within an hour of placing it',
  params: orderParams,
  body: z.object({ reason: z.optional(z.nullable(freeText(500))) }),
  returns: order,
  errors: ['ORDER_NOT_FOUND', 'CANCELLATION_CLOSED'],
})

export const rescheduleOrder = endpoint({
  method: 'POST',
  path: '/api/orders/{id}/reschedule',
  allow: 'signed-in',
  summary: 'Move the delivery to another open day, before the order is shipped or after a failed attempt',
  params: orderParams,
  body: z.object({ date: dayInput, version: z.optional(rowIdNumber) }),
  returns: order,
  errors: ['ORDER_NOT_FOUND', 'RESCHEDULE_CLOSED', 'DATE_NOT_AVAILABLE', 'VERSION_CONFLICT'],
})

export const rateOrder = endpoint({
  method: 'PUT',
  path: '/api/orders/{id}/rating',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Rate water and driver within seven days of the delivery; what is not sent stays',
  params: orderParams,
  body: z.object({ water: z.optional(z.enum(ratings)), driver: z.optional(z.enum(ratings)) }),
  returns: order,
  errors: ['ORDER_NOT_FOUND', 'RATING_CLOSED', 'TOO_MANY_REQUESTS'],
})

export const reorderResult = z.object({
  results: z.object({
    added: z.number(),
    failed: z.number(),
    failedItems: z.array(
      z.object({ name: z.string(), nameAr: z.nullable(z.string()), reason: z.string(), code: z.string() }),
    ),
  }),
  message: z.string(),
  priceChanges: z.array(
    z.object({ name: z.string(), nameAr: z.nullable(z.string()), oldPrice: z.number(), newPrice: z.number() }),
  ),
})
export type ReorderResult = z.output<typeof reorderResult>

export const reorder = endpoint({
  method: 'POST',
  path: '/api/orders/{id}/reorder',
  allow: 'signed-in',
  summary: 'Fill the cart with a delivered order at current prices',
  params: orderParams,
  returns: reorderResult,
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_DELIVERED', 'REORDER_FAILED'],
})
