import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { lockKeys } from '../database/advisory-lock.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { type Contents, compare, readBackup } from './check.ts'
import { columnsOf, identityOf, sumOf, type Table, titleOf } from './inventory.ts'
import { buildSchema, dropEverything, hasTables, RestoreRefused, withoutRules } from './schema-at.ts'

export interface RestoreOptions {
  file: string
  databaseUrl: string
  migrationsFolder: string
  /** Replaces existing tables; otherwise a database with tables is refused. */
  replaces: boolean
  /** Restores jobs that were waiting when the backup was taken. */
  withJobs: boolean
}

/**
 * Restores a backup in one transaction: schema, rows and sequences as of the backup. Rows are read back and compared
 * before the commit. Migrations run afterwards.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Contents> {
  const { databaseUrl } = options
  // Verifies the whole file before it changes the database.
  const contents = await readBackup(options.file)
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'qatra-restore' })
  client.on('error', () => undefined) // the running query reports it
  await client.connect()
  try {
    await replaceAll(client, contents, options)
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrateDatabase(databaseUrl, options.migrationsFolder)
  return contents
}

async function replaceAll(client: pg.Client, contents: Contents, options: RestoreOptions) {
  await client.query('set statement_timeout = 0')
  await client.query(`set lock_timeout = '3s'`)
  await client.query(`set maintenance_work_mem = '256MB'`)
  // Blocks starting processes of the shop, which would migrate the schema first.
  await client.query('select pg_advisory_lock($1)', [lockKeys.migration])
  await client.query('begin')
  await requireAlone(client)
  if (await hasTables(client)) {
    if (!options.replaces)
      throw new RestoreRefused('The database has tables already; --replace puts the backup in their place')
    await dropEverything(client)
  }
  const { manifest, summary } = contents
  const tables = manifest.tables.filter((table) => options.withJobs || titleOf(table) !== 'pgboss.job')
  await buildSchema(client, options.migrationsFolder, manifest)
  await withoutRules(client, () => load(client, tables, options.file))
  for (const table of tables) compare(titleOf(table), await sumOf(client, table), summary)
  for (const { name, value, isCalled } of summary.sequences)
    await client.query('select setval(quote_ident($1)::regclass, $2, $3)', [name, value, isCalled])
  await client.query('commit')
}

async function requireAlone(client: pg.Client) {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'qatra%'`,
  )
  if (rows[0]?.count) throw new RestoreRefused('The shop runs on this database: stop every process of it first')
}

async function load(client: pg.Client, tables: Table[], file: string) {
  const byTitle = new Map(tables.map((table) => [titleOf(table), table]))
  const now: { title: string; copy: ReturnType<typeof openCopy> | null } = { title: '', copy: null }
  await readBackup(file, {
    async rows(title, chunk) {
      if (now.title !== title) {
        await now.copy?.end()
        const table = byTitle.get(title)
        now.title = title
        now.copy = table ? openCopy(client, table) : null
      }
      await now.copy?.write(chunk)
    },
  })
  await now.copy?.end()
}

function openCopy(client: pg.Client, table: Table) {
  const stream = client.query(copyFrom(`copy ${identityOf(table)} (${columnsOf(table)}) from stdin`))
  const ended = finished(stream)
  ended.catch(() => undefined) // `write` or `end` throws it
  return {
    async write(chunk: Buffer) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), ended])
    },
    async end() {
      stream.end()
      await ended
    },
  }
}
