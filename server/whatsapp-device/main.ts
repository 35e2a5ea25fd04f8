import pg from 'pg'
import { readSessions } from '../auth/session-reader.ts'
import { readConfig } from '../config/config.ts'
import { lockKeys } from '../database/advisory-lock.ts'
import { createApp } from '../http/server/create-app.ts'
import { createLogger } from '../lib/logger.ts'
import { loadLibrary, muteConsole } from '../providers/whatsapp-device/library.ts'
import { linkDevice } from './device.jobs.ts'

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

const holder = new pg.Client({
  connectionString: config.databaseDirectUrl ?? config.databaseUrl,
  application_name: 'qatra-device',
  keepAlive: true,
})
// Only the process with the lock connects the device; one that loses it exits.
holder.on('error', () => process.exit(1))
await holder.connect()
await holder.query('select pg_advisory_lock($1)', [lockKeys.device])

muteConsole()
// Its jobs run here, whatever the role of the process that started it.
const app = await createApp({
  config: { ...config, role: 'worker' },
  databaseUrl: config.databaseUrl,
  log,
  readSessions,
})
const device = await linkDevice(app, await loadLibrary())
const stop = async () => {
  await device.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => void stop())
