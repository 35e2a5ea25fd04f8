import { formatDay } from '@qatra/contract/calendar'
import type { Lang } from '@qatra/contract/lang'
import { type Fils, formatMoney } from '@qatra/contract/money'
import { formatOrderId } from '@qatra/contract/order-id'
import type { OrderStatus } from '@qatra/contract/order-status'
import { translatorFor } from '../lib/translate.ts'
import type { TemplateMessage } from '../providers/message.ts'

export interface OrderFacts {
  id: string
  vendor_name: string
  vendor_name_ar: string | null
  total: Fils
  promised_date: string
  language: Lang
}

type Variable = 'id' | 'vendor' | 'day' | 'total'

/** The provider's templates by name, with the meaning of {{1}}, {{2}} …; docs/operations.md has their texts. */
const templates = {
  new: { name: 'order_new', variables: ['vendor', 'id', 'day', 'total'] },
  'in-progress': { name: 'order_in_progress', variables: ['vendor', 'id', 'day'] },
  shipped: { name: 'order_shipped', variables: ['id', 'vendor'] },
  delivered: { name: 'order_delivered', variables: ['id', 'vendor'] },
  cancelled: { name: 'order_cancelled', variables: ['id', 'vendor'] },
  confirmation: { name: 'order_confirmation', variables: ['vendor', 'id', 'day', 'total'] },
} as const satisfies Record<OrderStatus | 'confirmation', { name: string; variables: readonly Variable[] }>

/** Order message in the customer's language, as a template and as its text. */
export function orderNews(order: OrderFacts, kind: keyof typeof templates, publicUrl: string): TemplateMessage {
  const { id, language, vendor_name: name, vendor_name_ar: nameAr } = order
  const values: Record<Variable, string> = {
    // Isolated, so that its groups keep their order in Arabic text.
    id: `\u2066${formatOrderId(id)}\u2069`,
    vendor: language === 'ar' && nameAr?.trim() ? nameAr : name,
    day: formatDay(order.promised_date, language, 'long'),
    total: formatMoney(order.total, language),
  }
  const { name: template, variables } = templates[kind]
  return {
    type: 'template',
    name: template,
    language,
    body: variables.map((variable) => values[variable].replace(/[^\S\u00a0]+/g, ' ')),
    // The order's page shows the receipt.
    ...(kind === 'delivered' ? { buttons: [{ index: 0, type: 'url' as const, value: id }] } : {}),
    text: translatorFor(language)(`news.order.${kind}`, { ...values, url: `${publicUrl}/orders/${id}` }),
  }
}

export const driverNews = (language: Lang, count: number, url: string): TemplateMessage => ({
  type: 'template',
  name: 'driver_orders',
  language,
  body: [String(count)],
  text: translatorFor(language)('news.driver.assigned', { count, url }),
})
