import type { Coordinates } from '@qatra/contract/places/geo'
import { parseLoginWord } from '../auth/message-login.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue, publish } from '../jobs/domain-events.ts'
import { applyChange, claimEarlyChanges } from './changes.commands.ts'
import { admitContact, storeReferral } from './contacts.commands.ts'
import {
  markConversationRead,
  PAUSE_HOURS,
  pauseAfterStaffReply,
  recordIncoming,
  recordOutgoing,
} from './conversations.commands.ts'
import { optWordIn } from './opt-out-words.ts'
import { isBlockedForAll } from './policy.ts'
import { ratingIn } from './ratings.ts'
import { type Echo, type Received, type ReceivedParts, storable, typesWithFile } from './received.ts'

const insertSql = statement(
  'message-receive',
  `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, message_type, content, payload,
     context_message_id, status, sent_by_type, timestamp, read_by_admin)
   values ($1, $2, $3, 'incoming', $4, $5, $6, $7, $8, 'received', 'customer', least($9, now()), $5 = 'reaction')
   on conflict (message_id) do nothing returning id, timestamp,
     (select ${isBlockedForAll('c')} from contacts c where c.id = $2) as "isBlocked"`,
)
const knownSql = statement('message-received', 'select id, contact_id from whatsapp_messages where message_id = $1')

export interface ReceivedMessage {
  messageId: number
  contactId: number
  /** False if the message was stored before; nothing happened then. */
  isNew: boolean
  /** The sender deleted it before it arrived. */
  isRevoked: boolean
}

/** Reactions, ratings, opt-outs and login words are answered by nobody, or by themselves. */
export const isForPeople = ({ type, parts }: Pick<Received, 'type' | 'parts'>, content: string): boolean =>
  type !== 'reaction' && ratingIn(parts) === null && optWordIn(content) !== 'stop' && parseLoginWord(content) === null

/**
 * Stores an incoming message of any channel with its contact and conversation, and publishes `message.received`. A
 * repeated message changes nothing.
 */
export async function receiveMessage(ctx: JobContext, received: Received): Promise<ReceivedMessage> {
  const [before] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [received.providerId])
  if (before) return { messageId: before.id, contactId: before.contact_id, isNew: false, isRevoked: false }
  // The provider identifies the sender; message text and contact cards are not trusted.
  const contactId = await admitContact(ctx, received.from)
  const early = await claimEarlyChanges(ctx, { originalId: received.providerId, direction: 'incoming' }, contactId)
  const content = storable(received.content)
  const [row] = await run<{ id: number; timestamp: Date; isBlocked: boolean }>(ctx.db, insertSql, [
    received.providerId,
    contactId,
    received.from.phone,
    received.channel,
    received.type,
    content,
    storableJson(received.parts),
    received.contextId,
    received.at,
  ])
  if (!row) {
    const [other] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [received.providerId])
    if (!other) throw new Error('The message was there a moment ago')
    return { messageId: other.id, contactId: other.contact_id, isNew: false, isRevoked: false }
  }
  const isForPerson = !row.isBlocked && isForPeople(received, content)
  const isAwaited = await recordIncoming(ctx, contactId, { messageId: row.id, at: row.timestamp, isForPerson })
  const { referral } = received.parts
  if (referral) await storeReferral(ctx, contactId, referral, row.timestamp)
  for (const change of early) await applyChange(ctx, { id: row.id, contactId }, change)
  if (early.some((change) => change.content === null)) {
    return { messageId: row.id, contactId, isNew: true, isRevoked: true }
  }
  const latest = early.at(-1)?.content ?? content
  const news = { messageId: row.id, contactId, isAwaited, isForPerson }
  await publish(ctx, 'message.received', news, { ...received, content: latest })
  if (typesWithFile.includes(received.type) && received.parts.mediaId)
    await enqueue(ctx, 'message-files', { messageId: row.id })
  return { messageId: row.id, contactId, isNew: true, isRevoked: false }
}

const echoSql = statement(
  'message-echo',
  `insert into whatsapp_messages (message_id, contact_id, to_number, direction, channel, message_type, content, payload,
     context_message_id, status, sent_by_type, timestamp, sent_at, created_at)
   values ($1, $2, $3, 'outgoing', 'whatsapp', $4, $5, $6, $7, 'sent', 'phone', least($8, now()), least($8, now()), least($8, now()))
   on conflict (message_id) do nothing returning id`,
)
const ECHO_PAUSES_MS = PAUSE_HOURS * 3_600_000

/**
 * Stores a message that the shop sent from its own phone, which answers the customer: pauses the bot and marks the
 * conversation as read. A reaction is no answer. A repeated message changes nothing, nor does one that this system sent
 * itself.
 */
export async function receiveEcho(ctx: JobContext, echo: Echo): Promise<ReceivedMessage> {
  const [before] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [echo.providerId])
  if (before) return { messageId: before.id, contactId: before.contact_id, isNew: false, isRevoked: false }
  const contactId = await admitContact(ctx, echo.to)
  const { providerId, to, type, parts, contextId, at } = echo
  const [row] = await run<{ id: number }>(ctx.db, echoSql, [
    ...[providerId, contactId, to.phone, type, storable(echo.content), storableJson(parts), contextId, at],
  ])
  if (!row) return { messageId: 0, contactId, isNew: false, isRevoked: false }
  await recordOutgoing(ctx, contactId, row.id)
  // Not after an outage, when somebody else has answered meanwhile.
  const isAnswer = type !== 'reaction' && Date.now() - at.getTime() < ECHO_PAUSES_MS
  if (isAnswer) await pauseAfterStaffReply(ctx, contactId, null)
  await markConversationRead(ctx, contactId)
  const early = await claimEarlyChanges(ctx, { originalId: providerId, direction: 'outgoing' }, contactId)
  for (const change of early) await applyChange(ctx, { id: row.id, contactId }, change)
  const isRevoked = early.some(({ content }) => content === null)
  if (!isRevoked && typesWithFile.includes(type) && parts.mediaId)
    await enqueue(ctx, 'message-files', { messageId: row.id })
  return { messageId: row.id, contactId, isNew: true, isRevoked }
}

const processedSql = statement(
  'message-worked',
  `update whatsapp_messages set processed = true, bot_response_sent = $2::text is not null, bot_response_text = $2
   where id = $1`,
)

/** Stores the bot's reply; null if the bot did not answer. */
export async function markProcessed(
  { db }: Pick<JobContext, 'db'>,
  messageId: number,
  response: string | null,
): Promise<void> {
  await run(db, processedSql, [messageId, response])
}

const storableJson = (parts: object) =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value))
const transcriptSql = statement(
  'message-transcript',
  `update whatsapp_messages set payload = coalesce(payload, '{}') || $2::jsonb,
     content = coalesce(nullif($3, ''), content)
   where id = $1 and direction = 'incoming' and revoked_at is null returning contact_id`,
)

/** Stores what was heard in a voice message as its text; empty if nothing was. The bot, which waits for it, goes on. */
export async function saveTranscript(
  ctx: JobContext,
  messageId: number,
  { transcript, hasBot }: { transcript: string; hasBot: boolean },
): Promise<void> {
  const parts = storableJson({ transcript } satisfies ReceivedParts)
  const [row] = await run<{ contact_id: number }>(ctx.db, transcriptSql, [messageId, parts, storable(transcript)])
  if (!row) return
  const { contact_id: contactId } = row
  if (transcript !== '') await publish(ctx, 'conversation.changed', { contactId })
  if (hasBot) await enqueue(ctx, 'bot-turn', { messageId, contactId })
}

const placeSql = statement(
  'message-place',
  `update whatsapp_messages set payload = coalesce(payload, '{}') || $2::jsonb where id = $1 and not processed`,
)

/** Stores where the map link of an incoming message leads to; null if it could not be read. */
export async function saveMapPoint(
  { db }: Pick<JobContext, 'db'>,
  messageId: number,
  point: Coordinates | null,
): Promise<void> {
  const parts: ReceivedParts = point ? { lat: point.lat, lng: point.lng } : { isLinkUnread: true }
  await run(db, placeSql, [messageId, JSON.stringify(parts)])
}
