import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  connectEmbeddedDatabase,
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../database/embedded/embedded-database.ts'
import { DataFolderInUse } from '../database/embedded/folder-lock.ts'
import { explainFailure, OperatorError } from '../lib/operator-error.ts'
import { type Contents, readBackup } from './check.ts'
import { keyMarkOf } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import { prune, type Taken, takeBackup } from './take.ts'

const usage = `
  backup  [--to folder] [--keep 14]                     default: DATA_DIR/backups
  restore <file> [--replace] [--without-jobs]           into an empty database, or in place of what is there
  restore --check <file>                                whether the file is whole
  failed                                                notes that a run ended without noting it itself
  move                                                  the database of DATA_DIR into the empty one of DATABASE_URL
`

const { env } = process
const dataDir = resolve(env['DATA_DIR']?.trim() || './data')
// Both set options of their session, so no pooler may be between.
const databaseUrl = env['DATABASE_DIRECT_URL']?.trim() || env['DATABASE_URL']?.trim() || null
const migrationsFolder = [join(import.meta.dirname, 'migrations'), join(import.meta.dirname, '../migrations')].find(
  (folder) => existsSync(folder),
)
// npm runs scripts in the project folder; relative paths are resolved from the caller's folder.
const fromHere = (path: string) => resolve(env['INIT_CWD'] ?? '.', path)
const say = (line: string) => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function withDatabase<T>(work: (url: string) => Promise<T>, mayRunElsewhere: boolean): Promise<T> {
  return databaseUrl ? await work(databaseUrl) : await withEmbedded(work, mayRunElsewhere)
}

async function withEmbedded<T>(work: (url: string) => Promise<T>, mayRunElsewhere: boolean): Promise<T> {
  const database = await openEmbedded(mayRunElsewhere)
  try {
    return await work(database.url)
  } finally {
    await database.stop()
  }
}

/** A backup can use the database of a running shop; a restore requires that the shop is stopped. */
async function openEmbedded(mayRunElsewhere: boolean): Promise<EmbeddedDatabase> {
  try {
    return await startEmbeddedDatabase({ dataDir, log: say })
  } catch (error) {
    if (error instanceof DataFolderInUse && mayRunElsewhere) return connectEmbeddedDatabase(dataDir)
    throw error
  }
}

async function backup(args: string[]) {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, keep: { type: 'string', default: '14' } } })
  const keep = Number(values.keep)
  if (!Number.isInteger(keep) || keep < 1) throw new OperatorError('--keep is a number of backups, 1 or more')
  if (!databaseUrl) requireEmbedded()
  const folder = values.to === undefined ? join(dataDir, 'backups') : fromHere(values.to)
  const begun = performance.now()
  const taken = await withDatabase((url) => takeAndCheck(url, folder), true)
  const removed = prune(folder, keep)
  say(`${taken.file}  ${megabytes(taken.bytes)} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  say(describe(taken.summary))
  if (removed.length > 0) say(`Removed ${removed.length} older than the newest ${keep}`)
  say('The key (DATA_DIR/secret.key or SECRET_KEY) is not in it: keep that in another safe place.')
}

/** Reads the new file whole, and notes the outcome for metrics and alarms. */
async function takeAndCheck(url: string, folder: string): Promise<Taken> {
  let bytes = 0
  try {
    const taken = await takeBackup({ databaseUrl: url, folder, keyMark: keyMarkOf(env, dataDir) })
    bytes = taken.bytes
    await readBackup(taken.file)
    await note(url, bytes, true)
    return taken
  } catch (error) {
    await note(url, bytes, false)
    throw error
  }
}

async function note(connectionString: string, bytes: number, isChecked: boolean) {
  const client = new pg.Client({ connectionString, application_name: 'qatra-backup', connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query('insert into backups (bytes, checked_at) values ($1, case when $2 then now() end)', [
      bytes,
      isChecked,
    ])
  } catch (error) {
    say(`Not noted for the alarms: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

function requireEmbedded() {
  if (!existsSync(join(dataDir, 'postgres')))
    throw new OperatorError(`There is no database in ${dataDir}; set DATA_DIR or DATABASE_URL`)
}

function describe({ tables }: Contents['summary']) {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const orders = tables['public.orders']?.rows ?? 0
  const jobs = tables['pgboss.job']?.rows ?? 0
  const files = tables['public.media']?.rows ?? 0
  return `${Object.keys(tables).length} tables, ${rows} rows: ${orders} orders, ${jobs} jobs, ${files} pictures and files`
}

async function restore(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { check: { type: 'boolean' }, replace: { type: 'boolean' }, 'without-jobs': { type: 'boolean' } },
  })
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new OperatorError(`Name one file:${usage}`)
  const file = fromHere(given)
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}`)
  const begun = performance.now()
  if (values.check) {
    const { manifest, summary } = await readBackup(file)
    say(`${file} is whole: taken ${manifest.takenAt} from PostgreSQL ${manifest.postgres}`)
    say(describe(summary))
    return
  }
  if (!migrationsFolder) throw new Error('The migrations are not where they belong')
  const options = { file, migrationsFolder, replaces: values.replace ?? false }
  const { manifest, summary } = await withDatabase(
    (url) => restoreBackup({ ...options, databaseUrl: url, withJobs: !values['without-jobs'] }),
    false,
  )
  say(
    `Restored what was taken ${manifest.takenAt}, every row compared, in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
  say(describe(summary))
  if (manifest.keyMark !== null && manifest.keyMark !== keyMarkOf(env, dataDir))
    say(
      `The key here is not the one of the backup: bring back ${join(dataDir, 'secret.key')} or SECRET_KEY before the start.`,
    )
}

/** From the embedded database to the server of DATABASE_URL, by a backup; the shop is stopped. The old files stay. */
async function move() {
  if (!databaseUrl) throw new OperatorError('Set DATABASE_URL to the empty database that the data move into')
  requireEmbedded()
  const folder = join(dataDir, 'backups')
  const taken = await withEmbedded(
    (url) => takeBackup({ databaseUrl: url, folder, keyMark: keyMarkOf(env, dataDir) }),
    false,
  )
  say(`${taken.file}  ${megabytes(taken.bytes)}`)
  await restore([taken.file])
  say(
    `Keep DATABASE_URL in the settings and start the shop. ${join(dataDir, 'postgres')} has the data as they were: delete`,
  )
  say(`it when the shop has run for some days. ${join(dataDir, 'secret.key')} is still needed.`)
}

const [command, ...args] = process.argv.slice(2)
try {
  if (command === 'backup') await backup(args)
  else if (command === 'restore') await restore(args)
  else if (command === 'move') await move()
  else if (command === 'failed') await withDatabase((url) => note(url, 0, false), true)
  else throw new OperatorError(`Say what to do:${usage}`)
} catch (error) {
  const isMisused = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const failure = isMisused
    ? new OperatorError(`${error.message}${usage}`)
    : explainFailure(error, { databaseUrl, dataDir })
  process.stderr.write(
    `${failure?.message ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  )
  process.exitCode = 1
}
process.exit()
