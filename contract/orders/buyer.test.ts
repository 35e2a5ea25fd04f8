import { describe, expect, it } from 'vitest'
import { fils } from '../lib/money.ts'
import { changeFrom, noteSums } from './buyer.ts'

describe('change', () => {
  it.each([
    [4850, [5, 10, 20]],
    [5000, [10, 20]],
    [12_300, [15, 20]],
    [20_000, []],
    [22_400, [25, 30, 40]],
  ])('of %i fils is offered from the sums %j', (total, sums) => {
    expect(noteSums(fils(total))).toEqual(sums)
  })

  it.each([
    [10, 4.85, 5.15],
    [10, 10, 0],
    [10, 12, 0],
    [20, 0, 0],
    [null, 4.85, 0],
  ])('from %s for %s is %s', (payingWith, due, back) => {
    expect(changeFrom(payingWith, due)).toBe(back)
  })
})
