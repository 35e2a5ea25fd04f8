import { run, statement } from '../database/db.ts'
import { publish, enqueue } from '../jobs/domain-events.ts'
import type { JobContext } from '../database/transaction.ts'
import { admitContact } from './contacts.commands.ts'
import type { TemplateMessage } from './message.ts'
import { hasOpenWindow, queueMessage } from './sending.commands.ts'

/** The queue that sends by SMS what WhatsApp did not bring. */
export const NEWS_FALLBACK = 'news-fallback'
/** How long a receipt of WhatsApp is waited for. */
export const RECEIPT_WITHIN_SECONDS = 30

export interface News {
  phone: string
  message: TemplateMessage
  /** The same news is never sent twice. */
  dedupeKey: string
  hasFallback: boolean
}

/**
 * News by WhatsApp: plain words while the customer's service window is open, else the template. Nothing is asked of the
 * provider here. Null where it was told before.
 */
export async function queueNews(ctx: JobContext, { phone, message, dedupeKey, hasFallback }: News) {
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const isOpen = await hasOpenWindow(ctx, contactId)
  const queued = await queueMessage(ctx, {
    to: { contactId },
    message: isOpen ? { type: 'text', text: message.text } : message,
    dedupeKey,
    by: { type: 'system' },
  })
  if (queued && hasFallback) {
    await enqueue(ctx, NEWS_FALLBACK, { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
  }
  return queued
}

const withdrawSql = statement(
  'message-withdraw',
  `update whatsapp_messages set status = 'failed', timestamp = now(),
     errors = errors || '[{"kind": "replaced", "code": "REPLACED", "text": "It waited too long and went by SMS"}]'
   where id = $1 and status = 'queued' and claimed_at is null returning contact_id`,
)

/** What nobody has taken on yet does not go by WhatsApp any more. */
export async function withdrawMessage(ctx: JobContext, messageId: number): Promise<void> {
  const [row] = await run<{ contact_id: number | null }>(ctx.db, withdrawSql, [messageId])
  if (!row) return
  await publish(ctx, 'message.status-changed', { messageId, contactId: row.contact_id, status: 'failed' })
}
