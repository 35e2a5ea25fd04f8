import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, createEntry, type Entry, sendEntry } from '../pages/response-cache.ts'
import type { App } from '../runtime.ts'
import { docsPage, docsStyle } from './api-docs.ts'
import { openApiDocument } from './openapi.ts'

/** Created at the first request and kept, since most processes never serve it. */
function lazily(make: () => Answer) {
  let entry: Entry | null = null
  return (request: FastifyRequest, reply: FastifyReply) => {
    entry ??= createEntry(make())
    return sendEntry(request, reply, entry)
  }
}

export function docsRoutes(app: App, endpoints: readonly AnyEndpoint[]) {
  const common = { cacheControl: 'public, no-cache' }
  app.http.get(
    '/api/openapi.json',
    lazily(() => ({
      ...common,
      body: JSON.stringify(openApiDocument(endpoints, app.config.publicUrl, app.cookies.session)),
      contentType: 'application/json; charset=utf-8',
    })),
  )
  app.http.get(
    '/api/docs',
    lazily(() => ({
      ...common,
      body: docsPage(endpoints),
      contentType: 'text/html; charset=utf-8',
      headers: app.headers.page,
    })),
  )
  app.http.get(
    '/api/docs.css',
    lazily(() => ({ ...common, body: docsStyle, contentType: 'text/css; charset=utf-8' })),
  )
}
