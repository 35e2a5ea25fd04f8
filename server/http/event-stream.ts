import type { ServerResponse } from 'node:http'
import type { Actor, ActorUser } from '@qatra/contract/actor'
import type { EndReason } from '@qatra/contract/notifications'

export const HEARTBEAT_MS = 25_000
/** A stream ends by itself now and then, so that none outlives a deploy by much and processes share them evenly. */
const LIFE_MS = 15 * 60_000
/** Bytes that may wait for one reader in this process; the kernel holds some more. */
export const MAX_BUFFERED_BYTES = 64 * 1024
const DRAIN_TIMEOUT_MS = 2_000
/** Browsers come back after so long; each is told another time, so that they do not come together. */
const retryMs = () => 1_000 + Math.round(Math.random() * 4_000)

/** Something to tell; `text` is the event as it goes over the wire. Ids count upward. */
export interface StreamEvent {
  id: number
  text: string
  isFor: (user: ActorUser) => boolean
}

export type CloseReason = EndReason | 'slow' | 'gone'

export interface Subscription {
  sessionId: string
  user: ActorUser
  /** Whatever decides what this stream carries; one that differs ends it. */
  rights: string
  impersonatorId: number | null
}

/** News on its way to all streams. What goes to many is made into bytes once. */
export interface Batch {
  events: readonly StreamEvent[]
  bytesOf: (own: readonly StreamEvent[]) => Buffer
}

export function batchOf(news: readonly StreamEvent[]): Batch {
  const made = new Map<string, Buffer>()
  return {
    events: news,
    bytesOf(own) {
      const key = own.map(({ id }) => id).join()
      const known = made.get(key)
      if (known) return known
      const bytes = Buffer.from(own.map(({ text }) => text).join(''))
      made.set(key, bytes)
      return bytes
    },
  }
}

const beat = Buffer.from(':\n\n')

export interface Stream extends Subscription {
  send: (batch: Batch) => void
  /** Heartbeat and end of life, where it is time. */
  tick: (now: number) => void
  end: (reason: EndReason) => void
}

export const rightsOf = ({ user, impersonator }: Pick<Actor, 'user' | 'impersonator'>) =>
  JSON.stringify([user?.id, user?.role, user?.vendorId, [...(user?.permissions ?? [])].sort(), impersonator?.id])

export const eventText = (event: string, value: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`

interface Opening extends Subscription {
  /** What stands at its beginning, and up to which id that tells. */
  first: string
  upTo: number
  closed: (how: CloseReason) => void
}

/** One open answer. Whoever does not read is let go before much waits for him. */
export function openStream(
  response: ServerResponse,
  headers: Record<string, string | string[] | number | undefined>,
  opening: Opening,
): Stream {
  const { sessionId, user, rights, impersonatorId, closed } = opening
  const now = performance.now()
  // Spread over the time between two, so that not all are due together.
  let beatAt = now + Math.random() * HEARTBEAT_MS
  const endsAt = now + LIFE_MS * (0.8 + Math.random() * 0.2)
  let upTo = opening.upTo
  let how: CloseReason = 'gone'
  let isOpen = true

  response.once('close', () => {
    isOpen = false
    closed(how)
  })
  // It ends with its connection, so nothing needs to be said about the length of each part.
  response.useChunkedEncodingByDefault = false
  // What is silent here is no standstill; the heartbeat finds out who is gone.
  response.setTimeout(0, () => {})
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  response.write(`retry: ${retryMs()}\n${opening.first}`)

  function write(bytes: Buffer) {
    if (!isOpen) return
    if (response.writableLength > MAX_BUFFERED_BYTES) {
      isOpen = false
      how = 'slow'
      response.destroy()
    } else response.write(bytes)
  }

  const stream: Stream = {
    sessionId,
    user,
    rights,
    impersonatorId,
    send({ events: news, bytesOf }) {
      const own = news.filter((one) => one.id > upTo && one.isFor(user))
      upTo = Math.max(upTo, news.at(-1)?.id ?? 0)
      if (own.length > 0) write(bytesOf(own))
    },
    tick(at) {
      if (at >= endsAt) return stream.end('age')
      if (at < beatAt) return
      beatAt = at + HEARTBEAT_MS
      write(beat)
    },
    end(reason) {
      if (!isOpen) return
      isOpen = false
      how = reason
      response.end(`retry: ${retryMs()}\n${eventText('end', { reason })}`)
      // Whoever does not take even that.
      const timer = setTimeout(() => response.destroy(), DRAIN_TIMEOUT_MS).unref()
      response.once('close', () => clearTimeout(timer))
    },
  }
  return stream
}
