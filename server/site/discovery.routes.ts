import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Catalogue } from '../catalogue/queries.ts'
import { type Entry, prepare } from '../platform/prepared.ts'
import type { Reference } from '../platform/reference.ts'
import type { App } from '../platform/runtime.ts'
import { sendEntry } from '../platform/static-files.ts'
import { robots, sitemap } from './sitemap.ts'

const AN_HOUR = 'public, max-age=3600'

/** What search engines ask for; kept as bytes until the catalogue changes. */
export function discoveryRoutes(app: App, catalogue: Pick<Reference<Catalogue>, 'current'>) {
  const origin = app.config.publicUrl
  const keep = (url: string, contentType: string, body: () => string) =>
    app.http.get(url, (request: FastifyRequest, reply: FastifyReply) => {
      const epoch = app.prepared.epoch()
      const make = (): Entry => {
        const made = prepare({
          body: body(),
          contentType,
          cacheControl: AN_HOUR,
          headers: app.headers.page,
          isFile: true,
        })
        app.prepared.keep(epoch, url, 'everyone', made)
        return made
      }
      return sendEntry(request, reply, app.prepared.kept(url, 'everyone') ?? make())
    })
  keep('/sitemap.xml', 'application/xml; charset=utf-8', () => sitemap(origin, catalogue.current()))
  keep('/robots.txt', 'text/plain; charset=utf-8', () => robots(origin))
}
