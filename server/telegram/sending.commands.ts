import { run, statement } from '../platform/db.ts'
import { enqueue } from '../platform/events.ts'
import type { Working } from '../platform/transaction.ts'

/** The queue whose jobs send one message each. */
export const TELEGRAM_SEND = 'telegram-send'
/** The longest text that Telegram takes. */
const LONGEST = 4096

export interface ToTell {
  chatId: string
  threadId?: string | null
  text: string
  /** The same is never told twice. */
  dedupeKey: string
  userId?: number | null
  contactId?: number | null
  /** Of ours, which it mirrors. */
  messageId?: number | null
}

const insertSql = statement(
  'telegram-queue',
  `insert into telegram_messages (dedupe_key, chat_id, thread_id, content, user_id, contact_id, message_id)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (dedupe_key) do nothing returning id`,
)

const insert = async ({ db }: Pick<Working, 'db'>, told: ToTell) => {
  const { dedupeKey, chatId, threadId = null, text, userId = null, contactId = null, messageId = null } = told
  const words = text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text
  const values = [dedupeKey, chatId, threadId, words, userId, contactId, messageId]
  const [row] = await run<{ id: number }>(db, insertSql, values)
  return row?.id ?? null
}

/** It leaves once the transaction is there; nothing happens where it was told before. */
export async function queueTelegram(ctx: Working, told: ToTell): Promise<void> {
  const id = await insert(ctx, told)
  if (id !== null) await enqueue(ctx, TELEGRAM_SEND, { id })
}

// What a worker that died had taken on is taken up again: twice in a topic is better than never.
const claimSql = statement(
  'telegram-claim',
  `update telegram_messages set claimed_at = now(), thread_id = coalesce($2, thread_id)
   where dedupe_key = $1 and status = 'queued' and (claimed_at is null or claimed_at < now() - interval '2 minutes')
   returning id, chat_id, thread_id, content`,
)

export interface Claimed {
  id: number
  chat_id: string
  thread_id: string | null
  content: string
}

/** Takes on the message of this key; null where it is sent, or somebody is at it. */
export async function claimTelegram(ctx: Pick<Working, 'db'>, told: ToTell): Promise<Claimed | null> {
  await insert(ctx, told)
  const [row] = await run<Claimed>(ctx.db, claimSql, [told.dedupeKey, told.threadId ?? null])
  return row ?? null
}

const claimByIdSql = statement(
  'telegram-claim-id',
  `update telegram_messages set claimed_at = now()
   where id = $1 and status = 'queued' and (claimed_at is null or claimed_at < now() - interval '2 minutes')
   returning id, chat_id, thread_id, content`,
)
export async function claimTelegramById({ db }: Pick<Working, 'db'>, id: number): Promise<Claimed | null> {
  const [row] = await run<Claimed>(db, claimByIdSql, [id])
  return row ?? null
}

const noteSql = statement(
  'telegram-note',
  `update telegram_messages set status = $2, telegram_message_id = coalesce($3, telegram_message_id), error = $4,
     claimed_at = case when $2 = 'queued' then null else claimed_at end,
     sent_at = case when $2 = 'sent' then now() else sent_at end
   where id = $1`,
)
type Status = 'queued' | 'unknown' | 'sent' | 'failed'

/** `queued` gives it back for another try. */
export async function noteTelegram(
  { db }: Pick<Working, 'db'>,
  id: number,
  { status, messageId = null, error = null }: { status: Status; messageId?: number | null; error?: string | null },
): Promise<void> {
  await run(db, noteSql, [id, status, messageId === null ? null : String(messageId), error])
}

const forgetSql = statement(
  'telegram-forget',
  `delete from telegram_messages where created_at < now() - interval '30 days'`,
)
const forgetUpdatesSql = statement(
  'telegram-forget-updates',
  `delete from telegram_updates where created_at < now() - interval '30 days'`,
)
const forgetCodesSql = statement('telegram-forget-codes', `delete from telegram_link_codes where expires_at < now()`)

export async function forgetOldTelegram({ db }: Pick<Working, 'db'>): Promise<void> {
  await run(db, forgetSql)
  await run(db, forgetUpdatesSql)
  await run(db, forgetCodesSql)
}
