import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { Actor } from '@qatra/contract/users/actor'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../database/clock.ts'
import type { Ctx } from '../database/context.ts'
import type { Db } from '../database/db.ts'
import type { Listener } from '../database/listener.ts'
import type { Replica } from '../database/replica.ts'
import type { Queue } from '../jobs/queue.ts'
import type { SimulatedFetch } from '../lib/http-client.ts'
import type { RateLimiters } from './guard/rate-limiter.ts'
import type { SecurityHeaders } from './guard/security-headers.ts'
import type { ResponseCache } from './pages/response-cache.ts'
import type { CookieNames } from './session-cookie.ts'
import type { EventStreams } from './streams/event-streams.ts'

type SessionUser = Pick<Actor, 'user' | 'impersonator' | 'key'>

/** Reads the users of sessions, by the SHA-256 of their cookies, and of API keys, by `key:` and their SHA-256. */
export interface SessionReader {
  /**
   * With the database's time. Null if the session is unknown or expired, or its user deactivated. Notes the visit at
   * intervals, without waiting for it.
   */
  find: (db: Db, sessionId: string) => Promise<(SessionUser & { now: Date }) | null>
  /** The user of a session that `find` returned in the last minutes. Without the database; null if unknown. */
  recentUser: (sessionId: string) => number | null
  /** The same as `find` for many sessions; invalid ones are missing. */
  readMany: (sessionIds: readonly string[]) => Promise<Map<string, SessionUser>>
}

export interface Served {
  endpoint: AnyEndpoint
  handle: (ctx: Ctx, input: never) => unknown
  /** Strips fields that the endpoint's schema does not contain; null for files and streams. */
  trim: ((answer: unknown) => unknown) | null
}

/** Answers calls to providers within the process. */
export interface SimulatedNetwork {
  /** WhatsApp and SMS. */
  messaging: SimulatedFetch
  telegram?: SimulatedFetch
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
  /** The database without a pooler, for connections that need a session of their own. */
  directUrl: string
  /** Lists, the dashboard and exports are read there. */
  replica: Replica
  clock: Clock
  queue: Queue
  listener: Listener
  sessions: SessionReader
  rateLimiters: RateLimiters
  /** Open event streams. */
  eventStreams: EventStreams
  cookies: CookieNames
  /** Cached responses. */
  responseCache: ResponseCache
  /** In place of the network while the simulator runs; set by app.ts before the features register. */
  simulatedNetwork: SimulatedNetwork | null
  /** Set on every response, cached ones too. */
  headers: SecurityHeaders
  /** All served endpoints by `METHOD path`, for in-process calls, the OpenAPI document and tests. */
  served: Map<string, Served>
}
