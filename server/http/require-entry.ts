import type { Actor, ActorUser } from '@qatra/contract/actor'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { requireAuthorized } from './authorize.ts'
import type { App } from './runtime.ts'
import { authenticate } from './serve.ts'
import { readApiLang, readSessionCookie } from './session-cookie.ts'

export interface SignedIn {
  lang: Lang
  sessionId: string
  actor: Actor
  user: ActorUser
}

/**
 * Authenticates and authorizes endpoints whose response is not JSON and that require a sign-in. @throws SIGNED_OUT,
 * IMPERSONATING, or the endpoint's `denial`
 */
export async function requireSignedIn(app: App, endpoint: AnyEndpoint, { headers }: FastifyRequest): Promise<SignedIn> {
  const lang = readApiLang(headers)
  const cookie = readSessionCookie(headers, app.cookies)
  if (cookie?.kind !== 'user') throw new AppError('SIGNED_OUT')
  const { actor } = await authenticate(app, app.db, { cookie, lang, opens: false })
  const { user } = actor
  if (!user) throw new AppError('SIGNED_OUT')
  requireAuthorized(endpoint, actor)
  return { lang, sessionId: cookie.id, actor, user }
}
