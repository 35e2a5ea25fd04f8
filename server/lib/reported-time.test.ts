import { expect, it } from 'vitest'
import { reportedTime } from './reported-time.ts'

const now = new Date('2026-03-20T12:00:00Z')
const days = (n: number) => new Date(now.getTime() + n * 86_400_000)
const placed = new Date('2026-03-18T08:00:00Z')

it.each<[string, string | undefined, Date, Date | undefined]>([
  ['nothing', undefined, now, placed],
  ['a time since the placing', '2026-03-19T09:30:00Z', new Date('2026-03-19T09:30:00Z'), placed],
  ['a time before the placing', '2026-03-17T09:30:00Z', placed, placed],
  ['a time to come', '2026-03-20T12:00:01Z', now, placed],
  ['a time of 14 days ago', days(-14).toISOString(), days(-14), undefined],
  ['a time of more than 14 days ago', days(-15).toISOString(), days(-14), undefined],
  ['a time of more than 14 days ago of an older order', days(-15).toISOString(), days(-14), days(-20)],
])('a report of %s (%s) counts from %s', (_, at, counted, notBefore) =>
  expect(reportedTime(at, now, notBefore)).toEqual(counted),
)
