import type { AnyEndpoint, Output, Parsed } from '@qatra/contract/endpoint'
import { createEntry, type Entry, jsonAnswer, sendEntry } from './pages/response-cache.ts'
import { parseInput } from './parse-input.ts'
import { register } from './register.ts'
import { trimToSchema } from './response-schema.ts'
import type { App, Served } from './runtime.ts'
import { readApiLang } from './session-cookie.ts'

export interface Sharing<E extends AnyEndpoint> {
  /** The URL under which the response is cached, as pages write it; null disables caching. */
  cacheAs?: (input: Parsed<E>) => string | null
  /** When the response changes by the calendar alone. */
  until?: (input: Parsed<E>, now: Date) => Date
}

/** Stored by anybody and revalidated every time; the ETag then saves the body. */
const CACHE_CONTROL = 'public, no-cache'

/** Registers a reading endpoint whose response is the same for everybody, without reading the session. */
export function serveShared<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  read: (input: Parsed<E>, now: Date) => Output<E>,
  { cacheAs, until }: Sharing<E> = {},
) {
  // The map has handlers of all endpoints; each receives only input parsed by its own endpoint.
  const handle = (ctx: { now: Date }, input: never) => read(input as Parsed<E>, ctx.now)
  const cut = trimToSchema(endpoint.returns)
  const served: Served & { handle: (ctx: { now: Date }, input: never) => unknown } = { endpoint, handle, trim: cut }

  function entryFor(input: Parsed<E>): Entry {
    const url = cacheAs?.(input) ?? null
    const cached = url === null ? null : app.responseCache.get(url, 'everyone')
    if (cached) return cached
    const epoch = app.responseCache.epoch()
    const now = app.clock.now()
    const json = jsonAnswer(cut(served.handle({ now }, input as never)), CACHE_CONTROL)
    const entry = createEntry(
      { ...json, headers: app.headers.api, ...(until ? { until: until(input, now) } : {}) },
      { compress: url !== null },
    )
    if (url !== null) app.responseCache.set(epoch, url, 'everyone', entry)
    return entry
  }

  register(app, served, (request, reply) =>
    sendEntry(request, reply, entryFor(parseInput(endpoint, request, readApiLang(request.headers)))),
  )
}
