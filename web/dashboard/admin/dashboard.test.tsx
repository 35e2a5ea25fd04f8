import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { agreedOrdersIn, newCustomersIn, ordersIn, waitingOrders, wholeDay } from '@qatra/contract/dashboard/links'
import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../../app/routes/search.ts'
import { filtersOf as customerFiltersOf, customersShape } from '../../customers/admin/CustomersPage.tsx'
import { readSearch } from '../../lib/search-state.ts'
import { deskShape, withStatus } from '../../orders/admin/desk/desk-search.ts'
import { customersSearch, deskSearch } from './links.tsx'
import { bandsUpTo, niceSteps } from './scale.ts'
import { changeOf, percentOf } from './words.ts'

const seen: Pick<Dashboard, 'vendorId' | 'now'> = { vendorId: 3, now: '2026-11-21T09:00:00.000Z' }
const span = { from: '2026-11-14', to: '2026-11-14', before: '2026-11-14T09:00:00.123Z' }
const throughAddress = (search: object) => parseSearch(stringifySearch({ ...search }))
/** The query as sent to the server, without defaults. */
const sentQuery = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))

describe('a number of the dashboard', () => {
  it.each([
    ['of all orders in a period', ordersIn(seen, span)],
    ['of a market’s whole day', ordersIn({ vendorId: null }, wholeDay('2026-11-21'))],
    ['of cancelled ones', ordersIn(seen, span, { status: 'cancelled' })],
    ['of an hour, midnight too', ordersIn(seen, span, { hour: 0 })],
    ['of an area', ordersIn(seen, span, { areaId: '7' })],
    ['of no area', ordersIn(seen, span, { areaId: 'none' })],
    ['of a product', ordersIn(seen, span, { productId: '12' })],
    ['of another vendor', ordersIn(seen, span, { vendorId: '5' })],
    ['of agreed prices', agreedOrdersIn(seen, span)],
    ['of new orders', waitingOrders.new(seen)],
    ['of orders without a driver', waitingOrders.withoutDriver(seen)],
    ['of late orders', waitingOrders.late(seen)],
    ['of failed deliveries', waitingOrders.failed(seen)],
    ['of due orders', waitingOrders.due(seen)],
  ])('%s links to the order list with the same filter', (_, query) => {
    const state = readSearch(deskShape, throughAddress(deskSearch(query)))
    expect(sentQuery(withStatus(state))).toEqual(sentQuery(query))
  })

  it('the number of customers links to a list with the same filter', () => {
    const query = newCustomersIn(seen, span)
    const { sort: _, ...found } = customerFiltersOf(readSearch(customersShape, throughAddress(customersSearch(query))))
    expect(sentQuery(found)).toEqual(sentQuery(query))
  })
})

describe('axis and bands', () => {
  it('axis steps are even integers with 0 among them, around all values, refunds too', () => {
    const cases = [0, 0.4, 1, 2, 3, 7, 9, 10, 66, 103, 119, 120, 999, 27_024].flatMap((largest) => [
      [largest],
      [largest, -1],
      [largest, -0.5, -largest / 3],
      [-largest],
    ])
    for (const values of [[], ...cases]) {
      const steps = niceSteps(values)
      const gap = (steps[1] ?? 0) - (steps[0] ?? 0)
      expect([values, steps.includes(0), gap > 0]).toEqual([values, true, true])
      expect(values.filter((one) => one < (steps[0] ?? 0) || one > (steps.at(-1) ?? 0))).toEqual([])
      expect(steps.every((step, at) => Number.isInteger(step) && step === (steps[0] ?? 0) + at * gap)).toBe(true)
      expect(steps.length).toBeLessThanOrEqual(6)
    }
  })

  it('bands contain every number from 1 to the largest once', () => {
    for (const largest of [0, 1, 2, 3, 4, 5, 17, 1000]) {
      const numbers = bandsUpTo(largest).flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, n) => from + n),
      )
      expect(numbers).toEqual(Array.from({ length: largest }, (_, n) => n + 1))
    }
  })
})

it('changeOf and percentOf return percentages, and no change without a previous value', () => {
  expect(
    [changeOf(420, 377), changeOf(5, 0), changeOf(null, 3), changeOf(217, 3)].map((n) => n && Math.round(n)),
  ).toEqual([11, null, null, null])
  expect([percentOf(0.0426), percentOf(0), percentOf(1)]).toEqual(['4.3%', '0%', '100%'])
})
