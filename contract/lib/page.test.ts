import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { cartQuantity } from '../cart/rules.ts'
import { page, pageQuery } from './page.ts'

describe('the query of a page', () => {
  it('has defaults', () => {
    expect(pageQuery.parse({})).toEqual({ page: 1, limit: 10 })
    expect(pageQuery.parse({ page: '3', limit: '100', other: 'x' })).toEqual({ page: 3, limit: 100 })
    expect(pageQuery.parse({ page: 2, limit: 1 })).toEqual({ page: 2, limit: 1 })
  })

  const bad = [
    '',
    '0',
    '-1',
    '+1',
    '1.0',
    '1e1',
    '0x1',
    ' 5',
    '5 ',
    '05',
    '1_0',
    '٥',
    'x',
    'NaN',
    'Infinity',
    '1e309',
    null,
    [],
    ['1', '2'],
    {},
    true,
    Number.NaN,
    1.5,
    1e21,
    -0.5,
    '9'.repeat(100_000),
  ]
  it.each(bad)('rejects %j', (value) => {
    for (const key of ['page', 'limit']) {
      const issues = pageQuery.safeParse({ [key]: value }).error?.issues
      expect(issues).toMatchObject([{ path: [key], message: 'validation.number' }])
    }
  })

  it('is limited to a hundred rows', () => {
    expect(pageQuery.safeParse({ limit: '101' }).success).toBe(false)
    expect(pageQuery.safeParse({ page: '1000000001' }).success).toBe(false)
  })
})

describe('a page of a list', () => {
  it('contains its items and its position', () => {
    const answer = { items: [{ id: 1 }], page: 1, limit: 10, total: 1 }
    expect(page(z.object({ id: z.number() })).parse(answer)).toEqual(answer)
    expect(page(z.object({ id: z.string() })).safeParse(answer).success).toBe(false)
  })
})

describe('a quantity', () => {
  it.each([1, 2, 100])('accepts %d', (quantity) => {
    expect(cartQuantity.parse(quantity)).toBe(quantity)
  })

  it.each([0, -1, 101, 1.5, '2', null, undefined, [], [1], {}, true, Number.NaN, Infinity, 1e309, 2n])(
    'rejects %s',
    (quantity) => {
      expect(cartQuantity.safeParse(quantity).error?.issues[0]).toMatchObject({ message: 'validation.quantity' })
    },
  )
})
