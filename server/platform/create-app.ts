import type { Logger } from 'pino'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { openDb, openPool } from './db.ts'
import { createHttp } from './http.ts'
import { createListener } from './listener.ts'
import { createLive } from './live.ts'
import { createPrepared } from './prepared.ts'
import { createQueue } from './queue.ts'
import type { App, SessionReader } from './runtime.ts'
import { securityHeaders } from './security-headers.ts'
import { cookieNames } from './session.ts'

interface Parts {
  config: Config
  databaseUrl: string
  log: Logger
  say?: (line: string) => void
  readSessions: (app: Pick<App, 'pool' | 'log'>) => SessionReader
}

const toConsole = (line: string) => void process.stdout.write(`${line}\n`)

/** What every feature runs on, connected and measured; routes and jobs are registered afterwards. */
export async function createApp({ config, databaseUrl, log, say = toConsole, readSessions }: Parts): Promise<App> {
  const pool = openPool(databaseUrl, (error) => log.warn({ err: error.message }, 'database connection lost'))
  const clock = createClock(pool)
  await clock.measure()
  const listener = createListener(databaseUrl, log)
  await listener.start()
  const prepared = createPrepared(clock)
  const sessions = readSessions({ pool, log })
  return {
    config,
    log,
    say,
    http: createHttp(config, log, prepared),
    pool,
    db: openDb(pool),
    clock,
    queue: createQueue(databaseUrl, log),
    listener,
    sessions,
    live: await createLive({ config, sessions, listener, log }),
    cookies: cookieNames(config.isSecure),
    prepared,
    headers: securityHeaders(config),
    served: new Map(),
  }
}
