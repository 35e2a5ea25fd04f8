import type { AnyEndpoint, Output, Parsed } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from './error-handler.ts'
import { parseInput } from './parse-input.ts'
import { type Answer, createEntry, type Entry, negotiate, type Representation } from './response-cache.ts'
import { trimToSchema } from './response-schema.ts'
import type { App, Served } from './runtime.ts'
import { readApiLang } from './session-cookie.ts'

export interface Sharing<E extends AnyEndpoint> {
  /** The address under which the answer is kept as bytes, as the pages write it; null where it is made each time. */
  keepAs?: (input: Parsed<E>) => string | null
  /** When the answer changes without any change of the reference data, by the calendar. */
  until?: (input: Parsed<E>, now: Date) => Date
}

/** May be stored by anybody, and is asked about again each time: the ETag then spares the bytes. */
const CACHE_CONTROL = 'public, no-cache'

/** Registers a reading endpoint whose answer is the same for everybody: no session is looked up for it. */
export function serveShared<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  read: (input: Parsed<E>, now: Date) => Output<E>,
  { keepAs, until }: Sharing<E> = {},
) {
  // The table holds endpoints of all shapes; each handler is only ever given what its own endpoint parsed.
  const handle = (ctx: { now: Date }, input: never) => read(input as Parsed<E>, ctx.now)
  const cut = trimToSchema(endpoint.returns)
  const served: Served & { handle: (ctx: { now: Date }, input: never) => unknown } = { endpoint, handle, trim: cut }
  app.served.set(`${endpoint.method} ${endpoint.path}`, served)

  function entryFor(input: Parsed<E>): Entry {
    const url = keepAs?.(input) ?? null
    const kept = url === null ? null : app.responseCache.kept(url, 'everyone')
    if (kept) return kept
    const epoch = app.responseCache.epoch()
    const now = app.clock.now()
    const json = jsonAnswer(cut(served.handle({ now }, input as never)), CACHE_CONTROL)
    const entry = createEntry(
      { ...json, headers: app.headers.api, ...(until ? { until: until(input, now) } : {}) },
      { compress: url !== null },
    )
    if (url !== null) app.responseCache.keep(epoch, url, 'everyone', entry)
    return entry
  }

  function answer(request: FastifyRequest, reply: FastifyReply) {
    try {
      const input = parseInput(endpoint, request, readApiLang(request.headers)) as Parsed<E>
      return send(reply, negotiate(entryFor(input), request.headers))
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }

  app.http.route({ method: 'GET', url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'), handler: answer })
}

export const jsonAnswer = (value: unknown, cacheControl: string): Answer => ({
  body: JSON.stringify(value),
  contentType: 'application/json; charset=utf-8',
  cacheControl,
})

export function send(reply: FastifyReply, { status, headers, body }: Representation) {
  reply.code(status)
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1])
  return reply.send(body ?? undefined)
}
