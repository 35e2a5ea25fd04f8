import type { Logger } from 'pino'
import {
  awaitDatabase,
  type Db,
  isStatementTimeout,
  isUnavailable,
  MissingTimeouts,
  openPool,
  requireTimeouts,
  run,
  statement,
} from './db.ts'
import { inTransaction } from './transaction.ts'

/** A copy of the database that answers while the primary cannot be reached. */
export interface Replica {
  /**
   * Runs `work`, which only reads, on the primary, and on the replica while the primary cannot be reached. The replica may
   * then lack the last writes before the primary was lost; a server of another cluster is not read.
   */
  readAvailable: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

/** Identifies the cluster: a standby has that of its primary. */
const clusterSql = statement('replica-cluster', 'select system_identifier::text as cluster from pg_control_system()')
const LIFETIME_SECONDS = 60

/** Without an address all reads are on the primary. */
export async function createReplica(
  url: string | null,
  { db, preparedStatements, max, log }: { db: Db; preparedStatements: boolean; max: number; log: Logger },
): Promise<Replica> {
  if (url === null) return { readAvailable: (work) => work(db), stop: async () => {} }
  const pool = openPool(url, (error) => log.warn({ err: error.message }, 'connection of the replica lost'), {
    preparedStatements,
    max,
    // While there is no replica, a proxy leads connections to the primary; they are to find the replica again.
    maxLifetimeSeconds: LIFETIME_SECONDS,
  })
  const clusterOf = async (at: Db) => (await run<{ cluster: string }>(at, clusterSql))[0]?.cluster
  const cluster = await awaitDatabase(() => clusterOf(db))
  /** In one transaction: a proxy may lead each connection to another server. */
  const readSameCluster = <T>(work: (db: Db) => Promise<T>) =>
    inTransaction(
      pool,
      async (there) => ((await clusterOf(there)) === cluster ? { value: await work(there) } : null),
      1,
    )
  await requireTimeouts(pool).catch((error: unknown) => {
    if (error instanceof MissingTimeouts) throw error
    log.warn({ err: error }, 'the replica was not reached')
  })

  return {
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
        return found.value
      }
    },
    stop: () => pool.end(),
  }
}
