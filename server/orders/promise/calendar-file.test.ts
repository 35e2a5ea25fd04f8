import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarFile } from './calendar-file.ts'

const delivery = {
  id: 'ABCDEFGHJKMNPQRS',
  version: 3,
  status: 'new' as const,
  promisedDate: '2026-12-31',
  address: 'مبنى 1172، طريق 2831، مجمع 428، السيف',
  updatedAt: '2026-12-30T21:07:08.123Z',
  vendorName: 'Hayrat',
  vendorNameAr: 'هيرات',
}
const fileOf = (more: Partial<typeof delivery> = {}, lang: 'ar' | 'en' = 'ar') =>
  calendarFile({ ...delivery, ...more }, lang, 'https://qatra.bh')
const unfolded = (file: string) => file.replace(/\r\n /g, '').split('\r\n')

describe('the calendar file of a delivery', () => {
  it('has the day as a whole day, also the last one of a year, and the id and version of the order', () => {
    expect(unfolded(fileOf())).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Qatra//Orders//AR',
      'BEGIN:VEVENT',
      'UID:ABCDEFGHJKMNPQRS@qatra.bh',
      'SEQUENCE:3',
      'STATUS:CONFIRMED',
      'DTSTAMP:20261230T210708Z',
      'DTSTART;VALUE=DATE:20261231',
      'DTEND;VALUE=DATE:20270101',
      'SUMMARY:توصيل الماء من هيرات',
      `LOCATION:${delivery.address}`,
      'DESCRIPTION:رقم الطلب: ABCD EFGH JKMN PQRS\\nhttps://qatra.bh/orders/ABCDEFGHJKMNPQRS',
      'URL:https://qatra.bh/orders/ABCDEFGHJKMNPQRS',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
    expect(fileOf({}, 'en')).toContain('\r\nSUMMARY:Water from Hayrat\r\n')
  })

  it('keeps any address in one property, in lines of at most 75 octets that end in CRLF', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'مبنى 🏠,;\\\n\r\u0000\u2028:"aE') }), (address) => {
        const file = fileOf({ address })
        for (const line of file.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line).not.toMatch(/\p{Cc}/u)
          expect(line.isWellFormed()).toBe(true)
        }
        const places = unfolded(file).filter((line) => line.startsWith('LOCATION:'))
        const [value = ''] = places.map((line) => line.slice('LOCATION:'.length))
        const read = value.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
        expect([places.length, read]).toEqual([1, address.replace(/\r\n?|\n/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ')])
        expect(unfolded(file)).toHaveLength(18)
      }),
    )
  })
})
