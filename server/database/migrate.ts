import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { lockKeys } from './advisory-lock.ts'

/** The database has a schema that these migrations do not continue. */
export class UnknownSchema extends Error {
  override name = 'UnknownSchema'
}

/**
 * Brings the database to the schema of this version; several processes may call it at once. Functions and triggers are
 * the `.sql` files beside the features, below the parent of `migrationsFolder`; they are applied whenever they changed.
 * @throws UnknownSchema without a change, for a database of other migrations
 */
export async function migrateDatabase(databaseUrl: string, migrationsFolder: string) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'qatra-migrate' })
  await client.connect()
  try {
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

async function requireOwnSchema(client: pg.Client, migrationsFolder: string): Promise<void> {
  const { rows: tables } = await client.query(`select where to_regclass('drizzle.__drizzle_migrations') is not null`)
  if (tables.length === 0) return
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at limit 1',
  )
  const [first] = readMigrationFiles({ migrationsFolder })
  if (rows[0] && rows[0].hash !== first?.hash)
    throw new UnknownSchema('The tables of this database were made by other migrations than those of this version')
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
