import { type PromiseFields, slotOf, slotOn, slotWords } from '@qatra/contract/calendar/slot'
import { fit } from '@qatra/contract/lib/fit'
import { inLang, type Lang } from '@qatra/contract/lib/lang'
import { type Fils, formatMoney } from '@qatra/contract/lib/money'
import { formatItemList, type ItemList } from '@qatra/contract/orders/history'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import type { OrderNews, OrderText } from '../jobs/queues.ts'
import { translatorFor } from '../lib/translate.ts'
import { orderTemplates } from '../notifications/event-messages.ts'
import { limits, type MediaMessage, type TemplateMessage } from '../providers/message.ts'

export interface OrderFacts extends PromiseFields {
  id: string
  vendor_name: string
  vendor_name_ar: string | null
  total: Fils
  /** What is still to pay in cash. */
  cash_due?: Fils
  is_paid?: boolean
  language: Lang
  /** Of a partial delivery: the delivered items. */
  delivered_items?: ItemList | null
}

const vendorOf = ({ language, vendor_name: name, vendor_name_ar: nameAr }: OrderFacts) => inLang(language, name, nameAr)

type NewsContent = Pick<OrderNews, 'kind' | 'days'>

/** Several moved orders of a customer are one message. */
export const isOfSeveral = ({ days = [] }: NewsContent) => days.length > 1

const isPartly = (kind: OrderText, order: OrderFacts) => kind === 'delivered' && Boolean(order.delivered_items)

/** What is to pay, and how; only cash that is still due is asked for. */
function amountOf({ total, cash_due: cash = 0 as Fils, is_paid: isPaid, language }: OrderFacts): string {
  const t = translatorFor(language)
  if (cash > 0) return t('news.amount.cash', { total: formatMoney(cash, language) })
  const all = formatMoney(total, language)
  return isPaid ? t('news.amount.paid', { total: all }) : all
}

/** Order message in the customer's language, as a template and as its text. */
export function orderNews(order: OrderFacts, asked: OrderText, publicUrl: string): TemplateMessage {
  const { id, language } = order
  const kind = isPartly(asked, order) ? 'delivered-partly' : asked
  const values = {
    id: orderIdInText(id),
    vendor: vendorOf(order),
    day: slotWords(slotOf(order), language, 'long'),
    total: formatMoney(order.total, language),
    amount: amountOf(order),
    items: '',
  }
  const url = `${publicUrl}/orders/${id}`
  const textWith = (items: string) => translatorFor(language)(`news.order.${kind}`, { ...values, items, url })
  if (kind === 'delivered-partly')
    values.items = itemsWithin(limits.filled - textWith('').length, order.delivered_items ?? [], language)
  const { name, variables, button, replies } = orderTemplates[kind]
  return {
    type: 'template',
    name,
    language,
    body: variables.map((variable) => values[variable].replace(/[^\S\u00a0]+/g, ' ')),
    ...(button ? { buttons: [{ index: 0, type: 'url' as const, value: id }] } : {}),
    ...(replies ? { buttons: attemptChoices(order).map(quickReply) } : {}),
    text: textWith(values.items),
  }
}

/** As many of the items as fit, with the number of the others. */
function itemsWithin(most: number, items: ItemList, language: Lang): string {
  const t = translatorFor(language)
  const words = { t, lang: language }
  for (let shown = items.length; shown > 0; shown -= 1) {
    const left = items.length - shown
    const list = formatItemList(items.slice(0, shown), words)
    const text = left === 0 ? list : `${list}${t('news.items.more', { count: left })}`
    if (text.length <= most) return text
  }
  return fit(formatItemList(items.slice(0, 1), words), most)
}

/** The answers to a failed attempt; `server/bot/dialogue/choices.ts` handles their ids. */
export function attemptChoices({ id, promisedDate: day, language }: OrderFacts) {
  const t = translatorFor(language)
  return [
    { id: `nextday:${id} ${day}`, title: t('news.attempt.nextDay') },
    { id: `callme:${id}`, title: t('news.attempt.call') },
  ]
}
const quickReply = ({ id }: { id: string }, index: number) => ({ index, type: 'quick_reply' as const, value: id })

/** The receipt as a document, and as the template with it as its header. */
export function receiptNews(
  order: OrderFacts,
  { link, filename }: { link: string; filename: string },
): { template: TemplateMessage; document: MediaMessage } {
  const { id, language } = order
  const values = { id: orderIdInText(id), vendor: vendorOf(order) }
  const text = translatorFor(language)('news.order.receipt', values)
  const template: TemplateMessage = {
    type: 'template',
    name: orderTemplates.receipt.name,
    language,
    header: { type: 'document', link, filename },
    body: [values.id, values.vendor],
    text,
  }
  return { template, document: { type: 'document', link, filename, caption: text, template } }
}

/** One message about several orders that were moved; `days` are their new days, ascending. */
export function movedNews(
  { language, days }: { language: Lang; days: readonly string[] },
  publicUrl: string,
): TemplateMessage {
  const count = days.length
  const day = slotWords(slotOn(days[0] ?? ''), language, 'long')
  return {
    type: 'template',
    name: 'orders_rescheduled',
    language,
    body: [String(count), day],
    text: translatorFor(language)('news.orders.rescheduled', { count, day, url: `${publicUrl}/orders` }),
  }
}

/** The same as a notification. It is shown on a locked screen: no number, name, address or amount. */
export function orderNotice(order: OrderFacts, news: NewsContent): { title: string; body: string } {
  const { language } = order
  const t = translatorFor(language)
  const vendor = vendorOf(order)
  if (isOfSeveral(news)) {
    const day = slotWords(slotOn(news.days?.[0] ?? ''), language, 'long')
    return { title: t('news.notice.rescheduled-several'), body: t('news.notice.rescheduled-several.text', { day }) }
  }
  const kind = isPartly(news.kind, order) ? 'delivered-partly' : news.kind
  const day = slotWords(slotOf(order), language, 'long')
  return { title: t(`news.notice.${kind}`), body: t(`news.notice.${kind}.text`, { vendor, day }) }
}

export const driverNews = (language: Lang, count: number, url: string): TemplateMessage => ({
  type: 'template',
  name: 'driver_orders',
  language,
  body: [String(count)],
  text: translatorFor(language)('news.driver.assigned', { count, url }),
})
