import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, bahrainDate, formatDay, formatWeekday, weekdayOf } from './calendar.ts'
import {
  commonPromise,
  compareSlots,
  datesOf,
  daysUntil,
  firstOpenSlot,
  includesSlot,
  isOpen,
  offeredSlots,
  promisedSlot,
  promiseFields,
  sameSlot,
  slotOf,
  slotOn,
  slotWords,
} from './slot.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) }
const none: ReadonlySet<string> = new Set()
const bahrain = (local: string) => new Date(`${local}+03:00`)
const promised = (local: string, cutOff: string | null = null, holidays = none, closures = none) =>
  promisedSlot({ at: bahrain(local), holidays, closures, cutOff }).date

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
        const day = promisedSlot(order).date
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
        expect(compareSlots(promisedSlot({ ...order, at: after }), promisedSlot(order)) >= 0).toBe(true)
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
        const days = datesOf(offeredSlots(order))
        const first = promisedSlot(order).date
        const open: string[] = []
        for (let date = first; open.length < 14; date = addDays(date, 1))
          if (weekdayOf(date) !== 5 && !order.holidays.has(date) && !order.closures.has(date)) open.push(date)
        expect(days).toEqual(open)
        expect(firstOpenSlot(first, order)).toEqual(slotOn(first))
      }),
      runs,
    )
  })
})

describe('the common promise of several vendors', () => {
  it('is the common day if they agree, and the latest day if a cut-off or a Friday separates them', () => {
    expect(commonPromise(['2026-11-24'].map(slotOn))).toEqual({ slot: slotOn('2026-11-24'), isExact: true })
    expect(commonPromise(['2026-11-24', '2026-11-24'].map(slotOn))).toEqual({
      slot: slotOn('2026-11-24'),
      isExact: true,
    })
    expect(commonPromise(['2026-11-25', '2026-11-24'].map(slotOn))).toEqual({
      slot: slotOn('2026-11-25'),
      isExact: false,
    })
    expect(commonPromise(['2026-11-26', '2026-11-28', '2026-11-26'].map(slotOn))).toEqual({
      slot: slotOn('2026-11-28'),
      isExact: false,
    })
  })

  it('is null if one vendor is closed for longer, and without vendors', () => {
    expect(commonPromise(['2026-11-24', '2026-12-01'].map(slotOn))).toBeNull()
    expect(commonPromise([])).toBeNull()
  })
})

describe('a slot without a window', () => {
  const date = instant.map(bahrainDate)
  const near = fc.tuple(date, fc.integer({ min: -3, max: 3 })).map(([day, n]) => [day, addDays(day, n)] as const)

  it('equals, precedes and follows another as their dates do', () => {
    fc.assert(
      fc.property(near, ([a, b]) => {
        const [one, other] = [slotOn(a), slotOn(b)]
        expect(sameSlot(one, other)).toBe(a === b)
        expect([compareSlots(one, other) < 0, compareSlots(one, other) > 0]).toEqual([a < b, a > b])
        expect(addDays(b, daysUntil(one, b))).toBe(a)
        expect(includesSlot([slotOn(addDays(a, 9)), one], other)).toBe(a === b)
      }),
      runs,
    )
  })

  it('is sorted as its date', () => {
    fc.assert(
      fc.property(fc.array(date), (dates) => {
        expect(datesOf(dates.map(slotOn).sort(compareSlots))).toEqual([...dates].sort())
      }),
      runs,
    )
  })

  it('is open as its date, and has the words of its date', () => {
    fc.assert(
      fc.property(placement, fc.integer({ min: -2, max: 20 }), (order, n) => {
        const day = addDays(bahrainDate(order.at), n)
        const isClosed = weekdayOf(day) === 5 || order.holidays.has(day) || order.closures.has(day)
        expect(isOpen(slotOn(day), order)).toBe(!isClosed)
        for (const lang of ['ar', 'en'] as const) {
          for (const style of ['long', 'medium', 'short'] as const)
            expect(slotWords(slotOn(day), lang, style)).toBe(formatDay(day, lang, style))
          expect(slotWords(slotOn(day), lang, 'weekday')).toBe(formatWeekday(day, lang))
        }
      }),
      runs,
    )
  })

  it('is read from the fields of a promise and written to them', () => {
    const fields = { promisedDate: '2026-11-24' }
    expect(slotOf(fields)).toEqual({ date: '2026-11-24', windowId: null })
    expect(promiseFields(slotOf(fields))).toEqual(fields)
  })

  it('differs from none', () => {
    expect([sameSlot(slotOn('2026-11-24'), null), sameSlot(null, null)]).toEqual([false, true])
  })
})
