import type { AdminOrder } from '@qatra/contract/orders/admin'
import { expect, it } from 'vitest'
import { loadsOf } from './picking.ts'

const order = (id: string, driver: { id: number; name: string } | null = null) =>
  ({
    id,
    driver,
    status: 'new',
    vendorId: 1,
    vendorName: 'Hayrat',
    promisedDate: '2026-11-21',
    areaName: 'Seef',
    createdAt: id,
    items: [{ id: 1, name: 'Water', size: '500ml', quantity: 2 }],
  }) as AdminOrder // only the fields that the list reads

it('the picking list is sorted by driver, last stop first, and orders without a driver at the end', () => {
  const bilal = { id: 21, name: 'Bilal' }
  const stops = new Map([
    ['B', { number: 1 }],
    ['C', { number: 2 }],
  ])
  const [load] = loadsOf([order('A'), order('B', bilal), order('C', bilal)], stops)
  expect(load?.orders.map(({ order: { id }, stop }) => [id, stop])).toEqual([
    ['C', 2],
    ['B', 1],
    ['A', null],
  ])
  expect([...(load?.products[0]?.byDriver ?? [])]).toEqual([
    [0, 2],
    [21, 4],
  ])
})
