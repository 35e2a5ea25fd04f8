import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSessions } from './auth/session-reader.ts'
import { readConfig } from './config/config.ts'
import { lockKeys } from './database/advisory-lock.ts'
import { createApp } from './http/server/create-app.ts'
import { withoutWorkers } from './jobs/queue.ts'
import { createLogger } from './lib/logger.ts'
import { conversationNewsJobs } from './notifications/jobs.ts'
import { newsFallbackJobs } from './order-messages/jobs.ts'
import { gatewaysOf } from './providers/gateways.ts'
import { loadLibrary, muteConsole } from './providers/whatsapp-device/library.ts'
import { failureJobs } from './telegram/topics/failure.jobs.ts'
import { type LinkedDevice, linkDevice } from './whatsapp-device/device.jobs.ts'

const config = readConfig(process.env)
const log = createLogger(config.logLevel)
if (!config.databaseUrl || config.whatsapp.provider !== 'web') {
  process.stderr.write('The linked device needs DATABASE_URL and WHATSAPP_PROVIDER=web\n')
  process.exit(78)
}
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, event)
    process.exit(1)
  })
}

const LOCK_POLL_MS = 1_000
/** What still waits for the database then is given up, so that another process can start. */
const END_WITHIN_MS = 40_000
let device: LinkedDevice | null = null
let ending: Promise<never> | null = null

async function end(exitCode: number): Promise<never> {
  setTimeout(() => process.exit(exitCode), END_WITHIN_MS)
  await device?.stop()
  process.exit(exitCode)
}
const endOnce = (exitCode: number) => void (ending ??= end(exitCode))
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => endOnce(0))
// The parent ended while the modules were loaded.
if (process.connected === false) process.exit(0)

const holder = new pg.Client({
  connectionString: config.databaseDirectUrl ?? config.databaseUrl,
  application_name: 'qatra-device',
  keepAlive: true,
})
// Only the process with the lock connects the device; one that loses it stores what was received and exits.
holder.on('error', () => endOnce(1))
await holder.connect()
// Not in one long statement: the server notices the end of a waiting client only when it gets the lock.
const lockSql = 'select pg_try_advisory_lock($1) as is_held'
while (!(await holder.query<{ is_held: boolean }>(lockSql, [lockKeys.device])).rows[0]?.is_held)
  await sleep(LOCK_POLL_MS)

muteConsole()
// Its jobs run here, whatever the role of the process that started it.
const app = await createApp({
  config: { ...config, role: 'worker' },
  databaseUrl: config.databaseUrl,
  log,
  readSessions,
})
// Other processes handle the jobs of the events that this one publishes: statuses, failures, the connection's state.
const observed = { ...app, queue: withoutWorkers(app.queue) }
conversationNewsJobs(observed)
newsFallbackJobs(observed, gatewaysOf(app))
if (config.telegram.token !== null) failureJobs(observed, config.telegram)
device = await linkDevice(app, await loadLibrary())
