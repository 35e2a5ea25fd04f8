import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { OperatorError } from '../lib/operator-error.ts'
import type { Manifest } from './manifest.ts'

/** A refused restore, with a one-line reason for the operator. */
export class RestoreRefused extends OperatorError {}

/** Builds the tables and months as they were when the backup was taken, in the caller's transaction. */
export async function buildSchema(
  client: pg.Client,
  folder: string,
  { migrations: applied, months }: Pick<Manifest, 'migrations' | 'months'>,
): Promise<void> {
  const ours = readMigrationFiles({ migrationsFolder: folder })
  if (applied.length > ours.length)
    throw new RestoreRefused('The backup was taken by a newer version of the shop: install that one first')
  await client.query('create schema drizzle')
  await client.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  for (const [n, { hash, createdAt }] of applied.entries()) {
    const migration = ours[n]
    if (!migration || migration.hash !== hash || migration.folderMillis !== createdAt)
      throw new RestoreRefused(`Step ${n + 1} of the backup's schema is not this version's: the tables would not fit`)
    for (const statement of migration.sql) await client.query(statement)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, createdAt])
  }
  await client.query(readFileSync(join(dirname(folder), 'database/partitions.sql'), 'utf8'))
  await client.query('select create_months()')
  for (const { table, month } of months) await client.query('select create_month($1, $2)', [table, month])
  await buildQueue(client)
}

/** pg-boss returns its schema as one text with its own transaction; here it is part of the caller's. */
async function buildQueue(client: pg.Client) {
  const plan = getConstructionPlans('pgboss')
  const inner = plan.replace(/^\s*BEGIN;/i, '').replace(/COMMIT;?\s*$/i, '')
  if (inner.length > plan.length - 'BEGIN;COMMIT'.length) throw new Error('The queue builds its tables in another way')
  await client.query(inner)
}

const shopSchemas = ['public', 'drizzle', 'pgboss']

export async function hasTables(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = any($1) limit 1`,
    [shopSchemas],
  )
  return rowCount !== 0
}

export async function dropEverything(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists pgboss cascade')
  await client.query('drop schema if exists drizzle cascade')
  await client.query('drop schema public cascade')
  await client.query('create schema public')
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

const foreignKeysSql = `
  select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_namespace n on n.oid = c.connamespace where c.contype = 'f' and n.nspname = 'public'`
const tablesSql = `
  select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname = 'public'`

/**
 * Runs `copy` without foreign keys and user triggers. Needs the rights of an owner only (session_replication_role needs
 * a superuser); adding the foreign keys back checks all rows.
 */
export async function withoutRules(client: pg.Client, copy: () => Promise<void>): Promise<void> {
  const keys = (await client.query<ForeignKey>(foreignKeysSql)).rows
  const tables = (await client.query<{ table: string }>(tablesSql)).rows
  const each = async (texts: string[]) => {
    for (const text of texts) await client.query(text)
  }
  // The catalogue returns quoted names.
  await each(keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`))
  await each(tables.map(({ table }) => `alter table ${table} disable trigger user`))
  await copy()
  await each(tables.map(({ table }) => `alter table ${table} enable trigger user`))
  await each(keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`))
}
