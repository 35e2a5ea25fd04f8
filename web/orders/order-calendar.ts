import { addDays } from '@qatra/contract/calendar/calendar'
import { slotOf } from '@qatra/contract/calendar/slot'
import type { Order } from '@qatra/contract/orders/orders'

/** Octets of a line of RFC 5545, without its line break. */
const LINE_OCTETS = 75

type Delivery = Pick<Order, 'id' | 'version' | 'promisedDate' | 'address' | 'updatedAt'>
interface CalendarTexts {
  summary: string
  description: string
  /** Address of the order's page. */
  url: string
}

/**
 * An all-day event of the delivery as an iCalendar file. `UID` and `SEQUENCE` let a calendar recognise a later file of the same
 * order; not all calendars do.
 */
export function deliveryEvent({ id, version, address, updatedAt, ...order }: Delivery, texts: CalendarTexts) {
  const { date } = slotOf(order)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Qatra//Orders//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(texts.url).hostname}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${compact(updatedAt.slice(0, 19))}Z`,
    `DTSTART;VALUE=DATE:${compact(date)}`,
    `DTEND;VALUE=DATE:${compact(addDays(date, 1))}`,
    `SUMMARY:${escaped(texts.summary)}`,
    `LOCATION:${escaped(address)}`,
    `DESCRIPTION:${escaped(texts.description)}`,
    `URL:${texts.url}`,
    // The day stays free in the calendar.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const compact = (time: string) => time.replace(/[-:]/g, '')
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')

/** Breaks a long line between characters; a continuation begins with a space. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let octets = 0
  let out = ''
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > LINE_OCTETS) {
      out += '\r\n '
      octets = 1
    }
    out += character
    octets += size
  }
  return out
}
