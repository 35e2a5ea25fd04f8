import { formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { formatItemList, parseItemList, productOfPrice } from '@qatra/contract/orders/history'
import { formatSize } from '@qatra/contract/products/sizes'
import { limitedRoles } from '@qatra/contract/vendors/business'
import type { MessageKey, Translate } from '../../lib/language/i18n.tsx'

/** Text of a key; null if missing. Histories hold fields and values of other versions, and `t` returns a missing key itself. */
export function wordsFor(t: Translate, key: string, values?: Record<string, string>): string | null {
  const text = t(key as MessageKey, values)
  return text === key ? null : text
}

/** Amounts in BHD. */
const money: ReadonlySet<string> = new Set([
  'price',
  'deliveryFee',
  'minDeliveryAmount',
  'deposit',
  'total',
  'handedOver',
  'paidBack',
  'shortage',
  // Limits by role.
  ...limitedRoles,
])
const percent: ReadonlySet<string> = new Set(['vatPercentage', 'customPriceFloor'])
/** Row ids without a name on this page. */
const numbered: ReadonlySet<string> = new Set([
  'assignedDriverId',
  'assignedTo',
  'driverId',
  'areaId',
  'areaIds',
  'productId',
  'userId',
])
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))

export function fieldText(t: Translate, field: string): string {
  const product = productOfPrice(field)
  if (product !== null) return t('audit.field.itemPrice', { id: product })
  return wordsFor(t, `audit.field.${field}`) ?? wordsFor(t, `admin.role.${field}`) ?? field
}

/** A value of a field as text; null if the field has no rule and the value no label. */
export function plainText(t: Translate, lang: Lang, field: string, value: string | number): string | null {
  const amount = typeof value === 'number' ? value : Number.NaN
  if (money.has(field) || productOfPrice(field) !== null) {
    return Number.isFinite(amount) ? formatMoney(fromBhd(amount), lang) : null
  }
  if (percent.has(field)) return `${value}%`
  if (numbered.has(field) && Number(value) > 0) return `#${value}`
  if (field === 'sort' && typeof value === 'string') return sortText(t, value)
  if (field === 'size' && typeof value === 'string') return formatSize(value, lang)
  if (typeof value !== 'string') return null
  const items = field === 'items' && parseItemList(value)
  if (items) return formatItemList(items, { t, lang })
  if (isDay(value)) return formatDay(value, lang, 'medium')
  if (isInstant(value)) return formatDateTime(new Date(value), lang)
  return wordsFor(t, field === 'means' ? `admin.means.${value}` : `audit.value.${field}.${value}`)
}

/** `-total` is the largest total first. */
function sortText(t: Translate, sort: string): string | null {
  const column = wordsFor(t, `audit.value.sort.${sort.replace(/^-/, '')}`)
  return column && t(sort.startsWith('-') ? 'audit.value.descending' : 'audit.value.ascending', { column })
}
