import type { OutgoingHttpHeaders } from 'node:http'
import type { EndReason } from '@qatra/contract/notifications/notifications'
import type { Actor, ActorUser } from '@qatra/contract/users/actor'

export const HEARTBEAT_MS = 25_000
/** Streams end after this time, so that they do not outlive a deploy for long and spread over processes. */
const LIFE_MS = 15 * 60_000
/** Bytes buffered per stream in this process; the kernel buffers more. */
export const MAX_BUFFERED_BYTES = 64 * 1024
const DRAIN_TIMEOUT_MS = 2_000
/** Reconnect delay, randomized so that clients do not reconnect together. */
const retryMs = () => 1_000 + Math.round(Math.random() * 4_000)

/** What a stream is about: the admin pages of its user, or the user's own orders. */
export type StreamTopic = 'admin' | 'my-orders'

/** An event for streams; `text` is its wire form. Ids increase; an event without one is not repeated to who missed it. */
export interface StreamEvent {
  id: number | null
  topic: StreamTopic
  text: string
  isFor: (user: ActorUser) => boolean
}

export type CloseReason = EndReason | 'slow' | 'gone'

export interface Subscription {
  sessionId: string
  user: ActorUser
  topic: StreamTopic
  /** Fingerprint of what authorizes the stream; a different one closes it. */
  rights: string
  impersonatorId: number | null
}

/** Events on their way to all streams; encodes what several streams receive once. */
export interface Batch {
  events: readonly StreamEvent[]
  bytesOf: (own: readonly StreamEvent[]) => Buffer
}

export function batchOf(news: readonly StreamEvent[]): Batch {
  const made = new Map<string, Buffer>()
  return {
    events: news,
    bytesOf(own) {
      const key = own.map(({ topic, id, text }) => `${topic}:${id ?? text}`).join()
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
  /** Sends a heartbeat or ends the stream when due. */
  tick: (now: number) => void
  end: (reason: EndReason) => void
}

export const rightsOf = ({ user, impersonator }: Pick<Actor, 'user' | 'impersonator'>) =>
  JSON.stringify([user?.id, user?.role, user?.vendorId, [...(user?.permissions ?? [])].sort(), impersonator?.id])

export const eventText = (event: string, value: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`

interface Opening extends Subscription {
  /** The first text, and the last event id that it includes. */
  first: string
  upTo: number
  closed: (how: CloseReason) => void
}

/** The part of a `ServerResponse` that a stream uses. */
export interface StreamResponse {
  useChunkedEncodingByDefault?: boolean
  readonly writableLength: number
  once(event: 'close', listener: () => void): unknown
  setTimeout(ms: number, listener: () => void): unknown
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  write(bytes: string | Buffer): unknown
  end(text: string): unknown
  destroy(): unknown
}

/** One open stream. Closed when its client does not read and the buffer is full. */
export function openStream(
  response: StreamResponse,
  headers: Record<string, string | string[] | number | undefined>,
  opening: Opening,
): Stream {
  const { sessionId, user, topic, rights, impersonatorId, closed } = opening
  const now = performance.now()
  // Random phase, so that heartbeats do not coincide.
  let beatAt = now + Math.random() * HEARTBEAT_MS
  const endsAt = now + LIFE_MS * (0.8 + Math.random() * 0.2)
  let upTo = opening.upTo
  let how: CloseReason = 'gone'
  let isOpen = true

  response.once('close', () => {
    isOpen = false
    closed(how)
  })
  // The response ends with the connection, so it needs no chunked encoding.
  response.useChunkedEncodingByDefault = false
  // No idle time-out: the heartbeat detects dead connections.
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
    topic,
    rights,
    impersonatorId,
    send({ events: news, bytesOf }) {
      const own = news.filter((one) => one.topic === topic && (one.id === null || one.id > upTo) && one.isFor(user))
      upTo = Math.max(upTo, ...news.map(({ id }) => id ?? 0))
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
      // If the client does not read the end either.
      const timer = setTimeout(() => response.destroy(), DRAIN_TIMEOUT_MS).unref()
      response.once('close', () => clearTimeout(timer))
    },
  }
  return stream
}
