import type { Actor, ActorUser } from '@qatra/contract/actor'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import { requireAuthorized } from './may-ask.ts'
import type { App } from './runtime.ts'
import { whoIsAsking } from './serve.ts'
import { readApiLang, readSessionCookie } from './session.ts'

export interface Entered {
  lang: Lang
  sessionId: string
  actor: Actor
  user: ActorUser
}

/**
 * Who asks, of endpoints whose answer is no JSON and which are for people who are signed in.
 * @throws SIGNED_OUT, IMPERSONATING, or how the endpoint refuses
 */
export async function requireEntry(app: App, endpoint: AnyEndpoint, { headers }: FastifyRequest): Promise<Entered> {
  const lang = readApiLang(headers)
  const cookie = readSessionCookie(headers, app.cookies)
  if (cookie?.kind !== 'user') throw new AppError('SIGNED_OUT')
  const { actor } = await whoIsAsking(app, app.db, { cookie, lang, opens: false })
  const { user } = actor
  if (!user) throw new AppError('SIGNED_OUT')
  requireAuthorized(endpoint, actor)
  return { lang, sessionId: cookie.id, actor, user }
}
