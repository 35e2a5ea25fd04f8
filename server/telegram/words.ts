import { formatDay } from '@qatra/contract/calendar'
import type { Lang } from '@qatra/contract/lang'
import { formatMoney } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import { wordsIn } from '../platform/words.ts'
import type { Mirrored } from './mirror.queries.ts'
import type { OrderPlaced } from './queries.ts'

/** What is said in the group, where each reads another language. */
export const GROUP_LANGUAGE: Lang = 'ar'

const named = ['image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts']

/** A message in words: what came without any is named. */
export function wordsOfMessage(
  { message_type: type, content }: Pick<Mirrored, 'message_type' | 'content'>,
  lang: Lang,
) {
  const words = content?.trim() ?? ''
  if (!named.includes(type)) return words || wordsIn(lang)('telegram.kind.other')
  const kind = wordsIn(lang)(`telegram.kind.${type}`)
  return words === '' ? kind : `${kind}: ${words}`
}

/** As the topic shows it: the customer's words alone, ours with whose they are. */
export function mirroredWords(message: Mirrored): string {
  const words = wordsOfMessage(message, GROUP_LANGUAGE)
  if (message.direction === 'incoming') return words
  const by = message.sent_by_type === 'bot' || message.sent_by_type === 'staff' ? message.sent_by_type : 'system'
  return `↩ ${message.by_name ?? wordsIn(GROUP_LANGUAGE)(`telegram.by.${by}`)}: ${words}`
}

export function orderWords(order: OrderPlaced, lang: Lang, publicUrl: string): string {
  const nameIn = (name: string | null, nameAr: string | null) =>
    (lang === 'ar' && nameAr?.trim() ? nameAr : name) ?? '–'
  return wordsIn(lang)('telegram.order', {
    id: `\u2066${formatOrderId(order.id)}\u2069`,
    vendor: nameIn(order.vendor_name, order.vendor_name_ar),
    area: nameIn(order.area, order.area_ar),
    total: formatMoney(order.total, lang),
    day: formatDay(order.promised_date, lang, 'long'),
    url: `${publicUrl}/admin/orders/${order.id}`,
  })
}

export const inboxUrl = (publicUrl: string) => `${publicUrl}/admin/whatsapp`
