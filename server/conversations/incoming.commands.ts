import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { type EventFilter, enqueue, publish } from '../jobs/domain-events.ts'
import { admitContact } from './contacts.commands.ts'
import { noteIncoming } from './conversations.commands.ts'
import type { Received } from './received.ts'

const insertSql = statement(
  'message-receive',
  `insert into whatsapp_messages (message_id, contact_id, from_number, direction, channel, message_type, content, payload,
     context_message_id, status, sent_by_type, timestamp)
   values ($1, $2, $3, 'incoming', $4, $5, $6, $7, $8, 'received', 'customer', least($9, now()))
   on conflict (message_id) do nothing returning id, timestamp`,
)
const knownSql = statement('message-received', 'select id, contact_id from whatsapp_messages where message_id = $1')

/** The queue of pictures that are to be fetched from the provider. */
export const PICTURES = 'message-pictures'
/** The same for voice messages, videos and documents. */
export const FILES = 'message-files'

const queueOf: Partial<Record<Received['type'], string>> = {
  ...{ image: PICTURES, sticker: PICTURES },
  ...{ audio: FILES, video: FILES, document: FILES },
}

/** For who works on few messages: told of those alone that pass this look. */
export const messagesThat =
  (pass: (message: Pick<Received, 'type' | 'content' | 'parts'>) => boolean): EventFilter =>
  (about) =>
    pass(about as Received) // `receiveMessage` alone announces messages

export interface Noted {
  messageId: number
  contactId: number
  /** False where the same message had come before: nothing happened. */
  isNew: boolean
}

/**
 * The way in, whatever channel: contact, message and conversation, and `message.received` {messageId, contactId} for
 * whoever answers, mirrors or reads it. A message that comes again changes nothing.
 */
export async function receiveMessage(ctx: JobContext, received: Received): Promise<Noted> {
  const [before] = await run<{ id: number; contact_id: number }>(ctx.db, knownSql, [received.providerId])
  if (before) return { messageId: before.id, contactId: before.contact_id, isNew: false }
  // Who somebody is, the provider says; never what they wrote, typed or on a card.
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
  const queue = queueOf[received.type]
  if (queue && received.parts.mediaId) await enqueue(ctx, queue, { messageId: row.id })
  return { messageId: row.id, contactId, isNew: true }
}

const workedSql = statement(
  'message-worked',
  `update whatsapp_messages set processed = true, bot_response_sent = $2::text is not null, bot_response_text = $2
   where id = $1`,
)

/** The bot has worked on it, and answered this; null where it was silent. */
export async function noteWorked(
  { db }: Pick<JobContext, 'db'>,
  messageId: number,
  response: string | null,
): Promise<void> {
  await run(db, workedSql, [messageId, response])
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair. */
const storable = (text: string) => text.replaceAll('\u0000', '').toWellFormed()
