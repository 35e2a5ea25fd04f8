import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

export type Db = NodePgDatabase<Record<string, never>> & { $client: pg.Pool | pg.PoolClient }

/** A hot statement, prepared once for each connection under its name. */
export interface Statement {
  name: string
  text: string
}
export const statement = (name: string, text: string): Statement => ({ name, text })

/** Runs a prepared statement in whatever transaction `db` stands for. Columns come as PostgreSQL names them. */
export async function run<Row>(db: Db, { name, text }: Statement, values: unknown[] = []): Promise<Row[]> {
  const result = await db.$client.query({ name, text, values })
  return result.rows as Row[] // the statement's text decides the columns; its caller names them
}

const builtins = pg.types.builtins
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  // A calendar day stays text: a Date would drag the process's time zone in.
  [builtins.DATE, (text) => text],
])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
}

export const STATEMENT_TIMEOUT_MS = 5_000
/** For a database that has fallen silent: longer than it may take itself, so that its own word comes first. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000

/** Connections are pipelined: `begin` travels with the first statement of a transaction in one round trip. */
export function openPool(databaseUrl: string, onError: (error: Error) => void, max = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    types,
    pipeline: true,
    connectionTimeoutMillis: 1_800,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'qatra',
    // Pages beside each other and apart cost the same on what databases stand on today; else it sorts what is in order.
    // Nothing here runs as long as its translation into machine code would take.
    options: '-c random_page_cost=1.1 -c jit=off',
  } as pg.PoolConfig) // `pipeline` is newer than the published types
  // An idle connection that breaks would otherwise end the process.
  pool.on('error', onError)
  return pool
}

export const openDb = (client: pg.Pool | pg.PoolClient): Db => drizzle(client, { casing: 'snake_case' }) as Db

const dbOfClient = new WeakMap<pg.PoolClient, Db>()

/** The drizzle instance of one connection, made once for it. */
export function dbOf(client: pg.PoolClient): Db {
  const known = dbOfClient.get(client)
  if (known) return known
  const db = openDb(client)
  dbOfClient.set(client, db)
  return db
}

const sqlState = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? sqlState(error.cause) : ''
}

/** Two transactions stood in each other's way; the same work may succeed when tried again. */
export const isContention = (error: unknown) => ['40001', '40P01'].includes(sqlState(error))
export const isDiskFull = (error: unknown) => ['53100', 'ENOSPC'].includes(sqlState(error))
export const isUniqueViolation = (error: unknown) => sqlState(error) === '23505'
/** Somebody else was first, be it by a key or by a lock: what was written is taken back, and worth another look. */
export const isConflict = (error: unknown) => isUniqueViolation(error) || isContention(error)
export const isForeignKeyViolation = (error: unknown) => sqlState(error) === '23503'

/** Drizzle wraps what the database said. */
const matches = (error: unknown, words: RegExp): boolean =>
  error instanceof Error && (words.test(error.message) || matches(error.cause, words))

/** Nothing came back: what became of the statement is unknown, and its connection is of no more use. */
export const isQueryTimeout = (error: unknown) => matches(error, /^Query read timeout$/)

/** The database cannot be reached, is starting or stopping, or took longer than it may. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state.startsWith('08') || state.startsWith('57') || state.startsWith('53')) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(state)) return true
  return (
    isQueryTimeout(error) ||
    matches(error, /timeout exceeded when trying to connect|Connection terminated|not queryable|Client was closed/)
  )
}
