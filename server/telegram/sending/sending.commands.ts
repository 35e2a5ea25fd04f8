import { fit } from '@qatra/contract/lib/fit'
import { countStatus } from '../../conversations/metrics.ts'
import { run, statement } from '../../database/db.ts'
import type { JobContext } from '../../database/transaction.ts'
import { enqueue } from '../../jobs/domain-events.ts'
import { MAX_LENGTH } from './parts.ts'

export interface NewMessage {
  chatId: string
  threadId?: string | null
  text: string
  /** A second message with the same key is not sent. */
  dedupeKey: string
  /** Telegram's id of the message that this one replies to. */
  replyTo?: string | null
  userId?: number | null
  contactId?: number | null
  /** Our id of the mirrored message. */
  messageId?: number | null
  hasFile?: boolean
}

const insertSql = statement(
  'telegram-queue',
  `insert into telegram_messages (dedupe_key, chat_id, thread_id, content, user_id, contact_id, message_id, reply_to_id,
     has_file)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (dedupe_key) do nothing returning id`,
)

const insert = async ({ db }: Pick<JobContext, 'db'>, message: NewMessage) => {
  const { dedupeKey, chatId, threadId = null, text, userId = null, contactId = null } = message
  const { messageId = null, replyTo = null, hasFile = false } = message
  const values = [dedupeKey, chatId, threadId, fit(text, MAX_LENGTH), userId, contactId, messageId, replyTo, hasFile]
  const [row] = await run<{ id: number }>(db, insertSql, values)
  return row?.id ?? null
}

/** Sent after the commit; does nothing if the key was queued before. */
export async function queueTelegram(ctx: JobContext, message: NewMessage): Promise<void> {
  const id = await insert(ctx, message)
  if (id !== null) await enqueue(ctx, 'telegram-send', { id })
}

const claimed = 'returning id, chat_id, thread_id, content, reply_to_id'
// Claims of a dead worker are retried: a duplicate in a topic is better than a missing message.
const claimSql = statement(
  'telegram-claim',
  `update telegram_messages set claimed_at = now(), thread_id = coalesce($2, thread_id)
   where dedupe_key = $1 and status = 'queued' and (claimed_at is null or claimed_at < now() - interval '2 minutes')
   ${claimed}`,
)
const statusSql = statement('telegram-status', 'select status from telegram_messages where dedupe_key = $1')

export interface Claimed {
  id: number
  chat_id: string
  thread_id: string | null
  content: string
  reply_to_id: string | null
}

/** Claims the message with this key; `taken` if another worker has it, `done` if it was sent. */
export async function claimTelegram(
  ctx: Pick<JobContext, 'db'>,
  message: NewMessage,
): Promise<Claimed | 'taken' | 'done'> {
  await insert(ctx, message)
  const [row] = await run<Claimed>(ctx.db, claimSql, [message.dedupeKey, message.threadId ?? null])
  if (row) return row
  const [known] = await run<{ status: string }>(ctx.db, statusSql, [message.dedupeKey])
  return known?.status === 'queued' ? 'taken' : 'done'
}

const claimByIdSql = statement(
  'telegram-claim-id',
  `update telegram_messages set claimed_at = now()
   where id = $1 and status = 'queued' and (claimed_at is null or claimed_at < now() - interval '2 minutes')
   ${claimed}`,
)
export async function claimTelegramById({ db }: Pick<JobContext, 'db'>, id: number): Promise<Claimed | null> {
  const [row] = await run<Claimed>(db, claimByIdSql, [id])
  return row ?? null
}

const saveStatusSql = statement(
  'telegram-save-status',
  `update telegram_messages set status = $2, telegram_message_id = coalesce($3, telegram_message_id), error = $4,
     claimed_at = case when $2 = 'queued' then null else claimed_at end,
     sent_at = case when $2 = 'sent' then now() else sent_at end
   where id = $1 returning id`,
)
type Status = 'queued' | 'unknown' | 'sent' | 'failed'

/** `queued` returns it for another attempt. False if it was erased. */
export async function saveTelegramStatus(
  { db }: Pick<JobContext, 'db'>,
  id: number,
  { status, messageId = null, error = null }: { status: Status; messageId?: number | null; error?: string | null },
): Promise<boolean> {
  const rows = await run(db, saveStatusSql, [id, status, messageId === null ? null : String(messageId), error])
  if (rows.length > 0 && (status !== 'queued' || error !== null))
    countStatus('telegram', status === 'queued' ? 'postponed' : status)
  return rows.length > 0
}
