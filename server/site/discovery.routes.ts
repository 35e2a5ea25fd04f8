import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../database/reference-data.ts'
import { createEntry, type Entry, sendEntry } from '../http/pages/response-cache.ts'
import type { App } from '../http/runtime.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'

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

export type Offers = Pick<ProductSnapshot, 'vendors' | 'products'>

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

/** Path and query of every public page; a URL without `lang` is Arabic. */
export function publicPages({ vendors, products }: Offers): string[] {
  const active = [...vendors.values()].filter((vendor) => vendor.isActive)
  const isOffered = new Set(active.map(({ id }) => id))
  return [
    '/',
    ...active.map(({ id }) => `/?vendor=${id}`),
    ...[...products.values()]
      .filter((product) => product.isActive && isOffered.has(product.vendorId))
      .map(({ id }) => `/products/${id}`),
    '/about',
    '/faqs',
    '/privacy',
    '/terms',
  ]
}

/** Each page once per language, with its alternate. */
export function sitemap(origin: string, catalogue: Offers): string {
  const entries = publicPages(catalogue).flatMap((path) => {
    const arabic = `${origin}${path}`
    const english = `${arabic}${path.includes('?') ? '&' : '?'}lang=en`
    const link = (lang: string, href: string) =>
      `<xhtml:link rel="alternate" hreflang="${lang}" href="${escapeXml(href)}"/>`
    const links = link('ar', arabic) + link('en', english) + link('x-default', arabic)
    return [arabic, english].map((loc) => `<url><loc>${escapeXml(loc)}</loc>${links}</url>`)
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">' +
    `${entries.join('')}</urlset>\n`
  )
}

/** Excludes personal pages; these also say noindex. */
export const robots = (origin: string) =>
  [
    'User-agent: *',
    ...['/api/', '/admin', '/checkout', '/orders', '/profile', '/magic-login', '/simulator'].map(
      (path) => `Disallow: ${path}`,
    ),
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
