import { cut, fit } from '@qatra/contract/lib/fit'
import { MAX_UPLOAD_BYTES } from '@qatra/contract/whatsapp/inbox/files'
import { eq, sql } from 'drizzle-orm'
import type { Message, Update, User } from 'grammy/types'
import type pg from 'pg'
import { findVendorIds } from '../../conversations/policy.ts'
import { openDb, run, statement } from '../../database/db.ts'
import { type JobContext, runJobTransaction } from '../../database/transaction.ts'
import type { NewFile } from '../../inbox/files.commands.ts'
import { fileToSend } from '../../inbox/uploads.commands.ts'
import { enqueue, publish } from '../../jobs/domain-events.ts'
import { describeError } from '../../lib/logger.ts'
import type { FetchedMedia } from '../../providers/provider.ts'
import { originOf, saveChatBlocked, saveChatMove } from '../linking/chats.commands.ts'
import { handlePrivateMessage } from '../linking/link.commands.ts'
import { answerRefusal, findLinked } from '../queries.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { telegramUpdates as updates } from '../tables.ts'
import { answerCustomer, findContactOfTopic, type TopicFile } from '../topics/answers.commands.ts'
import { inBoth } from '../words.ts'

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
  if (rows.length > 0) await enqueue(ctx, 'telegram-update', { updateId: id })
}

export interface Place {
  groupId: string | null
  inboxUrl: string
  fetchFile: (fileId: string, maxBytes: number) => Promise<FetchedMedia>
}

/**
 * The file of staff who may answer, fetched before the transaction; null if the update has none. Throws while Telegram
 * does not give it.
 */
async function fetchFileOf(pool: pg.Pool, updateId: number, place: Place): Promise<NewFile | 'refused' | null> {
  const db = openDb(pool)
  const [row] = await db.select().from(updates).where(eq(updates.id, updateId))
  if (!row || row.status === 'processed' || row.status === 'ignored') return null
  const message = read(row.payload as Partial<Update> | null) // checked by `read`
  if (!message?.file || message.isPrivate || message.threadId === null || message.hindrance) return null
  if ((await originOf(db, message.chatId)) !== place.groupId) return null
  const person = await findLinked(db, message.fromId)
  const contactId = await findContactOfTopic(db, message.threadId)
  if (contactId === null || answerRefusal(person, await findVendorIds(db, contactId)) !== null) return null
  const fetched = await place.fetchFile(message.file.fileId, MAX_UPLOAD_BYTES)
  if (!fetched.ok && fetched.kind === 'busy') throw new Error('Telegram does not give the file')
  if (!fetched.ok) return 'refused'
  const { buffer, byteOffset, byteLength } = fetched.bytes
  const file = await fileToSend(Buffer.from(buffer, byteOffset, byteLength))
  return typeof file === 'string' ? 'refused' : file
}

/** An answer that could not be processed in any attempt: its topic is told. */
async function tellFailure(ctx: JobContext, update: Partial<Update> | null): Promise<void> {
  const message = read(update)
  const contactId = message?.threadId ? await findContactOfTopic(ctx.db, message.threadId) : null
  if (!message || contactId === null) return
  const { chatId, threadId, messageId } = message
  const text = inBoth('telegram.failed', '\n')
  const dedupeKey = `answer:${chatId}:${messageId}`
  await queueTelegram(ctx, { chatId, threadId, contactId, replyTo: String(messageId), text, dedupeKey })
}

/**
 * Processes the update in one transaction with its effects, so retries are safe.
 * @param isLast no further attempt follows
 */
export async function processUpdate(pool: pg.Pool, updateId: number, place: Place, isLast = false): Promise<void> {
  try {
    const file = await fetchFileOf(pool, updateId, place)
    await runJobTransaction(pool, async (ctx) => {
      const [row] = await ctx.db.select().from(updates).where(eq(updates.id, updateId)).for('update')
      if (!row || row.status === 'processed' || row.status === 'ignored') return
      // Untrusted: every part is checked before use.
      const isHandled = await handleUpdate(ctx, row.payload as Partial<Update> | null, { ...place, file })
      await ctx.db
        .update(updates)
        .set({ status: isHandled ? 'processed' : 'ignored', errorMessage: null, processedAt: sql`now()` })
        .where(eq(updates.id, updateId))
    })
  } catch (error) {
    const errorMessage = cut(JSON.stringify(describeError(error)), 500)
    const [row] = await openDb(pool)
      .update(updates)
      .set({ status: 'failed', errorMessage })
      .where(eq(updates.id, updateId))
      .returning({ payload: updates.payload })
    const payload = row?.payload as Partial<Update> | null // checked by `read`
    if (isLast) await runJobTransaction(pool, (ctx) => tellFailure(ctx, payload ?? null))
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
  /** The text, or the caption of a file. */
  text: string | null
  file: TopicFile | null
  location: { lat: number; lng: number } | null
  /** Telegram's id of the message that it replies to. */
  replyTo: number | null
  /** Why it cannot be an answer: Telegram hides who wrote it, or it changes an earlier message. */
  hindrance: 'anonymous' | 'edited' | null
}

function fileIn(message: Partial<Message>): TopicFile | null {
  const photo = Array.isArray(message.photo) ? message.photo.at(-1) : undefined
  const found = photo ?? message.voice ?? message.audio ?? message.video ?? message.document
  if (typeof found?.file_id !== 'string') return null
  const name = 'file_name' in found && typeof found.file_name === 'string' ? found.file_name : null
  return { fileId: found.file_id, name, isVoice: found === message.voice }
}

function locationIn({ location }: Partial<Message>): GroupMessage['location'] {
  const { latitude: lat, longitude: lng } = location ?? {}
  return typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null
}

function read(update: Partial<Update> | null): (GroupMessage & { isPrivate: boolean }) | null {
  const message = update?.message ?? update?.edited_message
  const from = message?.from
  if (typeof message?.message_id !== 'number' || typeof message.chat?.id !== 'number') return null
  // Anonymous administrators and channels write through an account of Telegram's own.
  const isAnonymous = typeof message.sender_chat?.id === 'number'
  if (typeof from?.id !== 'number' || (from.is_bot !== false && !isAnonymous)) return null
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
    text: wordsIn(message.text) ?? wordsIn(message.caption),
    file: fileIn(message),
    location: locationIn(message),
    replyTo: message.reply_to_message?.message_id ?? null,
    hindrance: isAnonymous ? 'anonymous' : update?.message ? null : 'edited',
  }
}

const wordsIn = (text: unknown) => (typeof text === 'string' && text.trim() !== '' ? text.trim() : null)

function nameOf({ username, first_name: first, last_name: last }: Partial<User>): string | null {
  if (typeof username === 'string' && /^\w{1,64}$/.test(username)) return `@${username}`
  const words = [first, last].filter((part) => typeof part === 'string').join(' ')
  return fit(words.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), 64) || null
}

/** The bot itself was blocked, removed or admitted. */
function readMember(update: Partial<Update> | null) {
  const change = update?.my_chat_member
  const status = change?.new_chat_member?.status
  if (typeof change?.chat?.id !== 'number' || typeof status !== 'string') return null
  return { chatId: String(change.chat.id), isGone: status === 'kicked' || status === 'left' }
}

async function handleMember(ctx: JobContext, { chatId, isGone }: { chatId: string; isGone: boolean }, place: Place) {
  const origin = await originOf(ctx.db, chatId)
  const hasChanged = await saveChatBlocked(ctx, origin, isGone)
  if (hasChanged && isGone && origin === place.groupId) await publish(ctx, 'telegram.group-lost', {})
  return true
}

/** Telegram tells a group's new id in both groups. */
function readMove(update: Partial<Update> | null): { from: string; to: string } | null {
  const message = update?.message
  if (typeof message?.chat?.id !== 'number') return null
  const { migrate_to_chat_id: to, migrate_from_chat_id: from, chat } = message
  if (typeof to === 'number') return { from: String(chat.id), to: String(to) }
  return typeof from === 'number' ? { from: String(from), to: String(chat.id) } : null
}

async function handleUpdate(
  ctx: JobContext,
  update: Partial<Update> | null,
  place: Place & { file: NewFile | 'refused' | null },
): Promise<boolean> {
  const member = readMember(update)
  if (member) return handleMember(ctx, member, place)
  const move = readMove(update)
  if (move) {
    await saveChatMove(ctx, move.from, move.to)
    return true
  }
  const message = read(update)
  if (!message) return false
  if (message.isPrivate) return message.hindrance === null && handlePrivateMessage(ctx, message)
  const { threadId } = message
  const chatId = await originOf(ctx.db, message.chatId)
  if (chatId !== place.groupId || threadId === null) return false
  return answerCustomer(ctx, { ...message, chatId, threadId, fetched: place.file }, place.inboxUrl)
}
