import type { AnyEndpoint, Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { limitImpersonatedPages, requireAuthorized } from './authorize.ts'
import { isOwnHost } from './csrf.ts'
import { parseInput } from './parse-input.ts'
import { isForwarded } from './request-guard.ts'
import type { App } from './runtime.ts'
import { authenticate } from './serve.ts'
import { readCookie, readSessionCookie } from './session-cookie.ts'

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
 * Calls reading endpoints for server rendering: the same `allow`, schemas and handlers as over HTTP, for the request's
 * actor, who is read once. @throws AppError where the call would be refused
 */
export async function callerFor(
  app: App,
  request: FastifyRequest,
  lang: Lang,
): Promise<{ ctx: Ctx; call: CallInProcess }> {
  const cookie = readSessionCookie(request.headers, app.cookies)
  const { actor, now } = await authenticate(app, app.db, { cookie, lang, opens: false })
  const ctx: Ctx = {
    db: app.db,
    actor,
    now,
    client: {
      ip: request.ip,
      isForwarded: isForwarded(request.headers) || !isOwnHost(app.config, request.headers),
      userAgent: request.headers['user-agent'] ?? '',
      sessionId: cookie?.id ?? null,
      deviceToken: readCookie(request.headers, app.cookies.device),
      idempotencyKey: null,
    },
    afterCommit: refuseEffect,
    setCookie: refuseEffect,
    // Headers of in-process calls are dropped.
    setHeader: () => {},
  }
  return {
    ctx,
    async call({ method, path }, input) {
      const served = app.served.get(`${method} ${path}`)
      if (!served) throw new Error(`A page asks for ${method} ${path}, which is not served`)
      requireAuthorized(served.endpoint, actor)
      const sent = { params: asSent(input.params), query: asSent(input.query), body: undefined }
      const parsed = parseInput(served.endpoint, sent, lang) as Parsed<AnyEndpoint>
      limitImpersonatedPages(actor, parsed)
      // The map has handlers of all endpoints; this input was parsed by this handler's own endpoint.
      const made = await served.handle(ctx, parsed as never)
      return (served.trim ? served.trim(made) : made) as Output<AnyEndpoint>
    },
  }
}

function refuseEffect(): never {
  throw new Error('A reading endpoint changes nothing')
}
