import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'
import { exchange } from '../../test/raw-socket.ts'

const shop = await startShop({ role: 'web' }, { web: standInWeb() })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })

/** The response head for these request bytes. */
async function headOf(line: string, headers: readonly string[] = []) {
  const head = [line, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')
  return (await exchange(address, head)).split('\r\n\r\n')[0] ?? ''
}
/** A header that the server never sends. */
const isSplit = (head: string) => /^(?:set-cookie: ?evil|x-evil)/im.test(head)

const breaks = ['%0d%0a', '%0a', '%0d', '%E5%98%8A%E5%98%8D', '%u000a', '%250d%250a', '\u00c4\u008d\u00c4\u008a']
const places = [
  '/about?lang=en§',
  '/about?lang=§',
  '/login?redirect=/orders§',
  '/login?redirectParams={"a":"§"}',
  '/magic-login/abc§?redirectUrl=/orders§',
  '/admin/orders§',
  '/admin?§',
  '/orders/ABC§',
  '/checkout/success/ABC§',
  '/products/1§',
  '/api/orders/ABC§',
  '/api/products?search=§',
  '/api/magic-link/status/abc§',
  '/assets/§.js',
  '/§',
]

describe('response splitting is impossible', () => {
  it.each(places)('with %s in the URL', async (place) => {
    for (const one of breaks) {
      const path = place.replaceAll('§', `${one}Set-Cookie:%20evil=1${one}X-Evil:1`)
      expect([one, isSplit(await headOf(`GET ${path} HTTP/1.1`))]).toEqual([one, false])
    }
  })

  it.each([
    'Cookie: lang=en\rSet-Cookie: evil=1',
    'Cookie: lang=en%0d%0aSet-Cookie: evil=1',
    'Cookie: lang="en\\r\\nSet-Cookie: evil=1"',
    'Accept-Language: en\rX-Evil: 1',
    'X-Forwarded-Host: evil\rX-Evil: 1',
    'If-None-Match: "a"\rX-Evil: 1',
    'Origin: http://localhost\rX-Evil: 1',
  ])('with the header %j', async (header) => {
    for (const line of ['GET /about HTTP/1.1', 'GET /api/vendors HTTP/1.1', 'GET /admin HTTP/1.1'])
      expect(isSplit(await headOf(line, [header]))).toBe(false)
  })

  it('because Node rejects such values, and the check detects a split response', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    for (const bad of ['/\r\nSet-Cookie: evil=1', '/\nX-Evil: 1', '/\r'])
      expect(() => response.setHeader('location', bad)).toThrow('Invalid character')
    expect(isSplit('HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: evil=1')).toBe(true)
  })
})

describe('a redirect', () => {
  it('keeps the requested path as one value, on this host', async () => {
    for (const path of ['/admin/%0d%0aSet-Cookie:evil=1', '/admin//evil.example', '/admin/?next=//evil.example']) {
      const head = await headOf(`GET ${path} HTTP/1.1`)
      expect(head).toMatch(/^HTTP\/1\.1 302/)
      expect(/^location: (.*)$/im.exec(head)?.[1]).toMatch(/^\/login\?redirect=[\w%.!~*'()-]+$/)
    }
    expect(/^location: (.*)$/im.exec(await headOf('GET /away HTTP/1.1'))?.[1]).toBe('/')
  })
})
