import type { Actor } from '@qatra/contract/actor'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { IMPERSONATED_PAGES } from '@qatra/contract/impersonation'
import { mayEnter } from '@qatra/contract/permissions'
import { AppError } from './errors.ts'

/** @throws SIGNED_OUT, IMPERSONATING, or how the endpoint refuses */
export function requireMayAsk(
  endpoint: AnyEndpoint,
  { user, impersonator }: Pick<Actor, 'user' | 'impersonator'>,
): void {
  if (endpoint.isPersonal && impersonator) throw new AppError('IMPERSONATING')
  if (!mayEnter(endpoint, user)) throw new AppError(user ? (endpoint.denial ?? 'FORBIDDEN') : 'SIGNED_OUT')
}

/**
 * Whoever acts as somebody else sees the first pages of a list, which help that person, and cannot collect the list.
 * It holds for every endpoint whose query has a page.
 * @throws IMPERSONATING_FURTHER
 */
export function requireFirstPages({ impersonator }: Pick<Actor, 'impersonator'>, { query }: { query?: unknown }): void {
  const { page } = { ...(query as { page?: unknown } | undefined) } // parsed by the endpoint's own shape
  if (impersonator && typeof page === 'number' && page > IMPERSONATED_PAGES)
    throw new AppError('IMPERSONATING_FURTHER', { pages: IMPERSONATED_PAGES })
}
