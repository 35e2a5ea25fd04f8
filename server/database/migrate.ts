import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

/** Advisory lock key: processes that start together migrate one after the other. */
export const MIGRATION_LOCK = 7_301_973

/** Applies pending migrations; safe to run from several processes at once. */
export async function migrateDatabase(databaseUrl: string, migrationsFolder: string) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'qatra-migrate' })
  await client.connect()
  try {
    await client.query(`set lock_timeout = '30s'`)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`set lock_timeout = '3s'`)
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}
