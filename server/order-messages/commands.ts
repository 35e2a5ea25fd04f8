import type { OrderStatus } from '@qatra/contract/order-status'
import type { Config } from '../config/config.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { hasOpenWindow, preventMessage, queueMessage } from '../conversations/sending.commands.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import type { Outgoing, TemplateMessage } from '../providers/message.ts'
import { findClosedWindow, findOrderUpdate, type OrderUpdate } from './customer.queries.ts'
import { orderNews } from './message.ts'

/** Queue that sends by SMS what WhatsApp did not deliver. */
export const NEWS_FALLBACK = 'news-fallback'
/** How long to wait for a receipt of WhatsApp or of a notification. */
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
    message: isOpen ? openMessage(message, choices) : message,
    dedupeKey,
    by: { type: 'system' },
  })
  if (queued && hasFallback) {
    await enqueue(ctx, NEWS_FALLBACK, { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
  }
  return queued
}

const openMessage = (template: TemplateMessage, choices: News['choices']): Outgoing =>
  choices
    ? { type: 'buttons', text: template.text, buttons: choices, template }
    : { type: 'text', text: template.text, template }

/**
 * Repeats news as its template if the provider refused the free text because the service window is closed. Returns
 * whether the template takes over, also if it was queued before.
 */
export async function repeatAsTemplate(ctx: JobContext, messageId: number): Promise<boolean> {
  const refused = await findClosedWindow(ctx.db, messageId)
  if (!refused) return false
  const { contact_id: contactId, template, dedupe_key: key } = refused
  const dedupeKey = `${key}:template`
  const queued = await queueMessage(ctx, { to: { contactId }, message: template, dedupeKey, by: { type: 'system' } })
  if (queued) await enqueue(ctx, NEWS_FALLBACK, { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
  return true
}

export interface OrderNews {
  id: string
  to: OrderStatus
  /** The order's version after this change: one message per version, however often the job runs. */
  version: number
}

/** Queue that sends notifications, and the one that sends by WhatsApp what no device has confirmed. */
export const ORDER_PUSH = 'order-push'
export const PUSH_FALLBACK = 'push-fallback'

export const newsKey = ({ id, version }: OrderNews) => `order:${id}:${version}`
export const pushKey = (news: OrderNews) => `${newsKey(news)}:push`

/** The order, unless a later change sends its own message; the confirmation of a new order is sent anyway. */
export async function findCurrent({ db }: Pick<JobContext, 'db'>, news: OrderNews): Promise<OrderUpdate | null> {
  const order = await findOrderUpdate(db, news.id, pushKey(news))
  const isCurrent = order?.status === news.to || (news.to === 'new' && order?.status !== 'cancelled')
  return isCurrent ? order : null
}

/** Queues the news of an order's status: as a notification if the customer has a device for it, else by WhatsApp. */
export async function queueOrderNews(ctx: JobContext, config: Config, news: OrderNews) {
  const order = await findCurrent(ctx, news)
  if (!order) return null
  if (!order.goes_by_push) return queueByWhatsapp(ctx, config, { order, news })
  await enqueue(ctx, ORDER_PUSH, news)
  // Also after the death of the worker that sends the notification.
  await enqueue(ctx, PUSH_FALLBACK, news, RECEIPT_WITHIN_SECONDS)
  return null
}

function queueByWhatsapp(ctx: JobContext, config: Config, { order, news }: { order: OrderUpdate; news: OrderNews }) {
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return null
  const message = orderNews(order, news.to, config.publicUrl)
  return queueNews(ctx, { phone: order.phone, message, dedupeKey: newsKey(news), hasFallback: true })
}

/**
 * Queues by WhatsApp what no device has confirmed. The notification fails first, in the same transaction: it is not sent
 * later, and a late confirmation changes nothing.
 */
export async function fallBackToWhatsapp(ctx: JobContext, config: Config, news: OrderNews) {
  const order = await findCurrent(ctx, news)
  if (!order) return null
  const message = { dedupeKey: pushKey(news), to: order.phone, channel: 'push', type: 'text', content: '' } as const
  if (!(await preventMessage(ctx, message))) return null
  return queueByWhatsapp(ctx, config, { order, news })
}
