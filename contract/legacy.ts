import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './lib/ids.ts'
import { page, pageQuery } from './lib/page.ts'
import { orderStatuses } from './orders/order-status.ts'
import { orderParams, syncError } from './orders/orders.ts'

/** Synchronization state of an order with the older system: pending, synced, or failed until staff retry it. */
export const syncStatuses = ['pending', 'synced', 'failed'] as const
export type SyncStatus = (typeof syncStatuses)[number]

/** Number of most recent errors that are stored. */
export const MOST_SYNC_ERRORS = 10

/** Maximum number of orders that one call retries. */
export const MOST_SYNCED_AT_ONCE = 1_000

export const legacyOrder = z.object({
  /** Id of the order. */
  id: z.string(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  status: z.enum(orderStatuses),
  /** BHD */
  total: z.number(),
  createdAt: instant,
  syncStatus: z.enum(syncStatuses),
  legacyBagId: z.nullable(z.string()),
  legacyTransactionId: z.nullable(z.string()),
  lastSyncAt: z.nullable(instant),
  /** Oldest first. */
  syncErrors: z.array(syncError),
  /** Attempts of the pending change; 0 if none is pending. */
  attempts: z.number(),
  nextAttemptAt: z.nullable(instant),
  /** A call to the older system is in progress. */
  isSending: z.boolean(),
})
export type LegacyOrder = z.output<typeof legacyOrder>

export const getLegacySummary = endpoint({
  method: 'GET',
  path: '/api/admin/legacy/summary',
  allow: 'super',
  permissions: ['legacy.read'],
  summary: 'State of the synchronization with the legacy system',
  returns: z.object({
    isOn: z.boolean(),
    /** Origin of the older system, without path and query. */
    host: z.nullable(z.string()),
    counts: z.record(z.enum(syncStatuses), z.number()),
    /** Counting limit. A count at this limit means "or more". */
    most: z.number(),
    /** Changes that wait to be sent or are being sent. */
    waiting: z.number(),
    lastSyncAt: z.nullable(instant),
    now: instant,
  }),
})

export const listLegacyOrders = endpoint({
  method: 'GET',
  path: '/api/admin/legacy',
  allow: 'super',
  permissions: ['legacy.read'],
  summary: 'Orders with their synchronization status, newest first',
  query: z.object({
    ...pageQuery.shape,
    state: z.optional(z.enum(syncStatuses)),
    /** Id of the order here or in the older system. */
    search: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: page(legacyOrder),
})

export const retryLegacyOrder = endpoint({
  method: 'POST',
  path: '/api/admin/legacy/{id}/retry',
  allow: 'super',
  permissions: ['legacy.write'],
  summary: 'Send one order to the legacy system now',
  params: orderParams,
  returns: legacyOrder,
  errors: ['ORDER_NOT_FOUND', 'LEGACY_OFF'],
})

export const retryLegacyOrders = endpoint({
  method: 'POST',
  path: '/api/admin/legacy/retry',
  allow: 'super',
  permissions: ['legacy.write'],
  summary: 'Send the failed orders to the legacy system, or all that are not up to date there',
  body: z.object({ scope: z.enum(['failed', 'all']) }),
  returns: z.object({ changed: z.number() }),
  errors: ['LEGACY_OFF'],
})
