import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import {
  awaitDatabase,
  type Db,
  isContention,
  isStatementTimeout,
  isUnavailable,
  MissingTimeouts,
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
   * then lack the last writes before the primary was lost; a server of another cluster is not read.
   */
  readAvailable: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Reads since the start, by where they ran. */
  figures: () => { replica: number; primary: number }
  stop: () => Promise<void>
}

interface Position {
  /** Identifies the cluster: a standby has that of its primary. */
  cluster: string
  /** Null on a standby that takes over and is not the primary yet, as its timeline. */
  position: string | null
  timeline: number | null
}
// The timeline of the control file is the former one until the first checkpoint after a promotion.
const positionSql = statement(
  'replica-position',
  `select system_identifier::text as cluster, position::text,
      ('x' || left(pg_walfile_name(position), 8))::bit(32)::integer as timeline
    from pg_control_system(),
      lateral (select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end as position) p`,
)
// Without the rights of pg_monitor the timeline is that of the control file, which follows within a checkpoint. A server
// that is no standby has the timeline 0 there.
const reachedSql = statement(
  'replica-reached',
  `select system_identifier::text = $1
      and coalesce((select received_tli from pg_stat_wal_receiver), min_recovery_end_timeline) = $2
      and coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, false) as "isReached"
    from pg_control_system(), pg_control_recovery()`,
)
const clusterSql = statement('replica-cluster', 'select system_identifier::text as cluster from pg_control_system()')
/** Looks at the replica's position, a streaming replica is behind by less than this. */
const LOOKS = 10
const PAUSE_MS = 5
/** Time without the replica after it was found to be behind, or not reached. */
const BEHIND_MS = 1_000
const AWAY_MS = 5_000
const LIFETIME_SECONDS = 60

/** `work` runs in one transaction: a proxy may lead each connection to another replica. */
async function readThere<T>(
  pool: pg.Pool,
  { cluster, timeline, position }: Position,
  work: (db: Db) => Promise<T>,
): Promise<{ value: T } | null> {
  return inTransaction(
    pool,
    async (db) => {
      for (let looks = 0; looks < LOOKS; looks += 1) {
        if (looks > 0) await sleep(PAUSE_MS)
        const [row] = await run<{ isReached: boolean }>(db, reachedSql, [cluster, timeline, position])
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
  { db, preparedStatements, max, log }: { db: Db; preparedStatements: boolean; max: number; log: Logger },
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
    max,
    // While there is no replica, a proxy leads connections to the primary; they are to find the replica again.
    maxLifetimeSeconds: LIFETIME_SECONDS,
  })
  let retryAt = 0
  const away = (error: unknown) => {
    retryAt = performance.now() + AWAY_MS
    log.warn({ err: error }, 'the replica was not read')
  }
  const readPosition = async () => {
    const [now] = await run<Position>(db, positionSql)
    if (!now) throw new Error('no position')
    return now
  }
  let { cluster } = await awaitDatabase(readPosition)
  /** In one transaction, as `readThere`. */
  const readSameCluster = <T>(work: (db: Db) => Promise<T>) =>
    inTransaction(
      pool,
      async (there) => {
        const [found] = await run<{ cluster: string }>(there, clusterSql)
        return found?.cluster === cluster ? { value: await work(there) } : null
      },
      1,
    )
  await requireTimeouts(pool).catch((error: unknown) => {
    if (error instanceof MissingTimeouts) throw error
    away(error)
  })

  return {
    async read(ctx, work) {
      if (performance.now() >= retryAt) {
        const now = await readPosition()
        cluster = now.cluster
        try {
          const found = now.position && (await readThere(pool, now, (there) => work({ ...ctx, db: there })))
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
        const found = await readSameCluster(work).catch((failure: unknown) => {
          if (!isUnavailable(failure)) throw failure
          return readSameCluster(work)
        })
        if (!found) throw error
        figures.replica += 1
        return found.value
      }
    },
    figures: () => ({ ...figures }),
    stop: () => pool.end(),
  }
}
