import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type * as api from '@qatra/contract/users/auth'
import { isStaff } from '@qatra/contract/users/roles'
import { takeTextLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { AppError, retryLater } from '../lib/errors.ts'
import { ipPrefix } from '../lib/ip-prefix.ts'
import { mayWriteByWhatsapp } from '../lib/phone-reach.ts'
import { newToken, sha256 } from '../lib/secrets.ts'
import { translatorFor } from '../lib/translate.ts'
import { admitUser } from '../users/commands.ts'
import { answerHash, wordHash as hashOf, newLoginAnswer, newLoginWord } from './message-login.ts'
import { rememberDevice, type SignInParts, signIn } from './sessions.commands.ts'

const LIFE_MINUTES = 10
const MAX_PER_NETWORK_AND_HOUR = 20

const countSql = statement(
  'message-login-count',
  `select count(*)::int as count from message_logins where ip_prefix = $1 and created_at > now() - interval '1 hour'`,
)
const insertSql = statement(
  'message-login-insert',
  `insert into message_logins (phone, secret_hash, word_hash, answer_hash, device, language, ip_prefix, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${LIFE_MINUTES} minutes') returning expires_at`,
)

/**
 * Starts a sign-in for a phone that gets no codes: its owner sends a word to the shop's number, which costs the shop
 * nothing and cannot be guessed, and then answers with the digits of the page, since a word can come from another
 * person's link (decisions/0011). The page keeps the secret; the response is the same for every phone. @throws
 * PHONE_NOT_ALLOWED, CODE_NOT_SENT if the shop has no number, TOO_MANY_REQUESTS
 */
export async function startMessageLogin(
  ctx: Ctx,
  { config }: Pick<App, 'config'>,
  { phone, language }: Parsed<typeof api.startMessageLogin>['body'],
): Promise<Output<typeof api.startMessageLogin>> {
  const lang: Lang = language ?? ctx.actor.lang
  if (!mayWriteByWhatsapp(phone)) {
    throw new AppError('PHONE_NOT_ALLOWED', { fields: { phone: translatorFor(lang)('message.code.notAllowed') } })
  }
  const { number } = config.whatsapp
  if (number === null && !config.simulator) throw new AppError('CODE_NOT_SENT')
  const prefix = ipPrefix(ctx.client.ip)
  if (config.rateLimits) {
    await takeTextLock(ctx.db, 'message-login', prefix)
    const [made] = await run<{ count: number }>(ctx.db, countSql, [prefix])
    if ((made?.count ?? 0) >= MAX_PER_NETWORK_AND_HOUR) throw retryLater('TOO_MANY_REQUESTS', 3_600)
  }
  const [secret, word, answer] = [newToken(), newLoginWord(), newLoginAnswer()]
  const wordHash = hashOf(config.secret, phone, word)
  const rightAnswer = answerHash(config.secret, phone, wordHash, answer)
  const device = browserName(ctx.client.userAgent)
  const values = [phone, sha256(secret), wordHash, rightAnswer, device, lang, prefix]
  const [row] = await run<{ expires_at: Date }>(ctx.db, insertSql, values)
  if (!row) throw new Error('The insert answers its row')
  const text = `LOGIN ${word}`
  const url = number
    ? `https://wa.me/${number.slice(1)}?text=${encodeURIComponent(text)}`
    : `${config.publicUrl}/simulator?phone=${encodeURIComponent(phone)}`
  return { secret, text, answer, url, number, expiresAt: row.expires_at.toISOString() }
}

const useSql = statement(
  'message-login-use',
  `update message_logins set used_at = now()
   where secret_hash = $1 and proved_at is not null and answered_at is not null and used_at is null and expires_at > now()
   returning phone, language`,
)
const aliveSql = statement(
  'message-login-alive',
  `select asked_at is not null as is_asked from message_logins
   where secret_hash = $1 and answered_at is null and used_at is null and expires_at > now()`,
)

/**
 * Polled by the page; signs in once after the phone has proven itself. @throws INVALID_CODE if the login is used,
 * refused or expired
 */
export async function signInWithMessage(
  ctx: Ctx,
  parts: SignInParts,
  secret: string,
): Promise<Output<typeof api.finishMessageLogin>> {
  const hash = sha256(secret)
  const [login] = await run<{ phone: string; language: Lang }>(ctx.db, useSql, [hash])
  if (!login) {
    const [alive] = await run<{ is_asked: boolean }>(ctx.db, aliveSql, [hash])
    if (!alive) throw new AppError('INVALID_CODE')
    return { success: false, isAsked: alive.is_asked, user: null }
  }
  const admitted = await admitUser(ctx, login.phone, login.language)
  // The account became staff or was deactivated meanwhile.
  if (!admitted || isStaff(admitted.row.role)) throw new AppError('INVALID_CODE')
  await rememberDevice(ctx, parts.cookies, login.phone)
  return { success: true, isAsked: true, user: await signIn(ctx, parts, admitted.row, 'message') }
}

const askSql = statement(
  'message-login-ask',
  `with question as (
     update message_logins set asked_at = now()
     where phone = $1 and word_hash = $2 and answer_hash is not null and asked_at is null and expires_at > now()
     returning id, device, language, created_at
   ), older as (
     update message_logins p set answered_at = now() from question
     where p.phone = $1 and p.id <> question.id and p.asked_at is not null and p.answered_at is null
   ) select id, device, language, created_at from question`,
)
export interface OpenQuestion {
  id: number
  device: string | null
  language: Lang
  created_at: Date
}

/** Asks for the digits of a page and closes older questions of the phone; null if no page waits. */
export async function openQuestion({ db }: JobContext, phone: string, hash: string): Promise<OpenQuestion | null> {
  const [question] = await run<OpenQuestion>(db, askSql, [phone, hash])
  return question ?? null
}

const waitingSql = statement(
  'message-login-waiting',
  `select id, word_hash, language from message_logins
   where phone = $1 and asked_at is not null and answered_at is null and expires_at > now()
   order by id desc limit 1 for update`,
)
const checkSql = statement(
  'message-login-check',
  `update message_logins set answered_at = now(), answer_message_id = $2,
     proved_at = case when answer_hash = $3 then now() end
   where id = $1 returning proved_at is not null as is_proven`,
)

/** Accepts one answer, right or wrong, since there are only 90 values. Null if no question is open. */
export async function checkDigits(
  { db }: JobContext,
  secret: Buffer,
  { phone, messageId, digits }: { phone: string; messageId: number; digits: string },
): Promise<{ isProven: boolean; language: Lang } | null> {
  const [waiting] = await run<{ id: number; word_hash: string; language: Lang }>(db, waitingSql, [phone])
  if (!waiting) return null
  const given = answerHash(secret, phone, waiting.word_hash, digits)
  const [checked] = await run<{ is_proven: boolean }>(db, checkSql, [waiting.id, messageId, given])
  return { isProven: checked?.is_proven ?? false, language: waiting.language }
}

const refuseSql = statement(
  'message-login-refuse',
  `with refused as (
     update message_logins set answered_at = coalesce(answered_at, now()), answer_message_id = $2, proved_at = null
     where phone = $1 and asked_at is not null
       and (id = $3 or $3::int is null and answered_at is null and expires_at > now())
     returning language, used_at
   ), devices as (
     delete from known_devices d using refused r where d.phone = $1 and d.last_used_at = r.used_at
   ), ended as (
     delete from sessions s using refused r, users u
     where u.phone = $1 and s.user_id = u.id and s.created_at = r.used_at
     returning s.id
   ) select language, exists (select from ended) as is_ended from refused limit 1`,
)

/**
 * "Not me": closes the login. If it already signed in, because the owner was talked into answering, ends its session (a
 * session has its login's time). Null if there is none.
 */
export async function refuseLogin(
  { db }: JobContext,
  { phone, messageId, loginId }: { phone: string; messageId: number; loginId: number | null },
): Promise<{ language: Lang; is_ended: boolean } | null> {
  const [refused] = await run<{ language: Lang; is_ended: boolean }>(db, refuseSql, [phone, messageId, loginId])
  return refused ?? null
}

// First match wins: most browsers also carry the names of those below.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['FxiOS', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'Chromebook'],
  ['Linux', 'Linux'],
] as const

/** `Chrome, Windows`; null if neither is known. Returns only fixed names, since the sender writes the header. */
function browserName(userAgent: string): string | null {
  const firstIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1] ?? null
  const known = [firstIn(browsers), firstIn(systems)].filter((name) => name !== null)
  return known.length > 0 ? known.join(', ') : null
}
