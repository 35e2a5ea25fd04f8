import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { exchange, rawConnection } from '../../test/raw-socket.ts'

const shop = await startShop({ role: 'web' })
const address = await shop.app.http.listen({ host: '127.0.0.1', port: 0 })
const host = new URL(address).host
const statusesOf = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
const first = async (bytes: string) => statusesOf(await exchange(address, bytes))[0]

describe('ambiguous HTTP requests (request smuggling)', () => {
  const smuggled = 'GET /api/cart HTTP/1.1\r\nHost: x\r\n\r\n'
  it.each([
    [
      'length and chunks',
      `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'two lengths',
      `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n${smuggled}`,
    ],
    ['a length with a sign', `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nContent-Length: +0\r\n\r\n${smuggled}`],
    [
      'chunks not last',
      `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'a space before the colon',
      `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nContent-Length : 5\r\n\r\n${smuggled}`,
    ],
    ['a folded header', `GET /api/cart HTTP/1.1\r\nHost: ${host}\r\nX-A: b\r\n c\r\nContent-Length: x\r\n\r\n`],
    [
      'a bare line feed',
      `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\nchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['no host', 'GET /api/cart HTTP/1.1\r\n\r\n'],
    ['no HTTP', 'HELLO\r\n\r\n'],
  ])('%s is refused and nothing after it is answered', async (_, bytes) => {
    const statuses = statusesOf(await exchange(address, bytes))
    expect(statuses[0]).toBe(400)
    expect(statuses).toHaveLength(1)
  })
})

describe('request headers', () => {
  it('get 431 when they are too large', async () => {
    expect(await first(`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toBe(431)
  })

  it('get no different response for a foreign Host', async () => {
    const answer = await exchange(address, 'GET /sitemap.xml HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expect(statusesOf(answer)).toEqual([200])
    expect(answer).not.toContain('evil.example')
  })

  it('do not make the server a proxy with an absolute URL', async () => {
    expect(await first(`GET http://evil.example/api/cart HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBeGreaterThanOrEqual(
      400,
    )
    expect(await first(`CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`)).toBeUndefined()
  })
})

describe('connections that never complete a request', () => {
  /** Sends a few bytes at a time until the server closes. */
  async function drip(start: string, more: string): Promise<void> {
    const { socket, closed } = rawConnection(address)
    socket.write(start)
    const timer = setInterval(() => socket.writable && socket.write(more), 500)
    await closed
    clearInterval(timer)
  }

  it('are closed while other clients are served', async () => {
    // Requests more than the socket buffers hold and reads nothing.
    const unread: Socket[] = []
    const note = (socket: Socket) => void unread.push(socket)
    shop.app.http.server.on('connection', note)
    for (let n = 1; n <= 5; n += 1) {
      const { socket } = rawConnection(address)
      socket.pause()
      socket.write(`GET /api/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(200))
      await expect.poll(() => unread.length).toBe(n)
    }
    shop.app.http.server.off('connection', note)
    const slowHead = Array.from({ length: 100 }, () => drip(`GET / HTTP/1.1\r\nHost: ${host}\r\n`, 'X-A: b\r\n'))
    const slowBody = Array.from({ length: 100 }, () =>
      drip(
        `POST /api/cart/add HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n`,
        'x',
      ),
    )
    const isOver = Promise.all([...slowHead, ...slowBody])
    let isDone = false
    void isOver.finally(() => {
      isDone = true
    })
    while (!isDone) {
      expect((await fetch(`${address}/api/vendors`)).status).toBe(200)
      await sleep(200)
    }
    await isOver
    await expect.poll(() => unread.every((socket) => socket.destroyed)).toBe(true)
  })
})
