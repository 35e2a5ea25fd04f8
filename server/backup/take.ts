import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import {
  copyOutOf,
  identityOf,
  listMonths,
  listTables,
  readMigrations,
  readSequences,
  summing,
  type Table,
  titleOf,
} from './inventory.ts'
import type { Manifest, Summary } from './manifest.ts'

const partSize = 1_000_000
const ownName = /^qatra-\d{8}-\d{6}-\d{3}\.tar\.zst$/
const dayMs = 86_400_000

export interface Taken {
  file: string
  bytes: number
  summary: Summary
}

/**
 * Writes a consistent snapshot of the whole shop to a new file in `folder` while the shop is running. Memory use does
 * not depend on the amount of data. A file with its final name is complete.
 */
export async function takeBackup(options: {
  databaseUrl: string
  folder: string
  keyMark: string | null
  now?: Date
}): Promise<Taken> {
  const { folder, now = new Date() } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = now.toISOString().replace(/[-:Z]/g, '').replace('T', '-').replace('.', '-')
  const file = join(folder, `qatra-${stamp}.tar.zst`)
  const draft = `${file}.partial`
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'qatra-backup' })
  client.on('error', () => undefined) // the running query reports it
  await client.connect()
  try {
    const archive = writeArchive(draft, now)
    const summary = await writeAll(client, archive, { ...options, now })
    await archive.finish()
    renameSync(draft, file)
    syncFolder(folder)
    return { file, bytes: statSync(file).size, summary }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

async function writeAll(
  client: pg.Client,
  archive: ArchiveWriter,
  { keyMark, now }: { keyMark: string | null; now: Date },
): Promise<Summary> {
  await client.query('set statement_timeout = 0')
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query(`set work_mem = '64MB'`)
  await client.query('begin isolation level repeatable read read only')
  const tables = await listTables(client)
  // From here on, migrations cannot change the tables.
  await client.query(`set local lock_timeout = '10s'`)
  for (const table of tables) await client.query(lockOf(table))
  const manifest: Manifest = {
    format: 1,
    takenAt: now.toISOString(),
    postgres: (await client.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '',
    migrations: await readMigrations(client),
    keyMark,
    months: await listMonths(client),
    tables,
  }
  await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest, null, 2)))
  const sums: Summary['tables'] = {}
  for (const table of tables) sums[titleOf(table)] = await writeTable(client, archive, table)
  const sequences = await readSequences(client)
  await client.query('commit')
  const summary = { tables: sums, sequences }
  await archive.add('summary.json', Buffer.from(JSON.stringify(summary, null, 2)))
  return summary
}

const lockOf = (table: Table) => `lock table ${identityOf(table)} in access share mode`

async function writeTable(client: pg.Client, archive: ArchiveWriter, table: Table) {
  const summed = summing()
  let parts = 0
  let held: Buffer[] = []
  let heldBytes = 0
  async function flush() {
    if (heldBytes === 0) return
    parts += 1
    await archive.add(`tables/${titleOf(table)}/${String(parts).padStart(6, '0')}.copy`, Buffer.concat(held))
    held = []
    heldBytes = 0
  }
  const rows = client.query(copyTo(await copyOutOf(client, table)))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    summed.take(chunk)
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes >= partSize) await flush()
  }
  await flush()
  return summed.sum()
}

/** Syncs the folder, so that the new name survives a power failure. */
function syncFolder(folder: string) {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Removes all but the newest `keep` backups, and temporary files that are older than a day. Ignores other files. */
export function prune(folder: string, keep: number): string[] {
  const names = readdirSync(folder)
  const old = names
    .filter((name) => ownName.test(name))
    .sort()
    .slice(0, -keep)
  const abandoned = names.filter(
    (name) =>
      name.endsWith('.partial') &&
      ownName.test(name.slice(0, -'.partial'.length)) &&
      statSync(join(folder, name)).mtimeMs < Date.now() - dayMs,
  )
  for (const name of [...old, ...abandoned]) rmSync(join(folder, name))
  return old
}
