import type { ProductSnapshot } from '../products/snapshot.ts'

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
