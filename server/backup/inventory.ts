import { createHash } from 'node:crypto'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Manifest } from './manifest.ts'

const name = pg.escapeIdentifier

/** A table of the backup with its columns, without generated ones. */
export interface Table {
  schema: string
  name: string
  columns: string[]
}
export const titleOf = (table: Table) => `${table.schema}.${table.name}`
export const identityOf = (table: Table) => `${name(table.schema)}.${name(table.name)}`
export const columnsOf = (table: Table) => table.columns.map((column) => name(column)).join(', ')

/** Every logged table of the shop, and of its queue what names the jobs and the jobs themselves. */
const tablesSql = `
  select n.nspname as schema, c.relname as name,
    array(select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition
    and (n.nspname = 'public' or (n.nspname = 'pgboss' and c.relname in ('queue', 'job')))
  order by n.nspname = 'pgboss', c.relname = 'job', c.relname collate "C"`

export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(tablesSql)).rows
}

const monthsSql = `
  select i.inhparent::regclass::text as table, to_date(right(c.relname, 7), 'YYYY_MM')::text as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname ~ '_\\d{4}_\\d{2}$' order by 1, 2`

/** Months that a partitioned table has, as dates of their first day. */
export async function listMonths(client: pg.ClientBase): Promise<Manifest['months']> {
  return (await client.query<Manifest['months'][number]>(monthsSql)).rows
}

const keySql = `
  select a.attname as name, t.typcollation <> 0 as "isText"
  from pg_index i cross join lateral unnest(i.indkey) with ordinality k (attnum, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum join pg_type t on t.oid = a.atttypid
  where i.indrelid = $1::regclass and i.indisprimary order by k.place`

/** Copies rows in a deterministic order, so that equal tables give equal bytes on every server. */
export async function copyOutOf(client: pg.ClientBase, table: Table): Promise<string> {
  const key = await client.query<{ name: string; isText: boolean }>(keySql, [identityOf(table)])
  const order = key.rows.length
    ? key.rows.map((column) => `${name(column.name)}${column.isText ? ' collate "C"' : ''}`)
    : table.columns.map((column) => `${name(column)}::text collate "C"`)
  return `copy (select ${columnsOf(table)} from ${identityOf(table)}${keptRows(table)} order by ${order.join(', ')}) to stdout`
}

/** Skips completed jobs. */
const keptRows = (table: Table) =>
  titleOf(table) === 'pgboss.job' ? ` where state not in ('completed', 'cancelled')` : ''

export interface Sum {
  rows: number
  sha256: string
}

/** Counts and hashes rows; each row of COPY's text format is one line. */
export function summing() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    take(chunk: Buffer) {
      hash.update(chunk)
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
    },
    sum: (): Sum => ({ rows, sha256: hash.digest('hex') }),
  }
}

export async function sumOf(client: pg.ClientBase, table: Table): Promise<Sum> {
  const summed = summing()
  const rows = client.query(copyTo(await copyOutOf(client, table)))
  for await (const chunk of rows as AsyncIterable<Buffer>) summed.take(chunk)
  return summed.sum()
}

export interface Sequence {
  name: string
  value: string
  isCalled: boolean
}

/** Next values of sequences. They ignore snapshots, so they are read after the rows. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const found = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = 'public' order by c.relname collate "C"`,
  )
  const sequences: Sequence[] = []
  for (const row of found.rows) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${pg.escapeIdentifier(row.name)}`,
    )
    if (rows[0]) sequences.push({ name: row.name, ...rows[0] })
  }
  return sequences
}

export interface AppliedMigration {
  hash: string
  createdAt: number
}

export async function readMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `select hash, created_at::text as "createdAt" from drizzle.__drizzle_migrations order by created_at`,
  )
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }))
}
