import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { OperatorError } from '../lib/operator-error.ts'
import { currentTracing, type Tracing } from '../lib/tracing/tracing.ts'

export type Db = NodePgDatabase<Record<string, never>> & { $client: pg.Pool | pg.PoolClient }

/** A hot statement, prepared once per connection under its name, unless the pool's options say otherwise. */
export interface Statement {
  name: string
  text: string
}
export const statement = (name: string, text: string): Statement => ({ name, text })

/** Pools and connections that send statements without their names. */
const withoutNames = new WeakSet<pg.Pool | pg.PoolClient>()

/** Runs a prepared statement on `db`. Column names are PostgreSQL's (snake_case). */
export async function run<Row>(db: Db, { name, text }: Statement, values: unknown[] = []): Promise<Row[]> {
  const { $client } = db
  const result = await $client.query(withoutNames.has($client) ? { text, values } : { name, text, values })
  return result.rows as Row[] // the statement's text decides the columns; the caller declares them
}

const builtins = pg.types.builtins
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  // Keeps a date as text: a Date would apply the process's time zone.
  [builtins.DATE, (text) => text],
])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
}

export const STATEMENT_TIMEOUT_MS = 5_000
/**
 * Client-side timeout for a database that stopped responding: longer than statement_timeout, so that the server's error
 * comes first.
 */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000

/**
 * PostgreSQL reports a commit as successful if a cancellation ended its wait for the synchronous standby, and says so in
 * a notice alone. Such a commit is lost if the standby takes over, so it must not be acknowledged: its outcome is unknown.
 */
function rejectUnreplicatedCommits(client: pg.PoolClient) {
  client.on('notice', ({ routine }) => {
    if (routine !== 'SyncRepWaitForLSN' || !(client instanceof pg.Client)) return
    client.connection.emit('error', new Error('Connection terminated: a commit was not replicated'))
  })
}

/**
 * Sends the statements of one turn of the event loop by one system call: `begin` and the first statements, the last ones
 * and `commit`. Writing to the socket is the largest part of what a short transaction costs Node.
 */
function writeTogether(client: pg.PoolClient) {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  const write = stream.write.bind(stream)
  let isCorked = false
  function uncork() {
    isCorked = false
    stream.uncork()
  }
  stream.write = (...args: unknown[]) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(uncork)
    }
    return write(...(args as Parameters<typeof write>))
  }
}

/**
 * On SSDs random and sequential page reads cost about the same; PostgreSQL's default makes the planner prefer sorts and
 * scans of whole tables. Queries are too short for JIT to pay off.
 */
export const PLANNER_OPTIONS = '-c random_page_cost=1.1 -c jit=off'

/** Connections are pipelined: `begin` shares a round trip with the first statement. */
export function openPool(
  databaseUrl: string,
  onError: (error: Error) => void,
  {
    preparedStatements = true,
    ...overrides
  }: Pick<pg.PoolConfig, 'max' | 'maxLifetimeSeconds' | 'query_timeout'> & { preparedStatements?: boolean } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    types,
    pipeline: true,
    connectionTimeoutMillis: 1_800,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'qatra',
    options: PLANNER_OPTIONS,
    ...overrides,
  } as pg.PoolConfig) // `pipeline` is newer than the published types
  // Without a listener the error of a connection would end the process: of an idle one by the pool, of one within a
  // transaction by its client. There the running query fails with it.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', rejectUnreplicatedCommits)
  pool.on('connect', writeTogether)
  if (!preparedStatements) {
    withoutNames.add(pool)
    pool.on('connect', (client) => void withoutNames.add(client))
  }
  traceStatements(pool)
  return pool
}

/** A pooler dropped the options of the connections, and does not set them itself. */
export class MissingTimeouts extends OperatorError {}

/** @throws MissingTimeouts if statements could run for longer than `STATEMENT_TIMEOUT_MS` */
export async function requireTimeouts(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ ms: number }>(
    `select setting::integer as ms from pg_settings where name = 'statement_timeout'`,
  )
  if (rows[0]?.ms !== STATEMENT_TIMEOUT_MS)
    throw new MissingTimeouts(
      'The pooler of DATABASE_URL drops statement_timeout and does not set it: see connect_query in deploy/ha/pgbouncer.ini',
    )
}

export const openDb = (client: pg.Pool | pg.PoolClient): Db => drizzle(client, { casing: 'snake_case' }) as Db

const dbOfClient = new WeakMap<pg.PoolClient, Db>()

/** The Drizzle instance of a connection, created once per connection. */
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

/** What a transaction has read was changed in the meantime; the transaction is repeated. */
export class Outdated extends Error {
  readonly code = '40001'
}

/** Serialization failure or deadlock: a retry may succeed. */
export const isContention = (error: unknown) => ['40001', '40P01'].includes(sqlState(error))
export const isStatementTimeout = (error: unknown) => sqlState(error) === '57014'
export const isDiskFull = (error: unknown) => ['53100', 'ENOSPC'].includes(sqlState(error))
export const isUniqueViolation = (error: unknown) => sqlState(error) === '23505'
export const isForeignKeyViolation = (error: unknown) => sqlState(error) === '23503'

/** Drizzle wraps the database's error in `cause`. */
const matches = (error: unknown, words: RegExp): boolean =>
  error instanceof Error && (words.test(error.message) || matches(error.cause, words))

/** No response: the statement's outcome is unknown and its connection must be discarded. */
export const isQueryTimeout = (error: unknown) => matches(error, /^Query read timeout$/)

/** SQLSTATE of a write at a standby: it takes over and is not the primary yet, or the primary has moved. */
const READ_ONLY = '25006'

/** The database cannot be reached, is starting, stopping or read-only, or exceeded a timeout. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state === READ_ONLY) return true
  if (state.startsWith('08') || state.startsWith('57') || state.startsWith('53')) return true
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(state)) return true
  return (
    isQueryTimeout(error) ||
    matches(error, /timeout exceeded when trying to connect|Connection terminated|not queryable|Client was closed/)
  )
}

const AWAIT_TIMEOUT_MS = 30_000
const RETRY_MS = 200

/**
 * Retries `work` while the database is unavailable, for at most 30 s. Use it at start and for data that cannot be
 * fetched again. A failed attempt may have been committed, so `work` must be idempotent.
 */
export async function awaitDatabase<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + AWAIT_TIMEOUT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** The statement's name, or its first word; never its text or values. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement'
  if (typeof statement !== 'object' || statement === null) return 'statement'
  if ('name' in statement && typeof statement.name === 'string') return statement.name
  return 'text' in statement ? nameOf(statement.text) : 'statement'
}

/** A span for each statement of the pool's connections, if traces are on when the pool is opened. */
function traceStatements(pool: pg.Pool) {
  const tracing = currentTracing()
  if (tracing === null) return
  pool.on('connect', (client) => traceClient(client, tracing))
  // A request that waited gets its connection in the context of the request that returned it.
  const connect = pool.connect.bind(pool)
  const bound = (done?: Parameters<typeof connect>[0]) => (done ? connect(tracing.bind(done)) : connect())
  Object.assign(pool, { connect: bound })
}

function traceClient(client: pg.PoolClient, tracing: Tracing) {
  const query: (...args: unknown[]) => unknown = client.query.bind(client)
  const traced = (...args: unknown[]) => {
    if (!tracing.isTraced()) return query(...args)
    const name = nameOf(args[0])
    const span = tracing.open(`SQL ${name}`, 'client', { 'db.system.name': 'postgresql', 'db.query.summary': name })
    const end = (error: unknown) => span?.end(error ? { error } : {})
    const done = args.at(-1)
    if (typeof done === 'function') {
      return query(...args.slice(0, -1), (error: unknown, result: unknown) => {
        end(error)
        done(error, result)
      })
    }
    const answer = query(...args)
    if (answer instanceof Promise) answer.then(() => end(null), end)
    // A stream (COPY) or a query object ends on its own.
    else end(null)
    return answer
  }
  Object.assign(client, { query: traced })
}
