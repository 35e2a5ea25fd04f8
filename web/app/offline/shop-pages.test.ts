import { describe, expect, it } from 'vitest'
import { isPicture, isShopPage } from './shop-pages.ts'

describe('pages that the service worker answers offline', () => {
  it.each([
    '/',
    '/products/7',
    '/orders',
    '/orders/ABCD2345EFGH6789',
    '/checkout',
    '/checkout/success/ABCD2345EFGH6789',
    '/profile',
    '/login',
    '/privacy',
  ])('%s is one', (path) => expect(isShopPage(path)).toBe(true))

  it.each([
    '/admin',
    '/admin/run',
    '/admin/orders',
    '/magic-login',
    '/magic-login/secret-token',
    '/m/secret',
    '/simulator',
    '/simulator/telegram',
    '/api/orders',
    '/api/auth/me',
    '/media/abc',
    '/metrics',
    '/docs',
    '/shop-worker.js',
    '//attacker.example/',
    '/orders-of-others',
  ])('%s is none', (path) => expect(isShopPage(path)).toBe(false))

  it('pictures are those with a hash alone', () => {
    expect(isPicture(`/media/${'a1'.repeat(32)}`)).toBe(true)
    expect([isPicture('/media/a1'), isPicture(`/media/${'a1'.repeat(32)}/..`)]).toEqual([false, false])
  })
})
