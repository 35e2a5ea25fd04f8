import type { AnyEndpoint, Parsed } from '@qatra/contract/endpoint'
import type { Actor } from '@qatra/contract/users/actor'
import { IMPERSONATED_PAGES } from '@qatra/contract/users/impersonation'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { AppError } from '../lib/errors.ts'
import { parseInput, type Sent } from './parse-input.ts'

/** @throws NOT_FOR_KEYS, IMPERSONATING, SIGNED_OUT, or the endpoint's `deniedAs` */
export function authorize(
  endpoint: AnyEndpoint,
  { user, impersonator, key }: Pick<Actor, 'user' | 'impersonator' | 'key'>,
): void {
  if (key && !endpoint.byKey) throw new AppError('NOT_FOR_KEYS')
  if (endpoint.forbidWhileImpersonating && impersonator) throw new AppError('IMPERSONATING')
  if (!isAuthorized(endpoint, user)) throw new AppError(user ? (endpoint.deniedAs ?? 'FORBIDDEN') : 'SIGNED_OUT')
}

/**
 * Authorizes, then parses: an unauthorized caller learns nothing about the input. Impersonated sessions see the first
 * pages of a list only: enough to help the person, not enough to copy the list.
 * @throws what `authorize` and `parseInput` throw, IMPERSONATING_FURTHER
 */
export function authorizeRequest<E extends AnyEndpoint>(endpoint: E, actor: Actor, sent: Sent): Parsed<E> {
  authorize(endpoint, actor)
  const input = parseInput(endpoint, sent, actor.lang)
  const { page } = { ...(input.query as { page?: unknown } | undefined) } // parsed by the endpoint's schema
  if (actor.impersonator && typeof page === 'number' && page > IMPERSONATED_PAGES)
    throw new AppError('IMPERSONATING_FURTHER', { pages: IMPERSONATED_PAGES })
  return input
}
