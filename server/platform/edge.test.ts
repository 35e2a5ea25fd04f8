import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'

const shop = await startShop()

describe('what every answer carries', () => {
  it.each(['/healthz', '/api/vendors', '/api/nothing', '/api/cart', '/sitemap.xml'])('%s has its headers', async (url) => {
    const { headers } = await shop.visitor().send('GET', url)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['referrer-policy']).toBeDefined()
  })
})
