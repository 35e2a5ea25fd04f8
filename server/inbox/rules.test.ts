import { expect, it } from 'vitest'
import { type Answerer, isGone, isOnDuty, mayAlarm, nextInTurn, ownerBy } from './rules.ts'

const now = new Date('2026-11-23T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const person = (id: number, more: Partial<Answerer> = {}): Answerer => ({
  id,
  awaySince: null,
  seenAt: ago(1),
  lastGivenAt: null,
  ...more,
})

it.each([
  ['seen a moment ago', {}, true, false],
  ['not seen for longer than a customer may wait', { seenAt: ago(12) }, false, true],
  ['never seen', { seenAt: null }, false, true],
  ['just signed off', { awaySince: ago(3) }, false, false],
  ['signed off for long, though seen', { awaySince: ago(11) }, false, true],
])('somebody %s is on duty or gone', (_, more, onDuty, gone) => {
  expect([isOnDuty(person(1, more), now, 10), isGone(person(1, more), now, 10)]).toEqual([onDuty, gone])
})

it('the next in turn is who got none, else whose last one is longest ago', () => {
  expect(nextInTurn([person(1, { lastGivenAt: ago(5) }), person(2), person(3)])?.id).toBe(2)
  expect(nextInTurn([person(1, { lastGivenAt: ago(5) }), person(2, { lastGivenAt: ago(9) })])?.id).toBe(2)
  expect(nextInTurn([])).toBeNull()
})

it('the first rule that fits and has somebody on duty decides; without one the conversation is nobody’s', () => {
  const rule = { ids: [] as number[], labels: [] as string[] }
  const rules = [
    { ...rule, by: 'label' as const, labels: ['شكوى'], people: [1] },
    { ...rule, by: 'vendor' as const, ids: [7], people: [2] },
    { ...rule, by: 'area' as const, ids: [4], people: [3] },
  ]
  const facts = { vendorId: 7, areaId: 4, labels: ['شكوى'] }
  const everybody = [person(1), person(2), person(3)]
  expect(ownerBy(rules, facts, everybody)).toBe(1)
  expect(ownerBy(rules, facts, everybody.slice(1))).toBe(2)
  expect(ownerBy(rules, { ...facts, labels: [], vendorId: null }, everybody)).toBe(3)
  expect(ownerBy(rules, { vendorId: null, areaId: null, labels: [] }, everybody)).toBeNull()
  expect(ownerBy([{ ...rule, by: 'all', people: [3] }], facts, everybody)).toBe(3)
  expect(ownerBy(rules, facts, [])).toBeNull()
})

it('an alarm comes only while the office is open, not for the night’s customers the moment it opens', () => {
  expect([mayAlarm(null, now, 10), mayAlarm(ago(9), now, 10), mayAlarm(ago(10), now, 10)]).toEqual([false, false, true])
})
