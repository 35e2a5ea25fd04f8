import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  bahrainDate,
  bahrainTime,
  daysBetween,
  formatClock,
  formatDateTime,
  formatDay,
  formatTime,
  startOfBahrainDay,
  weekdayOf,
} from './calendar.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const bahrain = (local: string) => new Date(`${local}+03:00`)
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

describe('dates in Bahrain', () => {
  it('are three hours ahead of UTC, summer and winter', () => {
    for (const month of ['01', '07']) {
      expect(bahrainDate(new Date(`2026-${month}-10T20:59:59.999Z`))).toBe(`2026-${month}-10`)
      expect(bahrainDate(new Date(`2026-${month}-10T21:00:00.000Z`))).toBe(`2026-${month}-11`)
      expect(bahrainTime(new Date(`2026-${month}-10T21:05:00.000Z`))).toBe('00:05')
    }
  })

  it('start at midnight in Bahrain', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const date = bahrainDate(at)
        const start = startOfBahrainDay(date)
        expect(start <= at && at < startOfBahrainDay(addDays(date, 1))).toBe(true)
        expect([bahrainDate(start), bahrainTime(start)]).toEqual([date, '00:00'])
        expect(weekdayOf(addDays(date, 1))).toBe((weekdayOf(date) + 1) % 7)
      }),
      runs,
    )
  })

  it('are converted to day counts and back', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -4000, max: 4000 }), (at, n) => {
        expect(addDays(addDays(bahrainDate(at), n), -n)).toBe(bahrainDate(at))
        expect(daysBetween(bahrainDate(at), addDays(bahrainDate(at), n))).toBe(n)
      }),
      runs,
    )
  })

  it.each(['', '2026-02-30', '2026-13-01', '2026-1-1', '21/11/2026', '٢٠٢٦-١١-٢١', '2026-11-21T00:00'])(
    'rejects %j as a date',
    (bad) => {
      expect(() => addDays(bad, 1)).toThrow(RangeError)
    },
  )

  it('rejects an invalid instant', () => {
    expect(() => bahrainDate(new Date(Number.NaN))).toThrow(RangeError)
  })

  it('does not depend on the time zone of the machine', () => {
    const program = `
      const [c, s] = await Promise.all(process.argv.slice(1).map((module) => import(module)))
      const days = []
      for (let hour = 0; hour < 24 * 366; hour += 5) {
        const at = new Date(Date.UTC(2026, 0, 1, hour, 30))
        const order = { at, holidays: new Set(['2026-05-01']), closures: new Set(['2026-11-19']), cutOff: '16:00' }
        days.push(s.promisedSlot(order).date + c.formatDateTime(at, 'ar') + c.startOfBahrainDay(c.bahrainDate(at)).getTime())
      }
      console.log(new Date(0).getTimezoneOffset() + '|' + days.join())`
    const modules = ['./calendar.ts', './slot.ts'].map((module) => fileURLToPath(new URL(module, import.meta.url)))
    const answers = ['UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Bahrain'].map((zone) => {
      const options = { env: { ...process.env, TZ: zone, NODE_OPTIONS: '' }, encoding: 'utf8' } as const
      return execFileSync(process.execPath, ['--input-type=module', '-e', program, ...modules], options)
        .trim()
        .split('|')
    })
    expect(new Set(answers.map(([zone]) => zone)).size).toBe(4)
    expect(new Set(answers.map(([, days]) => days)).size).toBe(1)
  })
})

describe('formatted dates', () => {
  it.each([
    ['2026-11-21', 'Saturday 21 November', '21 November 2026', 'Sat 21 Nov'],
    ['2026-05-03', 'Sunday 3 May', '3 May 2026', 'Sun 3 May'],
  ] as const)('%s in English', (date, long, medium, short) => {
    expect([formatDay(date, 'en', 'long'), formatDay(date, 'en', 'medium'), formatDay(date, 'en', 'short')]).toEqual([
      long,
      medium,
      short,
    ])
  })

  it('are formatted in Arabic', () => {
    expect(formatDay('2026-11-21', 'ar', 'long')).toBe('السبت 21 نوفمبر')
    expect(formatDay('2026-11-21', 'ar', 'medium')).toBe('21 نوفمبر 2026')
    expect(formatDay('2026-01-06', 'ar', 'short')).toBe('الثلاثاء 6 يناير')
  })

  it('use the same names of days and months as Intl', () => {
    for (let n = 0; n < 366; n++) {
      const date = addDays('2026-01-01', n)
      const noon = new Date(`${date}T12:00Z`)
      const named = (locale: string, part: 'weekday' | 'month') =>
        new Intl.DateTimeFormat(locale, { [part]: 'long', timeZone: 'UTC' }).format(noon)
      expect(formatDay(date, 'en', 'long')).toContain(
        `${named('en', 'weekday')} ${Number(date.slice(8))} ${named('en', 'month')}`,
      )
      expect(formatDay(date, 'ar', 'long')).toContain(
        `${named('ar-BH', 'weekday')} ${Number(date.slice(8))} ${named('ar-BH', 'month')}`,
      )
    }
  })

  it.each([
    ['00:00', '12:00 AM', '12:00 ص'],
    ['09:05', '9:05 AM', '9:05 ص'],
    ['10:42', '10:42 AM', '10:42 ص'],
    ['12:00', '12:00 PM', '12:00 م'],
    ['23:59', '11:59 PM', '11:59 م'],
  ])('%s', (time, en, ar) => {
    const at = bahrain(`2026-11-21T${time}`)
    expect([formatTime(at, 'en'), formatTime(at, 'ar')]).toEqual([en, ar])
  })

  it.each([
    ['00:00', '12:00 AM', '12:00 ص'],
    ['09:05', '9:05 AM', '9:05 ص'],
    ['12:00', '12:00 PM', '12:00 م'],
    ['16:00:00', '4:00 PM', '4:00 م'],
  ])('write the time of day %s', (time, en, ar) => {
    expect([formatClock(time, 'en'), formatClock(time, 'ar')]).toEqual([en, ar])
  })

  it('include the time', () => {
    const at = new Date('2026-11-20T22:42:00Z')
    expect(formatDateTime(at, 'en')).toBe('21 November 2026, 1:42 AM')
    expect(formatDateTime(at, 'ar')).toBe('21 نوفمبر 2026، 1:42 ص')
  })
})
