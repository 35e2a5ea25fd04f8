import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { createClock } from '../../database/clock.ts'
import { awaitDatabase, openDb, openPool } from '../../database/db.ts'
import { createListener } from '../../database/listener.ts'
import { createQueue } from '../../jobs/queue.ts'
import { createRateLimiters } from '../guard/rate-limiter.ts'
import { securityHeaders } from '../guard/security-headers.ts'
import { createResponseCache } from '../pages/response-cache.ts'
import type { App, SessionReader } from '../runtime.ts'
import { cookieNames } from '../session-cookie.ts'
import { createEventStreams } from '../streams/event-streams.ts'
import { createServer } from './create-server.ts'

interface Parts {
  config: Config
  databaseUrl: string
  log: Logger
  print?: (line: string) => void
  readSessions: (app: Pick<App, 'pool' | 'log'>) => SessionReader
}

const printLine = (line: string) => void process.stdout.write(`${line}\n`)

/** Connects what all features need; routes and jobs are registered afterwards. */
export async function createApp({ config, databaseUrl, log, print = printLine, readSessions }: Parts): Promise<App> {
  const pool = openPool(databaseUrl, (error) => log.warn({ err: error.message }, 'database connection lost'))
  const clock = createClock(pool)
  await awaitDatabase(clock.measure)
  const listener = createListener(databaseUrl, log)
  await listener.start()
  const responseCache = createResponseCache(clock)
  const sessions = readSessions({ pool, log })
  const rateLimiters = createRateLimiters({ config, databaseUrl, log })
  return {
    config,
    log,
    print,
    http: createServer(config, log, responseCache),
    pool,
    db: openDb(pool),
    clock,
    queue: createQueue(databaseUrl, log),
    listener,
    sessions,
    rateLimiters,
    eventStreams: await createEventStreams({ config, sessions, rateLimiters, listener, log }),
    cookies: cookieNames(config.isSecure),
    responseCache,
    headers: securityHeaders(config),
    served: new Map(),
  }
}
