import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { watchShop } from './alarms/watch.jobs.ts'
import { buildApp, type Shop } from './app.ts'
import type { Config } from './config/config.ts'
import { openDb, openPool } from './database/db.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './database/embedded/embedded-database.ts'
import { migrateDatabase } from './database/migrate.ts'
import { loadDemoData } from './demo.ts'
import { keepDevice } from './device-process.ts'
import { createLogger } from './lib/logger.ts'
import { explainFailure, OperatorError } from './lib/operator-error.ts'
import type { Tracing } from './lib/tracing/tracing.ts'
import { seedBase } from './seed/base.ts'
import { welcome } from './welcome.ts'

const STOP_WITHIN_MS = 10_000
const say = (line: string) => void process.stdout.write(`${line}\n`)
const complain = (line: string) => void process.stderr.write(`${line}\n`)

/** `build/`, relative to `server/main.ts` or `build/server/main.js`. */
function buildFolder(): string {
  const here = import.meta.dirname
  return basename(dirname(here)) === 'build' ? dirname(here) : resolve(here, '../build')
}

type DemoData = Awaited<ReturnType<typeof loadDemoData>>

async function prepareData(databaseUrl: string, demo: DemoData | null) {
  const pool = openPool(databaseUrl, () => {}, { max: 1 })
  await seedBase(openDb(pool))
  await demo?.seedDemo(pool, new Date())
  await pool.end()
}

interface Parts {
  config: Config
  databaseUrl: string
  log: Logger
  web?: string
}

/**
 * Takes the port before anything is changed, so that a second program on it fails at once. Connections that arrive until
 * the server listens wait for it.
 */
async function takePort({ host, port }: Config) {
  const early: Socket[] = []
  const holder = createServer({ pauseOnConnect: true }, (socket) => {
    // The server adds its own listener; without one until then a reset would end the process.
    early.push(socket.on('error', () => {}))
  })
  await once(holder.listen({ host, port }), 'listening')
  return async ({ app: { http } }: Shop) => {
    holder.close()
    await http.listen({ host, port })
    for (const socket of early) {
      http.server.emit('connection', socket)
      socket.resume()
    }
  }
}

async function startShop(parts: Parts, demo: DemoData | null): Promise<Shop> {
  const { config, databaseUrl } = parts
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  await migrateDatabase(directUrl, join(import.meta.dirname, 'migrations'))
  await prepareData(directUrl, demo)
  const shop = await buildApp(parts)
  await shop.start()
  return shop
}

/** Resolves with the first signal; another one at least a second later ends the process at once. */
const waitForSignal = () =>
  new Promise<NodeJS.Signals>((done) => {
    let signalledAt: number | null = null
    const handleSignal = (signal: NodeJS.Signals) => {
      // Ctrl-C arrives twice under npm: from the terminal and from npm.
      if (signalledAt !== null && Date.now() - signalledAt > 1000) process.exit(1)
      signalledAt ??= Date.now()
      done(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, handleSignal)
    // Set by scripts/start.mjs: if the parent is killed, the server must not keep running.
    if (process.env.QATRA_ENDS_WITH_PARENT !== 'true') return
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      handleSignal('SIGINT')
    }, 500).unref()
  })

/** Fails readiness, then refuses new connections, then finishes open requests; ten seconds in all. */
async function stop(shop: Shop, signal: NodeJS.Signals) {
  shop.drain()
  // Only a load balancer reads /readyz; with Ctrl-C there is none to wait for.
  const noticed = signal === 'SIGTERM' ? sleep(shop.app.config.drainSeconds * 1_000) : Promise.resolve()
  const isDone = await Promise.race([
    noticed.then(() => shop.stop()).then(() => true),
    sleep(STOP_WITHIN_MS, false, { ref: false }),
  ])
  if (!isDone) shop.app.log.warn(`not everything was finished after ${STOP_WITHIN_MS} ms`)
}

/** Starts database and shop and waits for a signal; sets the exit code. */
export async function run(config: Config, web = buildFolder()) {
  const log = createLogger(config.logLevel)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  let embedded: EmbeddedDatabase | null = null
  let tracing: Tracing | null = null
  const stopSignal = waitForSignal()
  // scripts/dev.mjs serves the pages itself, from their sources.
  const hasPages = config.role !== 'worker' && process.env.QATRA_PAGES !== 'elsewhere'
  try {
    if (hasPages && !existsSync(join(web, 'web-server/entry-server.js')))
      throw new OperatorError('The pages are not built; run npm run build.')
    const listen = await takePort(config)
    if (config.traces) tracing = (await import('./lib/tracing/opentelemetry.ts')).startTracing(config.traces)
    if (!config.databaseUrl) embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, log: say })
    const databaseUrl = config.databaseUrl ?? embedded?.url
    if (!databaseUrl) throw new Error('There is no database')
    const demo = config.seedDemo ? await loadDemoData() : null
    const shop = await startShop({ config, databaseUrl, log, ...(hasPages ? { web } : {}) }, demo)
    await listen(shop)
    const watch = watchShop(shop.app)
    const device = keepDevice(config, databaseUrl, log)
    for (const line of welcome(config, demo?.signIns)) say(line)
    const signal = await stopSignal
    watch.stop()
    await Promise.all([device.stop(), stop(shop, signal)])
  } catch (error) {
    const failure = explainFailure(error, config)
    complain(failure?.message ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)))
    process.exitCode = failure?.exitCode ?? 1
  } finally {
    await tracing?.stop()
    await embedded?.stop()
  }
}
