import { boolean, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../platform/columns.ts'
import { users } from '../users/tables.ts'

/** Signed-in sessions. `id` is the SHA-256 of the cookie; the cookie itself is stored nowhere. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Set while somebody else acts as this user. */
    impersonatorId: integer().references(() => users.id, { onDelete: 'cascade' }),
    impersonationReason: text(),
    userAgent: text(),
    createdAt: instant().notNull().defaultNow(),
    lastSeenAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (t) => [index().on(t.userId), index().on(t.expiresAt)],
)

/** One live code for each phone; a newer one replaces it. */
export const loginCodes = pgTable(
  'login_codes',
  {
    id: rowId(),
    phone: text().notNull(),
    /** HMAC-SHA-256 of phone and code under a key outside the database. */
    codeHash: text().notNull(),
    digits: smallint().notNull(),
    language: text().notNull(),
    attempts: smallint().notNull().default(0),
    /** Whether the request came from a device that signed in to this phone before. */
    isTrusted: boolean().notNull().default(false),
    usedAt: instant(),
    replacedAt: instant(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.id.desc()), index().on(t.createdAt)],
)

/** Every wrong try, for the budgets of a phone and the alarm over all phones. */
export const loginFailures = pgTable(
  'login_failures',
  {
    id: rowId(),
    phone: text().notNull(),
    codeId: integer(),
    digits: smallint().notNull(),
    isTrusted: boolean().notNull(),
    ipPrefix: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.createdAt), index().on(t.createdAt)],
)

/** Devices that signed in to a phone before; they have their own budget of tries. */
export const knownDevices = pgTable(
  'known_devices',
  {
    id: text().notNull().primaryKey(),
    phone: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone)],
)
