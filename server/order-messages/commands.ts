import { admitContact } from '../conversations/contacts.commands.ts'
import { hasOpenWindow, queueMessage } from '../conversations/sending.commands.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import type { TemplateMessage } from '../providers/message.ts'

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
