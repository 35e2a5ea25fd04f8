import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { BrowserContext, Route } from '@playwright/test'

/** Failure mode of an external server. */
export const moods = ['refuses', 'hangs', 'fails', 'too-many', 'error-in-200', 'drips', 'breaks-off'] as const
export type Mood = (typeof moods)[number]

export interface Provider {
  /** Received calls, without refused ones. */
  asked(): number
  /** Null: healthy. */
  be(mood: Mood | null): Promise<void>
  stop(): Promise<void>
}

export interface ServingProvider extends Provider {
  address: string
}

/** Called by browsers. */
export interface RoutedProvider extends Provider {
  standIn(context: BrowserContext): Promise<void>
}

const HANG_MS = 60_000
const DRIP_MS = 500
/** An error body that every provider client must detect despite status 200. */
const errorBody = JSON.stringify({
  ...{ ok: false, error_code: 500, description: 'Internal error' },
  error: { code: 131_016, message: 'Service unavailable' },
})

const misbehave: Record<Exclude<Mood, 'refuses'>, (response: ServerResponse) => void> = {
  hangs: (response) =>
    until(
      response,
      setTimeout(() => response.destroy(), HANG_MS),
    ),
  fails: (response) => void response.writeHead(500).end('Internal error'),
  'too-many': (response) => void response.writeHead(429, { 'retry-after': '30' }).end('{}'),
  'error-in-200': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(errorBody),
  drips(response) {
    response.writeHead(200, { 'content-type': 'application/json' })
    until(
      response,
      setInterval(() => response.write(' '), DRIP_MS),
    )
  },
  'breaks-off'(response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"messages":[', () => response.destroy())
  },
}

function until(response: ServerResponse, timer: NodeJS.Timeout) {
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

/** A fake external server whose failure mode can be switched. */
export async function startProvider(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<ServingProvider> {
  let mood: Mood | null = null
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (mood === null || mood === 'refuses') answer(request, Buffer.concat(chunks).toString(), response)
      else misbehave[mood](response)
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await freePort(listen)
  return {
    address: `http://127.0.0.1:${port}`,
    asked: () => count,
    async be(next) {
      mood = next
      if (next === 'refuses') await close()
      else if (!server.listening) await listen(port)
    },
    stop: close,
  }
}

/** Below the ephemeral port range, so that no other process takes the port while the server refuses. */
async function freePort(listen: (port: number) => Promise<void>): Promise<number> {
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

const answers = {
  fails: { status: 500 },
  'too-many': { status: 429, headers: { 'retry-after': '30' } },
  'error-in-200': { status: 200, contentType: 'application/json', body: errorBody },
}

/** An external address that only browser routes can fake. Slow modes are not simulated. */
export function routedProvider(url: RegExp, answer: (route: Route) => Promise<void>): RoutedProvider {
  let mood: Mood | null = null
  let count = 0
  const take = async (route: Route) => {
    count += 1
    if (mood === null) return answer(route)
    if (mood === 'refuses') return route.abort('connectionrefused')
    if (mood === 'breaks-off') return route.abort('connectionreset')
    if (mood !== 'hangs' && mood !== 'drips') return route.fulfill(answers[mood])
  }
  return {
    asked: () => count,
    be: async (next) => void (mood = next),
    stop: async () => {},
    standIn: async (context) => void (await context.route(url, take)),
  }
}

/** Intercepts a call to the shop itself while it has a failure mode. */
export async function divertedProvider(url: RegExp): Promise<RoutedProvider> {
  const { address, be, ...server } = await startProvider((_, __, response) => response.end())
  let isAway = false
  return {
    ...server,
    async be(mood) {
      isAway = mood !== null
      await be(mood)
    },
    async standIn(context) {
      await context.route(url, (route) => route.continue(isAway ? { url: address } : {}))
    },
  }
}
