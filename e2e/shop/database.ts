import { join } from 'node:path'
import pg from 'pg'
import { plain, type Server } from '../settings.ts'

/** Queries the database of a test server through its socket. */
export async function query<Row extends pg.QueryResultRow>(
  sql: string,
  values: unknown[] = [],
  server: Server = plain,
) {
  const client = new pg.Client({ host: join(server.dataDir, 'postgres'), user: 'qatra', database: 'qatra' })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(sql, values)
    return rows
  } finally {
    await client.end()
  }
}
