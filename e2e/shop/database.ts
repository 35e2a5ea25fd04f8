import { join } from 'node:path'
import pg from 'pg'
import { plain, type Server } from '../settings.ts'

/** Asks the database of a server under test, through the socket in its folder. */
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
