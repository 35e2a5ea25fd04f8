import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, bahrainDate, startOfBahrainDay, weekdayOf } from '../calendar/calendar.ts'
import { periods, spansOf } from './dashboard.ts'

const at = (text: string) => new Date(`${text}+03:00`)
const spans = (period: (typeof periods)[number], text: string) => {
  const { span, spanBefore } = spansOf(period, at(text))
  const said = ({ from, to, before }: typeof span) => [from, to, before && new Date(before).getTime()]
  return [said(span), said(spanBefore)]
}

describe('the days of a period', () => {
  it('are days in Bahrain, compared with the same part of the previous period', () => {
    const morning = at('2026-11-20T10:42:00').getTime()
    expect(spans('today', '2026-11-21T10:42:00')).toEqual([
      ['2026-11-21', '2026-11-21', null],
      ['2026-11-20', '2026-11-20', morning],
    ])
    // An hour after midnight in Bahrain, it is still the day before in London.
    expect(spans('today', '2026-11-22T01:00:00')[0]).toEqual(['2026-11-22', '2026-11-22', null])
    expect(spans('yesterday', '2026-11-21T10:42:00')).toEqual([
      ['2026-11-20', '2026-11-20', null],
      ['2026-11-19', '2026-11-19', null],
    ])
  })

  it('start the week on Saturday', () => {
    const before = at('2026-11-19T23:59:59').getTime()
    expect(spans('week', '2026-11-26T23:59:59')).toEqual([
      ['2026-11-21', '2026-11-26', null],
      ['2026-11-14', '2026-11-19', before],
    ])
    expect(spans('week', '2026-11-28T00:00:00')).toEqual([
      ['2026-11-28', '2026-11-28', null],
      ['2026-11-21', '2026-11-21', at('2026-11-21T00:00:00').getTime()],
    ])
  })

  it('compare the end of a long month with all of a short one, also in January', () => {
    expect(spans('month', '2026-03-30T12:00:00')).toEqual([
      ['2026-03-01', '2026-03-30', null],
      ['2026-02-01', '2026-02-28', null],
    ])
    expect(spans('month', '2027-01-02T12:00:00')[1]).toEqual([
      '2026-12-01',
      '2026-12-02',
      at('2026-12-02T12:00:00').getTime(),
    ])
    expect(spansOf('month', at('2028-02-10T00:00:00')).days).toHaveLength(29)
  })

  it('follow each other without gaps and contain the present', () => {
    const instant = fc.date({
      min: new Date('2020-01-01T00:00Z'),
      max: new Date('2040-01-01T00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instant, fc.constantFrom(...periods), (now, period) => {
        const { span, spanBefore, days, daysBefore } = spansOf(period, now)
        expect(days[0]).toBe(span.from)
        expect(days).toContain(span.to)
        expect(daysBefore[0]).toBe(spanBefore.from)
        expect(daysBefore).toContain(spanBefore.to)
        expect(addDays(daysBefore.at(-1) ?? '', 1)).toBe(span.from)
        if (period !== 'yesterday') expect(days).toContain(bahrainDate(now))
        if (period === 'week') expect([days.length, weekdayOf(span.from)]).toEqual([7, 6])
        if (spanBefore.before)
          expect(now.getTime() - startOfBahrainDay(span.from).getTime()).toBe(
            new Date(spanBefore.before).getTime() - startOfBahrainDay(spanBefore.from).getTime(),
          )
      }),
    )
  })
})
