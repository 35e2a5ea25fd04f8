import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { User, verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { isStaff } from '@qatra/contract/users/roles'
import { isLoopback } from '../config/values.ts'
import { takeTextLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { AppError, commitWrites, retryLater } from '../lib/errors.ts'
import { ipPrefix } from '../lib/ip-prefix.ts'
import { mayGetSms, mayGetWhatsapp, mayWriteByWhatsapp } from '../lib/phone-reach.ts'
import { isSameSecret, seal, sha256 } from '../lib/secrets.ts'
import { translatorFor } from '../lib/translate.ts'
import { admitUser, makeOwner } from '../users/commands.ts'
import { lockClaim, redeemClaim, requireOpenClaim } from './claims.commands.ts'
import { codeKeys, hashOfCode, newCode } from './code.ts'
import {
  COOLDOWN,
  isPhoneUnderAttack,
  isTrusted,
  isUnderAttack,
  isWithheld,
  type OtpRiskState,
  SENDS_OF_ALL,
  TRIES,
  waitBeforeSending,
  waitBeforeTrying,
  waitOfNetwork,
} from './otp-limits.ts'
import { requireNoPasskey } from './passkey-recovery.commands.ts'
import { countSends, findLatestCode, isDeviceConnected, type LatestCode, readOtpRiskState } from './queries.ts'
import { rememberDevice, type SignInParts, signIn } from './sessions.commands.ts'

type Parts = Pick<App, 'config' | 'log'>

/** Sends the SMS if WhatsApp reported no delivery within this time. */
export const FALLBACK_SECONDS = 30

const replaceSql = statement(
  'code-replace',
  'update login_codes set replaced_at = now() where phone = $1 and used_at is null and replaced_at is null',
)
const insertSql = statement(
  'code-insert',
  `insert into login_codes (phone, code_hash, digits, language, is_trusted, ip_prefix, is_known_phone, is_withheld, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '5 minutes') returning id`,
)

/**
 * Serializes the requests of a network from unknown devices, so that its limits are checked and used under one lock.
 * Lock order: network, phone, rows. Returns the risk state read before the lock.
 */
async function lockNetwork(ctx: Ctx, { config }: Parts, phone: string): Promise<OtpRiskState> {
  const prefix = ipPrefix(ctx.client.ip)
  const riskState = await readOtpRiskState(ctx.db, phone, prefix, deviceOf(ctx))
  if (config.rateLimits && !isTrusted(riskState)) await takeTextLock(ctx.db, 'network', prefix)
  return riskState
}

/**
 * Sends a code and invalidates the previous one. Responses and work do not depend on whether the phone has an account.
 * Past the network's limit the response is 429 for every phone; phones with an account still get the code, and others
 * get it while the network has codes left for them.
 * @throws PHONE_NOT_ALLOWED, CODE_NOT_SENT, CLAIM_CLOSED, TOO_MANY_REQUESTS
 */
export async function sendCode(
  ctx: Ctx,
  parts: Parts & Pick<App, 'print'>,
  { phone, language, claim }: Parsed<typeof verifyPhone>['body'],
): Promise<Output<typeof verifyPhone>> {
  const { config, log } = parts
  const lang: Lang = language ?? ctx.actor.lang
  if (claim !== undefined) await requireOpenClaim(ctx, parts, claim)
  const channels = await channelsFor(ctx, config, phone)
  const isUnsendable = !channels.whatsapp && !channels.sms
  if (isUnsendable && claim === undefined) throw new AppError('CODE_NOT_SENT')
  const prefix = ipPrefix(ctx.client.ip)
  await lockNetwork(ctx, parts, phone)
  await takeTextLock(ctx.db, 'phone', phone)
  // Before the counts: waits for a concurrent attempt on the old code, so that it is counted.
  await run(ctx.db, replaceSql, [phone])
  const riskState = await readOtpRiskState(ctx.db, phone, prefix, deviceOf(ctx))
  if (config.rateLimits) {
    const sent = await countSends(ctx.db)
    const wait = waitBeforeSending(riskState, sent)
    if (sent >= SENDS_OF_ALL) raiseAlert(log, 'codes-of-the-day', { sent })
    if (wait > 0) throw retryLater('TOO_MANY_REQUESTS', wait)
    if (isUnderAttack(riskState)) raiseAlert(log, 'codes-guessed', { wrong: riskState.wrongOfAll })
  }
  const networkWait = config.rateLimits ? waitOfNetwork(riskState) : 0
  const keys = codeKeys(config.secret)
  const digits = claim !== undefined && !config.simulator ? 6 : digitsFor(phone, riskState, config)
  const code = newCode(digits)
  const [row] = await run<{ id: number }>(ctx.db, insertSql, [
    phone,
    hashOfCode(keys, phone, code),
    digits,
    lang,
    isTrusted(riskState),
    prefix,
    riskState.role !== null,
    config.rateLimits && isWithheld(riskState),
  ])
  if (!row) throw new Error('The insert answers its row')
  const job = { codeId: row.id, sealed: seal(keys.travel, code, phone), isOfClaim: claim !== undefined }
  if (isUnsendable) printCodeOfClaim(parts, phone, code)
  else await enqueue(ctx, 'send-code', job)
  if (channels.whatsapp && channels.sms) await enqueue(ctx, 'code-fallback', job, FALLBACK_SECONDS)
  if (networkWait > 0) throw commitWrites(retryLater('TOO_MANY_REQUESTS', networkWait, { codeMayArrive: true }))
  return {
    success: true,
    message: translatorFor(lang)('message.code.sent'),
    resendAfter: config.rateLimits ? COOLDOWN : 0,
  }
}

/** Whoever reads the console has the claim too. */
export const printCodeOfClaim = ({ print }: Pick<App, 'print'>, phone: string, code: string) =>
  print(`No channel sends codes yet. The code for ${phone}: ${code}`)

/** @throws PHONE_NOT_ALLOWED */
async function channelsFor({ db, actor: { lang } }: Ctx, config: App['config'], phone: string) {
  const mayWhatsapp = mayGetWhatsapp(phone, config.codeCountries)
  if (!mayWhatsapp) {
    const fields = { phone: translatorFor(lang)('message.code.notAllowed') }
    throw new AppError('PHONE_NOT_ALLOWED', { fields, byMessage: mayWriteByWhatsapp(phone) })
  }
  const sms = mayGetSms(phone) && (config.simulator || config.sms.provider !== 'none')
  const { provider, token } = config.whatsapp
  const whatsapp = provider === 'web' ? await isDeviceConnected(db) : config.simulator || token !== null
  return { whatsapp, sms }
}

function digitsFor(phone: string, riskState: OtpRiskState, config: App['config']): 4 | 6 {
  // The owner's phone may have no account yet: its first code creates a super admin.
  const isOfStaff = (riskState.role !== null && riskState.role !== 'customer') || phone === config.adminPhone
  if (isOfStaff && !config.simulator) return 6
  if (!config.rateLimits) return 4
  return isPhoneUnderAttack(riskState) || (isUnderAttack(riskState) && !isTrusted(riskState)) ? 6 : 4
}

const deviceOf = (ctx: Ctx) => (ctx.client.deviceToken ? sha256(ctx.client.deviceToken) : '')

interface Try {
  id: number
  code_hash: string
  digits: number
  language: Lang
  tries: number
}
// Counts the attempt and checks the limit in one statement: of any number at once, five pass.
const countTrySql = statement(
  'code-try',
  `update login_codes
   set attempts = attempts + (not $2)::int, trusted_attempts = trusted_attempts + $2::int
   where phone = $1 and used_at is null and replaced_at is null and expires_at > now()
     and case when $2 then trusted_attempts else attempts end < ${TRIES}
   returning id, code_hash, digits, language, case when $2 then trusted_attempts else attempts end as tries`,
)
const usedSql = statement('code-used', 'update login_codes set used_at = now() where id = $1')
const refundSql = statement('code-refund', 'delete from login_failures where code_id = $1')
const failureSql = statement(
  'code-failure',
  `insert into login_failures (phone, code_id, digits, is_trusted, was_read, ip_prefix) values ($1, $2, $3, $4, $5, $6)`,
)

/** Consumes the code. @throws INVALID_CODE, TOO_MANY_TRIES (both counted despite the error), TOO_MANY_REQUESTS */
export async function proveCode(
  ctx: Ctx,
  parts: Parts,
  { phone, code }: { phone: string; code: string },
): Promise<{ language: Lang }> {
  const prefix = ipPrefix(ctx.client.ip)
  const before = await lockNetwork(ctx, parts, phone)
  const riskState = isTrusted(before) ? before : await readOtpRiskState(ctx.db, phone, prefix, deviceOf(ctx))
  const trusted = isTrusted(riskState)
  const { rateLimits } = parts.config
  if (rateLimits) {
    const wait = waitBeforeTrying(riskState)
    if (wait > 0) throw retryLater('TOO_MANY_REQUESTS', wait)
  }
  const [attempt] = await run<Try>(ctx.db, countTrySql, [phone, trusted])
  if (!attempt) throw noTryLeft(await findLatestCode(ctx.db, phone), trusted, rateLimits)

  // While codes are guessed everywhere, four-digit codes are not compared; a new one has six digits.
  const isRead = !(rateLimits && !trusted && attempt.digits === 4 && isUnderAttack(riskState))
  if (!isRead || !isRight(parts.config, ctx, { phone, code, hash: attempt.code_hash })) {
    await run(ctx.db, failureSql, [phone, attempt.id, attempt.digits, trusted, isRead, prefix])
    if (!isRead) raiseAlert(parts.log, 'codes-guessed', { wrong: riskState.wrongOfAll })
    if (attempt.tries < TRIES) throw commitWrites(new AppError('INVALID_CODE'))
    throw commitWrites(noTryLeft(await findLatestCode(ctx.db, phone), trusted, rateLimits))
  }
  await run(ctx.db, usedSql, [attempt.id])
  await run(ctx.db, refundSql, [attempt.id])
  return { language: attempt.language }
}

/**
 * Signs in with the code of the phone, with a claim as the first super admin. @throws INVALID_CODE, TOO_MANY_TRIES (both
 * counted despite the error), TOO_MANY_REQUESTS, CLAIM_CLOSED before the code is tried, FORBIDDEN if the account is
 * deactivated, PASSKEY_REQUIRED
 */
export async function signInWithCode(
  ctx: Ctx,
  parts: Parts & SignInParts & Pick<App, 'print'>,
  { phone, code, claim, recovery }: Parsed<typeof verifyCode>['body'],
): Promise<{ success: true; user: User }> {
  if (claim !== undefined) await lockClaim(ctx, parts, claim)
  const { language } = await proveCode(ctx, parts, { phone, code })
  const admitted = await admitUser(ctx, phone, language)
  if (!admitted) throw commitWrites(new AppError('FORBIDDEN'))
  if (claim !== undefined) {
    const owner = await redeemClaim(ctx, parts, claim, admitted.row.id)
    await rememberDevice(ctx, parts.cookies, phone)
    return { success: true, user: await signIn(ctx, parts, owner, 'claim') }
  }
  const isOwner = phone === parts.config.adminPhone && !isStaff(admitted.row.role)
  const row = (isOwner ? await makeOwner(ctx, admitted.row.id) : null) ?? admitted.row
  await requireNoPasskey(ctx, parts, row, recovery)
  await rememberDevice(ctx, parts.cookies, phone)
  return { success: true, user: await signIn(ctx, parts, row, 'code') }
}

function isRight(
  config: App['config'],
  ctx: Ctx,
  { phone, code, hash }: { phone: string; code: string; hash: string },
) {
  const isOwn = isSameSecret(hashOfCode(codeKeys(config.secret), phone, code), hash)
  const mayTest =
    config.otpTestCode !== null &&
    config.environment !== 'production' &&
    isLoopback(config.host) &&
    !ctx.client.isForwarded &&
    isLoopback(ctx.client.ip)
  return isOwn || (mayTest && code === config.otpTestCode)
}

function noTryLeft(latest: LatestCode | null, trusted: boolean, rateLimits: boolean): AppError {
  const tries = latest ? (trusted ? latest.trusted_attempts : latest.attempts) : 0
  if (!latest || latest.is_used || tries < TRIES) return new AppError('INVALID_CODE')
  return retryLater('TOO_MANY_TRIES', rateLimits ? Math.max(1, Math.ceil(COOLDOWN - latest.age)) : 1)
}
