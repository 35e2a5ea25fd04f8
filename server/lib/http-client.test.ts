import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postJson } from '../providers/provider-http.gateway.ts'
import { fetchBounded } from './http-client.ts'

const MEGABYTE = 1024 * 1024
let server: Server
let origin: string
let sent = 0
let seen: string[] = []

/** Writes without end while the client reads. */
function flood(response: ServerResponse) {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const more = () => {
    while (!response.destroyed && sent < 64 * MEGABYTE) {
      sent += chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

const answers: Record<string, (response: ServerResponse) => void> = {
  '/honest': (response) => response.end('{"ok":true}'),
  '/endless': flood,
  '/packed': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(32 * MEGABYTE))),
  '/slow': (response) => {
    response.write('{')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  '/elsewhere': (response) => response.writeHead(307, { location: `${origin}/inside` }).end(),
  '/inside': (response) => response.end('{"secret":true}'),
}

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    seen.push(url)
    answers[url]?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has a port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const ask = (path: string, timeoutMs = 5_000) => {
  sent = 0
  seen = []
  return postJson(`${origin}${path}`, { token: 'a-token', body: {}, timeoutMs })
}

it('reads a response', async () => expect(await ask('/honest')).toEqual({ status: 200, body: { ok: true } }))

it('stops reading a response at the size limit', async () => {
  expect(await ask('/endless')).toEqual({ status: 200, body: null })
  expect(sent).toBeLessThan(16 * MEGABYTE)
  // Mutant: an unlimited read gets everything.
  sent = 0
  expect((await (await fetch(`${origin}/endless`)).text()).length).toBe(64 * MEGABYTE)
})

it('counts decompressed bytes, not transferred ones', async () => {
  const answer = await fetchBounded(`${origin}/packed`, { headers: {}, signal: AbortSignal.timeout(5_000) })
  expect([answer.status, answer.bytes]).toEqual([200, null])
})

it('limits the time of the whole response', async () => {
  expect(await ask('/slow', 300)).toMatchObject({ ok: false, kind: 'unknown', error: { code: 'TimeoutError' } })
})

it('returns a redirect without following it or treating it as an error', async () => {
  expect(await ask('/elsewhere')).toMatchObject({ ok: false, kind: 'unknown', error: { code: 'REDIRECT' } })
  expect(seen).toEqual(['/elsewhere'])
})
