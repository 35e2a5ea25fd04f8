import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { createClock } from '../../database/clock.ts'
import { awaitDatabase, openDb, openPool, requireTimeouts } from '../../database/db.ts'
import { createListener } from '../../database/listener.ts'
import { createReplica } from '../../database/replica.ts'
import { createQueue } from '../../jobs/queue.ts'
import { queues } from '../../jobs/queues.ts'
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
  pollSeconds?: number
  readSessions: (app: Pick<App, 'db' | 'log'>) => SessionReader
}

/** Workers are not woken by the processes that enqueue, so they poll more often. */
const queueOptions = { all: {}, web: { hasWorkers: false }, worker: { pollSeconds: 0.5 } }

const printLine = (line: string) => void process.stdout.write(`${line}\n`)

/** Connects what all features need; routes and jobs are registered afterwards. */
export async function createApp({ config, databaseUrl, log, print = printLine, ...parts }: Parts): Promise<App> {
  const { preparedStatements, databasePoolSize: max } = config
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  const lost = (error: Error) => log.warn({ err: error.message }, 'database connection lost')
  const pool = openPool(databaseUrl, lost, { preparedStatements, max })
  const db = openDb(pool)
  const clock = createClock(pool)
  await awaitDatabase(clock.measure)
  await requireTimeouts(pool)
  const listener = createListener(directUrl, log)
  await listener.start()
  const responseCache = createResponseCache(clock)
  const sessions = parts.readSessions({ db, log })
  const rateLimiters = createRateLimiters({ config, databaseUrl, log })
  return {
    config,
    log,
    print,
    http: createServer(config, log, responseCache),
    pool,
    db,
    directUrl,
    replica: await createReplica(config.databaseReadUrl, { db, preparedStatements, max, log }),
    clock,
    queue: createQueue(queues, databaseUrl, log, {
      ...queueOptions[config.role],
      ...(parts.pollSeconds !== undefined && { pollSeconds: parts.pollSeconds }),
    }),
    listener,
    sessions,
    rateLimiters,
    eventStreams: await createEventStreams({ config, sessions, rateLimiters, listener, log }),
    cookies: cookieNames(config.isSecure),
    responseCache,
    simulatedNetwork: null,
    headers: securityHeaders(config),
    served: new Map(),
  }
}
