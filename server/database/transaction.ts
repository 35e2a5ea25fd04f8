import type pg from 'pg'
import { AppError } from '../lib/errors.ts'
import type { CommitWith, Ctx } from './context.ts'
import { type Db, dbOf, isContention, isQueryTimeout } from './db.ts'

const TRIES = 3

type Work<T> = (db: Db, commitWith: CommitWith) => Promise<T>

/**
 * Runs `work` in one transaction. `begin` is sent without waiting, so it shares a round trip with the first statement.
 * Retries the transaction from the start on a serialization failure or deadlock.
 */
export async function inTransaction<T>(pool: pg.Pool, work: Work<T>, tries = TRIES): Promise<T> {
  try {
    return await once(pool, work)
  } catch (error) {
    // The connection is released before the retry: otherwise waiting losers could exhaust the pool.
    if (tries > 1 && isContention(error)) return inTransaction(pool, work, tries - 1)
    throw error
  }
}

/** Context of a job's command: no actor; effects run after commit. */
export type JobContext = Pick<Ctx, 'db' | 'afterCommit'>

/** Runs a job's transaction, then its effects after commit. */
export async function runJobTransaction<T>(pool: pg.Pool, work: (ctx: JobContext) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = []
  const result = await inTransaction(pool, (db) => {
    effects.length = 0
    return work({ db, afterCommit: (effect) => void effects.push(effect) })
  })
  for (const effect of effects) effect()
  return result
}

/**
 * Awaits statements that are sent together, without waiting for one another. Throws the error of the first that failed:
 * those after it fail only because the transaction is aborted.
 */
export async function allInOrder<T extends readonly unknown[] | []>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  // A query builder of Drizzle sends its statement each time it is awaited.
  const sent = statements.map((statement) => Promise.resolve(statement))
  await Promise.allSettled(sent)
  return Promise.all(sent) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>
}

async function once<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  let committed: Promise<unknown> | null = null
  const commitWith: CommitWith = async (last) => {
    committed = client.query('commit')
    await Promise.allSettled([last, committed])
    const result = await last
    await committed
    return result
  }
  try {
    const begun = client.query('begin')
    try {
      const [result] = await Promise.all([work(dbOf(client), commitWith), begun])
      await (committed ?? client.query('commit'))
      return result
    } catch (error) {
      broken = isQueryTimeout(error)
      if (broken || committed) throw error
      const end = error instanceof AppError && error.keepsWrites ? 'commit' : 'rollback'
      await client.query(end).catch(() => {
        broken = true
      })
      throw error
    }
  } finally {
    client.release(broken)
  }
}
