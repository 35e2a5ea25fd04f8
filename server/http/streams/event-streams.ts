import { setImmediate as turn } from 'node:timers/promises'
import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Listener } from '../../database/listener.ts'
import { retryLater } from '../../lib/errors.ts'
import type { RateLimiters } from '../guard/rate-limiter.ts'
import {
  batchOf,
  type CloseReason,
  openStream,
  rightsOf,
  type Stream,
  type StreamEvent,
  type StreamResponse,
  type StreamTopic,
} from './event-stream.ts'

export const MAX_PER_SESSION = 3
const MAX_PER_USER = 12
export const MAX_STREAMS = 2_000
/** Customers leave places for the staff. */
export const MAX_STREAMS_OF_ORDERS = 1_500
const opening = { burst: 30, perMinute: 60 }

/** Interval at which all rights are checked again, besides notifications of changes. */
const RECHECK_MS = 5_000
const SETTLE_MS = 50
/** Streams written to before yielding to the event loop. */
const SLICE = 50
/** Events are gathered for this time, since each write costs; longer with more streams. */
const gatherMs = (streams: number) => Math.min(1_000, 30 + streams / 2)

export interface StreamRequest {
  response: StreamResponse
  headers: Record<string, string | string[] | number | undefined>
  sessionId: string
  actor: Actor
  user: ActorUser
  topic: StreamTopic
  /** Read synchronously when the stream is added, so that no event is missed. */
  begin: () => { first: string; upTo: number }
}

/** Open streams of this process. Knows users and sessions, not the events' contents. */
export interface EventStreams {
  /**
   * A session with all its streams is admitted, since `open` replaces its oldest.
   * @throws AppError TOO_MANY_REQUESTS for a person, UNAVAILABLE if the process is full or stopping
   */
  admit: (user: ActorUser, sessionId: string) => Promise<void>
  open: (opening: StreamRequest) => void
  publish: (news: readonly StreamEvent[]) => void
  /** Ends all streams and refuses new ones. */
  stop: () => void
  figures: () => { open: number; ended: ReadonlyMap<CloseReason, number> }
}

export async function createEventStreams({
  config: { rateLimits },
  sessions,
  rateLimiters,
  listener,
  log,
}: {
  config: Pick<Config, 'rateLimits'>
  /** Invalid sessions are missing from the result. */
  sessions: { readMany: (sessionIds: readonly string[]) => Promise<Map<string, Pick<Actor, 'user' | 'impersonator'>>> }
  rateLimiters: RateLimiters
  listener: Listener
  log: Logger
}): Promise<EventStreams> {
  const streams = new Set<Stream>()
  const ended = new Map<CloseReason, number>()
  const limiter = rateLimiters.create('event-streams', { ...opening, keyOf: (userId) => userId })
  let waiting: StreamEvent[] = []
  let isSending = false
  let isStopping = false

  async function send() {
    try {
      while (waiting.length > 0) {
        await new Promise((done) => setTimeout(done, gatherMs(streams.size)))
        const batch = batchOf(waiting)
        waiting = []
        let written = 0
        for (const stream of [...streams]) {
          stream.send(batch)
          written += 1
          if (written % SLICE === 0) await turn()
        }
      }
    } finally {
      // Before anything else runs, so that no event is left waiting.
      isSending = false
    }
  }

  async function recheck(chosen: readonly Stream[]) {
    if (chosen.length === 0) return
    const found = await sessions.readMany([...new Set(chosen.map(({ sessionId }) => sessionId))])
    for (const stream of chosen) {
      const actor = found.get(stream.sessionId)
      if (!actor || rightsOf(actor) !== stream.rights) stream.end('rights')
    }
  }
  const complain = (error: unknown) => log.warn({ err: error }, 'rights of open streams not looked at')

  let touched: Set<number> | 'all' = new Set()
  let timer: NodeJS.Timeout | null = null
  function check() {
    timer = null
    const who = touched
    touched = new Set()
    const isMeant = ({ user, impersonatorId }: Stream) =>
      who === 'all' || who.has(user.id) || (impersonatorId !== null && who.has(impersonatorId))
    recheck([...streams].filter(isMeant)).catch(complain)
  }
  function touch(ids: string) {
    if (ids === '') touched = 'all'
    else if (touched !== 'all') for (const id of ids.split(',')) touched.add(Number(id))
    timer ??= setTimeout(check, SETTLE_MS).unref()
  }
  await listener.on('sessions', touch, () => touch(''))

  let lookedAt = performance.now()
  const ticking = setInterval(() => {
    const now = performance.now()
    for (const stream of [...streams]) stream.tick(now)
    if (now - lookedAt < RECHECK_MS) return
    lookedAt = now
    recheck([...streams]).catch(complain)
  }, 1_000).unref()

  return {
    async admit(user, sessionId) {
      if (isStopping) throw retryLater('UNAVAILABLE', 2)
      await limiter.consume(String(user.id))
      if (!rateLimits || streamsOf(sessionId).length >= MAX_PER_SESSION) return
      if ([...streams].filter((one) => one.user.id === user.id).length >= MAX_PER_USER)
        throw retryLater('TOO_MANY_REQUESTS', 30)
    },
    open({ response, headers, sessionId, actor, user, topic, begin }) {
      if (isStopping) throw retryLater('UNAVAILABLE', 2)
      const ofSession = streamsOf(sessionId)
      // Sets keep insertion order: the first is the oldest.
      if (ofSession.length >= MAX_PER_SESSION) release(ofSession[0])
      const isFull = streams.size >= MAX_STREAMS || (topic === 'my-orders' && countOf(topic) >= MAX_STREAMS_OF_ORDERS)
      if (isFull) throw retryLater('UNAVAILABLE', 10)
      const impersonatorId = actor.impersonator?.id ?? null
      const listening = { sessionId, user, topic, rights: rightsOf(actor), impersonatorId }
      const stream = openStream(response, headers, {
        ...listening,
        ...begin(),
        closed(how) {
          streams.delete(stream)
          ended.set(how, (ended.get(how) ?? 0) + 1)
        },
      })
      streams.add(stream)
    },
    publish(news) {
      if (streams.size === 0) return
      waiting.push(...news)
      if (isSending) return
      isSending = true
      void send()
    },
    stop() {
      isStopping = true
      clearInterval(ticking)
      for (const stream of [...streams]) stream.end('stopping')
    },
    figures: () => ({ open: streams.size, ended }),
  }

  function streamsOf(sessionId: string) {
    return [...streams].filter((one) => one.sessionId === sessionId)
  }
  function countOf(topic: StreamTopic) {
    return [...streams].filter((one) => one.topic === topic).length
  }

  /** Frees the place at once; the connection closes later. */
  function release(stream: Stream | undefined) {
    if (!stream) return
    streams.delete(stream)
    stream.end('replaced')
  }
}
