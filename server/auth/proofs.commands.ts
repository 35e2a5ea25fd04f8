import type { finishProof, startProof } from '@qatra/contract/auth'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import { isStaff } from '@qatra/contract/roles'
import { queueMessage } from '../channel/sending.commands.ts'
import { mayGetWhatsapp } from '../channel/reach.ts'
import type { Ctx } from '../platform/context.ts'
import { run, statement } from '../platform/db.ts'
import { AppError, retryLater } from '../platform/errors.ts'
import { ipPrefix } from '../platform/limits.ts'
import type { App } from '../platform/runtime.ts'
import { hmac, keyFor } from '../platform/secrets.ts'
import { newToken, sha256 } from '../platform/session.ts'
import type { Working } from '../platform/transaction.ts'
import { wordsIn } from '../platform/words.ts'
import { admitUser } from '../users/commands.ts'
import { describeUser } from '../users/queries.ts'
import { newProofWord, proofWordIn } from './proof-words.ts'
import { findProver } from './queries.ts'
import { rememberDevice, signIn } from './sessions.commands.ts'

const LIFE_MINUTES = 10
const A_NETWORK_AN_HOUR = 20

const wordHash = (secret: Buffer, phone: string, word: string) =>
  hmac(keyFor(secret, 'words of proof'), `${phone} ${word}`)

const countSql = statement(
  'proof-count',
  `select count(*)::int as count from login_proofs where ip_prefix = $1 and created_at > now() - interval '1 hour'`,
)
const lockSql = statement('proof-lock', `select pg_advisory_xact_lock(hashtextextended('proof ' || $1, 0))`)
const insertSql = statement(
  'proof-insert',
  `insert into login_proofs (phone, secret_hash, word_hash, language, ip_prefix, expires_at)
   values ($1, $2, $3, $4, $5, now() + interval '${LIFE_MINUTES} minutes') returning expires_at`,
)

/**
 * The way in for a phone that gets no codes: whoever holds it writes a word to the shop's number, which costs the shop
 * nothing and cannot be guessed. The page keeps the secret; the answer is the same whoever the phone belongs to.
 * @throws PHONE_NOT_ALLOWED, CODE_NOT_SENT where the shop has no number to write to, TOO_MANY_REQUESTS
 */
export async function askForProof(
  ctx: Ctx,
  { config }: Pick<App, 'config'>,
  { phone, language }: Parsed<typeof startProof>['body'],
): Promise<Output<typeof startProof>> {
  const lang: Lang = language ?? ctx.actor.lang
  if (!mayGetWhatsapp(phone, config.codeCountries)) {
    throw new AppError('PHONE_NOT_ALLOWED', { fields: { phone: wordsIn(lang)('message.code.notAllowed') } })
  }
  const { number } = config.whatsapp
  if (number === null && !config.simulator) throw new AppError('CODE_NOT_SENT')
  const prefix = ipPrefix(ctx.client.ip)
  if (config.rateLimits) {
    await run(ctx.db, lockSql, [prefix])
    const [made] = await run<{ count: number }>(ctx.db, countSql, [prefix])
    if ((made?.count ?? 0) >= A_NETWORK_AN_HOUR) throw retryLater('TOO_MANY_REQUESTS', 3_600)
  }
  const [secret, word] = [newToken(), newProofWord()]
  const values = [phone, sha256(secret), wordHash(config.secret, phone, word), lang, prefix]
  const [row] = await run<{ expires_at: Date }>(ctx.db, insertSql, values)
  if (!row) throw new Error('The insert answers its row')
  const text = `LOGIN ${word}`
  const url = number
    ? `https://wa.me/${number.slice(1)}?text=${encodeURIComponent(text)}`
    : `${config.publicUrl}/simulator?phone=${encodeURIComponent(phone)}`
  return { secret, text, url, number, expiresAt: row.expires_at.toISOString() }
}

const proveSql = statement(
  'proof-prove',
  `update login_proofs set proved_at = now()
   where phone = $1 and word_hash = $2 and proved_at is null and used_at is null and expires_at > now()
   returning language`,
)

/** A message that came in: where it is a word of proof, its sender's phone is proven to the page that waits for it. */
export async function noteProof(ctx: Working, { config }: Pick<App, 'config'>, messageId: number): Promise<void> {
  const message = await findProver(ctx.db, messageId)
  const word = message ? proofWordIn(message.content) : null
  if (!message || word === null) return
  const { contact_id: contactId, phone, role } = message
  // Staff have more to lose to somebody who talks them into writing a word: they are helped by a person.
  const isOpen = phone !== null && (role === null || !isStaff(role))
  const [proved] = isOpen
    ? await run<{ language: Lang }>(ctx.db, proveSql, [phone, wordHash(config.secret, phone, word)])
    : []
  const lang = proved?.language ?? message.language
  await queueMessage(ctx, {
    to: { contactId },
    message: { type: 'text', text: wordsIn(lang)(proved ? 'message.proof.done' : 'message.proof.unknown') },
    dedupeKey: `proof:${messageId}`,
    by: { type: 'system' },
  })
}

const useSql = statement(
  'proof-use',
  `update login_proofs set used_at = now()
   where secret_hash = $1 and proved_at is not null and used_at is null and expires_at > now()
   returning phone, language`,
)
const aliveSql = statement(
  'proof-alive',
  'select 1 from login_proofs where secret_hash = $1 and used_at is null and expires_at > now()',
)

/**
 * Asked by the page until the word has come; then, once, it is signed in.
 * @throws INVALID_CODE once nothing is to be waited for
 */
export async function signInWithProof(
  ctx: Ctx,
  { cookies }: Pick<App, 'cookies'>,
  secret: string,
): Promise<Output<typeof finishProof>> {
  const hash = sha256(secret)
  const [proof] = await run<{ phone: string; language: Lang }>(ctx.db, useSql, [hash])
  if (!proof) {
    if ((await run(ctx.db, aliveSql, [hash])).length === 0) throw new AppError('INVALID_CODE')
    return { success: false, user: null }
  }
  const admitted = await admitUser(ctx, proof.phone, proof.language)
  // Became staff, or was switched off, after the word had come.
  if (!admitted || isStaff(admitted.row.role)) throw new AppError('INVALID_CODE')
  await rememberDevice(ctx, cookies, proof.phone)
  await signIn(ctx, cookies, admitted.row, 'message')
  return { success: true, user: describeUser(admitted.row) }
}
