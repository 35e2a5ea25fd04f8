import { type Db, run, statement } from './db.ts'

/*
 * All advisory locks of the shop. PostgreSQL knows them by numbers alone: two purposes with one number would wait for each
 * other. A number stays as it is, because the previous version may still run.
 */

/** One lock for all. */
export const lockKeys = {
  seed: 733_973,
  migration: 7_301_973,
  device: 7_301_975,
  calendar: 7_301_977,
  import: 7_301_978,
  roles: 7_301_979,
  telegram: 7_301_981,
  settings: 7_301_982,
  'whatsapp-account': 7_301_983,
  'test-order': 7_301_984,
  'bot-answers': 7_301_985,
  'bot-aliases': 7_301_986,
  'inbox-turns': 7_301_987,
  'api-keys': 7_301_988,
} as const

/** First of two keys; the second is a number, such as a vendor's id. PostgreSQL keeps these apart from locks of one key. */
export const numberLockKeys = {
  'receipt-numbers': 7_301_975,
  /** In `server/dashboard/order-days.sql`. */
  'order-days': 7_301_976,
  /** Also in `server/ledger/ledger.sql`. */
  'cash-day': 7_301_977,
  /** In `server/notifications/notifications.sql`. */
  'rows-in-order': 7_301_978,
  'order-views': 7_301_979,
  'campaign-tests': 7_301_980,
  refunds: 7_301_981,
  shortage: 7_301_982,
  /** Of a driver: what the van carries. Taken before those of its day. */
  van: 7_301_983,
  'driver-news': 7_301_984,
} as const

/** Seed of the 64-bit hash of a text, such as a phone. */
export const textLockSeeds = {
  phone: 0,
  cart: 1,
  network: 2,
  'message-login': 3,
  'push-endpoint': 4,
  'bot-answer': 5,
  'canned-reply': 6,
} as const

export type LockName = keyof typeof lockKeys

const takeSql = statement('lock-take', 'select pg_advisory_xact_lock($1::bigint)')
const shareSql = statement('lock-share', 'select pg_advisory_xact_lock_shared($1::bigint)')
const takeNumberSql = statement('lock-take-number', 'select pg_advisory_xact_lock($1::integer, $2::integer)')
const takeTextSql = statement('lock-take-text', 'select pg_advisory_xact_lock(hashtextextended($1, $2::bigint))')

/** Takes the lock until the transaction ends. */
export const takeLock = (db: Db, name: LockName) => run(db, takeSql, [lockKeys[name]])

/** Shares the lock until the transaction ends; excludes only `takeLock`. */
export const shareLock = (db: Db, name: LockName) => run(db, shareSql, [lockKeys[name]])

/** Takes the lock of a number until the transaction ends. */
export const takeNumberLock = (db: Db, name: keyof typeof numberLockKeys, subject: number) =>
  run(db, takeNumberSql, [numberLockKeys[name], subject])

/** Takes the lock of a text until the transaction ends. */
export const takeTextLock = (db: Db, name: keyof typeof textLockSeeds, subject: string) =>
  run(db, takeTextSql, [subject, textLockSeeds[name]])
