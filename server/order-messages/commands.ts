import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { promiseFields, sameSlot, slotOf, slotOn } from '@qatra/contract/calendar/slot'
import { allowsAction, isClosed, orderStatuses } from '@qatra/contract/orders/order-status'
import { staffSlotsFor } from '../calendar/delivery-days.ts'
import { readDeliveryTerms } from '../calendar/queries.ts'
import type { Config } from '../config/config.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { hasOpenWindow, preventMessage, queueMessage } from '../conversations/sending.commands.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue } from '../jobs/domain-events.ts'
import type { OrderNews, OrderText } from '../jobs/queues.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { hasOpenAttempt } from '../orders/attempts.queries.ts'
import { countEdits } from '../orders/queries.ts'
import type { Outgoing, TemplateMessage } from '../providers/message.ts'
import { attemptChoices, isOfSeveral, movedNews, orderNews } from './message.ts'
import { findClosedWindow, findOrderUpdate, mayBeReminded, type OrderUpdate } from './queries.ts'

/** How long to wait for a receipt of WhatsApp or of a notification. */
export const RECEIPT_WITHIN_SECONDS = 30

export interface News {
  phone: string
  message: TemplateMessage
  /** Buttons under the text while the service window is open; the template has its own. */
  choices?: readonly { id: string; title: string }[]
  /** Sent instead of the text while the service window is open. */
  open?: Outgoing
  /** A second message with the same key is not sent. */
  dedupeKey: string
  hasFallback: boolean
}

/**
 * Queues an order message by WhatsApp: free text while the customer's service window is open, otherwise the template.
 * Does not call the provider. Null if it was queued before.
 */
export async function queueNews(ctx: JobContext, { phone, message, choices, open, dedupeKey, hasFallback }: News) {
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const isOpen = await hasOpenWindow(ctx, contactId)
  const queued = await queueMessage(ctx, {
    to: { contactId },
    message: isOpen ? (open ?? openMessage(message, choices)) : message,
    dedupeKey,
    by: { type: 'system' },
  })
  if (queued && hasFallback) {
    await enqueue(ctx, 'news-fallback', { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
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
  if (queued) await enqueue(ctx, 'news-fallback', { messageId: queued.messageId }, RECEIPT_WITHIN_SECONDS)
  return true
}

const prefixes: Partial<Record<OrderText, string>> = {
  rescheduled: 'day-',
  edited: 'edit-',
  address: 'edit-',
  attempted: 'attempt-',
}
const isStatus = (kind: OrderText) => orderStatuses.some((status) => status === kind)
const newsKey = ({ id, kind, version }: OrderNews) =>
  `order:${id}:${prefixes[kind] ?? (isStatus(kind) ? '' : `${kind}-`)}${version}`
export const pushKey = (news: OrderNews) => `${newsKey(news)}:push`

/** The order, unless a later change sends its own message. */
export async function findCurrent(ctx: Pick<JobContext, 'db'>, news: OrderNews): Promise<OrderUpdate | null> {
  const order = await findOrderUpdate(ctx.db, news.id, pushKey(news))
  return order && (await isCurrent(ctx, order, news)) ? order : null
}

/** The order is locked; edits and status changes wait. */
async function isCurrent(ctx: Pick<JobContext, 'db'>, order: OrderUpdate, news: OrderNews) {
  const { id, kind, version, days: [day] = [] } = news
  // The other orders of the message are still to be announced if this one is closed.
  if (isOfSeveral(news)) return true
  if (kind === 'reminder') return order.status === 'delivered' && (await mayBeReminded(ctx.db, order.user_id))
  // Delivered or moved since.
  if (kind === 'attempted')
    return allowsAction(order.status, 'customer', 'rescheduleAfterAttempt') && hasOpenAttempt(ctx, id)
  if (kind === 'rescheduled')
    return !isClosed(order.status) && day !== undefined && sameSlot(slotOn(day), slotOf(order))
  if (kind === 'edited' || kind === 'address')
    return !isClosed(order.status) && (await countEdits(ctx, id)).all === version
  if (!isStatus(kind)) return !isClosed(order.status)
  // The confirmation of a new order is sent anyway.
  return order.status === kind || (kind === 'new' && order.status !== 'cancelled')
}

/** Queues the news of an order: as a notification if the customer has a device for it, else by WhatsApp. */
export async function queueOrderNews(ctx: JobContext, config: Config, news: OrderNews) {
  const order = await findCurrent(ctx, news)
  if (!order) return null
  if (!order.goes_by_push || !news.by?.includes('push')) return queueByWhatsapp(ctx, config, { order, news })
  await enqueue(ctx, 'order-push', news)
  // Also after the death of the worker that sends the notification.
  await enqueue(ctx, 'push-fallback', news, RECEIPT_WITHIN_SECONDS)
  return null
}

interface OfOrder {
  order: OrderUpdate
  news: OrderNews
}

async function queueByWhatsapp(ctx: JobContext, config: Config, { order, news }: OfOrder) {
  const { kind, days = [], by = ['sms'] } = news
  if (!mayGetWhatsapp(order.phone, config.codeCountries)) return null
  const announced = kind === 'attempted' ? await withNextDay(ctx, order) : order
  return queueNews(ctx, {
    phone: order.phone,
    message: isOfSeveral(news)
      ? movedNews({ language: order.language, days }, config.publicUrl)
      : orderNews(announced, kind, config.publicUrl),
    ...(kind === 'attempted' ? { choices: attemptChoices(announced) } : {}),
    // Asks once a day for an order.
    dedupeKey: newsKey(kind === 'attempted' ? { ...news, version: bahrainDate(order.now) } : news),
    hasFallback: by.includes('sms'),
  })
}

/** The order on the next open day, which the customer is offered. */
async function withNextDay({ db }: JobContext, order: OrderUpdate): Promise<OrderUpdate> {
  const [next] = staffSlotsFor(await readDeliveryTerms({ db }, order.vendor_id), order.now)
  return { ...order, ...promiseFields(next) }
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
