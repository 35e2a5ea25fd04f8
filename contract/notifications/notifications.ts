import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant, rowIdNumber } from '../lib/ids.ts'
import { page, pageQuery, wholeNumberQuery } from '../lib/page.ts'
import { orderStatuses } from '../orders/order-status.ts'
import { kinds } from './kinds.ts'

const eventId = wholeNumberQuery(0, 2_147_483_647)

/** An event of the stream. Contains ids only, never the customer of an order. */
export const liveEvent = z.object({
  /** Ascending in order of time. */
  id: z.number(),
  kind: z.enum(kinds),
  at: instant,
  orderId: z.nullable(z.string()),
  /** Contact of the conversation. */
  contactId: z.nullable(z.number()),
  /** Of a conversation: who has it, and who has muted it. */
  conversation: z.optional(z.object({ assignedTo: z.nullable(z.number()), mutedBy: z.array(z.number()) })),
  vendorId: z.nullable(z.number()),
  /** New status of the order. */
  status: z.nullable(z.enum(orderStatuses)),
  /** The person who caused it; nobody is notified of their own actions. */
  byId: z.nullable(z.number()),
})
export type LiveEvent = z.output<typeof liveEvent>

/**
 * Stream events besides the kinds: start of the stream, too many missed events, and the reason the server closes it.
 */
export const streamSigns = ['ready', 'reset', 'end'] as const
export const endReasons = ['replaced', 'rights', 'age', 'stopping'] as const
export type EndReason = (typeof endReasons)[number]

export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/admin/events',
  allow: 'staff',
  permissions: ['events.read'],
  byKey: true,
  summary: 'Server-sent events in the caller’s scope; Last-Event-ID (or `after`) returns missed events',
  query: z.object({ after: z.optional(eventId) }),
  returns: z.string(),
  produces: 'text/event-stream; charset=utf-8',
  isStream: true,
  errors: ['TOO_MANY_REQUESTS'],
})

/** Event of `streamMyOrders`: the order changed. */
export const orderChanged = z.object({
  /** Ascending in order of time. */
  id: z.number(),
  orderId: z.string(),
})
export type OrderChanged = z.output<typeof orderChanged>

export const streamMyOrders = endpoint({
  method: 'GET',
  path: '/api/auth/orders/events',
  allow: 'signed-in',
  summary: 'Server-sent events when the caller’s own orders change; Last-Event-ID (or `after`) returns missed events',
  query: z.object({ after: z.optional(eventId) }),
  returns: z.string(),
  produces: 'text/event-stream; charset=utf-8',
  isStream: true,
  errors: ['TOO_MANY_REQUESTS'],
})

export const notification = z.object({
  id: z.number(),
  kind: z.enum(kinds),
  at: instant,
  isRead: z.boolean(),
  orderId: z.nullable(z.string()),
  /** Contact of the conversation; null if it was deleted. */
  contact: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.nullable(z.string()) })),
  /** The stopped campaign with the reason, in the provider's words; null for a reason of our own, and once it goes on. */
  campaign: z.nullable(z.object({ id: z.string(), name: z.string(), reason: z.nullable(z.string()) })),
  /** The stop without an order; null if the person can no longer access it. */
  visit: z.nullable(
    z.object({
      date: z.string(),
      customerName: z.string(),
      areaName: z.nullable(z.string()),
      areaNameAr: z.nullable(z.string()),
      /** Empties that are expected; null if not known. */
      bottles: z.nullable(z.number()),
    }),
  ),
  status: z.nullable(z.enum(orderStatuses)),
  /** Name of the member of staff who caused it, if any. */
  byName: z.nullable(z.string()),
  /** Current state of the order; null if the person can no longer access it. */
  order: z.nullable(
    z.object({
      customerName: z.string(),
      areaName: z.nullable(z.string()),
      areaNameAr: z.nullable(z.string()),
      vendorName: z.string(),
      vendorNameAr: z.nullable(z.string()),
      /** BHD */
      total: z.number(),
    }),
  ),
})
export type Notification = z.output<typeof notification>

/** Counting stops at this number. */
export const MOST_UNREAD = 1_000

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/admin/notifications',
  allow: 'staff',
  permissions: ['events.read'],
  summary: 'Notifications of the last days, newest first',
  query: pageQuery,
  returns: z.object({
    ...page(notification).shape,
    /** At most 100. */
    unread: z.number(),
  }),
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/admin/notifications/read',
  allow: 'staff',
  permissions: ['events.read'],
  summary: 'Mark some notifications as read, or all up to one of them',
  body: z
    .object({
      ids: z.optional(z.array(rowIdNumber).check(z.minLength(1), z.maxLength(100))),
      upTo: z.optional(rowIdNumber),
    })
    .check(
      z.refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), {
        path: ['upTo'],
        message: 'validation.required',
      }),
    ),
  returns: z.object({ unread: z.number() }),
})
