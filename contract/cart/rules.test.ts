import { expect, it } from 'vitest'
import { parseQuantity } from './rules.ts'

it.each([
  ['0', 0],
  ['1', 1],
  ['100', 100],
  [' ٢٤ ', 24],
  ['۱۲', 12],
  ['007', 7],
])('a typed quantity of "%s" is %d', (text, quantity) => {
  expect(parseQuantity(text)).toBe(quantity)
})

it.each(['', ' ', '101', '-1', '1.5', '1e2', '٢٫٥', '12 34', 'two', '99999999999999999999'])(
  'a typed quantity of "%s" is rejected',
  (text) => {
    expect(parseQuantity(text)).toBeNull()
  },
)
