import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, idParams, instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { page, pageQuery } from './lib/page.ts'
import { lineText } from './lib/text.ts'
import type { Role } from './users/roles.ts'

/** What happened to an order. `order.changed`: anything but its status. */
export const hookEvents = [
  'order.placed',
  'order.changed',
  'order.status_changed',
  'order.delivered',
  'order.cancelled',
] as const

/** Endpoints of one vendor, or of the market. */
export const MOST_HOOKS = 10
/** Messages that wait, and deliveries of the list, are counted up to here. */
export const MOST_COUNTED = 10_000
/** Days without a single delivery, after which an endpoint is disabled. */
export const HOOK_FAILING_DAYS = 3

/** `failing`: the last delivery failed. `stopped`: disabled after days of failure. */
export const hookStates = ['live', 'failing', 'stopped', 'off'] as const
export const deliveryStates = ['pending', 'sending', 'delivered', 'failed'] as const

/** Receives signed messages about orders. Shown without its secret. */
export const hook = z.object({
  id: z.number(),
  url: z.string(),
  /** Null for the whole market. */
  vendorId: z.nullable(z.number()),
  events: z.array(z.enum(hookEvents)),
  state: z.enum(hookStates),
  /** Messages that wait, up to `MOST_COUNTED`. */
  waiting: z.number(),
  createdAt: instant,
  failingSince: z.nullable(instant),
  lastError: z.nullable(z.string()),
})
export type Hook = z.output<typeof hook>

export const hookDelivery = z.object({
  id: z.number(),
  /** `ping` for a test. */
  type: z.string(),
  /** The order, or the test. */
  subject: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  lastStatus: z.nullable(z.number()),
  /** `address`, `unreachable`, `unanswered` or `status`. */
  lastError: z.nullable(z.string()),
  createdAt: instant,
  nextAttemptAt: instant,
  deliveredAt: z.nullable(instant),
})
export type HookDelivery = z.output<typeof hookDelivery>

const admins = {
  allow: ['super_admin', 'vendor_admin'] as const satisfies readonly Role[],
  permissions: ['integrations.write'],
} as const
const changes = { ...admins, forbidWhileImpersonating: true } as const

export const listHooks = endpoint({
  ...admins,
  method: 'GET',
  path: '/api/admin/webhook-endpoints',
  summary: 'Endpoints of outgoing webhooks in the caller’s scope',
  query: z.object({ vendorId: vendorFilter }),
  returns: z.array(hook),
})

export const createHook = endpoint({
  ...changes,
  method: 'POST',
  path: '/api/admin/webhook-endpoints',
  summary: 'Add an endpoint of outgoing webhooks; only this answer contains the secret of its signatures',
  body: z.object({
    url: lineText(500).check(z.regex(/^https:\/\/[^/\s]{1,255}(?:\/\S*)?$/, 'validation.httpsAddress')),
    /** Of the caller’s scope; null, for super admins alone, is the whole market. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    events: z.array(z.enum(hookEvents)).check(z.minLength(1, 'validation.choose')),
  }),
  returns: z.extend(hook, { secret: z.string() }),
  errors: ['HOOKS_FULL'],
})

export const switchHook = endpoint({
  ...changes,
  method: 'PATCH',
  path: '/api/admin/webhook-endpoints/{id}',
  summary: 'Switch an endpoint off or on; what waits is sent when it is on again',
  params: idParams,
  body: z.object({ isEnabled: z.boolean() }),
  returns: hook,
  errors: ['HOOK_NOT_FOUND'],
})

export const deleteHook = endpoint({
  ...changes,
  method: 'DELETE',
  path: '/api/admin/webhook-endpoints/{id}',
  summary: 'Delete an endpoint with its deliveries',
  params: idParams,
  returns: done,
  errors: ['HOOK_NOT_FOUND'],
})

export const pingHook = endpoint({
  ...changes,
  method: 'POST',
  path: '/api/admin/webhook-endpoints/{id}/ping',
  summary: 'Send a test message to an endpoint',
  params: idParams,
  returns: done,
  errors: ['HOOK_NOT_FOUND'],
})

export const listHookDeliveries = endpoint({
  ...admins,
  method: 'GET',
  path: '/api/admin/webhook-endpoints/{id}/deliveries',
  summary: 'Messages to an endpoint, newest first',
  params: idParams,
  query: pageQuery,
  returns: page(hookDelivery),
  errors: ['HOOK_NOT_FOUND'],
})

export const resendHookDelivery = endpoint({
  ...changes,
  method: 'POST',
  path: '/api/admin/webhook-deliveries/{id}/resend',
  summary: 'Send a delivered or failed message again, under the same id',
  params: idParams,
  returns: done,
  errors: ['HOOK_NOT_FOUND'],
})
