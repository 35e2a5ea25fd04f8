import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { OperatorError } from '../lib/operator-error.ts'
import { migrateDatabase, UnknownSchema } from './migrate.ts'

const migrations = join(import.meta.dirname, '../migrations')
const journal: { entries: unknown[] } = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8'))
const admin = new pg.Client({ connectionString: inject('adminUrl') })
await admin.connect()
afterAll(() => admin.end())
let count = 0

async function emptyDatabase() {
  const name = `t_migrate_${process.pid}_${++count}`
  await admin.query(`create database ${name}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return url.href
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('migrating', () => {
  it('makes the tables, functions and triggers once, with two processes at the same time', async () => {
    const url = await emptyDatabase()
    await Promise.all([migrateDatabase(url, migrations), migrateDatabase(url, migrations)])
    const [found] = await query(
      url,
      `select (select count(*)::int from drizzle.__drizzle_migrations) as migrations,
              (select count(*)::int from drizzle.applied_functions) as functions,
              (select count(*)::int from pg_trigger where not tgisinternal and tgparentid = 0) as triggers`,
    )
    expect(found).toEqual({ migrations: journal.entries.length, functions: 1, triggers: 59 })
  })

  it('applies changed functions to a database that has older ones', async () => {
    const url = await emptyDatabase()
    await migrateDatabase(url, migrations)
    await query(url, `update drizzle.applied_functions set hash = 'older'`)
    await query(url, 'drop function order_search_text(text, text, text, text, text, text)')
    await migrateDatabase(url, migrations)
    expect(
      await query(
        url,
        `select to_regprocedure('order_search_text(text,text,text,text,text,text)') is not null as exists`,
      ),
    ).toEqual([{ exists: true }])
  })

  it('refuses a database of other migrations and changes nothing', async () => {
    const url = await emptyDatabase()
    await migrateDatabase(url, migrations)
    await query(url, `update drizzle.__drizzle_migrations set hash = 'of an earlier version'`)
    await query(url, 'delete from drizzle.applied_functions')
    await expect(migrateDatabase(url, migrations)).rejects.toThrow(UnknownSchema)
    expect(await query(url, 'select from drizzle.applied_functions')).toEqual([])
  })

  it('refuses an older PostgreSQL in one sentence and changes nothing', async () => {
    const url = await emptyDatabase()
    const version = `case $1 when 'server_version_num' then '140020' else '14.20' end`
    await query(url, `create function current_setting(text) returns text language sql as $$ select ${version} $$`)
    await query(url, `alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`)
    await expect(migrateDatabase(url, migrations)).rejects.toThrow(
      new OperatorError('The database is PostgreSQL 14.20; 15 or later is needed.'),
    )
    expect(await query(url, `select from pg_namespace where nspname = 'drizzle'`)).toEqual([])
  })
})
