import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import {
  type Db,
  isContention,
  isStatementTimeout,
  isUnavailable,
  MissingTimeouts,
  openDb,
  openPool,
  requireTimeouts,
  run,
  statement,
} from './db.ts'
import { inTransaction } from './transaction.ts'

/** Reads one part of a file whose rows are read while it is sent. */
export type ReadPart<C> = <T>(work: (ctx: C) => Promise<T>) => Promise<T>

/** A copy of the database for reads that cost much. */
export interface Replica {
  /**
   * Runs `work`, which only reads, on the replica once that has every commit acknowledged before this call, else on the
   * primary: everybody sees their own writes, at whichever process they were made. The connection is given back when
   * `work` ends: what is read later, as the next part of a file, is another call.
   */
  read: <C extends { db: Db }, T>(ctx: C, work: (ctx: C) => Promise<T>) => Promise<T>
  /**
   * Runs `work`, which only reads, on the primary, and on the replica while the primary cannot be reached. The replica may
   * then lack the last writes before the primary was lost.
   */
  readAvailable: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Reads since the start, by where they ran. */
  figures: () => { replica: number; primary: number }
  stop: () => Promise<void>
}

// Null on a standby that takes over and is not the primary yet.
const positionSql = statement(
  'replica-position',
  'select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn()::text end as position',
)
// Null on a server that is no standby.
const reachedSql = statement(
  'replica-reached',
  'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isReached"',
)
/** Looks at the replica's position, a streaming replica is behind by less than this. */
const LOOKS = 10
const PAUSE_MS = 5
/** Time without the replica after it was found to be behind, or not reached. */
const BEHIND_MS = 1_000
const AWAY_MS = 5_000

/** `work` runs in one transaction: a proxy may lead each connection to another replica. */
async function readThere<T>(
  pool: pg.Pool,
  position: string,
  work: (db: Db) => Promise<T>,
): Promise<{ value: T } | null> {
  return inTransaction(
    pool,
    async (db) => {
      for (let looks = 0; looks < LOOKS; looks += 1) {
        if (looks > 0) await sleep(PAUSE_MS)
        const [row] = await run<{ isReached: boolean }>(db, reachedSql, [position])
        if (row?.isReached) return { value: await work(db) }
      }
      return null
    },
    1,
  )
}

/** Without an address all reads are on the primary. */
export async function createReplica(
  url: string | null,
  { db, preparedStatements, log }: { db: Db; preparedStatements: boolean; log: Logger },
): Promise<Replica> {
  const figures = { replica: 0, primary: 0 }
  if (url === null)
    return {
      read: (ctx, work) => work(ctx),
      readAvailable: (work) => work(db),
      figures: () => ({ ...figures }),
      stop: async () => {},
    }
  const pool = openPool(url, (error) => log.warn({ err: error.message }, 'connection of the replica lost'), {
    preparedStatements,
  })
  let retryAt = 0
  const away = (error: unknown) => {
    retryAt = performance.now() + AWAY_MS
    log.warn({ err: error }, 'the replica was not read')
  }
  const there = openDb(pool)
  await requireTimeouts(pool).catch((error: unknown) => {
    if (error instanceof MissingTimeouts) throw error
    away(error)
  })

  return {
    async read(ctx, work) {
      if (performance.now() >= retryAt) {
        const [now] = await run<{ position: string | null }>(db, positionSql)
        try {
          const position = now?.position
          const found = position && (await readThere(pool, position, (there) => work({ ...ctx, db: there })))
          if (found) {
            figures.replica += 1
            return found.value
          }
          retryAt = performance.now() + BEHIND_MS
        } catch (error) {
          // Contention: replaying removed rows that the query needed.
          if (isStatementTimeout(error) || !(isUnavailable(error) || isContention(error))) throw error
          away(error)
        }
      }
      figures.primary += 1
      return work(ctx)
    },
    async readAvailable(work) {
      try {
        return await work(db)
      } catch (error) {
        if (isStatementTimeout(error) || !isUnavailable(error)) throw error
        // A connection may still lead to a replica that was lost as well, or has become the primary.
        const found = await work(there).catch((failure: unknown) => {
          if (!isUnavailable(failure)) throw failure
          return work(there)
        })
        figures.replica += 1
        return found
      }
    },
    figures: () => ({ ...figures }),
    stop: () => pool.end(),
  }
}
