import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDemo } from '../../../demo/data/seed.ts'
import { openDb, openPool } from '../../database/db.ts'
import { startEmbeddedDatabase } from '../../database/embedded/embedded-database.ts'
import { migrateDatabase } from '../../database/migrate.ts'
import { seedBase } from '../../seed/base.ts'

/** A primary with demo data and a streaming standby of it. Commits do not wait for the standby. */
export async function startPair() {
  const folders = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `qatra-${name}-`)))
  const [primaryFolder = '', standbyFolder = ''] = folders
  const start = (dataDir: string, settings = {}) => startEmbeddedDatabase({ dataDir, log: () => {}, settings })
  const first = await start(primaryFolder)
  await migrateDatabase(first.url, join(import.meta.dirname, '../../migrations'))
  const pool = openPool(first.url, () => {}, { max: 2 })
  await seedBase(openDb(pool))
  await seedDemo(pool, new Date())
  await pool.end()
  await first.stop()

  // Of a server that was stopped, a copy of its files is a standby.
  const [from, to] = folders.map((folder) => join(folder, 'postgres')) as [string, string]
  execFileSync('cp', ['-a', from, to])
  writeFileSync(join(to, 'standby.signal'), '')
  const primary = await start(primaryFolder)
  const folder = new URL(primary.url).searchParams.get('host')
  const standby = await start(standbyFolder, { primary_conninfo: `host=${folder} user=qatra` })
  return { primary, standby }
}
