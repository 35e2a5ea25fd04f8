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

/** Reads the user of a session: a prepared statement by session hash, and the mapping of its row. */
export interface SessionReader {
  statement: Statement
  /** Null if the session is unknown or expired, or its user deactivated. */
  read: (rows: unknown[]) => Pick<Actor, 'user' | 'impersonator'> | null
  /** The same for many sessions; invalid ones are missing. */
  readMany: (sessionIds: readonly string[]) => Promise<Map<string, Pick<Actor, 'user' | 'impersonator'>>>
  /** Updates the session's last visit at intervals; never awaited. */
  seen: (sessionId: string) => void
}

export interface Served {
  endpoint: AnyEndpoint
  handle: (ctx: Ctx, input: never) => unknown
  /** Strips fields that the endpoint's schema does not contain; null for files and streams. */
  trim: ((answer: unknown) => unknown) | null
}

/** The process's services, which features receive to register their routes and jobs. */
export interface App {
  config: Config
  log: Logger
  /** Prints to the console, besides the log, for the person who starts the shop. */
  print: (line: string) => void
  http: FastifyInstance
  pool: pg.Pool
  /** Outside of any transaction. */
  db: Db
  clock: Clock
  queue: Queue
  listener: Listener
  sessions: SessionReader
  /** Open event streams. */
  eventStreams: EventStreams
  cookies: CookieNames
  /** Cached responses. */
  responseCache: ResponseCache
  /** Set on every response, cached ones too. */
  headers: SecurityHeaders
  /** All served endpoints by `METHOD path`, for in-process calls, the OpenAPI document and tests. */
  served: Map<string, Served>
}
