import type { AnyEndpoint, Schema } from '@qatra/contract/endpoint'
import { errors } from '@qatra/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { escapeHtml } from '../pages/error-page.ts'
import { type Answer, createEntry, type Entry, sendEntry } from '../pages/response-cache.ts'
import type { App } from '../runtime.ts'
import { openApiDocument, refusalsOf, whoMay } from './openapi.ts'

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

const docsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-inline-size: 60rem; margin-inline: auto; padding: 1rem }
nav ul { columns: 18rem; padding-inline-start: 1rem }
section { border-block-start: 1px solid #8888; padding-block: .5rem }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem }
pre { overflow: auto; padding: .5rem; background: #8882; border-radius: .25rem }
td, th { text-align: start; padding-inline-end: 1rem; vertical-align: top }
`

const idOf = ({ method, path }: AnyEndpoint) => `${method}-${path.replace(/[^\w]+/g, '-')}`.toLowerCase()

function shape(title: string, schema: Schema | undefined, io: 'input' | 'output'): string {
  if (!schema) return ''
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  if (Object.keys(json).length === 0) return ''
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(json, null, 2))}</pre></details>`
}

function section(endpoint: AnyEndpoint): string {
  const rows = refusalsOf(endpoint).map((code) => {
    const [status, message] = errors[code]
    return `<tr><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(message)}</td></tr>`
  })
  return (
    `<section id="${idOf(endpoint)}"><h2><code>${endpoint.method} ${escapeHtml(endpoint.path)}</code></h2>` +
    `<p>${escapeHtml(endpoint.summary)}. For ${escapeHtml(whoMay(endpoint.allow))}.</p>` +
    shape('Path', endpoint.params, 'input') +
    shape('Query', endpoint.query, 'input') +
    shape('Body', endpoint.body, 'input') +
    (endpoint.status === 204 ? '<p>Answers 204 without a body.</p>' : shape('Answer', endpoint.returns, 'output')) +
    `<details><summary>Refusals</summary><table>${rows.join('')}</table></details></section>`
  )
}

/** A readable list of endpoints without scripts or external resources. English only, for developers. */
function docsPage(endpoints: readonly AnyEndpoint[]): string {
  const links = endpoints.map(
    (endpoint) =>
      `<li><a href="#${idOf(endpoint)}"><code>${endpoint.method} ${escapeHtml(endpoint.path)}</code></a></li>`,
  )
  return (
    '<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    '<title>Interface · Qatra</title><link rel="stylesheet" href="/api/docs.css"></head><body><h1>Interface</h1>' +
    '<p>The same as a document for tools: <a href="/api/openapi.json">openapi.json</a>.</p>' +
    `<nav aria-label="Calls"><ul>${links.join('')}</ul></nav><main>${endpoints.map(section).join('')}</main></body></html>`
  )
}
