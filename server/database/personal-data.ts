import { and, desc, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Ctx } from './context.ts'

/** The person; `maxRows` limits each part of an export to the newest rows. */
export interface Person {
  id: number
  phone: string
  maxRows: number
}

/** How export and erasure treat a table. A test compares the texts with the table in docs/trust.md. */
export interface PersonalData {
  table: PgTable
  /** The part of the export with its rows; or `no:` and the reason. */
  exported: string
  /** What erasure does to its rows; or `no:` and the reason. */
  erased: string
  owner?: (person: Person) => SQL | undefined
  /** Those that are exported; all if omitted. Without hashes and data of other people, such as author or browser of staff. */
  columns?: Readonly<Record<string, PgColumn | SQL>>
  /** By default the id. */
  newest?: PgColumn
  /** Reads the exported rows where columns are not enough. */
  rows?: (ctx: Ctx, person: Person) => Promise<readonly unknown[]>
  /** Deletes the rows, clears columns of them, or does it by a function. Runs in the erasing transaction. */
  erase?: 'delete' | { clear: readonly PgColumn[] } | ((ctx: Ctx, person: Person) => Promise<void>)
}

export const byUser = (column: PgColumn) => (person: Person) => sql`${column} = ${person.id}`
export const byPhone = (column: PgColumn) => (person: Person) => sql`${column} = ${person.phone}`
export const byContact = (column: PgColumn) => (person: Person) =>
  sql`${column} = (select id from contacts where phone = ${person.phone})`
export const byOrder = (column: PgColumn) => (person: Person) =>
  sql`${column} in (select id from orders where user_id = ${person.id})`

type ColumnsOf<Table extends PgTable> = Table['_']['columns']
/** All columns but the named ones. */
export const columnsExcept = <Table extends PgTable>(table: Table, ...names: (keyof ColumnsOf<Table>)[]) =>
  Object.fromEntries(Object.entries<PgColumn>(getTableColumns(table)).filter(([name]) => !names.includes(name)))
export const columnsOnly = <Table extends PgTable>(table: Table, ...names: (keyof ColumnsOf<Table>)[]) =>
  Object.fromEntries(names.map((name) => [name, getTableColumns(table)[name]]))

/** Author of a change without naming staff: the person, the house (staff) or the system. */
export const byWhom = (authorId: number | null, { id }: Pick<Person, 'id'>): 'person' | 'staff' | 'system' =>
  authorId === null ? 'system' : authorId === id ? 'person' : 'staff'

/** The rows of a table for the export; null if it has no part of its own. */
export async function exportRows(ctx: Ctx, entry: PersonalData, person: Person): Promise<readonly unknown[] | null> {
  const { table, exported, owner, columns, newest = getTableColumns(table)['id'], rows } = entry
  if (rows) return rows(ctx, person)
  if (!owner || exported.startsWith('no: ')) return null
  const own = ctx.db
    .select(columns ?? getTableColumns(table))
    .from(table)
    .where(owner(person))
  return own.orderBy(...(newest ? [desc(newest)] : [])).limit(person.maxRows)
}

export async function eraseRows(ctx: Ctx, { table, owner, erase }: PersonalData, person: Person): Promise<void> {
  if (typeof erase === 'function') return erase(ctx, person)
  if (!erase || !owner) return
  if (erase === 'delete') await ctx.db.delete(table).where(owner(person))
  else
    for (const column of erase.clear)
      await ctx.db
        .update(table)
        // Tables name no column themselves (`casing` does), so this is the key.
        .set({ [column.name]: null })
        .where(and(owner(person), isNotNull(column)))
}
