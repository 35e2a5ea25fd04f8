import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { admitContact } from './contacts.commands.ts'
import { type Sender, storable } from './received.ts'

/** The change of a message by who sent it: the customer, or the shop on its own phone. */
export interface MessageChange {
  /** The provider's id of this change; it can arrive more than once. */
  providerId: string
  /** The provider's id of the changed message. */
  originalId: string
  /** Side of the changed message. */
  direction: 'incoming' | 'outgoing'
  /** The customer of the conversation. */
  customer: Sender
  at: Date
  /** The new text or caption; null if the message was deleted. */
  content: string | null
}

const originalSql = statement(
  'message-change-original',
  `select id from whatsapp_messages where message_id = $1 and contact_id = $2 and direction = $3`,
)
const earlySql = statement(
  'message-change-early',
  `insert into early_message_changes (change_id, message_id, contact_id, at, content)
   values ($1, $2, $3, $4, $5) on conflict (change_id) do nothing`,
)
// Locked first, as by the bot, which finishes its turn before or does not begin it.
const lockSql = statement(
  'message-change-hold',
  'select from whatsapp_conversation_threads where contact_id = $1 for update',
)
// The latest edit wins in any order of arrival; a deleted message stays deleted.
// The place of an earlier map link is not that of the new text.
const editSql = statement(
  'message-edit',
  `update whatsapp_messages set content = $2, edited_at = $3,
     payload = case when message_type = 'text' then payload - array['lat', 'lng', 'isLinkUnread'] else payload end
   where id = $1 and revoked_at is null and coalesce(edited_at <= $3, true) returning id`,
)
const revokeSql = statement(
  'message-revoke',
  `update whatsapp_messages set content = '', payload = '{}', revoked_at = $2, processed = true
   where id = $1 and revoked_at is null returning id`,
)

/** Keeps early changes of the two sides apart: nobody changes a message of the other side. */
const earlyKey = (direction: MessageChange['direction'], originalId: string) =>
  direction === 'incoming' ? originalId : `echo:${originalId}`

/**
 * Applies an edit or deletion, or stores it until the message arrives. The bot answers the latest text, and no
 * deleted message. Publishes `message.revoked` {messageId}.
 */
export async function changeMessage(ctx: JobContext, change: MessageChange): Promise<'changed' | 'kept' | 'early'> {
  // Locks the contact, for which the message itself waits too.
  const contactId = await admitContact(ctx, change.customer)
  const { providerId, originalId, direction, at, content } = change
  const [original] = await run<{ id: number }>(ctx.db, originalSql, [originalId, contactId, direction])
  if (original) return (await applyChange(ctx, { ...original, contactId }, change)) ? 'changed' : 'kept'
  const key = earlyKey(direction, originalId)
  await run(ctx.db, earlySql, [providerId, key, contactId, at, content === null ? null : storable(content)])
  return 'early'
}

export async function applyChange(
  ctx: JobContext,
  { id, contactId }: { id: number; contactId: number },
  { at, content }: Pick<MessageChange, 'at' | 'content'>,
): Promise<boolean> {
  await run(ctx.db, lockSql, [contactId])
  const rows =
    content === null ? await run(ctx.db, revokeSql, [id, at]) : await run(ctx.db, editSql, [id, storable(content), at])
  if (rows.length === 0) return false
  if (content === null) await publish(ctx, 'message.revoked', { messageId: id, contactId })
  await publish(ctx, 'conversation.changed', { contactId })
  return true
}

const claimSql = statement(
  'message-change-take',
  'delete from early_message_changes where message_id = $1 and contact_id = $2 returning at, content',
)

/** Deletes and returns the changes that arrived before their message, oldest first. Needs the lock of the contact. */
export async function claimEarlyChanges(
  { db }: Pick<JobContext, 'db'>,
  { originalId, direction }: Pick<MessageChange, 'originalId' | 'direction'>,
  contactId: number,
): Promise<Pick<MessageChange, 'at' | 'content'>[]> {
  const rows = await run<{ at: Date; content: string | null }>(db, claimSql, [
    earlyKey(direction, originalId),
    contactId,
  ])
  return rows.sort((a, b) => a.at.getTime() - b.at.getTime())
}
