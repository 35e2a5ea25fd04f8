import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { type EventFilter, enqueue, publish } from '../jobs/domain-events.ts'
import { admitContact } from './contacts.commands.ts'
import { noteIncoming } from './conversations.commands.ts'
import { type Received, typesWithFile } from './received.ts'

const insertSql = statement(
  'message-receive',
  `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, message_type, content, payload,
     context_message_id, status, sent_by_type, timestamp)
   values ($1, $2, $3, 'incoming', $4, $5, $6, $7, $8, 'received', 'customer', least($9, now()))
   on conflict (message_id) do nothing returning id, timestamp`,
)
const knownSql = statement('message-received', 'select id, contact_id from whatsapp_messages where message_id = $1')

/** Queue of files to fetch from the provider. */
export const FILES = 'message-files'

/** Event filter: enqueues the job only for messages that pass the predicate. */
export const messagesThat =
  (pass: (message: Pick<Received, 'type' | 'content' | 'parts'>) => boolean): EventFilter =>
  (about) =>
    pass(about as Received) // only `receiveMessage` publishes messages

export interface Noted {
  messageId: number
  contactId: number
  /** False if the message was stored before; nothing happened then. */
  isNew: boolean
}

/**
 * Stores an incoming message of any channel with its contact and conversation, and publishes `message.received`
 * {messageId, contactId}. A repeated message changes nothing.
 */
export async function receiveMessage(ctx: JobContext, received: Received): Promise<Noted> {
  const [before] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [received.providerId])
  if (before) return { messageId: before.id, contactId: before.contact_id, isNew: false }
  // The provider identifies the sender; message text and contact cards are not trusted.
  const contactId = await admitContact(ctx, received.from)
  const content = storable(received.content)
  const [row] = await run<{ id: number; timestamp: Date }>(ctx.db, insertSql, [
    received.providerId,
    contactId,
    received.from.phone,
    received.channel,
    received.type,
    content,
    JSON.stringify(received.parts, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value)),
    received.contextId,
    received.at,
  ])
  if (!row) {
    const [other] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [received.providerId])
    if (!other) throw new Error('The message was there a moment ago')
    return { messageId: other.id, contactId: other.contact_id, isNew: false }
  }
  await noteIncoming(ctx, contactId, row.id, row.timestamp)
  await publish(ctx, 'message.received', { messageId: row.id, contactId }, { ...received, content })
  if (typesWithFile.includes(received.type) && received.parts.mediaId) await enqueue(ctx, FILES, { messageId: row.id })
  return { messageId: row.id, contactId, isNew: true }
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

/** PostgreSQL rejects NUL and unpaired surrogates. */
const storable = (text: string) => text.replaceAll('\u0000', '').toWellFormed()
