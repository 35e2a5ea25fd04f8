import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant, rowId } from '../lib/ids.ts'
import { freeText } from '../lib/text.ts'

/** Maximum duration of one impersonation. */
export const IMPERSONATION_MS = 30 * 60_000

/** Number of pages of a list that an impersonated session can read. */
export const IMPERSONATED_PAGES = 3

const shortestReason = 3

export const impersonationStatus = z.object({
  isImpersonating: z.boolean(),
  /** The effective user: the caller, or the impersonated person. */
  currentUser: z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() }),
  /** The caller during impersonation; otherwise null. */
  originalUser: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() })),
  /** When impersonation expires. The caller then continues as themselves and stays signed in. */
  endsAt: z.nullable(instant),
})
export type ImpersonationStatus = z.output<typeof impersonationStatus>

export const startImpersonation = endpoint({
  method: 'POST',
  path: '/api/admin/impersonate/{userId}',
  allow: 'super',
  permissions: ['users.impersonate'],
  forbidWhileImpersonating: true,
  summary: 'Impersonate this person for 30 minutes; history rows name both people',
  params: z.object({ userId: rowId }),
  body: z.object({ reason: freeText(500).check(z.minLength(shortestReason, 'validation.reason')) }),
  returns: impersonationStatus,
  errors: ['IMPERSONATING', 'NOT_IMPERSONABLE', 'USER_NOT_FOUND'],
})

export const stopImpersonation = endpoint({
  method: 'POST',
  path: '/api/admin/impersonate/stop',
  allow: 'signed-in',
  summary: 'End impersonation; does nothing without one',
  returns: impersonationStatus,
})

export const getImpersonation = endpoint({
  method: 'GET',
  path: '/api/admin/impersonate/status',
  allow: 'signed-in',
  summary: 'Current impersonation, and when it ends',
  returns: impersonationStatus,
})
