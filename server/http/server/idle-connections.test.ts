import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { closeIdleConnections } from './create-server.ts'

const IDLE_MS = 200
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** What the server sends until the connection closes. */
async function received(handle: RequestListener, sent: string): Promise<string> {
  const server = createServer(handle)
  closeIdleConnections(server, IDLE_MS)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  const socket = connect(address.port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => (text += String(bytes)))
  socket.write(sent)
  await once(socket, 'close')
  return text
}

const answerLate: RequestListener = (request, response) => {
  request.resume()
  setTimeout(() => response.end('done'), IDLE_MS * 4)
}

describe('a connection without progress', () => {
  it('stays open while a complete request is worked on', async () => {
    const request = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'
    expect(await received(answerLate, request)).toContain('done')
  })

  it('is closed if the request is incomplete', async () => {
    expect(await received(answerLate, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{')).toBe('')
  })

  it('is closed if the response has begun, also before a request that was sent behind it', async () => {
    const begin: RequestListener = ({ url }, response) => {
      if (url === '/first') response.write('begun')
    }
    const requests = ['/first', '/second'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(await received(begin, requests.join(''))).toContain('begun')
  })
})
