import { formatDay } from '@qatra/contract/calendar'
import { fit } from '@qatra/contract/fit'
import type { Lang } from '@qatra/contract/lang'
import { formatMoney } from '@qatra/contract/money'
import type { Kind } from '@qatra/contract/notification-kinds'
import { formatOrderId } from '@qatra/contract/order-id'
import type { OrderStatus } from '@qatra/contract/order-status'
import type { Role } from '@qatra/contract/roles'
import { translatorFor } from '../lib/translate.ts'
import type { Mirrored, ReceivedWords } from './mirror.queries.ts'
import type { OrderOfNews } from './queries.ts'

/** What is said to everybody in the group, where each reads another language: Arabic first, English below. */
export const inBoth = (key: string, between = '\n', values?: Record<string, string>) =>
  [translatorFor('ar')(key, values), translatorFor('en')(key, values)].join(between)

const sayIn = (lang: Lang | 'both') => (key: string) =>
  lang === 'both' ? inBoth(key, ' · ') : translatorFor(lang)(key)

const named = ['image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts']

/** A message in words: what came without any is named. */
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

/** As the topic shows it: the customer's words alone, ours with whose they are. */
export function mirroredWords(message: Mirrored): string {
  const words = wordsOfMessage(message, 'both')
  if (message.direction === 'incoming') return words
  const by = message.sent_by_type === 'bot' || message.sent_by_type === 'staff' ? message.sent_by_type : 'system'
  return `↩ ${message.by_name ?? inBoth(`telegram.by.${by}`, ' · ')}: ${words}`
}

/** Room for what stands around the words; the rest is in the inbox, whose address must not be cut off. */
const MAX_MESSAGE = 3_000
const MAX_TOPIC_PERSON_NAME = 100

export const messageWords = (message: ReceivedWords, lang: Lang, publicUrl: string) =>
  translatorFor(lang)('telegram.message', {
    name: fit(message.name?.trim() || (message.phone ?? '–'), MAX_TOPIC_PERSON_NAME),
    text: fit(wordsOfMessage(message, lang), MAX_MESSAGE),
    url: inboxUrl(publicUrl),
  })

const MAX_TOPIC_NAME = 128
/** Before a phone, so that its plus stays in front of it among Arabic words. */
const LEFT_TO_RIGHT = '\u200e'
/** What a conversation's topic is called. */
export const topicName = ({
  contact_id: id,
  name,
  phone,
}: { contact_id: number } & Pick<ReceivedWords, 'name' | 'phone'>) =>
  fit([name?.trim(), phone && LEFT_TO_RIGHT + phone].filter(Boolean).join(' · '), MAX_TOPIC_NAME) || `#${id}`

interface OrderNews {
  kind: Kind
  /** The one that it was given. */
  status: OrderStatus | null
  /** Whose page of the order it leads to. */
  role: Role
  publicUrl: string
}

export function orderWords(order: OrderOfNews, { kind, status, role, publicUrl }: OrderNews, lang: Lang): string {
  const words = translatorFor(lang)
  const nameIn = (name: string | null, nameAr: string | null) =>
    (lang === 'ar' && nameAr?.trim() ? nameAr : name) ?? '–'
  return words('telegram.order', {
    what: words(`telegram.news.${kind}`, {
      id: `\u2066${formatOrderId(order.id)}\u2069`,
      status: words(`orderFile.status.${status ?? order.status}`),
    }),
    vendor: nameIn(order.vendor_name, order.vendor_name_ar),
    area: nameIn(order.area, order.area_ar),
    total: formatMoney(order.total, lang),
    day: formatDay(order.promised_date, lang, 'long'),
    url: `${publicUrl}/admin/${role === 'vendor_sales' ? 'sales' : 'orders'}/${order.id}`,
  })
}

export const inboxUrl = (publicUrl: string) => `${publicUrl}/admin/whatsapp`
