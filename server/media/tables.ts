import { sql } from 'drizzle-orm'
import { check, customType, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * All stored files, addressed by content: pictures of products and vendors, headings of templates, and files of
 * conversations. Equal files share a row. `media.sql` deletes rows that nothing refers to.
 */
export const media = pgTable(
  'media',
  {
    /** Hexadecimal, of `bytes`. */
    sha256: text().primaryKey(),
    /** Uncompressed storage, for range reads. */
    bytes: bytea().notNull(),
    /** Type by contents, not by the sender's. Pictures are made by `picture.ts`: WebP, for headings of templates JPEG. */
    mimeType: text().notNull(),
    /** Null unless a picture. */
    width: integer(),
    height: integer(),
    /**
     * Null for private files, which are served through their message only. `/media/{sha256}` serves the others to
     * everybody, also after this time: the daily purge extends it while a product, vendor, order or campaign has it.
     */
    publicUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check(
      'media_picture',
      sql`(${t.mimeType} in ('image/webp','image/jpeg')) = (${t.width} is not null and ${t.height} is not null)`,
    ),
    check(
      'media_public',
      sql`${t.publicUntil} is null or ${t.mimeType} in ('image/webp','image/jpeg','application/pdf')`,
    ),
  ],
)

/** External addresses of product pictures and vendor logos; each is fetched once. */
export const remotePictures = pgTable(
  'remote_pictures',
  {
    url: text().primaryKey(),
    status: text().$type<'waiting' | 'fetched' | 'failed'>().notNull().default('waiting'),
    /** The stored picture, when fetched. */
    sha256: text().references(() => media.sha256, { onDelete: 'cascade' }),
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
