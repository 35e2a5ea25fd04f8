import { requestHandoff, resumeBot } from '../conversations/conversations.commands.ts'
import { markProcessed } from '../conversations/incoming.commands.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { wordsOf } from '../providers/message.ts'
import { processMessage, type TurnResult } from './dialogue/dialogue.ts'
import { type Memory, readMemory } from './dialogue/memory.ts'
import { runConversation } from './dialogue/turn-context.ts'
import { gatherHeard } from './gathering.ts'
import { isLate, isRepeating, leaveLate, ROBOT } from './hand-over.commands.ts'
import { type Job, type ProcessedTurn, writeHistory } from './history.commands.ts'
import { type Customer, createIntentRunner, type Parts, readCartOf } from './intent-runner.commands.ts'
import { recordMiss } from './knowledge/misses.commands.ts'
import type { KnownShop } from './knowledge/snapshot.queries.ts'
import { type Looked, type Suggested, withSuggestion } from './model/asking.ts'
import { findWaiting, lockContact, type Waiting, type WaitingMessage } from './queries.ts'
import { type Decision, decideReaction, instead } from './turn.ts'

const SENT_WITHIN_SECONDS = 5

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
     misunderstandings = excluded.misunderstandings,
     last_message_id = coalesce(excluded.last_message_id, s.last_message_id),
     last_message_at = now(), updated_at = now()`,
)

export const saveSession = ({ db }: { db: Db }, contactId: number, messageId: number | null, memory: Memory) =>
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

/**
 * Processes a contact's oldest unprocessed messages, those written right after each other as one turn. Effects, replies
 * and the new state are committed together. Null if there are none, or if the turn is not complete; `again` if the turn
 * is another one than the model was asked about.
 */
export async function answerNext(
  ctx: JobContext,
  parts: Parts,
  catalogue: KnownShop,
  { looked, ...job }: Job & { looked: Looked | null },
): Promise<ProcessedTurn | 'again' | null> {
  const startedAt = performance.now()
  const held = await lockContact(ctx.db, job)
  const waiting = held === null ? null : await findWaiting(ctx.db, held, job.messageId)
  if (!waiting) return null
  if (waiting.isBehind) {
    // The worker of the earlier message continues with this one; this job runs a second later in case there is none.
    await enqueue(ctx, 'bot-turn', job, 1)
    return null
  }
  const { messages, waitMs } = gatherHeard(waiting.messages, waiting.now, parts.config)
  if (waitMs > 0) {
    // The job of the newest message answers all. A transcript enqueues the turn: this one is for the case that none comes.
    if (messages.at(-1)?.id === job.messageId) await enqueue(ctx, 'bot-turn', job, waitMs / 1000)
    return null
  }
  if (looked && looked.last !== messages.at(-1)?.id) return 'again'
  const suggested = looked?.suggested ?? null
  if (!waiting.isBlocked && messages.some(({ at }) => isLate(at, waiting.now)))
    return leaveLate(ctx, { catalogue, waiting, messages, startedAt })
  return answerTurn(ctx, { parts, catalogue, waiting, messages, suggested, startedAt })
}

interface TurnInput {
  parts: Parts
  catalogue: KnownShop
  waiting: Waiting
  /** The messages of the turn, oldest first. */
  messages: readonly WaitingMessage[]
  suggested: Suggested | null
  startedAt: number
}

async function answerTurn(
  ctx: JobContext,
  { parts, catalogue, waiting, messages, suggested, startedAt }: TurnInput,
): Promise<ProcessedTurn> {
  let memory = readMemory(waiting.memory, waiting.language)
  const { contactId, person, account, now } = waiting
  const customer: Customer = { contactId, person, account, language: memory.language }
  let cart = await readCartOf(ctx, catalogue, customer, now)
  const decision: Decision<WaitingMessage> =
    waiting.isRobot || waiting.isBlocked
      ? { reaction: 'silent', decisive: [], steps: [] }
      : decideReaction(waiting, messages, { memory, catalogue, cart })
  const { reaction, decisive, steps } = decision
  const left = messages.filter((message) => !decisive.includes(message))
  for (const incoming of left) {
    await markProcessed(ctx, incoming.id, null)
    await writeHistory(ctx, { contactId, incoming, intent: 'silent', state: memory.state, response: null, startedAt })
  }
  if (reaction === 'resume') await resumeBot(ctx, contactId, null)
  if (reaction === 'resume' || reaction === 'answer') memory.isQuietSaid = false
  const responses: string[] = []
  for (const [place, { incoming: sent, meaning }] of steps.entries()) {
    const { state, lastAt } = memory
    const incoming = withSuggestion(sent, state, suggested)
    if (place > 0) cart = await readCartOf(ctx, catalogue, customer, now)
    const facts = { now, catalogue, person: customer.person, cart }
    const conversation = processMessage(memory, incoming, facts, { part: instead[reaction], meaning })
    const result = await runConversation(conversation, createIntentRunner(ctx, { parts, catalogue, customer, now }))
    // A verified number can have joined the contact with another one.
    const { contactId } = customer
    const response = await queueReplies(ctx, parts, { contactId, messageId: incoming.id, result })
    memory = result.memory
    // What the bot left to the person is no answer to a question of the bot.
    if (reaction === 'explain') memory.lastAt = lastAt
    if (result.intent === 'not-understood')
      await recordMiss(ctx, { contactId, messageId: incoming.id, text: incoming.content, state })
    await writeHistory(ctx, { contactId, incoming, intent: result.intent, state, response, startedAt })
    if (response !== null) responses.push(response)
  }
  const last = steps.at(-1)
  if (last) await saveSession(ctx, customer.contactId, last.incoming.id, memory)
  const response = responses.length === 0 ? null : responses.join('\n\n')
  for (const { id } of decisive) await markProcessed(ctx, id, response)
  return { contactId: customer.contactId, isAnswered: response !== null }
}

/** Queues the replies. Null if there are none. */
async function queueReplies(
  ctx: JobContext,
  { config }: Parts,
  { contactId, messageId, result }: { contactId: number; messageId: number; result: TurnResult },
): Promise<string | null> {
  // If this process sends, the reply leaves right after the commit; the job covers a crash in between.
  const inSeconds = config.whatsapp.provider === 'web' ? 0 : SENT_WITHIN_SECONDS
  if (await isRepeating(ctx, contactId, result.replies)) {
    await requestHandoff(ctx, contactId, ROBOT)
    return null
  }
  for (const [place, message] of result.replies.entries()) {
    // Uses the dedupe key of the order's own message, which would repeat the reply.
    const isNews = result.news !== null && place === result.replies.length - 1
    const dedupeKey =
      isNews && result.news ? `order:${result.news.id}:${result.news.version}` : `bot:${messageId}:${place}`
    await queueMessage(ctx, { to: { contactId }, message, dedupeKey, by: { type: 'bot' } }, { inSeconds })
  }
  return result.replies.length === 0 ? null : result.replies.map(wordsOf).join('\n\n')
}
