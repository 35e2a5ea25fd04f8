import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  bahrainDate,
  bahrainTime,
  commonPromise,
  deliveryDays,
  formatClock,
  formatDateTime,
  formatDay,
  formatTime,
  promisedDate,
  startOfBahrainDay,
  weekdayOf,
} from './calendar.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const none: ReadonlySet<string> = new Set()
const bahrain = (local: string) => new Date(`${local}+03:00`)
const promised = (local: string, cutOff: string | null = null, holidays = none, closures = none) =>
  promisedDate({ at: bahrain(local), holidays, closures, cutOff })

const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
const aroundDays = (at: Date) =>
  fc
    .array(fc.integer({ min: -2, max: 20 }), { maxLength: 15 })
    .map((ns) => new Set(ns.map((n) => addDays(bahrainDate(at), n))))
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'))
const placement = instant.chain((at) =>
  fc.record({ at: fc.constant(at), holidays: aroundDays(at), closures: aroundDays(at), cutOff: fc.option(clock) }),
)

describe('the promised day', () => {
  // 2026-11-18 is a Wednesday.
  it.each([
    ['2026-11-18T23:59:59.999', '2026-11-19'],
    ['2026-11-19T00:00:00.000', '2026-11-21'],
    ['2026-11-19T23:59:59.999', '2026-11-21'],
    ['2026-11-20T00:30:00.000', '2026-11-21'],
    ['2026-11-20T23:59:59.999', '2026-11-21'],
    ['2026-11-21T00:00:00.000', '2026-11-22'],
    ['2026-12-31T12:00:00.000', '2027-01-02'],
    ['2028-02-28T12:00:00.000', '2028-02-29'],
  ])('of an order at %s is %s', (local, day) => {
    expect(promised(local)).toBe(day)
  })

  it('skips holidays and closures', () => {
    expect(promised('2026-12-15T10:00', null, new Set(['2026-12-16', '2026-12-17']))).toBe('2026-12-19')
    expect(promised('2026-11-18T10:00', null, none, new Set(['2026-11-19', '2026-11-21']))).toBe('2026-11-22')
  })

  it.each([
    ['2026-11-16T14:00:00.000', '14:00', '2026-11-17'],
    ['2026-11-16T14:00:00.001', '14:00', '2026-11-18'],
    ['2026-11-16T14:00:30.000', '14:00:30', '2026-11-17'],
    ['2026-11-19T20:00:00.000', '18:00', '2026-11-21'],
    ['2026-11-18T20:00:00.000', '18:00', '2026-11-21'],
    ['2026-11-16T23:59:00.000', '23:59', '2026-11-17'],
    ['2026-11-16T00:00:00.000', '00:00', '2026-11-17'],
    ['2026-11-16T00:00:01.000', '00:00', '2026-11-18'],
  ])('of an order at %s with the cut-off %s is %s', (local, cutOff, day) => {
    expect(promised(local, cutOff)).toBe(day)
  })

  it('is the first open day strictly after the day of the order', () => {
    fc.assert(
      fc.property(placement, (order) => {
        const day = promisedDate(order)
        const ordered = bahrainDate(order.at)
        const isOpen = (date: string) => weekdayOf(date) !== 5 && !order.holidays.has(date) && !order.closures.has(date)
        expect(day > ordered).toBe(true)
        expect(isOpen(day)).toBe(true)
        const isLate = order.cutOff !== null && order.at > new Date(`${ordered}T${order.cutOff}:00+03:00`)
        for (let date = addDays(ordered, isLate ? 2 : 1); date < day; date = addDays(date, 1)) {
          expect(isOpen(date)).toBe(false)
        }
      }),
      runs,
    )
  })

  it('is never earlier for a later order', () => {
    fc.assert(
      fc.property(placement, fc.nat(1e9), (order, later) => {
        const after = new Date(order.at.getTime() + later)
        expect(promisedDate({ ...order, at: after }) >= promisedDate(order)).toBe(true)
      }),
      runs,
    )
  })

  it.each(['', '9', '24:00', '12:60', 'noon', '1:00'])('rejects %j as a cut-off', (cutOff) => {
    expect(() => promised('2026-11-16T10:00', cutOff)).toThrow(RangeError)
  })
})

describe('the delivery days', () => {
  it('are the first 14 open days from the promised day on', () => {
    fc.assert(
      fc.property(placement, (order) => {
        const days = deliveryDays(order)
        const first = promisedDate(order)
        const open: string[] = []
        for (let date = first; open.length < 14; date = addDays(date, 1))
          if (weekdayOf(date) !== 5 && !order.holidays.has(date) && !order.closures.has(date)) open.push(date)
        expect(days).toEqual(open)
      }),
      runs,
    )
  })
})

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
      const c = await import(process.argv[1])
      const days = []
      for (let hour = 0; hour < 24 * 366; hour += 5) {
        const at = new Date(Date.UTC(2026, 0, 1, hour, 30))
        const order = { at, holidays: new Set(['2026-05-01']), closures: new Set(['2026-11-19']), cutOff: '16:00' }
        days.push(c.promisedDate(order) + c.formatDateTime(at, 'ar') + c.startOfBahrainDay(c.bahrainDate(at)).getTime())
      }
      console.log(new Date(0).getTimezoneOffset() + '|' + days.join())`
    const module = fileURLToPath(new URL('./calendar.ts', import.meta.url))
    const answers = ['UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Bahrain'].map((zone) => {
      const options = { env: { ...process.env, TZ: zone, NODE_OPTIONS: '' }, encoding: 'utf8' } as const
      return execFileSync(process.execPath, ['--input-type=module', '-e', program, module], options).trim().split('|')
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

describe('the common promise of several vendors', () => {
  it('is the common day if they agree, and the latest day if a cut-off or a Friday separates them', () => {
    expect(commonPromise(['2026-11-24'])).toEqual({ day: '2026-11-24', isExact: true })
    expect(commonPromise(['2026-11-24', '2026-11-24'])).toEqual({ day: '2026-11-24', isExact: true })
    expect(commonPromise(['2026-11-25', '2026-11-24'])).toEqual({ day: '2026-11-25', isExact: false })
    expect(commonPromise(['2026-11-26', '2026-11-28', '2026-11-26'])).toEqual({ day: '2026-11-28', isExact: false })
  })

  it('is null if one vendor is closed for longer, and without vendors', () => {
    expect(commonPromise(['2026-11-24', '2026-12-01'])).toBeNull()
    expect(commonPromise([])).toBeNull()
  })
})
