import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, partitionedId } from '../database/columns.ts'

/** Append-only history of everything but orders and products, which have their own. Partitioned by month. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: partitionedId(),
    /** The author. */
    userId: integer(),
    /** The user whom the author impersonated. */
    onBehalfOf: integer(),
    /** The API key by which the author acted. */
    keyId: integer(),
    action: text().notNull(),
    resource: text().notNull(),
    resourceId: text(),
    vendorId: integer(),
    oldValues: jsonb(),
    newValues: jsonb(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.createdAt] }),
    index().on(t.createdAt),
    index().on(t.action, t.createdAt),
    index().on(t.resource, t.resourceId),
    index().on(t.userId),
    index().on(t.onBehalfOf),
    index().on(t.vendorId, t.id),
  ],
)
