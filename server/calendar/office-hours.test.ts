import { expect, it } from 'vitest'
import { officeHoursIn, officeStateAt } from './office-hours.ts'

const day = { opensAt: '08:00', closesAt: '18:00' }
const night = { opensAt: '20:00', closesAt: '01:00' }
const holidays = new Set(['2026-11-15'])

it.each([
  ['in its hours', day, '2026-11-16T09:00+03:00', null],
  ['at the minute it opens', day, '2026-11-16T08:00+03:00', null],
  ['before it opens', day, '2026-11-16T07:59+03:00', '2026-11-16T08:00+03:00'],
  ['at the minute it closes', day, '2026-11-16T18:00+03:00', '2026-11-17T08:00+03:00'],
  ['on Thursday evening, before Friday', day, '2026-11-19T19:00+03:00', '2026-11-21T08:00+03:00'],
  ['on Friday', day, '2026-11-20T10:00+03:00', '2026-11-21T08:00+03:00'],
  ['on a holiday', day, '2026-11-15T10:00+03:00', '2026-11-16T08:00+03:00'],
  ['after midnight of a long evening', night, '2026-11-17T00:30+03:00', null],
  ['after midnight of a Thursday', night, '2026-11-20T00:30+03:00', null],
  ['on Friday evening', night, '2026-11-20T21:00+03:00', '2026-11-21T20:00+03:00'],
] as const)('the office %s is open or says when it opens', (_, hours, at, opens) => {
  const state = officeStateAt(hours, holidays, new Date(at))
  expect([state.isOpen, state.opens?.toISOString() ?? null]).toEqual([
    opens === null,
    opens === null ? null : new Date(opens).toISOString(),
  ])
})

it('hours that are not complete are not said', () => {
  expect(officeHoursIn(new Map([['support.opensAt', '08:00']]))).toBeNull()
  expect(
    officeHoursIn(
      new Map([
        ['support.opensAt', '08:00'],
        ['support.closesAt', '18:00'],
      ]),
    ),
  ).toEqual(day)
})
