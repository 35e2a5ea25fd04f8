import { expect, it } from 'vitest'
import { officeHoursIn, officeStateAt, officeWords } from './office-hours.ts'

const weekOf = (opensAt: string, closesAt: string) =>
  Array.from({ length: 7 }, (_, weekday) => (weekday === 5 ? null : { opensAt, closesAt }))
const day = weekOf('08:00', '18:00')
const night = weekOf('20:00', '01:00')
/** Until noon on Saturdays, in the afternoon on Fridays. */
const uneven = day.with(6, { opensAt: '09:00', closesAt: '12:00' }).with(5, { opensAt: '15:00', closesAt: '19:00' })
const eid = { name: 'Eid', nameAr: 'العيد' }
const holidays = new Map([['2026-11-15', eid]])

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
  ['on Friday morning, before the afternoon', uneven, '2026-11-20T10:00+03:00', '2026-11-20T15:00+03:00'],
  ['on Saturday before noon', uneven, '2026-11-21T11:00+03:00', null],
  ['on Saturday after noon', uneven, '2026-11-21T13:00+03:00', '2026-11-22T08:00+03:00'],
] as const)('the office %s is open or says when it opens', (_, hours, at, opens) => {
  const state = officeStateAt(hours as typeof day, holidays, new Date(at))
  expect([state.since !== null, state.opens?.toISOString() ?? null]).toEqual([
    opens === null,
    opens === null ? null : new Date(opens).toISOString(),
  ])
})

const settingsWith = (more: object) => new Map([['inbox', JSON.stringify(more)]])

it('hours that are not entered are not said', () => {
  expect(officeHoursIn(new Map())).toBeNull()
  expect(officeWords({ settings: settingsWith({ waitMinutes: 5 }), holidays }, new Date(), 'ar')).toBeNull()
  expect(officeHoursIn(settingsWith({ hours: day }))).toEqual(day)
})

it.each([
  ['2026-11-16T09:00+03:00', 'The office answers from 8:00 AM to 6:00 PM.'],
  ['2026-11-16T07:00+03:00', 'The office is closed now. We will answer you today from 8:00 AM.'],
  ['2026-11-20T07:00+03:00', 'The office is closed now. We will answer you on Saturday 21 November from 8:00 AM.'],
  ['2026-11-15T07:00+03:00', 'The office is closed today: Eid. We will answer you on Monday 16 November from 8:00 AM.'],
])('the text for a waiting customer at %s', (at, text) => {
  expect(officeWords({ settings: settingsWith({ hours: day }), holidays }, new Date(at), 'en')?.text).toBe(text)
})

it('the office’s own words take the place of “closed”, in the customer’s language', () => {
  const settings = settingsWith({ hours: day, closedText: 'Happy Eid.', closedTextAr: 'عيدكم مبارك.' })
  expect(officeWords({ settings, holidays }, new Date('2026-11-15T07:00+03:00'), 'ar')?.text).toBe(
    'عيدكم مبارك. نرد عليك الاثنين 16 نوفمبر من 8:00 ص.',
  )
})
