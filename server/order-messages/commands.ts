import { admitContact } from '../conversations/contacts.commands.ts'
import { hasOpenWindow, queueMessage } from '../conversations/sending.commands.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import type { Outgoing, TemplateMessage } from '../providers/message.ts'

/** Queue that sends by SMS what WhatsApp did not deliver. */
export const NEWS_FALLBACK = 'news-fallback'
/** How long to wait for a receipt of WhatsApp. */
export const RECEIPT_WITHIN_SECONDS = 30

export interface News {
  phone: string
  message: TemplateMessage
  /** Buttons under the text while the service window is open; the template has its own. */
  choices?: readonly { id: string; title: string }[]
  /** A second message with the same key is not sent. */
  dedupeKey: string
  hasFallback: boolean
}

/**
 * Queues an order message by WhatsApp: free text while the customer's service window is open, otherwise the template.
 * Does not call the provider. Null if it was queued before.
 */
export async function queueNews(ctx: JobContext, { phone, message, choices, dedupeKey, hasFallback }: News) {
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const isOpen = await hasOpenWindow(ctx, contactId)
  const queued = await queueMessage(ctx, {
    to: { contactId },
    message: isOpen ? openMessage(message.text, choices) : message,
    dedupeKey,
    by: { type: 'system' },
  })
  if (queued && hasFallback) {
    await enqueue(ctx, NEWS_FALLBACK, { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
  }
  return queued
}

const openMessage = (text: string, choices: News['choices']): Outgoing =>
  choices ? { type: 'buttons', text, buttons: choices } : { type: 'text', text }
