import { formatTime } from '@qatra/contract/calendar'
import { fit } from '@qatra/contract/fit'
import type { Lang } from '@qatra/contract/lang'
import { isStaff } from '@qatra/contract/roles'
import { limits, type Outgoing } from '../channel/message.ts'
import { queueMessage } from '../channel/sending.commands.ts'
import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import type { JobContext } from '../database/transaction.ts'
import { translatorFor } from '../lib/translate.ts'
import { answerHash, notMeId, type ProofAnswer, proofAnswerIn, proofWordIn, wordHash } from './proof-words.ts'
import { findProver, type Prover } from './queries.ts'

/** A message that came in: a word of proof leads to a question, and the answer to that proves the phone to the page. */
export async function noteProof(ctx: JobContext, { config }: Pick<App, 'config'>, messageId: number): Promise<void> {
  const message = await findProver(ctx.db, messageId)
  if (!message) return
  const reply = await replyTo(ctx, config.secret, messageId, message)
  if (!reply) return
  await queueMessage(ctx, {
    to: { contactId: message.contact_id },
    message: typeof reply === 'string' ? { type: 'text', text: reply } : reply,
    dedupeKey: `proof:${messageId}`,
    by: { type: 'system' },
  })
}

type Reply = Outgoing | string | null

async function replyTo(ctx: JobContext, secret: Buffer, messageId: number, message: Prover): Promise<Reply> {
  const { phone, role, language } = message
  // Staff have more to lose to somebody who talks them into writing a word: they are helped by a person.
  const prover = phone !== null && (role === null || !isStaff(role)) ? phone : null
  const word = message.type === 'text' ? proofWordIn(message.content) : null
  if (word !== null) {
    const question = prover === null ? null : await ask(ctx, prover, wordHash(secret, prover, word))
    return question ?? translatorFor(language)('message.proof.unknown')
  }
  const answer = proofAnswerIn(message)
  if (answer === null || prover === null) return null
  return answer.isMe
    ? check(ctx, secret, { phone: prover, messageId, digits: answer.digits })
    : refuse(ctx, { phone: prover, messageId, language }, answer)
}

// One question at a time: one that was not answered is none any more.
const askSql = statement(
  'proof-ask',
  `with asked as (
     update login_proofs set asked_at = now()
     where phone = $1 and word_hash = $2 and answer_hash is not null and asked_at is null and expires_at > now()
     returning id, device, language, created_at
   ), older as (
     update login_proofs p set answered_at = now() from asked
     where p.phone = $1 and p.id <> asked.id and p.asked_at is not null and p.answered_at is null
   ) select id, device, language, created_at from asked`,
)
interface Asked {
  id: number
  device: string | null
  language: Lang
  created_at: Date
}

async function ask(ctx: JobContext, phone: string, hash: string): Promise<Outgoing | null> {
  const [asked] = await run<Asked>(ctx.db, askSql, [phone, hash])
  if (!asked) return null
  const { id, device, language, created_at: startedAt } = asked
  const t = translatorFor(language)
  return {
    type: 'buttons',
    text: t('message.proof.ask', {
      device: device ?? t('message.proof.someBrowser'),
      time: formatTime(startedAt, language),
    }),
    buttons: [{ id: notMeId(id), title: fit(t('message.proof.notMe'), limits.buttonTitle) }],
  }
}

const waitingSql = statement(
  'proof-waiting',
  `select id, word_hash, language from login_proofs
   where phone = $1 and asked_at is not null and answered_at is null and expires_at > now()
   order by id desc limit 1 for update`,
)
const checkSql = statement(
  'proof-check',
  `update login_proofs set answered_at = now(), answer_message_id = $2,
     proved_at = case when answer_hash = $3 then now() end
   where id = $1 returning proved_at is not null as is_proven`,
)

/** One answer, right or wrong: digits are few, so they are never tried twice. */
async function check(
  ctx: JobContext,
  secret: Buffer,
  { phone, messageId, digits }: { phone: string; messageId: number; digits: string },
): Promise<string | null> {
  const [waiting] = await run<{ id: number; word_hash: string; language: Lang }>(ctx.db, waitingSql, [phone])
  if (!waiting) return null
  const given = answerHash(secret, phone, waiting.word_hash, digits)
  const [checked] = await run<{ is_proven: boolean }>(ctx.db, checkSql, [waiting.id, messageId, given])
  return translatorFor(waiting.language)(checked?.is_proven ? 'message.proof.done' : 'message.proof.wrong')
}

const refuseSql = statement(
  'proof-refuse',
  `with refused as (
     update login_proofs set answered_at = coalesce(answered_at, now()), answer_message_id = $2, proved_at = null
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
 * "Not me": the page that asked is let in no more. Where it is in already, through digits that the owner of the phone was
 * talked into, it is out again: a session and its proof are made in one moment.
 */
async function refuse(
  ctx: JobContext,
  { phone, messageId, language }: { phone: string; messageId: number; language: Lang },
  { proofId }: Extract<ProofAnswer, { isMe: false }>,
): Promise<string | null> {
  const [refused] = await run<{ language: Lang; is_ended: boolean }>(ctx.db, refuseSql, [phone, messageId, proofId])
  if (refused)
    return translatorFor(refused.language)(refused.is_ended ? 'message.proof.ended' : 'message.proof.refused')
  return proofId === null ? null : translatorFor(language)('message.proof.unknown')
}
