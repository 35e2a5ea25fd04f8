import { sql } from 'drizzle-orm'
import { check, customType, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Public pictures, addressed by content; rows are immutable. */
export const media = pgTable('media', {
  /** Hexadecimal, of `bytes`. */
  sha256: text().primaryKey(),
  /** WebP, made by `picture.ts`. */
  bytes: bytea().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: instant().notNull().defaultNow(),
})

/** External addresses of product pictures and vendor logos; each is fetched once. */
export const remotePictures = pgTable(
  'remote_pictures',
  {
    url: text().primaryKey(),
    status: text().$type<'waiting' | 'fetched' | 'failed'>().notNull().default('waiting'),
    /** The stored picture, when fetched. */
    sha256: text().references(() => media.sha256),
    /** Why the last attempt failed: a problem of `contract/media.ts`. */
    problem: text(),
    attempts: smallint().notNull().default(0),
    nextAttemptAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('remote_pictures_due').on(t.nextAttemptAt).where(sql`${t.status} = 'waiting'`),
    check('remote_pictures_status', sql`${t.status} in ('waiting','fetched','failed')`),
    check('remote_pictures_fetched', sql`(${t.status} = 'fetched') = (${t.sha256} is not null)`),
  ],
)
