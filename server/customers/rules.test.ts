import { addDays, daysBetween } from '@qatra/contract/calendar/calendar'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isQuiet, rhythmOf } from './rules.ts'

const today = '2026-11-30'
/** Days of deliveries, newest first, from the gaps between them. */
const daysOf = (gaps: readonly number[], newest = today) =>
  gaps.reduce<string[]>((days, gap) => [...days, addDays(days.at(-1) ?? newest, -gap)], [newest])
const gap = fc.integer({ min: 1, max: 400 })
const fourGaps = fc.tuple(gap, gap, gap, gap)

describe('the usual interval', () => {
  it.each([
    [[12, 11, 12, 13], 12],
    [[7, 7, 8, 8], 8],
    [[1, 2, 3, 100], 3],
    [[6, 6, 6, 6, 90], 6],
  ])('of gaps of %j days is %i days', (gaps, usualDays) => {
    expect(rhythmOf(daysOf(gaps))).toEqual({ usualDays, dueDate: addDays(today, usualDays) })
  })

  it('is unknown before the fifth delivery', () => {
    fc.assert(fc.property(fc.array(gap, { maxLength: 3 }), (gaps) => rhythmOf(daysOf(gaps)) === null))
    expect(rhythmOf([])).toBeNull()
  })

  it('lies between the gaps, does not depend on their order, and ignores the deliveries before them', () => {
    fc.assert(
      fc.property(fourGaps, fc.array(gap, { maxLength: 6 }), (gaps, older) => {
        const rhythm = rhythmOf(daysOf([...gaps, ...older]))
        expect(rhythm).toEqual(rhythmOf(daysOf(gaps.toReversed())))
        expect(rhythm?.usualDays).toBeGreaterThanOrEqual(Math.min(...gaps))
        expect(rhythm?.usualDays).toBeLessThanOrEqual(Math.max(...gaps))
        expect(daysBetween(today, rhythm?.dueDate ?? '')).toBe(rhythm?.usualDays)
      }),
    )
  })

  it('stays when one delivery comes very late', () => {
    fc.assert(
      fc.property(gap, fc.integer({ min: 400, max: 4000 }), fc.nat({ max: 3 }), (usual, late, at) => {
        const gaps = [usual, usual, usual, usual].with(at, late)
        expect(rhythmOf(daysOf(gaps))?.usualDays).toBe(usual)
      }),
    )
  })
})

describe('quiet', () => {
  it.each([
    ['before its end', '2026-12-01', '2026-11-29', '2026-11-20', true],
    ['not on its last day', '2026-11-30', '2026-11-23', '2026-11-20', false],
    ['not after a delivery that followed the answer', '2026-12-20', '2026-11-20', '2026-11-25', false],
    ['after a delivery of the same day', '2026-12-20', '2026-11-25', '2026-11-25', true],
    ['not without an answer', null, null, '2026-11-20', false],
  ])('%s', (_, quietUntil, saidOn, newest, expected) => {
    expect(isQuiet({ quietUntil, saidOn }, newest, today)).toBe(expected)
  })
})
