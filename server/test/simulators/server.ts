import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import {
  contentOf,
  type ProviderHandler,
  type ProviderReply,
  type ProviderRequest,
} from '../../../demo/simulators/provider-http.ts'

/** Failure modes of a provider's server. `drips`: the reply never ends; `breaks-off`: the connection ends within it. */
export const faults = ['refuses', 'hangs', 'fails', 'too-many', 'error-in-200', 'drips', 'breaks-off'] as const
export type Fault = (typeof faults)[number]

/** Answers in place of the provider. */
export type Script = (response: ServerResponse, request: ProviderRequest) => void

export interface ProviderServer {
  origin: string
  /** All calls, without those that were refused a connection. */
  requests: ProviderRequest[]
  /** Null: healthy. */
  be: (fault: Fault | Script | null) => Promise<void>
  stop: () => Promise<void>
}

const HANG_MS = 60_000
const DRIP_MS = 500
/** An error that every client must detect despite status 200. */
export const errorIn200 = JSON.stringify({
  ok: false,
  error_code: 500,
  description: 'Internal error',
  error: { code: 131_016, message: 'Service unavailable' },
})

const scripts: Record<Exclude<Fault, 'refuses'>, Script> = {
  hangs: (response) =>
    untilClosed(
      response,
      setTimeout(() => response.destroy(), HANG_MS),
    ),
  fails: (response) => response.writeHead(500).end('Internal error'),
  'too-many': (response) => response.writeHead(429, { 'retry-after': '30' }).end('{}'),
  'error-in-200': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(errorIn200),
  drips(response) {
    response.writeHead(200, { 'content-type': 'application/json' })
    untilClosed(
      response,
      setInterval(() => response.write(' '), DRIP_MS),
    )
  },
  'breaks-off'(response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"messages":[', () => response.destroy())
  },
}

function untilClosed(response: ServerResponse, timer: NodeJS.Timeout) {
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

/** Serves a simulated provider over loopback. Keeps its port while it refuses connections. */
export async function serveProvider(handler: ProviderHandler): Promise<ProviderServer> {
  let fault: Fault | Script | null = null
  const requests: ProviderRequest[] = []

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    const closing = new AbortController()
    response.once('close', () => closing.abort())
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url: path = '' } = incoming
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const bytes = Buffer.concat(chunks)
      const request = { method, path, headers, body: bytes.toString(), bytes, closed: closing.signal }
      requests.push(request)
      if (typeof fault === 'function') fault(response, request)
      else if (fault !== null && fault !== 'refuses') scripts[fault](response, request)
      else
        handler(request).then(
          (reply) => reply && send(response, reply),
          () => response.destroy(),
        )
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await freePort(listen)
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    async be(next) {
      fault = next
      if (next === 'refuses') await stop()
      else if (!server.listening) await listen(port)
    },
    stop,
  }
}

function send(response: ServerResponse, reply: ProviderReply): void {
  const { status, delayMs = 0, onClose } = reply
  const { headers, bytes } = contentOf(reply)
  if (onClose) response.once('close', () => onClose(response.writableFinished))
  const end = () => void response.writeHead(status, headers).end(bytes)
  if (delayMs > 0) setTimeout(end, delayMs)
  else end()
}

/** Below the ephemeral port range, so that no other process takes the port while the server refuses. */
export async function freePort(listen: (port: number) => Promise<unknown>): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    try {
      await listen(port)
      return port
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}
