import type { ActorUser } from '@qatra/contract/actor'
import type { AnyEndpoint, Parsed } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from './error-handler.ts'
import type { StreamRequest } from './event-streams.ts'
import { parseInput } from './parse-input.ts'
import { requireSignedIn } from './require-entry.ts'
import type { App } from './runtime.ts'

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
  prepare: (user: ActorUser, input: Parsed<E>, lastId: number | null) => Promise<StreamRequest['begin']>,
) {
  const handle = () => {
    throw new Error('A stream is not called in process')
  }
  app.served.set(`${endpoint.method} ${endpoint.path}`, { endpoint, handle, trim: null })

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    try {
      const { lang, sessionId, actor, user } = await requireSignedIn(app, endpoint, request)
      const input = parseInput(endpoint, request, lang) as Parsed<E>
      app.eventStreams.admit(user)
      const begin = await prepare(user, input, lastEventId(request))
      const opening = { response: reply.raw, headers: reply.getHeaders(), sessionId, actor, user, begin }
      // The client disconnected meanwhile.
      if (request.raw.destroyed) return reply.hijack()
      app.eventStreams.open(opening)
      return reply.hijack()
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }

  app.http.route({
    method: 'GET',
    url: endpoint.path,
    // HEAD would open a stream that nobody reads.
    exposeHeadRoute: false,
    config: { isStream: true },
    handler: answer,
  })
}
