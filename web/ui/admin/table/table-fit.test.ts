import { describe, expect, it } from 'vitest'
import type { Column } from './table-columns.tsx'
import { fitting } from './table-fit.ts'

const column = (key: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  key,
  title: key,
  cell: () => null,
  ...more,
})
const all = [
  column('order', { width: 68, fixed: true }),
  column('customer', { fixed: true }),
  column('vendor', { width: 104, from: 'xl' }),
  column('items', { width: 116, yields: 9 }),
  column('total', { width: 78 }),
  column('driver', { width: 68 }),
]
const keys = (width: number, hasTick = false) => fitting(all, width, hasTick).map(({ key }) => key)

describe('the columns of a narrow table', () => {
  it('are all shown from the width that they need', () => {
    expect(keys(534)).toHaveLength(6)
    expect(keys(534, true)).toHaveLength(5)
  })

  it('leave a column without a width what it needs at least', () => {
    const named = all.map((one) => (one.key === 'customer' ? { ...one, least: 160 } : one))
    expect(fitting(named, 594, false)).toHaveLength(6)
    expect(fitting(named, 593, false)).toHaveLength(5)
  })

  it('are hidden by `yields`, then those of wide screens, then the last; fixed ones stay', () => {
    expect(keys(533)).toEqual(['order', 'customer', 'vendor', 'total', 'driver'])
    expect(keys(400)).toEqual(['order', 'customer', 'total', 'driver'])
    expect(keys(300)).toEqual(['order', 'customer', 'total'])
    expect(keys(10)).toEqual(['order', 'customer'])
  })
})
