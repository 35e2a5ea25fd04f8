import { once } from 'node:events'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { openDb, openPool } from './platform/db.ts'
import { startEmbeddedDatabase } from './platform/embedded-database.ts'
import { migrateDatabase } from './platform/migrate.ts'
import { seedDemo } from './seed/seed.ts'

const EX_CONFIG = 78
const say = (line: string) => void process.stdout.write(`${line}\n`)
const log = pino({ level: process.env.LOG_LEVEL ?? 'info' })

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EX_CONFIG)
  }
}

async function main() {
  const config = configOrExit()
  const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: say })
  const databaseUrl = config.databaseUrl ?? embedded?.url
  if (!databaseUrl) throw new Error('There is no database')
  await migrateDatabase(databaseUrl, join(import.meta.dirname, 'migrations'))
  if (config.seedDemo) {
    const pool = openPool(databaseUrl, () => {}, 1)
    await seedDemo(openDb(pool), new Date())
    await pool.end()
  }
  const shop = await buildApp({ config, databaseUrl, log })
  await shop.start()
  await shop.app.http.listen({ host: config.host, port: config.port })
  say(`Qatra · قطرة  ${config.publicUrl}`)

  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await shop.stop()
  await embedded?.stop()
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  },
)
