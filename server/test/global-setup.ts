import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INBOX_SETTINGS } from '@qatra/contract/whatsapp/inbox/settings'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { seedDemo } from '../../demo/data/seed.ts'
import { buildApp } from '../app.ts'
import { openDb, openPool } from '../database/db.ts'
import { startEmbeddedDatabase } from '../database/embedded/embedded-database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { seedBase } from '../seed/base.ts'
import { testConfig } from './config.ts'

/** Nothing outlives the run, so durability is off, and nothing is old enough to be vacuumed. Each file has its own pool. */
const throwaway = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '500',
}

/** Projects that run without a database, so that a single file of them starts at once. */
const withoutDatabase = new Set(['contract', 'web', 'scripts'])

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string
    templateUrl: string
  }
}

/** Creates the tables of the job queue and all queues in the template, so that no application under test has to. */
async function createQueues(databaseUrl: string) {
  const shop = await buildApp({ config: testConfig(), databaseUrl, log: pino({ level: 'silent' }) })
  await shop.app.queue.start()
  await shop.stop()
}

/** In memory where there is enough: the databases of a run are thousands of small files. */
function databaseFolder() {
  const memory = '/dev/shm'
  const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 8 * 2 ** 30
  return mkdtempSync(join(hasRoom ? memory : tmpdir(), 'qatra-pg-'))
}

/** Temporary files of all tests go into one folder, open to every account as /tmp is; the returned function removes it. */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'qatra-test-'))
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return removeAtExit(folder)
}

/** Removes a folder when the returned function is called, or when a signal ends the run before; a server may still write there. */
function removeAtExit(folder: string) {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    remove()
  }
}

export default async function setup(project: TestProject) {
  const removeFolder = makeTemporaryFolder()
  const stopDatabase = await startDatabase(project)
  return async () => {
    await stopDatabase?.()
    removeFolder()
  }
}

/**
 * One server for the whole run: TEST_DATABASE_URL (a superuser, any database), or the embedded server in a temporary
 * folder. The template is migrated and seeded once; each test file clones it.
 */
async function startDatabase(project: TestProject) {
  if (project.vitest.projects.every(({ name }) => withoutDatabase.has(name))) return null
  const given = process.env.TEST_DATABASE_URL
  const folder = given ? null : databaseFolder()
  const removeDatabase = folder ? removeAtExit(folder) : null
  const embedded = folder ? await startEmbeddedDatabase({ dataDir: folder, log: () => {}, settings: throwaway }) : null
  const adminUrl = given ?? embedded?.url
  if (!adminUrl) throw new Error('There is no database server to test on')

  const template = `template_${process.pid}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${template}`)
  await admin.query(`create database ${template}`)
  const templateUrl = new URL(adminUrl)
  templateUrl.pathname = `/${template}`
  await migrateDatabase(templateUrl.href, join(import.meta.dirname, '../migrations'))
  const pool = openPool(templateUrl.href, () => {}, { max: 2 })
  await seedBase(openDb(pool))
  await seedDemo(pool, new Date())
  // Without hours of the office; otherwise what the bot answers would depend on the time at which the tests run.
  await pool.query(`update settings set value = '{}' where key = $1`, [INBOX_SETTINGS])
  await pool.end()
  await createQueues(templateUrl.href)
  project.provide('adminUrl', adminUrl)
  project.provide('templateUrl', templateUrl.href)

  return async () => {
    const left = await admin.query<{ datname: string }>(
      `select datname from pg_database where datname like 't\\_%' or datname = $1`,
      [template],
    )
    for (const { datname } of left.rows)
      await admin.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`)
    await admin.end()
    await embedded?.stop()
    removeDatabase?.()
  }
}
