import type { Catalogue } from '../catalogue/queries.ts'
import { requestHandoff, resumeBot } from '../conversations/conversations.commands.ts'
import { markProcessed } from '../conversations/incoming.commands.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { wordsOf } from '../providers/message.ts'
import { processMessage, type TurnResult } from './dialogue.ts'
import { type Customer, createIntentRunner, type Parts, readCartOf } from './intent-runner.commands.ts'
import { type Memory, readMemory } from './memory.ts'
import { parseText } from './parse.ts'
import { mayAnswer } from './policy.ts'
import { findWaiting, lockContact, type Waiting } from './queries.ts'
import { runConversation } from './turn-context.ts'

/** Queue of messages for the bot. */
export const BOT_TURN = 'bot-turn'

const SENT_WITHIN_SECONDS = 5

/** Result of one processed message. */
export interface ProcessedTurn {
  contactId: number
  messageId: number
  /** Whether messages are queued for sending. */
  isAnswered: boolean
}

const sessionSql = statement(
  'bot-session-save',
  `insert into bot_sessions as s (contact_id, phone_number, current_state, current_vendor_id, context_data, language,
     delivery_latitude, delivery_longitude, delivery_address, address_notes, misunderstandings, last_message_id,
     last_message_at)
   select c.id, case when not exists (select from bot_sessions o where o.phone_number = c.phone and o.contact_id <> c.id)
       then c.phone end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now()
   from contacts c where c.id = $1
   on conflict (contact_id) do update set phone_number = excluded.phone_number, current_state = excluded.current_state,
     current_vendor_id = excluded.current_vendor_id, context_data = excluded.context_data, language = excluded.language,
     delivery_latitude = excluded.delivery_latitude, delivery_longitude = excluded.delivery_longitude,
     delivery_address = excluded.delivery_address, address_notes = excluded.address_notes,
     misunderstandings = excluded.misunderstandings, last_message_id = excluded.last_message_id,
     last_message_at = now(), updated_at = now()`,
)

const saveSession = ({ db }: { db: Db }, contactId: number, messageId: number, memory: Memory) =>
  run(db, sessionSql, [
    contactId,
    memory.state,
    memory.vendorId,
    JSON.stringify(memory),
    memory.language,
    memory.point?.lat ?? null,
    memory.point?.lng ?? null,
    memory.address,
    memory.notes,
    memory.misses,
    messageId,
  ])

const historySql = statement(
  'bot-history',
  `insert into bot_message_history (contact_id, message_id, phone_number, message_type, message_text, detected_intent,
     detected_language, bot_state, response_generated, processing_time_ms)
   select id, $2, phone, $3, $4, $5, $6, $7, $8, $9 from contacts where id = $1`,
)
const MAX_KEPT_LENGTH = 1_000

interface HistoryEntry {
  contactId: number
  intent: string
  /** State when the message arrived. */
  state: string
  response: string | null
  startedAt: number
}

async function writeHistory(
  { db }: { db: Db },
  { incoming }: Pick<Waiting, 'incoming'>,
  entry: HistoryEntry,
): Promise<void> {
  const { contactId, intent, state, response, startedAt } = entry
  // Codes and unverified numbers are not logged.
  const text = state === 'code' || state === 'phone' ? '••••' : incoming.content
  await run(db, historySql, [
    contactId,
    incoming.id,
    incoming.type,
    text.slice(0, MAX_KEPT_LENGTH).toWellFormed(),
    intent,
    incoming.type === 'text' ? parseText(incoming.content).writing : null,
    state,
    response?.slice(0, MAX_KEPT_LENGTH).toWellFormed() ?? null,
    Math.round(performance.now() - startedAt),
  ])
}

/**
 * Processes a contact's oldest unprocessed message. Effects, replies and the new state are committed together. Null if
 * there is none.
 */
export async function answerNext(
  ctx: JobContext,
  parts: Parts,
  catalogue: Catalogue,
  job: { messageId: number; contactId: number },
): Promise<ProcessedTurn | null> {
  const startedAt = performance.now()
  const held = await lockContact(ctx.db, job)
  const waiting = held === null ? null : await findWaiting(ctx.db, held)
  if (!waiting) return null
  if (waiting.isBehind) {
    // The worker of the earlier message continues with this one; this job runs a second later in case there is none.
    await enqueue(ctx, BOT_TURN, job, 1)
    return null
  }
  const { incoming } = waiting
  const memory = readMemory(waiting.memory, waiting.language)
  const may = mayAnswer(waiting, incoming)
  if (may === 'no') {
    await markProcessed(ctx, incoming.id, null)
    const entry = { contactId: waiting.contactId, intent: 'silent', state: memory.state, response: null, startedAt }
    await writeHistory(ctx, waiting, entry)
    return { contactId: waiting.contactId, messageId: incoming.id, isAnswered: false }
  }
  if (may === 'called-back') await resumeBot(ctx, waiting.contactId)
  const customer: Customer = {
    contactId: waiting.contactId,
    person: waiting.person,
    account: waiting.account,
    language: memory.language,
  }
  const result = await runTurn(ctx, { parts, catalogue, waiting, memory, customer })
  // If this process sends, the reply leaves right after the commit; the job covers a crash in between.
  const inSeconds = parts.config.whatsapp.provider === 'web' ? 0 : SENT_WITHIN_SECONDS
  const response = await queueReplies(ctx, { contactId: customer.contactId, messageId: incoming.id, result, inSeconds })
  await saveSession(ctx, customer.contactId, incoming.id, result.memory)
  await markProcessed(ctx, incoming.id, response)
  const { contactId } = customer
  await writeHistory(ctx, waiting, { contactId, intent: result.intent, state: memory.state, response, startedAt })
  return { contactId, messageId: incoming.id, isAnswered: response !== null }
}

interface TurnInput {
  parts: Parts
  catalogue: Catalogue
  waiting: Waiting
  memory: Memory
  customer: Customer
}

async function runTurn(
  ctx: JobContext,
  { parts, catalogue, waiting, memory, customer }: TurnInput,
): Promise<TurnResult> {
  const { incoming, person, now } = waiting
  const cart = await readCartOf(ctx, catalogue, customer, now)
  const conversation = processMessage(memory, incoming, { now, catalogue, person, cart })
  return runConversation(conversation, createIntentRunner(ctx, { parts, catalogue, customer, now }))
}

/** Queues the replies. Null if there are none. */
async function queueReplies(
  ctx: JobContext,
  {
    contactId,
    messageId,
    result,
    inSeconds,
  }: { contactId: number; messageId: number; result: TurnResult; inSeconds: number },
): Promise<string | null> {
  for (const [place, message] of result.replies.entries()) {
    // Uses the dedupe key of the order's own message, which would repeat the reply.
    const isNews = result.news !== null && place === result.replies.length - 1
    const dedupeKey =
      isNews && result.news ? `order:${result.news.id}:${result.news.version}` : `bot:${messageId}:${place}`
    await queueMessage(ctx, { to: { contactId }, message, dedupeKey, by: { type: 'bot' } }, { inSeconds })
  }
  return result.replies.length === 0 ? null : result.replies.map(wordsOf).join('\n\n')
}

/** A message that the bot fails on: hands the conversation to staff and continues with the next message. */
export async function handOverAfterError(
  ctx: JobContext,
  job: { messageId: number; contactId: number },
): Promise<void> {
  const startedAt = performance.now()
  const held = await lockContact(ctx.db, job)
  const waiting = held === null ? null : await findWaiting(ctx.db, held)
  if (!waiting) return
  const { contactId, incoming } = waiting
  await markProcessed(ctx, incoming.id, null)
  await requestHandoff(ctx, contactId, 'failed')
  await writeHistory(ctx, waiting, { contactId, intent: 'failed', state: 'idle', response: null, startedAt })
}

const oldHistorySql = statement(
  'bot-history-old',
  `delete from bot_message_history where created_at < now() - interval '90 days'`,
)
const oldSessionsSql = statement(
  'bot-sessions-old',
  `delete from bot_sessions where last_message_at < now() - interval '90 days'`,
)

/** Deletes conversation history after its retention period. */
export async function purgeBotTurns({ db }: { db: Db }): Promise<void> {
  await run(db, oldHistorySql)
  await run(db, oldSessionsSql)
}
