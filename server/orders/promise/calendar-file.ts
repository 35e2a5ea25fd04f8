import { addDays } from '@qatra/contract/calendar/calendar'
import { slotOf } from '@qatra/contract/calendar/slot'
import { inLang, type Lang } from '@qatra/contract/lib/lang'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import type { Order } from '@qatra/contract/orders/orders'
import { translatorFor } from '../../lib/translate.ts'

/** Octets of a line of RFC 5545, without its line break. */
const LINE_OCTETS = 75

type Delivery = Pick<
  Order,
  'id' | 'version' | 'status' | 'promisedDate' | 'address' | 'updatedAt' | 'vendorName' | 'vendorNameAr'
>

/**
 * The delivery as an iCalendar file. `UID` and `SEQUENCE` let a calendar recognise a later file of the same order. A whole
 * day has no time zone; without `METHOD` the file is an event to add, not an invitation.
 */
export function calendarFile(order: Delivery, lang: Lang, origin: string): string {
  const t = translatorFor(lang)
  const { date } = slotOf(order)
  const url = `${origin}/orders/${order.id}`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Qatra//Orders//${lang.toUpperCase()}`,
    'BEGIN:VEVENT',
    `UID:${order.id}@${new URL(origin).hostname}`,
    `SEQUENCE:${order.version}`,
    `STATUS:${order.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `DTSTAMP:${compact(order.updatedAt.slice(0, 19))}Z`,
    `DTSTART;VALUE=DATE:${compact(date)}`,
    `DTEND;VALUE=DATE:${compact(addDays(date, 1))}`,
    `SUMMARY:${escaped(t('receipt.event', { vendor: inLang(lang, order.vendorName, order.vendorNameAr) }))}`,
    `LOCATION:${escaped(order.address)}`,
    `DESCRIPTION:${escaped(t('receipt.eventText', { id: formatOrderId(order.id), url }))}`,
    `URL:${url}`,
    // The day stays free in the calendar.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const compact = (time: string) => time.replace(/[-:]/g, '')

/** A value of type TEXT: what would end it is escaped; control characters are not allowed. */
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

/** Breaks a long line between characters; a continuation begins with a space. */
function folded(line: string): string {
  let octets = 0
  let out = ''
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > LINE_OCTETS) {
      out += '\r\n '
      octets = 1
    }
    out += character
    octets += size
  }
  return out
}
