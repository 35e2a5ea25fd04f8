import { date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../../database/columns.ts'
import { users } from '../../users/tables.ts'

/** The order of a driver's stops on one Bahrain day, once the driver began it or a person arranged it. */
export const driverRuns = pgTable(
  'driver_runs',
  {
    driverId: integer()
      .notNull()
      .references(() => users.id),
    day: date({ mode: 'string' }).notNull(),
    orderIds: text().array().notNull(),
    /** The person who arranged it; null if computed. */
    arrangedBy: integer(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.driverId, t.day] })],
)
