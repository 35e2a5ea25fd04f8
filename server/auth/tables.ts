import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'
import { vendors } from '../vendors/tables.ts'

/** Signed-in sessions. `id` is the SHA-256 of the cookie, which is not stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Set while another user impersonates this one. */
    impersonatorId: integer().references(() => users.id, { onDelete: 'cascade' }),
    impersonationReason: text(),
    userAgent: text(),
    createdAt: instant().notNull().defaultNow(),
    lastSeenAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.expiresAt),
    index('sessions_of_impersonator').on(t.impersonatorId).where(sql`${t.impersonatorId} is not null`),
  ],
)

/** Keys of programs, by their SHA-256; the keys themselves are not stored. What one may do is its maker's right now. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: rowId(),
    hash: text().notNull().unique(),
    ending: text().notNull(),
    name: text().notNull(),
    /** Null for the whole market. */
    vendorId: integer().references(() => vendors.id, { onDelete: 'cascade' }),
    permissions: text().array().notNull(),
    createdBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
    revokedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [index().on(t.vendorId), index().on(t.createdBy)],
)

/** One valid code per phone; a newer one replaces it. */
export const loginCodes = pgTable(
  'login_codes',
  {
    id: rowId(),
    phone: text().notNull(),
    /** HMAC-SHA-256 of phone and code under a key outside the database. */
    codeHash: text().notNull(),
    digits: smallint().notNull(),
    language: text().notNull(),
    /** Attempts of unknown devices and attempts of known ones: five each. */
    attempts: smallint().notNull().default(0),
    trustedAttempts: smallint().notNull().default(0),
    /** Whether the request came from a device that signed in to this phone before. */
    isTrusted: boolean().notNull().default(false),
    /** Stored for a phone without an account after its network's limit was reached; never delivered. */
    isWithheld: boolean().notNull().default(false),
    /** Whether the phone had an account when the code was requested. */
    isKnownPhone: boolean().notNull().default(false),
    ipPrefix: text(),
    usedAt: instant(),
    replacedAt: instant(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.phone, t.id.desc()),
    index().on(t.createdAt),
    index().on(t.usedAt),
    index().on(t.ipPrefix, t.createdAt),
    uniqueIndex('login_codes_live').on(t.phone).where(sql`${t.usedAt} is null and ${t.replacedAt} is null`),
  ],
)

/** Every wrong attempt, for the limits of a phone and the alarm over all phones. */
export const loginFailures = pgTable(
  'login_failures',
  {
    id: rowId(),
    phone: text().notNull(),
    codeId: integer(),
    digits: smallint().notNull(),
    isTrusted: boolean().notNull(),
    /** False if the attempt was refused without comparing, because of a limit. */
    wasRead: boolean().notNull().default(true),
    ipPrefix: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.phone, t.createdAt),
    index().on(t.createdAt),
    index().on(t.ipPrefix, t.createdAt),
    index().on(t.codeId),
  ],
)

/** Devices that signed in to a phone before; they have their own limit of attempts. */
export const knownDevices = pgTable(
  'known_devices',
  {
    /** SHA-256 of the device's cookie; several people can sign in on one device. */
    id: text().notNull(),
    phone: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.id, t.phone] }), index().on(t.phone)],
)

/** Public keys of staff's passkeys. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: rowId(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text().notNull().unique(),
    /** COSE, as base64url. */
    publicKey: text().notNull(),
    /** Of signatures; 0 of authenticators that do not count. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
  },
  (t) => [index().on(t.userId)],
)

/**
 * What can be used once: challenges of authenticators and console codes, as hashes, and confirmations of a recovery by
 * other super admins.
 */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['add', 'sign-in', 'console', 'confirmation'] }).notNull(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    /** The session that the challenge was made for. */
    sessionId: text(),
    confirmedBy: integer().references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.userId), index().on(t.expiresAt), index().on(t.confirmedBy)],
)

/** One-time console codes that make their bearer the first super admin. */
export const ownerClaims = pgTable('owner_claims', {
  id: rowId(),
  codeHash: text().notNull().unique(),
  usedAt: instant(),
  createdAt: instant().notNull().defaultNow(),
})

/**
 * Sign-ins by a message to the shop's number. The page holds the secret; the phone that sends the word is asked for the
 * two digits on the page. All three are stored as hashes.
 */
export const messageLogins = pgTable(
  'message_logins',
  {
    id: rowId(),
    phone: text().notNull(),
    secretHash: text().notNull().unique(),
    wordHash: text().notNull(),
    answerHash: text(),
    /** The requesting browser, as the question names it. */
    device: text(),
    language: text().notNull(),
    ipPrefix: text(),
    /** When the word arrived and the digits were asked for. */
    askedAt: instant(),
    /** When it was answered, rightly or not, or by "not me"; only one answer is accepted. */
    answeredAt: instant(),
    answerMessageId: integer(),
    provedAt: instant(),
    usedAt: instant(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.phone, t.createdAt), index().on(t.createdAt), index().on(t.ipPrefix, t.createdAt)],
)
