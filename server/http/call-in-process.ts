import type { Lang } from '@qatra/contract/lib/lang'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { authenticate, readCredentials } from './authenticate.ts'
import { authorizeRequest } from './authorize.ts'
import { isOwnHost } from './guard/csrf.ts'
import type { App } from './runtime.ts'

export type CallInProcess = (
  endpoint: { method: 'GET'; path: string },
  input: { params?: unknown; query?: unknown; body?: unknown },
) => Promise<unknown>

/** Values as query strings; undefined and null are omitted. */
function asSent(values: unknown): Record<string, string> {
  const given = Object.entries({ ...(values as object | undefined) }) // null and undefined spread to nothing
  return Object.fromEntries(
    given.flatMap(([key, value]) => (value === undefined || value === null ? [] : [[key, String(value)]])),
  )
}

/**
 * Calls reading endpoints for server rendering: the same authorization, schemas and handlers as over HTTP, for the
 * request's actor, who is read once. @throws AppError where the call would be refused
 */
export async function callerFor(
  app: App,
  request: FastifyRequest,
  lang: Lang,
): Promise<{ ctx: Ctx; call: CallInProcess }> {
  // A page belongs to a session; API keys are for the API.
  const { authorization: _, ...headers } = request.headers
  const credentials = readCredentials(app, { headers, ip: request.ip }, lang)
  const { actor, now, client } = await authenticate(app, app.db, credentials)
  const ctx: Ctx = {
    db: app.db,
    actor,
    now,
    client: { ...client, isForwarded: client.isForwarded || !isOwnHost(app.config, request.headers) },
    afterCommit: refuseEffect,
    setCookie: refuseEffect,
    // Headers of in-process calls are dropped.
    setHeader: () => {},
  }
  return {
    ctx,
    async call({ method, path }, { params, query }) {
      const served = app.served.get(`${method} ${path}`)
      if (!served) throw new Error(`A page asks for ${method} ${path}, which is not served`)
      const sent = { params: asSent(params), query: asSent(query), body: undefined }
      // The map has handlers of all endpoints; this input was parsed by this handler's own endpoint.
      const made = await served.handle(ctx, authorizeRequest(served.endpoint, actor, sent) as never)
      return served.trim ? served.trim(made) : made
    },
  }
}

function refuseEffect(): never {
  throw new Error('A reading endpoint changes nothing')
}
