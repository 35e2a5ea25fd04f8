import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { grow } from './lib/more-orders.mjs'
import { furnish } from './lib/ordering.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { entry, node, ready, startServer } from './lib/server-process.mjs'

/**
 * Time and memory of backup and restore with many orders, and whether every table of the shop is the same afterwards:
 * `node bench/backup.mjs [orders]`
 */
const orders = Number(process.argv[2] ?? 100_000)
const ports = { postgres: 3148, shop: 3147 }
const program =
  process.env.BACKUP_ENTRY ??
  entry.replace(/main\.(js|ts)$/, (_, kind) => (kind === 'js' ? 'backup.js' : 'backup/main.ts'))

const database = await startPostgres(ports.postgres)
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-bench-backup-'))
const urlOf = (name) => database.url.replace(/postgres$/, name)

/** Runs the command; returns its duration in seconds and its peak memory. */
function timed(args, url) {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const env = { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir }
    const child = spawn(node, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    let peak = 0
    const watch = setInterval(() => {
      try {
        peak = Math.max(
          peak,
          Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
        )
      } catch {
        clearInterval(watch) // the process has ended
      }
    }, 50)
    child.once('exit', (code) => {
      clearInterval(watch)
      if (code !== 0) reject(new Error(`${args[0]} ended with ${code}`))
      resolve({ seconds: Number(((performance.now() - begun) / 1000).toFixed(1)), peakMb: Math.round(peak) })
    })
  })
}

/** Rows and a hash of each table's rows in any order; computed by PostgreSQL, not by the code of the backup. */
async function contentsOf(db) {
  const { rows: tables } = await db.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition order by 1`,
  )
  const contents = {}
  for (const { name } of tables) {
    const { rows } = await db.query(
      `select count(*)::integer as rows, sum(hashtextextended(t::text, 0)) as hash from ${pg.escapeIdentifier(name)} t`,
    )
    contents[name] = `${rows[0].rows} ${rows[0].hash}`
  }
  return contents
}

try {
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  for (const name of ['shop', 'restored']) await admin.query(`create database ${name}`)
  await admin.end()
  const server = startServer({ port: ports.shop, dataDir, settings: { DATABASE_URL: urlOf('shop') } })
  await ready(server.address)
  server.child.kill('SIGTERM')
  await server.ended
  const db = new pg.Client({ connectionString: urlOf('shop') })
  await db.connect()
  await grow(db, await furnish(db, 0), orders)
  const size = await db.query('select pg_database_size(current_database()) as bytes')
  const before = await contentsOf(db)
  await db.end()
  mkdirSync(join(dataDir, 'backups'), { recursive: true })

  const backup = await timed(['backup'], urlOf('shop'))
  const file = join(dataDir, 'backups', readdirSync(join(dataDir, 'backups'))[0])
  const check = await timed(['restore', '--check', file], urlOf('shop'))
  const restore = await timed(['restore', file], urlOf('restored'))
  const restored = new pg.Client({ connectionString: urlOf('restored') })
  await restored.connect()
  const after = await contentsOf(restored)
  await restored.end()
  const different = Object.keys(before).filter((name) => before[name] !== after[name])
  const isReached = different.length === 0 && restore.seconds <= 300 && Math.max(backup.peakMb, restore.peakMb) < 300
  const mb = (bytes) => Math.round(Number(bytes) / 1e6)
  console.log(
    JSON.stringify({
      bench: 'backup',
      postgres: database.version,
      orders,
      tables: Object.keys(before).length,
      different,
      databaseMb: mb(size.rows[0].bytes),
      fileMb: mb(statSync(file).size),
      backup,
      check,
      restore,
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
