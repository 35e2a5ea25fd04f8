import { formatDay } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { fit } from '@qatra/contract/lib/fit'
import { inLang, type Lang } from '@qatra/contract/lib/lang'
import { formatMoney } from '@qatra/contract/lib/money'
import type { Kind } from '@qatra/contract/notifications/kinds'
import { orderIdInText } from '@qatra/contract/orders/order-id'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { Role } from '@qatra/contract/users/roles'
import { translatorFor } from '../lib/translate.ts'
import type { OrderOfNews, VisitOfNews } from './queries.ts'
import type { Mirrored, ReceivedWords } from './topics/mirror.queries.ts'

/** Text for the group, whose members read different languages: Arabic above, English below. */
export const inBoth = (key: string, between = '\n', values?: Record<string, string>) =>
  [translatorFor('ar')(key, values), translatorFor('en')(key, values)].join(between)

const sayIn = (lang: Lang | 'both') => (key: string) =>
  lang === 'both' ? inBoth(key, ' · ') : translatorFor(lang)(key)

const named = ['image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts']

/** Text of a message; messages without text are named by type. */
export function wordsOfMessage(
  { message_type: type, content }: Pick<Mirrored, 'message_type' | 'content'>,
  lang: Lang | 'both',
) {
  const say = sayIn(lang)
  const words = content?.trim() ?? ''
  if (!named.includes(type)) return words || say('telegram.kind.other')
  const kind = say(`telegram.kind.${type}`)
  return words === '' ? kind : `${kind}: ${words}`
}

const authors = ['bot', 'staff', 'phone'] as const
const isAuthor = (type: string): type is (typeof authors)[number] => (authors as readonly string[]).includes(type)

type MirroredText = Pick<Mirrored, 'direction' | 'message_type' | 'content' | 'sent_by_type' | 'by_name' | 'attached'>

/** Text in the topic: the customer's as it is, ours with the author. */
export function mirroredWords(message: MirroredText): string {
  const words = wordsOfMessage(message, 'both')
  if (message.direction === 'incoming') return words
  const by = isAuthor(message.sent_by_type) ? message.sent_by_type : 'system'
  const file = message.attached ? `\n📎 ${message.attached}` : ''
  return `↩ ${message.by_name ?? inBoth(`telegram.by.${by}`, ' · ')}: ${words}${file}`
}

/** Leaves room for the surrounding text with the inbox link, which must not be cut off. */
const MAX_MESSAGE = 3_000
const MAX_TOPIC_PERSON_NAME = 100

/** @param complaint of what the customer complains; its order only for those who manage it */
export function messageWords(
  message: ReceivedWords,
  {
    lang,
    publicUrl,
    complaint = null,
    isLate = false,
  }: { lang: Lang; publicUrl: string; complaint?: { orderId: string | null } | null; isLate?: boolean },
): string {
  const say = translatorFor(lang)
  const orderId = complaint?.orderId
  return say(complaint ? 'telegram.complaint' : isLate ? 'telegram.late' : 'telegram.message', {
    name: fit(message.name?.trim() || (message.phone ?? '–'), MAX_TOPIC_PERSON_NAME),
    order: orderId ? say('telegram.complaint.order', { id: orderIdInText(orderId) }) : '',
    text: fit(wordsOfMessage(message, lang), MAX_MESSAGE),
    url: `${inboxUrl(publicUrl)}?open=${message.contact_id}`,
  })
}

const MAX_TOPIC_NAME = 128
/** Keeps the plus in front of a phone within Arabic text. */
const LEFT_TO_RIGHT = '\u200e'
/** Name of a conversation's topic. */
export const topicName = ({
  contact_id: id,
  name,
  phone,
}: { contact_id: number } & Pick<ReceivedWords, 'name' | 'phone'>) =>
  fit([name?.trim(), phone && LEFT_TO_RIGHT + phone].filter(Boolean).join(' · '), MAX_TOPIC_NAME) || `#${id}`

interface OrderNews {
  kind: Kind
  /** The new status. */
  status: OrderStatus | null
  /** Role whose page the link opens. */
  role: Role
  publicUrl: string
}

export function orderWords(order: OrderOfNews, { kind, status, role, publicUrl }: OrderNews, lang: Lang): string {
  const words = translatorFor(lang)
  const id = orderIdInText(order.id)
  const ownText = `telegram.news.${kind}`
  const what = words(ownText, { id, status: words(`orderFile.status.${status ?? order.status}`) })
  return words('telegram.order', {
    what: what === ownText ? `${words(`notifications.${kind}`)} ${id}` : what,
    vendor: inLang(lang, order.vendor_name, order.vendor_name_ar),
    area: inLang(lang, order.area, order.area_ar) || '–',
    total: formatMoney(order.total, lang),
    day: slotWords(slotOf(order), lang, 'long'),
    url: `${publicUrl}/admin/${role === 'vendor_sales' ? 'sales' : 'orders'}/${order.id}`,
  })
}

export function visitWords(
  visit: VisitOfNews,
  { kind, role, publicUrl }: Pick<OrderNews, 'kind' | 'role' | 'publicUrl'>,
  lang: Lang,
): string {
  const words = translatorFor(lang)
  return words('telegram.visit', {
    what: words(`notifications.${kind}`),
    vendor: inLang(lang, visit.vendorName, visit.vendorNameAr),
    area: inLang(lang, visit.areaName, visit.areaNameAr) || '–',
    day: formatDay(visit.date, lang, 'long'),
    url: `${publicUrl}/admin/${role === 'driver' ? 'run' : 'drivers'}?date=${visit.date}`,
  })
}

export const inboxUrl = (publicUrl: string) => `${publicUrl}/admin/whatsapp`
