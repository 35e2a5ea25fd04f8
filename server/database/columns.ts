import { bigint, integer, timestamp } from 'drizzle-orm/pg-core'

/** Primary key counted by the database. */
export const rowId = () => integer().primaryKey().generatedByDefaultAsIdentity()

/** Instant with time zone; JavaScript keeps its milliseconds. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

/** Money in fils. A bigint column, since an order of 100 lines of 100 pieces passes 2^31 fils. */
export const filsColumn = () => bigint({ mode: 'number' })
