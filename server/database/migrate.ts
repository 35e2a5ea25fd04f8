import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { OperatorError } from '../lib/operator-error.ts'
import { lockKeys } from './advisory-lock.ts'

const OLDEST_POSTGRES = 15
/** Shorter than the two minutes after which the kernel reports that no machine answers. */
const CONNECT_TIMEOUT_MS = 10_000

/** The database has a schema that these migrations do not continue. */
export class UnknownSchema extends OperatorError {}

/**
 * Brings the database to the schema of this version; several processes may call it at once. Functions and triggers are
 * the `.sql` files beside the features, below the parent of `migrationsFolder`; they are applied whenever they changed.
 * @throws UnknownSchema without a change, for a database of other migrations
 */
export async function migrateDatabase(databaseUrl: string, migrationsFolder: string) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'qatra-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    await requireNewEnough(client)
    await client.query(`set lock_timeout = '30s'`)
    // Serializes processes that start at the same time.
    await client.query('select pg_advisory_lock($1)', [lockKeys.migration])
    await client.query(`set lock_timeout = '3s'`)
    await requireOwnSchema(client, migrationsFolder)
    await migrate(drizzle(client), { migrationsFolder })
    await applyFunctions(client, dirname(migrationsFolder))
    await client.query('select create_months()')
  } finally {
    await client.end()
  }
}

async function requireNewEnough(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`,
  )
  const [found] = rows
  if (found && found.number < OLDEST_POSTGRES * 10_000)
    throw new OperatorError(`The database is PostgreSQL ${found.version}; ${OLDEST_POSTGRES} or later is needed.`)
}

async function requireOwnSchema(client: pg.Client, migrationsFolder: string): Promise<void> {
  const { rows: tables } = await client.query(`select where to_regclass('drizzle.__drizzle_migrations') is not null`)
  if (tables.length === 0) return
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at limit 1',
  )
  const [first] = readMigrationFiles({ migrationsFolder })
  if (rows[0] && rows[0].hash !== first?.hash)
    throw new UnknownSchema(
      'The tables of this database were made by other migrations than those of this version, which cannot upgrade it. Nothing was changed. Name an empty database (DATABASE_URL or DATA_DIR); to keep the data, run the version that made it.',
    )
}

async function applyFunctions(client: pg.Client, folder: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql') && !path.startsWith(`migrations${sep}`))
    .sort()
  const text = paths.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n')
  const hash = createHash('sha256').update(text).digest('hex')
  await client.query('create table if not exists drizzle.applied_functions (hash text primary key)')
  const { rows } = await client.query('select from drizzle.applied_functions where hash = $1', [hash])
  if (rows.length > 0) return
  await client.query('begin')
  // A function may call one of a later file, and a trigger too.
  await client.query('set local check_function_bodies = off')
  const isTrigger = (definition: string) => definition.startsWith('create or replace trigger')
  const definitions = text.split(/^(?=(?:create|drop) )/m)
  await client.query(definitions.filter((definition) => !isTrigger(definition)).join(''))
  await client.query(definitions.filter(isTrigger).join(''))
  await client.query('delete from drizzle.applied_functions')
  await client.query('insert into drizzle.applied_functions (hash) values ($1)', [hash])
  await client.query('commit')
}
