import { date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Requests to models, by day in Bahrain: the budget of all processes. */
export const modelRequests = pgTable(
  'model_requests',
  {
    service: text().notNull(),
    day: date().notNull(),
    requests: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.service, t.day] })],
)
