import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../database/reference-data.ts'
import { createEntry, type Entry, sendEntry } from '../http/pages/response-cache.ts'
import type { App } from '../http/runtime.ts'
import { type Offers, robots, sitemap } from './sitemap.ts'

const AN_HOUR = 'public, max-age=3600'

/** Files for search engines; cached until the catalogue changes. */
export function discoveryRoutes(app: App, catalogue: Pick<ReferenceData<Offers>, 'current'>) {
  const origin = app.config.publicUrl
  const serveText = (url: string, contentType: string, body: () => string) =>
    app.http.get(url, (request: FastifyRequest, reply: FastifyReply) => {
      const epoch = app.responseCache.epoch()
      const make = (): Entry => {
        const made = createEntry({
          body: body(),
          contentType,
          cacheControl: AN_HOUR,
          headers: app.headers.page,
          isFile: true,
        })
        app.responseCache.set(epoch, url, 'everyone', made)
        return made
      }
      return sendEntry(request, reply, app.responseCache.get(url, 'everyone') ?? make())
    })
  serveText('/sitemap.xml', 'application/xml; charset=utf-8', () => sitemap(origin, catalogue.current()))
  serveText('/robots.txt', 'text/plain; charset=utf-8', () => robots(origin))
}
