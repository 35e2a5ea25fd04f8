import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { askForCode, newPhone } from '../../test/fixtures/codes.ts'
import { standInWeb } from '../../test/processes/stand-in-web.ts'
import { exchange } from '../../test/raw-socket.ts'
import { isForwarded } from './request-guard.ts'

// DNS rebinding: the name of a foreign page resolves to 127.0.0.1, so its requests are same-origin for the browser.
// Only the Host header, which a page cannot set, tells them apart.
const shop = await startShop({}, { web: standInWeb() })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = new URL(address)
const phone = newPhone()
const code = await askForCode(shop, shop.visitor(), phone)

const get = async (path: string, host: string) => {
  const answer = await exchange(address, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), text: answer }
}
const messages = `/api/simulator/messages?phone=${encodeURIComponent(phone)}`

const own = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST', 'localhost:3000']
const foreign = [
  'evil.example',
  `evil.example:${port}`,
  `localhost.evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  `localhost@evil.example:${port}`,
  `evil.example:${port}#@localhost`,
  'localhost.',
  '10.0.0.1',
  '0.0.0.0',
  '',
]

describe('a loopback-only route', () => {
  it.each(own)('answers for Host %j', async (host) => {
    expect((await get(messages, host)).text).toContain(code)
    expect((await get('/simulator', host)).text).toContain('"url":"/simulator"')
    expect((await get('/spy', host)).text).toContain(code)
    expect((await get('/metrics', host)).text).toContain('qatra_http_request_duration_seconds')
  })

  it.each(foreign)('returns 403 for Host %j', async (host) => {
    for (const path of [messages, messages.replace('api', '%61pi')]) {
      const { status, text } = await get(path, host)
      expect([status, text.includes(code)]).toEqual([403, false])
      expect(text).toContain('CROSS_ORIGIN')
    }
    expect((await get('/metrics', host)).status).toBe(403)
    for (const page of ['/simulator', '/simulator/telegram?phone=%2B97336000001']) {
      expect((await get(page, host)).text).toContain('"url":"/404"')
    }
    expect((await get('/api/simulator/telegram?phone=%2B97336000001', host)).status).toBe(403)
    const spied = await get('/spy', host)
    expect([spied.text.includes(code), spied.text.includes('NOT_FOUND')]).toEqual([false, true])
    for (const path of ['messages', 'telegram', 'telegram/topics/1']) {
      const written = await exchange(
        address,
        `POST /api/simulator/${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      )
      expect(written).toMatch(/^HTTP\/1\.1 403/)
    }
  })

  it('would answer such a page if only the connection were checked', () => {
    expect(isForwarded({ host: 'evil.example' })).toBe(false)
  })

  it("answers for the shop's own host name", async () => {
    const named = await startShop({ publicUrl: 'https://qatra.example', isSecure: true })
    const ask = (host: string) => named.visitor().send('GET', messages, { headers: { host } })
    expect((await ask('qatra.example')).status).toBe(200)
    expect((await ask('evil.example')).status).toBe(403)
  })
})

describe('other routes', () => {
  it.each(['/healthz', '/readyz', '/api/vendors', '/about'])('%s answers for every Host', async (path) => {
    expect((await get(path, 'haproxy-check')).status).toBe(200)
  })

  it('metrics require only the token from another machine', async () => {
    const guarded = await startShop({ metricsToken: 'a-long-metrics-token' })
    const headers = { host: 'shop-1.internal:3000', authorization: 'Bearer a-long-metrics-token' }
    expect((await guarded.visitor().send('GET', '/metrics', { headers })).status).toBe(200)
    expect((await guarded.visitor().send('GET', '/metrics', { headers: { host: headers.host } })).status).toBe(403)
  })
})
