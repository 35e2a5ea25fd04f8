import type { Actor } from '@qatra/contract/actor'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../database/clock.ts'
import type { Ctx } from '../database/context.ts'
import type { Db, Statement } from '../database/db.ts'
import type { Listener } from '../database/listener.ts'
import type { Queue } from '../jobs/queue.ts'
import type { EventStreams } from './event-streams.ts'
import type { ResponseCache } from './response-cache.ts'
import type { SecurityHeaders } from './security-headers.ts'
import type { CookieNames } from './session-cookie.ts'

/** Finds the user of a signed-in session: one prepared statement with the session's hash, and what its row means. */
export interface SessionReader {
  statement: Statement
  /** Null where the session is unknown, expired or its user is switched off. */
  read: (rows: unknown[]) => Pick<Actor, 'user' | 'impersonator'> | null
  /** The same for many sessions at once; those that are no good are missing. */
  readMany: (sessionIds: readonly string[]) => Promise<Map<string, Pick<Actor, 'user' | 'impersonator'>>>
  /** Notes now and then that the person is there; never awaited. */
  seen: (sessionId: string) => void
}

export interface Served {
  endpoint: AnyEndpoint
  handle: (ctx: Ctx, input: never, found: null) => unknown
  /** Strips fields that the endpoint's schema does not contain; null for files and streams. */
  trim: ((answer: unknown) => unknown) | null
}

/** What one process runs on; features receive it to register their routes and jobs. */
export interface App {
  config: Config
  log: Logger
  /** The console, apart from the log: what the person who started the shop should read. */
  print: (line: string) => void
  http: FastifyInstance
  pool: pg.Pool
  /** Outside of any transaction. */
  db: Db
  clock: Clock
  queue: Queue
  listener: Listener
  sessions: SessionReader
  /** Open streams of events. */
  eventStreams: EventStreams
  cookies: CookieNames
  /** Answers kept as bytes. */
  responseCache: ResponseCache
  /** On every answer, also those kept as bytes. */
  headers: SecurityHeaders
  /** Every served endpoint by `METHOD path`: for calls in process, the OpenAPI document and the tests. */
  served: Map<string, Served>
}
