import * as z from 'zod/mini'
import { dayInput, instantInput } from '../calendar/dates.ts'
import { endpoint, tableFile } from '../endpoint.ts'
import { instant, rowIdNumber } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { freeText } from '../lib/text.ts'
import { referral } from '../users/referral.ts'
import { bottleCount, refundChoices } from './bottles.ts'
import { addedItem, cashHolders, cashTaken, deliveredItem } from './cash.ts'
import { filters, MOST_AT_ONCE, rowNumber, sort, status } from './filters.ts'
import { orderStatuses, paymentMethods, paymentStatuses } from './order-status.ts'
import { mostOrderLines, order, orderParams } from './orders.ts'
import { double, payment, paymentHolders, paymentInput } from './payments.ts'

/** Actions on the order that are currently open to the caller. */
export const adminAbilities = z.object({
  ...order.shape.can.shape,
  /** Assign or remove a driver. */
  assign: z.boolean(),
  /** Payment statuses that the caller can record. */
  payment: z.array(z.enum(paymentStatuses)),
  /** Pay back, and take back a payment. */
  refund: z.boolean(),
  /** Take the delivery back, to a status of `takenBackTo` with `notes` as its reason. */
  takeBack: z.boolean(),
  confirm: z.boolean(),
  note: z.boolean(),
})

export const adminOrder = z.object({
  ...order.shape,
  driver: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() })),
  /** The sales agent who placed the order for the customer, if any. */
  agent: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  /** BHD; the total without what was paid; negative: owed back to the customer. */
  due: z.number(),
  can: adminAbilities,
})
export type AdminOrder = z.output<typeof adminOrder>

export const adminOrderDetail = z.object({
  ...adminOrder.shape,
  /** Ordinal number of this order among the customer's orders with the vendor; null if the customer has no account. */
  customerOrder: z.nullable(z.number()),
  referral: z.nullable(referral),
  /** Payments and refunds, oldest first. */
  payments: z.array(payment),
  double: z.nullable(double),
  /** The Bahrain day on which the delivery counts: a later one where its own was closed. Null before the delivery. */
  bookedOn: z.nullable(z.string()),
})
export type AdminOrderDetail = z.output<typeof adminOrderDetail>

export const listOrders = endpoint({
  method: 'GET',
  path: '/api/admin/orders',
  allow: 'staff',
  permissions: ['orders.read'],
  byKey: true,
  summary: 'Orders in the caller’s scope, newest first',
  query: z.object({ ...pageQuery.shape, ...filters, status, sort }),
  returns: z.object({
    ...page(adminOrder).shape,
    /** False if counting stopped at its limit; `total` is then the limit, and further pages still exist. */
    totalIsExact: z.boolean(),
    /** BHD; sum of all matching orders. Null if not all were counted. */
    sum: z.nullable(z.number()),
    /** When sorted by anything but time, the number of newest orders that are sorted; null if all are. */
    sortedAmong: z.nullable(z.number()),
    /** The delivery day of the filter `day`. */
    day: z.nullable(z.string()),
    now: instant,
  }),
})

/** Days and actions that the desk offers to choose. */
export const deskChips = ['today', 'tomorrow', 'day', 'late', 'failed', 'unassigned'] as const

export const countOrders = endpoint({
  method: 'GET',
  path: '/api/admin/orders/counts',
  allow: 'staff',
  permissions: ['orders.read'],
  summary: 'Number of matching orders by status, and of those placed since a time',
  query: z.object({ ...filters, since: z.optional(instantInput) }),
  returns: z.object({
    counts: z.record(z.enum(orderStatuses), z.number()),
    /** Whether orders of a vendor in reach are processed before they are shipped. */
    processing: z.boolean(),
    all: z.number(),
    /**
     * Counting limit: a number at this limit means "or more". If `all` of a search is at the limit, the counts by
     * status cover only the orders that were scanned.
     */
    most: z.number(),
    /** Number of matching orders placed after `since`, and the newest 100 of them. */
    arrived: z.number(),
    arrivedIds: z.array(z.string()),
    /** Bahrain day of `now`. */
    today: z.string(),
    /** Of the vendor, at most `most` each: by day, and of the chosen day those that need an action; late ones are today's. */
    chips: z.record(z.enum(deskChips), z.number()),
    now: instant,
  }),
})

export const exportOrders = endpoint({
  ...tableFile,
  path: '/api/admin/orders.csv',
  allow: 'staff',
  permissions: ['orders.export'],
  summary: 'Orders as a CSV file, with the filters of the list',
  query: z.object({
    ...filters,
    status,
    /** A row for each line, charge and deposit of an order, so that the amounts of the rows add up to its total. */
    rows: z._default(z.enum(['orders', 'lines']), 'orders'),
    lang: z.optional(z.enum(['ar', 'en'])),
  }),
})

export const getAdminOrder = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}',
  allow: 'staff',
  permissions: ['orders.read'],
  byKey: true,
  summary: 'One order',
  params: orderParams,
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

const notes = z.optional(z.nullable(freeText(1000)))
/** The version that the client saw. */
const version = z.optional(rowIdNumber)

/**
 * Applies to `delivered` when cash is due: `driver` books the full amount as collected by the order's driver, `admin` marks
 * the order paid, `nobody` books nothing and keeps the payment status. Default for staff: `nobody`.
 */
const cashHeldBy = z.optional(z.enum(cashHolders))

export const changeOrderStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/orders/{id}/status',
  allow: ['super_admin', 'vendor_admin', 'vendor_staff', 'driver'],
  permissions: ['orders.status'],
  summary:
    'Change the status of an order; taking a delivery back to in-progress, where the vendor has that step, or shipped needs `notes` and the permission `orders.refund`',
  params: orderParams,
  body: z
    .object({
      status: z.enum(orderStatuses),
      notes,
      /**
       * Default: a delivery by the order's driver marks a cash order paid; a delivery by other staff follows
       * `cashHeldBy`. A driver can change it only when cash is due.
       */
      paymentStatus: z.optional(z.enum(paymentStatuses)),
      /** Collected cash; default for a driver's delivery: the full amount. A repeated request writes nothing. */
      cash: z.optional(cashTaken),
      cashHeldBy,
      /** What was paid at the door or received by the office; only with `delivered`, and instead of `cash` and `cashHeldBy`. */
      payments: z.optional(z.array(paymentInput).check(z.maxLength(10))),
      /** The new day of a cancelled order that is opened again. Required if its own day is over or closed. */
      promisedDate: z.optional(dayInput),
      /** Quantities handed over, at the order's prices; other items as ordered. Only of a delivery. */
      delivered: z.optional(z.array(deliveredItem).check(z.maxLength(mostOrderLines, 'validation.tooManyItems'))),
      /** Products of the vendor handed over besides, at today's prices. Only of a delivery. */
      added: z.optional(z.array(addedItem).check(z.maxLength(mostOrderLines, 'validation.tooManyItems'))),
      /** Empty bottles that came back, also more than were handed over; of other types as expected. Only of a delivery. */
      bottles: z.optional(z.array(bottleCount).check(z.maxLength(20, 'validation.tooManyItems'))),
      /** Of deposits for more empties than expected: `now` pays back what is beyond the total, as negative payments say. */
      refund: z.optional(z.enum(refundChoices)),
      version,
    })
    .check(
      ...(['delivered', 'added', 'bottles', 'refund'] as const).map((key) =>
        z.refine<Record<'status', string> & Partial<Record<typeof key, unknown>>>(
          (body) => body[key] === undefined || body.status === 'delivered',
          { path: [key], message: 'validation.invalid' },
        ),
      ),
      z.refine(
        ({ payments, status, cash, cashHeldBy }) =>
          payments === undefined || (status === 'delivered' && cash === undefined && cashHeldBy === undefined),
        { path: ['payments'], message: 'validation.invalid' },
      ),
    ),
  returns: adminOrderDetail,
  errors: [
    'ORDER_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'ORDER_CLOSED',
    'NOTHING_DELIVERED',
    'DELIVERED_OTHERWISE',
    'MORE_THAN_VAN',
    'MORE_THAN_DUE',
    'REFUND_LIMIT',
    'VENDOR_MISMATCH',
    'PRODUCT_UNAVAILABLE',
    'DATE_NOT_AVAILABLE',
    'VERSION_CONFLICT',
    'IDEMPOTENCY_KEY_REUSED',
    'ORDER_WITHOUT_DRIVER',
    'DAY_CLOSED',
    'REFUND_LIMIT',
  ],
})

export const changeManyOrders = endpoint({
  method: 'POST',
  path: '/api/admin/orders/bulk',
  allow: 'admin',
  permissions: ['orders.status', 'orders.assign'],
  summary:
    'Change the status, driver or delivery day of several orders, or give them to a driver and ship them; each succeeds or fails separately',
  body: z
    .object({
      ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(MOST_AT_ONCE)),
      status: z.optional(z.enum(orderStatuses)),
      cashHeldBy,
      /** Null removes the driver. */
      driverId: z.optional(z.nullable(rowIdNumber)),
      promisedDate: z.optional(dayInput),
      notes,
    })
    .check(
      z.refine(
        (body) =>
          [body.status, body.driverId, body.promisedDate].filter((one) => one !== undefined).length === 1 ||
          (body.status === 'shipped' && typeof body.driverId === 'number' && body.promisedDate === undefined),
        { path: ['status'], message: 'validation.required' },
      ),
    ),
  returns: z.object({
    changed: z.number(),
    results: z.array(
      z.object({
        id: z.string(),
        /** Error code; null on success. */
        code: z.nullable(z.string()),
        status: z.nullable(z.enum(orderStatuses)),
        driverId: z.nullable(z.number()),
        version: z.nullable(z.number()),
      }),
    ),
  }),
})

export const changePayment = endpoint({
  method: 'PATCH',
  path: '/api/admin/orders/{id}/payment',
  allow: 'admin',
  permissions: ['orders.payment'],
  summary: 'Set payment method and payment status of an order, or take back what was recorded twice',
  params: orderParams,
  body: z
    .object({
      paymentMethod: z.optional(z.enum(paymentMethods)),
      paymentStatus: z.optional(z.enum(paymentStatuses)),
      /** Of a `double`, the record that was a mistake; it is taken back. Nothing happens if there is no `double` any more. */
      mistake: z.optional(z.enum(paymentHolders)),
      notes,
      version,
    })
    .check(
      z.refine((body) => [body.paymentMethod, body.paymentStatus, body.mistake].some((one) => one !== undefined), {
        path: ['paymentStatus'],
        message: 'validation.required',
      }),
    ),
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION', 'VERSION_CONFLICT', 'DAY_CLOSED', 'REFUND_LIMIT'],
})

export const assignDriver = endpoint({
  method: 'PUT',
  path: '/api/admin/orders/{id}/driver',
  allow: 'admin',
  permissions: ['orders.assign'],
  summary: 'Assign an order to a driver of its vendor',
  params: orderParams,
  body: z.object({ driverId: rowIdNumber, version }),
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'DRIVER_NOT_AVAILABLE', 'ORDER_CLOSED', 'VERSION_CONFLICT'],
})

export const unassignDriver = endpoint({
  method: 'DELETE',
  path: '/api/admin/orders/{id}/driver',
  allow: 'admin',
  permissions: ['orders.assign'],
  summary: 'Remove the driver from an order',
  params: orderParams,
  query: z.object({ version: z.optional(rowNumber) }),
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'ORDER_CLOSED', 'VERSION_CONFLICT'],
})
