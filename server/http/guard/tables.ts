import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Token buckets of `rate-limiter.ts`. Unlogged: a crash of the database refills them. */
export const rateLimits = pgTable('rate_limits', {
  /** Name of the limit, and the network or account. */
  key: text().primaryKey(),
  /** When the bucket has refilled. */
  fullAt: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  /** Outcome of the last call. */
  isAllowed: boolean().notNull(),
})
