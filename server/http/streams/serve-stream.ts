import type { AnyEndpoint, Parsed } from '@qatra/contract/endpoint'
import type { ActorUser } from '@qatra/contract/users/actor'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { authenticate, readCredentials } from '../authenticate.ts'
import { authorizeRequest } from '../authorize.ts'
import { register, servedOverHttp } from '../register.ts'
import type { App } from '../runtime.ts'
import type { StreamTopic } from './event-stream.ts'
import type { StreamRequest } from './event-streams.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stream's duration is not a response time. */
    isStream?: boolean
  }
}

/** The last event id of a reconnecting browser. */
function lastEventId({ headers }: FastifyRequest): number | null {
  const text = headers['last-event-id']
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null
  const id = Number(text)
  return id <= 2_147_483_647 ? id : null
}

/** Registers an event-stream endpoint. `prepare` returns how the stream begins; called when it is added. */
export function serveStream<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  topic: StreamTopic,
  prepare: (user: ActorUser, input: Parsed<E>, lastId: number | null) => Promise<StreamRequest['begin']>,
) {
  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { actor, client } = await authenticate(app, app.db, readCredentials(app, request))
    const input = authorizeRequest(endpoint, actor, request)
    const sessionId = client.keyId ?? client.sessionId
    const { user } = actor
    if (!user || sessionId === null) throw new AppError('SIGNED_OUT')
    await app.eventStreams.admit(user, sessionId)
    const begin = await prepare(user, input, lastEventId(request))
    const opening = { response: reply.raw, headers: reply.getHeaders(), sessionId, actor, user, topic, begin }
    // The client disconnected meanwhile.
    if (!request.raw.destroyed) app.eventStreams.open(opening)
    return reply.hijack()
  }

  // HEAD would open a stream that nobody reads.
  register(app, servedOverHttp(endpoint), answer, { exposeHeadRoute: false, config: { isStream: true } })
}
