import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openDb, openPool } from '../database/db.ts'
import { startEmbeddedDatabase } from '../database/embedded/embedded-database.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { createQueue } from '../jobs/queue.ts'
import { seedBase } from '../seed/base.ts'
import { seedDemo } from '../seed/seed.ts'

/** Nothing outlives the run, so durability is off. Each test file has its own pool. */
const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' }

/** Projects that run without a database, so that a single file of them starts at once. */
const withoutDatabase = new Set(['contract', 'web', 'scripts'])

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string
    templateUrl: string
  }
}

/** Creates the tables of the job queue in the template, so that the applications of the tests start on them. */
async function createSchemaOfQueue(databaseUrl: string) {
  const queue = createQueue(databaseUrl, pino({ level: 'silent' }))
  await queue.start()
  await queue.stop()
}

/** Temporary files of all tests go into one folder, open to every account as /tmp is; the returned function removes it. */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'qatra-test-'))
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
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
  const folder = given ? null : mkdtempSync(join(tmpdir(), 'qatra-pg-'))
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
  await seedDemo(openDb(pool), new Date())
  await pool.end()
  await createSchemaOfQueue(templateUrl.href)
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
  }
}
