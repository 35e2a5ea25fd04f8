import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LiveEvent, streamEvents } from '@qatra/contract/notifications/notifications'
import type { Shop } from '../app.ts'
import type { Visitor } from './visitor.ts'

export interface Heard {
  id: number | null
  event: string
  data: Partial<LiveEvent> & { reason?: string }
}

export interface Listening {
  status: number
  headers: IncomingMessage['headers']
  heard: Heard[]
  /** SSE comments, such as heartbeats. */
  comments: number
  retryMs: () => number | null
  /** Events of the kinds, in order. */
  reported: () => Heard[]
  /** The first matching event, past or future. */
  until: (fits: (event: Heard) => boolean, withinMs?: number) => Promise<Heard>
  ended: Promise<void>
  isEnded: () => boolean
  hangUp: () => void
  socket: IncomingMessage['socket']
}

export async function portOf({ app }: Pick<Shop, 'app'>): Promise<number> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  return (app.http.server.address() as AddressInfo).port // it listens on a port
}

/** Opens the stream over a real connection, with the cookies of the visitor. */
export async function listen(
  shop: Pick<Shop, 'app'>,
  { cookies }: Pick<Visitor, 'cookies'>,
  {
    lastId,
    after,
    agent,
    path = streamEvents.path,
    headers = {},
  }: { lastId?: number; after?: number; agent?: string; path?: string; headers?: Record<string, string> } = {},
): Promise<Listening> {
  const request = get({
    host: '127.0.0.1',
    port: await portOf(shop),
    path: `${path}${after === undefined ? '' : `?after=${after}`}`,
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'accept-encoding': 'gzip, br',
      ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
      ...(agent ? { 'user-agent': agent } : {}),
      ...headers,
    },
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  const heard: Heard[] = []
  let rest = ''
  let retry: number | null = null
  let isEnded = false
  const watchers = new Set<() => void>()
  const listening = { comments: 0 }

  function read(block: string) {
    const event: Heard = { id: null, event: 'message', data: {} }
    let hasData = false
    for (const line of block.split('\n')) {
      const [field = '', value = ''] = line.split(/: ?(.*)/s)
      if (field === '') listening.comments += 1
      else if (field === 'id') event.id = Number(value)
      else if (field === 'event') event.event = value
      else if (field === 'retry') retry = Number(value)
      else if (field === 'data') {
        event.data = JSON.parse(value)
        hasData = true
      }
    }
    if (hasData) heard.push(event)
  }
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) read(block)
    for (const watcher of watchers) watcher()
  })
  const ended = new Promise<void>((done) => {
    const end = () => {
      isEnded = true
      done()
    }
    response.once('close', end)
    response.once('error', end)
  })

  return Object.assign(listening, {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    retryMs: () => retry,
    reported: () => heard.filter(({ data }) => data.kind !== undefined),
    async until(fits: (event: Heard) => boolean, withinMs = 30_000) {
      const begun = performance.now()
      for (;;) {
        const found = heard.find(fits)
        if (found) return found
        const left = withinMs - (performance.now() - begun)
        if (left <= 0) throw new Error(`Not heard: ${JSON.stringify(heard)}`)
        await new Promise<void>((done) => {
          const timer = setTimeout(go, left)
          function go() {
            clearTimeout(timer)
            watchers.delete(go)
            done()
          }
          watchers.add(go)
        })
      }
    },
    ended,
    isEnded: () => isEnded,
    hangUp: () => response.destroy(),
    socket: response.socket,
  })
}
