import { fit } from '@qatra/contract/fit'
import { eq, sql } from 'drizzle-orm'
import type { Update, User } from 'grammy/types'
import type pg from 'pg'
import { openDb, run, statement } from '../database/db.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { describeError } from '../lib/logger.ts'
import { answerCustomer } from './answers.commands.ts'
import { handlePrivateMessage } from './private.commands.ts'
import { telegramUpdates as updates } from './tables.ts'

/** Queue whose jobs process one update each. */
export const TELEGRAM_UPDATE = 'telegram-update'

const insertSql = statement(
  'telegram-update-store',
  'insert into telegram_updates (id, payload) values ($1, $2) on conflict (id) do nothing returning id',
)

/** PostgreSQL rejects NUL and unpaired surrogates. */
const storable = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value

/** Telegram's updates are less nested; deeper JSON could be rejected by the database. */
const DEEPEST = 64
const isTooDeep = (value: unknown, left: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1)))

/** Stores the update unparsed; duplicates are ignored. */
export async function storeUpdate(ctx: JobContext, update: unknown): Promise<void> {
  const id: unknown = typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : null
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return
  const payload = isTooDeep(update, DEEPEST) ? null : JSON.stringify(update, storable)
  const rows = await run(ctx.db, insertSql, [id, payload])
  if (rows.length > 0) await enqueue(ctx, TELEGRAM_UPDATE, { updateId: id })
}

export interface Place {
  groupId: string | null
  inboxUrl: string
}

/** Processes the update in one transaction with its effects, so retries are safe. */
export async function processUpdate(pool: pg.Pool, updateId: number, place: Place): Promise<void> {
  try {
    await runJobTransaction(pool, async (ctx) => {
      const [row] = await ctx.db.select().from(updates).where(eq(updates.id, updateId)).for('update')
      if (!row || row.status === 'processed' || row.status === 'ignored') return
      // Untrusted: every part is checked before use.
      const isHandled = await handleUpdate(ctx, row.payload as Partial<Update> | null, place)
      await ctx.db
        .update(updates)
        .set({ status: isHandled ? 'processed' : 'ignored', errorMessage: null, processedAt: sql`now()` })
        .where(eq(updates.id, updateId))
    })
  } catch (error) {
    const errorMessage = JSON.stringify(describeError(error)).slice(0, 500)
    await openDb(pool).update(updates).set({ status: 'failed', errorMessage }).where(eq(updates.id, updateId))
    throw error
  }
}

export interface GroupMessage {
  messageId: number
  chatId: string
  threadId: string | null
  /** The person's account, whose private chat has the same id. */
  fromId: string
  /** `@name` of the account, else the profile name. */
  fromName: string | null
  text: string | null
}

function read(update: Partial<Update> | null): (GroupMessage & { isPrivate: boolean }) | null {
  const message = update?.message
  const from = message?.from
  if (typeof message?.message_id !== 'number' || typeof message.chat?.id !== 'number') return null
  if (typeof from?.id !== 'number' || from.is_bot !== false) return null
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined
  // Service messages of Telegram are not staff messages.
  const { forum_topic_created: created, forum_topic_edited: edited } = message
  if (created || edited || message.forum_topic_closed || message.forum_topic_reopened) return null
  return {
    messageId: message.message_id,
    chatId: String(message.chat.id),
    isPrivate: message.chat.type === 'private',
    threadId: typeof thread === 'number' ? String(thread) : null,
    fromId: String(from.id),
    fromName: nameOf(from),
    text: typeof message.text === 'string' && message.text.trim() !== '' ? message.text.trim() : null,
  }
}

function nameOf({ username, first_name: first, last_name: last }: Partial<User>): string | null {
  if (typeof username === 'string' && /^\w{1,64}$/.test(username)) return `@${username}`
  const words = [first, last].filter((part) => typeof part === 'string').join(' ')
  return fit(words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), 64) || null
}

async function handleUpdate(ctx: JobContext, update: Partial<Update> | null, place: Place): Promise<boolean> {
  const message = read(update)
  if (!message) return false
  if (message.isPrivate) return handlePrivateMessage(ctx, message)
  const { threadId } = message
  if (message.chatId !== place.groupId || threadId === null) return false
  return answerCustomer(ctx, { ...message, threadId }, place.inboxUrl)
}
