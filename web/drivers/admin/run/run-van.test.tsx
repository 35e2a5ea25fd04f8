import type { Run } from '@qatra/contract/drivers'
import type { VanLine } from '@qatra/contract/van'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueries } from '../../../app/queries.ts'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { applyActions, type RunAction } from './run-actions.ts'
import { outboxOf } from './run-store.ts'
import { testRun, testStop } from './test-run.ts'
import { Van } from './Van.tsx'

const GALLON = 7
const about = { size: '500ml', imageUrl: null, vatPercentage: 10, nameAr: null }
const unit = { inventoryUnit: null, inventoryUnitAr: null, unitsPerInventoryUnit: 1 }
const lent = { typeId: GALLON, terms: 'exchange', name: 'Gallon', nameAr: 'غالون', deposit: 2 } as const
const gallon = { ...about, ...unit, id: 1, vendorId: 1, name: 'Hayrat gallon', price: 0.8, bottle: lent }
const juice = { ...about, ...unit, id: 2, vendorId: 1, name: 'Juice', price: 0.9, bottle: null }
const cups = { ...juice, id: 3, name: 'Cups' }
const item = (id: number, productId: number, quantity: number, isLent = true) => ({
  ...about,
  ...unit,
  id,
  productId,
  name: 'Water',
  price: 0.8,
  quantity,
  orderedQuantity: null,
  bottleTypeId: isLent ? GALLON : null,
  bottleTerms: isLent ? ('exchange' as const) : null,
  bottleDeposit: isLent ? 2 : null,
  empties: isLent ? quantity : null,
  orderedEmpties: null,
})
const bottles = [{ typeId: GALLON, name: 'Gallon', nameAr: 'غالون', deposit: 2, held: 4, depositHeld: 0 }]
const stops = [
  testStop('O-a', { bottles, items: [item(11, 1, 4), item(12, 2, 2, false)] }),
  testStop('O-b', { bottles, items: [item(13, 1, 3)] }),
  testStop('O-c', { bottles, customerId: 9, items: [item(14, 1, 3)] }),
]
const line = (more: Partial<VanLine>): VanLine => ({
  typeId: GALLON,
  productId: null,
  loaded: 10,
  unloaded: 0,
  delivered: 0,
  returned: 0,
  left: 10,
  empties: 0,
  counted: null,
  difference: null,
  keys: [],
  ...more,
})
const run: Run = { ...testRun(stops), products: [gallon, juice, cups] }
const at = '2026-11-22T08:00:00.000Z'
const entry = { at, sendAfter: 0 }
const deliver = (orderId: string, more: object = {}): RunAction => ({
  ...entry,
  key: `key-${orderId}`,
  kind: 'deliver',
  orderId,
  amount: null,
  ...more,
})
type Count = { typeId?: number; productId?: number; full: number; empty?: number }
const report = (did: 'loaded' | 'unloaded' | 'counted', counts: Count[], key = `key-${did}`): RunAction => ({
  ...entry,
  key,
  kind: 'van',
  date: '2026-11-22',
  did,
  counts: counts.map(({ typeId = null, productId = null, full, empty = 0 }) => ({ typeId, productId, full, empty })),
})
const shownVan = (from: Run, actions: RunAction[]) =>
  applyActions(from, actions).van.map(({ typeId, productId, left, empties, difference }) => ({
    of: typeId === null ? `product ${productId}` : `bottle ${typeId}`,
    left,
    empties,
    difference,
  }))

describe('the van with unsent reports', () => {
  it('has less of what was handed over and more of what came back, with what is added from the van', () => {
    const known = { ...run, van: [line({}), line({ typeId: null, productId: 2, loaded: 5, left: 5 })] }
    const door = {
      delivered: [{ itemId: 11, quantity: 5 }],
      added: [{ productId: 2, quantity: 1 }],
      bottles: [{ typeId: GALLON, returned: 3 }],
    }
    const unlisted = deliver('O-b', {
      added: [{ productId: 2, quantity: 1 }],
      bottles: [{ typeId: GALLON, returned: 3 }],
    })
    expect(shownVan(known, [deliver('O-a', door), unlisted])).toMatchObject([
      { of: 'bottle 7', left: 2, empties: 6 },
      { of: 'product 2', left: 1, empties: 0 },
    ])
  })

  it('that is loaded, unloaded and counted before anything is sent has what it will have on the server', () => {
    const actions = [
      deliver('O-a', { bottles: [{ typeId: GALLON, returned: 4 }] }),
      report('loaded', [
        { typeId: GALLON, full: 10 },
        { productId: 2, full: 6 },
      ]),
      report('unloaded', [{ typeId: GALLON, full: 1, empty: 2 }]),
      report('counted', [{ typeId: GALLON, full: 4, empty: 2 }]),
    ]
    expect(shownVan(run, actions)).toEqual([
      { of: 'bottle 7', left: 5, empties: 2, difference: -1 },
      { of: 'product 2', left: 4, empties: 0, difference: null },
    ])
  })

  it('counts what was delivered of a product before its load was entered, and a report of another day nowhere', () => {
    const done = { ...stops[0], status: 'delivered', deliveredAt: at, can: { deliver: false, attempt: false } } as const
    const known = { ...run, stops: [{ ...testStop('O-a'), ...done }] }
    const loaded = report('loaded', [{ productId: 2, full: 6 }])
    expect(shownVan(known, [loaded])).toMatchObject([{ left: 4 }])
    expect(shownVan(known, [{ ...loaded, date: '2026-11-23' } as RunAction])).toEqual([])
    expect(shownVan({ ...run, van: [line({})] }, [deliver('O-a', { at: '2026-11-21T20:00:00.000Z' })])).toMatchObject([
      { left: 10 },
    ])
  })

  it('has each report once, also after the server answered with it', () => {
    const known = { ...run, van: [line({ keys: ['key-loaded:bottle-7'] })] }
    expect(shownVan(known, [report('loaded', [{ typeId: GALLON, full: 10 }])])).toMatchObject([{ left: 10 }])
    const twice = applyActions(applyActions(run, [report('loaded', [{ typeId: GALLON, full: 5 }])]), [
      report('loaded', [{ typeId: GALLON, full: 5 }]),
    ])
    expect(twice.van).toMatchObject([{ left: 5 }])
  })

  it('changes what the customer has at every stop, and nothing of another customer', () => {
    const seen = applyActions(run, [deliver('O-a', { bottles: [{ typeId: GALLON, returned: 1 }] })])
    expect(seen.stops.map((stop) => stop.bottles.map(({ held }) => held))).toEqual([[7], [7], [4]])
    const guests = { ...run, stops: stops.map((stop) => ({ ...stop, customerId: null })) }
    const unknown = applyActions(guests, [deliver('O-a', { bottles: [{ typeId: GALLON, returned: 1 }] })])
    expect(unknown.stops.map((stop) => stop.bottles.map(({ held }) => held))).toEqual([[4], [4], [4]])
  })
})

it('reports of the van are sent one by one with their own keys, and again with the same ones after a lost answer', async () => {
  const sent: unknown[] = []
  let isCutOff = true
  vi.stubGlobal('fetch', async (url: unknown, { body }: RequestInit) => {
    const { key, ...count } = JSON.parse(String(body))
    sent.push([String(url), key])
    if (isCutOff && count.productId) throw new TypeError('Failed to fetch')
    return Response.json([])
  })
  const outbox = outboxOf(
    8,
    createQueries(() => Promise.reject(new Error('No network'))),
  )
  outbox.add(
    report(
      'loaded',
      [
        { typeId: GALLON, full: 10 },
        { productId: 2, full: 6 },
      ],
      'key-1',
    ),
  )
  await outbox.flush()
  isCutOff = false
  await outbox.flush()
  vi.unstubAllGlobals()
  const path = '/api/admin/drivers/8/van'
  expect(sent).toEqual([
    [path, 'key-1:bottle-7'],
    [path, 'key-1:product-2'],
    [path, 'key-1:bottle-7'],
    [path, 'key-1:product-2'],
  ])
  expect(outbox.state.get().entries).toEqual([])
})

describe('the screens of the van', () => {
  const onReport = vi.fn()
  const show = (van: VanLine[], more: Partial<Run> = {}) =>
    renderInAdmin(() => <Van run={{ ...run, van, ...more }} onReport={onReport} />)
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
  const step = (group: string, name: string | RegExp) =>
    fireEvent.click(within(screen.getByRole('group', { name: group })).getByRole('button', { name }))
  beforeEach(() => {
    setUpScreen()
    onReport.mockReset()
  })
  afterEach(cleanup)

  it('load bottles and other goods as ordered until somebody counts, and products that nobody ordered', async () => {
    await show([])
    press('Record the load')
    expect(screen.getByText('10 in today’s orders')).toBeTruthy()
    step('Quantity of Gallon · Full', 'One more')
    fireEvent.click(screen.getByText('Other products'))
    step('Quantity of Cups 500ml', /^Add/)
    press('Save')
    expect(onReport.mock.calls).toEqual([
      [
        {
          date: '2026-11-22',
          did: 'loaded',
          counts: [
            { typeId: GALLON, productId: null, full: 11, empty: 0 },
            { typeId: null, productId: 2, full: 2, empty: 0 },
            { typeId: null, productId: 3, full: 1, empty: 0 },
          ],
        },
      ],
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('count in the evening as the day says until somebody counts otherwise', async () => {
    await show([
      line({ delivered: 4, returned: 3, left: 6, empties: 3 }),
      line({ typeId: null, productId: 2, loaded: 5, left: 5 }),
    ])
    expect(screen.getByText('10 loaded · 4 delivered · 3 empties taken back')).toBeTruthy()
    expect(screen.getByText('6 left')).toBeTruthy()
    press('Count the van')
    step('Quantity of Gallon · Empty', 'One fewer')
    press('Save')
    expect(onReport.mock.calls[0]?.[0]).toMatchObject({
      did: 'counted',
      counts: [
        { typeId: GALLON, full: 6, empty: 2 },
        { productId: 2, full: 5, empty: 0 },
      ],
    })
  })

  it('take no more off the van than it has, and say what is missing after a count', async () => {
    await show([line({ left: 1, counted: { full: 0, empty: 0 }, difference: -1 })])
    expect(screen.getByText('1 bottle is missing')).toBeTruthy()
    press('Take off the van')
    expect(screen.getByText('Enter a number first')).toBeTruthy()
    step('Quantity of Gallon · Full', /^Add/)
    step('Quantity of Gallon · Full', 'One more')
    press('Save')
    expect(onReport.mock.calls[0]?.[0]).toMatchObject({ did: 'unloaded', counts: [{ full: 1, empty: 0 }] })
  })

  it('are not shown where no bottle comes back', async () => {
    const plain = stops.map((stop) => ({ ...stop, bottles: [], items: [] }))
    await show([], { stops: plain, products: [juice] })
    expect(screen.queryByRole('heading', { name: 'Van' })).toBeNull()
  })
})
