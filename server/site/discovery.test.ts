import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeProduct, makeVendor } from '../test/fixtures/make.ts'

const shop = await startShop({ role: 'web' })
const get = (url: string) => shop.visitor().send('GET', url)
const locations = (xml: unknown) => [...String(xml).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? '')

describe('/sitemap.xml', () => {
  it('lists every public page once per language, with its alternate', async () => {
    const { status, body, headers } = await get('/sitemap.xml')
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    const [counts] = await shop.query<{ vendors: number; products: number }>(
      `select count(distinct v.id)::int as vendors, count(p.id)::int as products
       from vendors v join products p on p.vendor_id = v.id and p.is_active and p.deleted_at is null where v.is_active`,
    )
    const urls = locations(body)
    expect(urls.length).toBe(2 * (5 + (counts?.vendors ?? 0) + (counts?.products ?? 0)))
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls).toContain('http://localhost:3000/')
    expect(urls).toContain('http://localhost:3000/?vendor=1&amp;lang=en')
    expect(String(body)).toContain(
      '<loc>http://localhost:3000/about</loc><xhtml:link rel="alternate" hreflang="ar" href="http://localhost:3000/about"/>' +
        '<xhtml:link rel="alternate" hreflang="en" href="http://localhost:3000/about?lang=en"/>' +
        '<xhtml:link rel="alternate" hreflang="x-default" href="http://localhost:3000/about"/>',
    )
  })

  it('changes with the catalogue', async () => {
    const vendorId = await makeVendor(shop)
    const productId = await makeProduct(shop, vendorId)
    expect(locations((await get('/sitemap.xml')).body)).toContain(`http://localhost:3000/products/${productId}`)
    await shop.query('update vendors set is_active = false where id = $1', [vendorId])
    await shop.catalogue.reload()
    const { body } = await get('/sitemap.xml')
    expect(String(body)).not.toContain(`/products/${productId}<`)
    expect(String(body)).not.toContain(`vendor=${vendorId}<`)
  })
})

describe('/robots.txt', () => {
  it('disallows personal pages and names the sitemap', async () => {
    const { body } = await get('/robots.txt')
    const lines = String(body).split('\n')
    for (const path of ['/api/', '/admin', '/checkout', '/orders', '/profile', '/magic-login']) {
      expect(lines).toContain(`Disallow: ${path}`)
    }
    expect(lines).toContain('Sitemap: http://localhost:3000/sitemap.xml')
  })
})
