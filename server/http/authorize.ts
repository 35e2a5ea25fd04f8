import type { Actor } from '@qatra/contract/actor'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { IMPERSONATED_PAGES } from '@qatra/contract/impersonation'
import { isAuthorized } from '@qatra/contract/permissions'
import { AppError } from '../lib/errors.ts'

/** @throws IMPERSONATING, SIGNED_OUT, or the endpoint's `denial` */
export function requireAuthorized(
  endpoint: AnyEndpoint,
  { user, impersonator }: Pick<Actor, 'user' | 'impersonator'>,
): void {
  if (endpoint.forbidWhileImpersonating && impersonator) throw new AppError('IMPERSONATING')
  if (!isAuthorized(endpoint, user)) throw new AppError(user ? (endpoint.deniedAs ?? 'FORBIDDEN') : 'SIGNED_OUT')
}

/**
 * Limits impersonated sessions to the first pages of a list: enough to help the person, not enough to copy the list.
 * Applies to every endpoint with `page` in its query.
 * @throws IMPERSONATING_FURTHER
 */
export function limitImpersonatedPages(
  { impersonator }: Pick<Actor, 'impersonator'>,
  { query }: { query?: unknown },
): void {
  const { page } = { ...(query as { page?: unknown } | undefined) } // parsed by the endpoint's schema
  if (impersonator && typeof page === 'number' && page > IMPERSONATED_PAGES)
    throw new AppError('IMPERSONATING_FURTHER', { pages: IMPERSONATED_PAGES })
}
