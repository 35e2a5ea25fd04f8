import type { ImportMapping } from '@qatra/contract/lib/upload'
import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** How a vendor's files with these headings are read. */
export const importMappings = pgTable(
  'import_mappings',
  {
    /** Prefix of the messages of the kind of file. */
    kind: text().notNull(),
    /** 0 for the market. */
    vendorId: integer().notNull(),
    /** SHA-256 of the headings. */
    headings: text().notNull(),
    mapping: jsonb().$type<ImportMapping>().notNull(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.vendorId, t.headings] })],
)
