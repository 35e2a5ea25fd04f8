import { attemptReasons } from '@qatra/contract/drivers'
import type { Lang } from '@qatra/contract/lib/lang'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { historyActions, type orderFields } from '@qatra/contract/orders/history'
import { orderStatuses, paymentMethods, paymentStatuses, ratings } from '@qatra/contract/orders/order-status'
import type { TimelineEntry } from '@qatra/contract/orders/timeline'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { linesOf, useAuthorText, useEventText } from './timeline-text.ts'

beforeEach(() => setUpScreen())
afterEach(cleanup)

const sara = { id: 2, name: 'Sara', role: 'vendor_admin' }
const noura = { id: 6, name: 'Noura', role: 'customer' }
const entry = (about: Partial<TimelineEntry>): TimelineEntry => ({
  id: 1,
  at: '2026-11-21T07:00:00.000Z',
  action: 'updated',
  field: null,
  from: null,
  to: null,
  notes: null,
  by: sara,
  onBehalfOf: null,
  fromName: null,
  toName: null,
  ...about,
})
// The timeline reads only the product and its names.
const items = [{ productId: 7, name: 'Water', nameAr: 'ماء' }] as AdminOrder['items']

async function textsOf(lang: Lang, entries: readonly TimelineEntry[]): Promise<{ what: string; who: string }[]> {
  const texts: { what: string; who: string }[] = []
  function Texts() {
    const [what, who] = [useEventText(items), useAuthorText()]
    texts.splice(0, Infinity, ...entries.map((one) => ({ what: what(one), who: who(one) })))
    return null
  }
  await renderInAdmin(() => <Texts />, { lang })
  return texts.map(({ what, who }) => ({ what: plain(what), who: plain(who) }))
}
const plain = (text: string) => text.replace(/[\u2066-\u2069\u200e\u200f]/g, '').replace(/\u00a0/g, ' ')

const itemList = (quantity: number) => JSON.stringify([{ name: 'Water', nameAr: 'ماء', size: '500ml', quantity }])

/** A value of each kind for every field that the server writes. */
const changes: Record<(typeof orderFields)[number] | 'items.7.price', Partial<TimelineEntry>[]> = {
  status: orderStatuses.flatMap((to) => orderStatuses.map((from) => ({ from, to }))),
  paymentStatus: paymentStatuses.map((to) => ({ from: 'pending', to })),
  paymentMethod: paymentMethods.map((to) => ({ from: 'cash', to })),
  assignedDriverId: [
    { to: '5', toName: 'Rashid' },
    { from: '5', fromName: 'Rashid' },
    { from: '5', fromName: 'Rashid', to: '8', toName: 'Bilal' },
  ],
  deliveryFee: [{ from: '2.5', to: '0' }],
  address: [{ notes: 'Block 428, road 2831' }],
  buyer: [{ notes: 'PO-17 · Seef' }, {}],
  items: [{ from: itemList(3), to: itemList(2) }],
  deposit: [{ from: '0', to: '2' }],
  total: [{ from: '5.2', to: '4.1' }],
  promisedDate: [
    { from: '2026-11-24', to: '2026-11-25' },
    { action: 'day-closed', from: '2026-11-24', to: '2026-11-25' },
  ],
  callRequest: [{ to: 'requested' }],
  waterRating: ratings.map((to) => ({ to })),
  driverRating: ratings.map((to) => ({ to })),
  payment: [{ to: '2.15' }, { to: '-2.15' }],
  dayConfirmed: [{ to: '2026-11-25' }],
  lateCash: [{ to: '2.15' }],
  coverage: [{ from: 'checked', to: 'ignored' }],
  attempt: attemptReasons.map((to) => ({ action: 'attempted', to })),
  erasure: [{ to: 'account' }],
  confirmation: [{ action: 'confirmation', to: '1700000000000' }],
  'items.7.price': [{ from: '1.35', to: '1.1' }],
}

describe.each(['ar', 'en'] as const)('the timeline in %s', (lang) => {
  it('has its own text for every history field', async () => {
    const all = Object.entries(changes).flatMap(([field, values]) => values.map((value) => entry({ field, ...value })))
    const texts = await textsOf(lang, all)
    const unknown = await textsOf(lang, [entry({ field: 'unheardOf' })])
    expect(unknown[0]?.what).toContain('unheardOf')
    for (const [i, { what }] of texts.entries()) {
      const { field } = all[i] ?? entry({})
      // The English word is the name of this field.
      if (field !== 'deposit') expect(what).not.toContain(field)
      expect(what).not.toMatch(/desk\.|admin\.|[{}]/)
      if (lang === 'ar') expect(what).toMatch(/[\u0600-\u06ff]/)
    }
    // Texts are distinct.
    expect(new Set(texts.map(({ what }) => what)).size).toBe(texts.length)
  })

  it('has a text for every action', async () => {
    const texts = await textsOf(
      lang,
      historyActions.map((action) => {
        if (action === 'day-closed') return entry({ action, field: null, from: '2026-11-24', to: '2026-11-25' })
        return entry({ action, field: action === 'updated' ? 'status' : null, to: 'shipped' })
      }),
    )
    expect(texts).toHaveLength(historyActions.length)
    for (const [i, { what }] of texts.entries()) expect(what).not.toContain(historyActions[i])
  })
})

it('the timeline names the actor, the impersonated person, and the customer of a sales order', async () => {
  const about = [
    entry({ action: 'created', by: noura }),
    entry({ action: 'created', by: { id: 4, name: 'Yusuf', role: 'vendor_sales' }, onBehalfOf: noura }),
    entry({ field: 'status', from: 'new', to: 'cancelled', by: noura }),
    entry({ field: 'status', from: 'new', to: 'shipped', onBehalfOf: { id: 3, name: 'Fatima', role: 'vendor_staff' } }),
    entry({ field: 'status', from: 'new', to: 'cancelled', by: null }),
    entry({ field: 'items.7.price', from: '1.35', to: '1.1' }),
    entry({ action: 'attempted', field: 'attempt', to: 'absent' }),
  ]
  expect(await textsOf('en', about)).toEqual([
    { what: 'Placed in the shop', who: 'Noura' },
    { what: 'Placed for the customer', who: 'Yusuf on behalf of Noura' },
    { what: 'New to Cancelled', who: 'Noura, customer' },
    { what: 'New to Shipped', who: 'Sara on behalf of Fatima' },
    { what: 'New to Cancelled', who: 'The system' },
    { what: 'Special price for Water: BHD 1.100 instead of BHD 1.350', who: 'Sara' },
    { what: 'Could not be delivered: Nobody at home', who: 'Sara' },
  ])
})

it('a delivery and its payment are one line, a payment by itself its own', async () => {
  const paid = { field: 'paymentStatus', from: 'pending', to: 'paid' }
  const later = '2026-11-21T09:00:00.000Z'
  const about = [
    entry({ id: 4, ...paid, at: later }),
    entry({ id: 3, ...paid }),
    entry({ id: 2, field: 'status', from: 'shipped', to: 'delivered' }),
    entry({ id: 1, action: 'attempted', field: 'attempt', to: 'absent' }),
  ]
  expect((await textsOf('en', linesOf(about))).map(({ what }) => what)).toEqual([
    'Payment: Paid',
    'Shipped to Delivered · Payment: Paid',
    'Could not be delivered: Nobody at home',
  ])
})
