import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { openDb, openPool, run, statement } from '../../database/db.ts'
import { retryLater } from '../../lib/errors.ts'
import { ipPrefix } from '../../lib/ip-prefix.ts'
import { describeError } from '../../lib/logger.ts'

/** A token bucket for each key: `burst` calls at once, then `perMinute`. */
export interface RateLimit {
  burst: number
  perMinute: number
  /** By default the network of an IP address. */
  keyOf?: (from: string) => string
  /** Also with RATE_LIMITS=off. */
  isAlwaysOn?: boolean
}

export interface RateLimiter {
  /** Counts a call; returns the tokens that are left. @throws AppError TOO_MANY_REQUESTS */
  consume: (from: string) => Promise<number>
  /** Throws as `consume` does, but counts nothing and uses only the copy of this process. */
  check: (from: string) => void
}

/** Creates rate limiters. Those of one name share one budget, in all processes of a database. */
export interface RateLimiters {
  create: (name: string, limit: RateLimit) => RateLimiter
  stop: () => Promise<void>
}

interface Bucket {
  /** Negative after other processes have used the budget too. */
  tokens: number
  at: number
  /** Calls that the database has not counted yet. */
  unreported: number
  /** The report that is being answered; further calls wait for it. */
  report: Promise<unknown> | null
}

const MAX_BUCKETS = 50_000
/** A process reports its calls to the database in these parts of a burst, and each call that empties the bucket. */
const REPORTS_PER_BURST = 20
const QUERY_TIMEOUT_MS = 500
/** After a failure the processes count for themselves for this time. */
const RETRY_MS = 5_000

// Refused calls cost nothing, but the unreported ones before them were allowed. A bucket is never emptier than empty, so
// that a clock that was set back does not prolong a refusal.
const spendSql = statement(
  'rate-limit-spend',
  `insert into rate_limits as b (key, full_at, is_allowed)
   values ($1, clock_timestamp() + $2::float8 * $4::float8 * interval '1 second', true)
   on conflict (key) do update set (full_at, is_allowed) = (
     select case when is_allowed then full_at else full_at - $4 * interval '1 second' end, is_allowed
     from (select full_at, full_at <= clock_timestamp() + $3::float8 * $4 * interval '1 second' as is_allowed
           from (select least(greatest(b.full_at, clock_timestamp()), clock_timestamp() + $3 * $4 * interval '1 second')
                        + $2 * $4 * interval '1 second' as full_at) s) t)
   returning is_allowed as "isAllowed",
     ($3 - extract(epoch from full_at - clock_timestamp()) / $4)::float8 as tokens`,
)

/**
 * Rate limits shared by all processes. A process counts in memory, without a look-up for most calls, and reports to
 * token buckets in PostgreSQL, which answer what the other processes have left. So N processes exceed a budget by at
 * most N twentieths of its burst. Without the database each process keeps its own count. Has a connection of its own:
 * limits must work when the pool is exhausted, and inside of transactions.
 */
export function createRateLimiters({
  config: { rateLimits, preparedStatements },
  databaseUrl,
  log,
}: {
  config: Pick<Config, 'rateLimits' | 'preparedStatements'>
  databaseUrl: string
  log: Pick<Logger, 'warn'>
}): RateLimiters {
  const pool = openPool(databaseUrl, (error) => log.warn({ err: error.message }, 'connection of rate limits lost'), {
    max: 1,
    query_timeout: QUERY_TIMEOUT_MS,
    preparedStatements,
  })
  const db = openDb(pool)
  let isDown = false
  let retryAt = 0

  async function spend(key: string, calls: number, burst: number, seconds: number) {
    if (performance.now() < retryAt) return null
    // One call finds out whether the database is back; the others do not wait for it.
    if (isDown) retryAt = performance.now() + RETRY_MS
    try {
      const values = [key, calls, burst, seconds]
      const [row] = await run<{ isAllowed: boolean; tokens: number }>(db, spendSql, values)
      isDown = false
      retryAt = 0
      return row ?? null
    } catch (error) {
      if (!isDown) log.warn({ err: describeError(error) }, 'rate limits not shared')
      isDown = true
      retryAt = performance.now() + RETRY_MS
      return null
    }
  }

  function create(name: string, { burst, perMinute, keyOf = ipPrefix, isAlwaysOn = false }: RateLimit): RateLimiter {
    const isOn = rateLimits || isAlwaysOn
    const perMs = perMinute / 60_000
    const reportedAt = Math.ceil(burst / REPORTS_PER_BURST)
    const buckets = new Map<string, Bucket>()

    /** Removes full buckets; if most remain, also the oldest tenth, so that sweeps stay rare. */
    function sweep(at: number) {
      for (const [key, bucket] of buckets) if (bucket.tokens + (at - bucket.at) * perMs >= burst) buckets.delete(key)
      for (const key of buckets.keys()) {
        if (buckets.size <= MAX_BUCKETS * 0.9) break
        buckets.delete(key)
      }
    }

    function refill(bucket: Bucket) {
      const at = performance.now()
      bucket.tokens = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs)
      bucket.at = at
    }

    function bucketOf(key: string): Bucket {
      const known = buckets.get(key)
      if (known) return known
      const at = performance.now()
      if (buckets.size >= MAX_BUCKETS) sweep(at)
      const bucket: Bucket = { tokens: burst, at, unreported: 0, report: null }
      buckets.set(key, bucket)
      return bucket
    }

    const refusal = (tokens: number) =>
      retryLater('TOO_MANY_REQUESTS', Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000)))

    return {
      async consume(from) {
        if (!isOn) return burst
        const key = keyOf(from)
        const bucket = bucketOf(key)
        while (bucket.report) await bucket.report
        refill(bucket)
        if (bucket.tokens < 1) throw refusal(bucket.tokens)
        bucket.tokens -= 1
        bucket.unreported += 1
        if (bucket.unreported < reportedAt && bucket.tokens >= 1) return bucket.tokens
        const calls = Math.min(burst, bucket.unreported)
        bucket.unreported = 0
        const report = spend(`${name} ${key}`, calls, burst, 60 / perMinute)
        bucket.report = report
        const shared = await report
        bucket.report = null
        if (shared === null) {
          // Calls whose tokens have been refilled meanwhile count no more.
          bucket.unreported = Math.min(calls, Math.ceil(burst - bucket.tokens))
          return bucket.tokens
        }
        refill(bucket)
        bucket.tokens = Math.min(bucket.tokens, shared.tokens)
        if (!shared.isAllowed) throw refusal(shared.tokens)
        return bucket.tokens
      },
      check(from) {
        const bucket = isOn ? buckets.get(keyOf(from)) : undefined
        if (!bucket) return
        refill(bucket)
        if (bucket.tokens < 1) throw refusal(bucket.tokens)
      },
    }
  }

  return {
    create,
    stop: () => pool.end(),
  }
}
