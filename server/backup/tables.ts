import { bigint, index, pgTable } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

/** Each run of the backup, written by it. */
export const backups = pgTable(
  'backups',
  {
    id: rowId(),
    takenAt: instant().notNull().defaultNow(),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    /** When the whole file was read again and compared; null: the run failed. */
    checkedAt: instant(),
  },
  (t) => [index().on(t.takenAt)],
)
