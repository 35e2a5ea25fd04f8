import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lockFolder } from './folder-lock.ts'
import { chooseAccount, grantTraversal } from './postgres-account.ts'
import { type Cluster, findBinaries, initdb, startPostgres, stopPostgres } from './postgres-process.ts'

const database = 'qatra'

/** Reached through a socket in the database's own folder (mode 0700): no TCP port. */
const fixedSettings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  cluster_name: 'qatra',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

export type EmbeddedDatabase = { url: string; stop: () => Promise<void> }

/**
 * Runs the bundled PostgreSQL under `<dataDir>/postgres` for this process. Throws `DataFolderInUse` if another process
 * holds the folder, and an `Error` with a one-line message for the operator if it cannot start. Stops the server of a
 * killed run first; restarts a server that dies, at the same address. `settings` are further postgresql.conf values
 * (the tests' `fsync: 'off'`).
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string
  log: (line: string) => void
  settings?: Record<string, string>
}): Promise<EmbeddedDatabase> {
  const { log } = options
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = realpathSync(options.dataDir)
  const lock = lockFolder(dataDir)
  try {
    const folder = join(dataDir, 'postgres')
    const cluster: Cluster = {
      folder,
      logFile: join(dataDir, 'postgres.log'),
      binaries: findBinaries(),
      account: chooseAccount(folder),
      settings: { ...fixedSettings, ...options.settings },
    }
    grantTraversal(cluster.account, dataDir)
    if (!existsSync(folder)) {
      log(`Setting up a database in ${folder}`)
      await initdb(cluster)
    }
    const server = await keepRunning(cluster, log)
    const socketFolder = createSocketFolder(folder)
    const url = addressOf(socketFolder.path)
    try {
      await createDatabase(url)
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      url,
      stop: async () => {
        await server.stop()
        socketFolder.remove()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Connects to the database of a folder that another process runs; `stop` leaves it running. */
export function connectEmbeddedDatabase(dataDir: string): EmbeddedDatabase {
  const socketFolder = createSocketFolder(join(realpathSync(dataDir), 'postgres'))
  return { url: addressOf(socketFolder.path), stop: async () => socketFolder.remove() }
}

const addressOf = (folder: string) => `postgres://${database}@localhost/${database}?host=${encodeURIComponent(folder)}`

/** Starts the server and restarts it with increasing delays when it exits unexpectedly. */
async function keepRunning(cluster: Cluster, log: (line: string) => void): Promise<{ stop: () => Promise<void> }> {
  let isStopping = false
  let child: ChildProcess = await startPostgres(cluster, log)
  // Stops the database also when the app exits without calling `stop`.
  const onExit = () => child.kill('SIGINT')
  process.once('exit', onExit)

  let restarting = Promise.resolve()
  const watch = () =>
    child.once('exit', () => {
      if (!isStopping) restarting = restart()
    })
  const restart = async () => {
    for (let pauseMs = 100; !isStopping; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      log('The database server ended unexpectedly; starting it again')
      try {
        child = await startPostgres(cluster, log)
        watch()
        return
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        await sleep(pauseMs)
      }
    }
  }
  watch()
  return {
    stop: async () => {
      isStopping = true
      process.off('exit', onExit)
      await restarting
      await endChild(child)
    },
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid !== undefined) await stopPostgres(pid, () => child.exitCode === null && child.signalCode === null)
}

/** Socket paths are limited to 107 bytes: a deeper folder gets a link in the temporary folder. */
function createSocketFolder(folder: string): { path: string; remove: () => void } {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= 100) return { path: folder, remove: () => undefined }
  const path = join(mkdtempSync(join(tmpdir(), 'qatra-')), 'db')
  symlinkSync(folder, path)
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) }
}

async function createDatabase(url: string): Promise<void> {
  const address = new URL(url)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (!rowCount) await client.query('CREATE DATABASE qatra')
  } finally {
    await client.end()
  }
}
