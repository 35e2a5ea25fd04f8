import type { Lang } from '@qatra/contract/lib/lang'
import { type Db, run, statement } from '../database/db.ts'
import { type OtpRiskState, REQUESTS_BY_PREFIX, SENDS_BY_PREFIX, SENDS_OF_ALL } from './otp-limits.ts'

const ages = (table: string, where: string, limit: number) =>
  `array(select extract(epoch from now() - created_at)::float8 from ${table}
         where ${where} order by created_at desc limit ${limit})`
const count = (table: string, where: string) => `(select count(*) from ${table} where ${where})`
/** Bounded, so that counting stays cheap while the table is flooded. */
const cappedCount = (most: number, table: string, where: string) =>
  `(select count(*) from (select from ${table} where ${where} limit ${most}) counted)`

const aDay = `created_at > now() - interval '1 day'`
const anHour = `created_at > now() - interval '1 hour'`
const aYear = `created_at > now() - interval '1 year'`
const tenMinutes = `now() - interval '10 minutes'`

// One statement with the same work for known and unknown phones.
const riskStateSql = statement(
  'code-standing',
  `select exists (select from known_devices where id = $3 and phone = $1) as "isKnownDevice",
     (select role from users where phone = $1) as role,
     ${ages('login_codes', `phone = $1 and not is_trusted and ${aDay}`, 10)} as "sendAges",
     ${ages('login_codes', `phone = $1 and is_trusted and ${aDay}`, 10)} as "trustedSendAges",
     ${ages('login_codes', `ip_prefix = $2 and not is_trusted and ${anHour}`, SENDS_BY_PREFIX)} as "prefixRequestAges",
     ${cappedCount(SENDS_BY_PREFIX, 'login_codes', `ip_prefix = $2 and not is_trusted and not is_known_phone and not is_withheld and ${anHour}`)} as "prefixSends",
     ${cappedCount(REQUESTS_BY_PREFIX, 'login_codes', `ip_prefix = $2 and not is_trusted and ${anHour}`)} as "prefixRequests",
     ${ages('login_failures', `phone = $1 and was_read and not is_trusted and ${aDay}`, 15)} as "wrongAges",
     ${ages('login_failures', `phone = $1 and was_read and is_trusted and ${aDay}`, 15)} as "trustedWrongAges",
     ${count('login_failures', `phone = $1 and was_read and not is_trusted and digits = 4 and ${aYear}`)} as "wrongFourDigits",
     ${count('login_failures', `phone = $1 and was_read and not is_trusted and digits = 6 and ${aYear}`)} as "wrongSixDigits",
     ${count('login_failures', `phone = $1 and is_trusted and ${aYear}`)} as "trustedWrongInYear",
     (select count(distinct phone) from login_failures
      where ip_prefix = $2 and not is_trusted and phone <> $1 and ${anHour}) as "otherPhonesOfPrefix",
     ${cappedCount(1000, 'login_failures', `not is_trusted and created_at > ${tenMinutes}`)} as "wrongOfAll",
     ${cappedCount(1000, 'login_codes', `used_at > ${tenMinutes}`)} as "rightOfAll"`,
)
const sendsOfAllSql = statement(
  'code-sends',
  `select ${cappedCount(SENDS_OF_ALL, 'login_codes', `not is_withheld and ${aDay}`)} as sent`,
)

/** `deviceId`: SHA-256 of the device's cookie, or an empty string. */
export async function readOtpRiskState(
  db: Db,
  phone: string,
  ipPrefix: string,
  deviceId: string,
): Promise<OtpRiskState> {
  const [riskState] = await run<OtpRiskState>(db, riskStateSql, [phone, ipPrefix, deviceId])
  if (!riskState) throw new Error('A select without from answers one row')
  return riskState
}

/** Codes sent to all phones in the last day. */
export async function countSends(db: Db): Promise<number> {
  const [row] = await run<{ sent: number }>(db, sendsOfAllSql)
  return row?.sent ?? 0
}

export interface CodeToSend {
  phone: string
  digits: number
  language: Lang
  is_trusted: boolean
}
const codeToSendSql = statement(
  'code-to-send',
  `select phone, digits, language, is_trusted from login_codes
   where id = $1 and not is_withheld and used_at is null and replaced_at is null and expires_at > now()`,
)

/** Null if the code was used, replaced or expired. */
export async function findCodeToSend(db: Db, codeId: number): Promise<CodeToSend | null> {
  const [row] = await run<CodeToSend>(db, codeToSendSql, [codeId])
  return row ?? null
}

const usageSql = statement(
  'codes-used',
  `select count(*) as sent, count(used_at) as used from (
     select used_at from login_codes
     where not is_withheld and created_at between now() - interval '1 day' and now() - interval '5 minutes'
     order by created_at desc limit 50) latest`,
)

/** Of the last fifty codes older than five minutes: how many were used. */
export async function readUsage(db: Db): Promise<{ sent: number; used: number }> {
  const [row] = await run<{ sent: number; used: number }>(db, usageSql)
  return row ?? { sent: 0, used: 0 }
}

const latestCodeSql = statement(
  'code-latest',
  `select attempts, trusted_attempts, used_at is not null as is_used,
          extract(epoch from now() - created_at)::float8 as age
   from login_codes where phone = $1 order by id desc limit 1`,
)
export interface LatestCode {
  attempts: number
  trusted_attempts: number
  is_used: boolean
  age: number
}
export async function findLatestCode(db: Db, phone: string): Promise<LatestCode | null> {
  const [row] = await run<LatestCode>(db, latestCodeSql, [phone])
  return row ?? null
}

const ownerSql = statement(
  'has-owner',
  `select exists (select from users where role = 'super_admin' and is_active) as "hasOwner"`,
)

export async function hasOwner(db: Db): Promise<boolean> {
  const [row] = await run<{ hasOwner: boolean }>(db, ownerSql)
  return row?.hasOwner ?? false
}

const deviceSql = statement(
  'device-connected',
  `select 1 from whatsapp_connection where state = 'connected' and heartbeat_at > now() - interval '90 seconds'`,
)

/** Whether the linked device can send a code now. */
export const isDeviceConnected = async (db: Db): Promise<boolean> => (await run(db, deviceSql)).length > 0
