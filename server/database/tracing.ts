import type pg from 'pg'
import { currentTracing, type Tracing } from '../lib/tracing/tracing.ts'

/** The statement's name, or its first word; never its text or values. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement'
  if (typeof statement !== 'object' || statement === null) return 'statement'
  if ('name' in statement && typeof statement.name === 'string') return statement.name
  return 'text' in statement ? nameOf(statement.text) : 'statement'
}

/** A span for each statement of the pool's connections, if traces are on when the pool is opened. */
export function traceStatements(pool: pg.Pool) {
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
