import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import { listProducts } from '@qatra/contract/products/products'
import { getMe } from '@qatra/contract/users/auth'
import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { read } from '../../lib/api-client.ts'
import { createQueries } from '../queries.ts'
import { clearPersonalStorage } from '../session/personal-storage.ts'
import { SAVED_MAX_AGE_MS } from './limits.ts'
import { restore, save } from './saved.ts'

const NOW = Date.parse('2026-11-23T09:00:00Z')
const me = read(getMe).queryKey
const list = read(listMyOrders, { query: { page: 1, limit: 10 } }).queryKey
const orderKey = (id: string) => read(getOrder, { params: { id } }).queryKey

function setBuild(name: string) {
  document.head.innerHTML = `<script type="module" src="/assets/${name}.js"></script>`
}
beforeEach(() => {
  localStorage.clear()
  setBuild('entry-1')
})

const customer = { id: 5, role: 'customer', impersonatedBy: null }
function loaded(user: object | null, orders: string[] = []): QueryClient {
  const queries = createQueries(() => Promise.reject(new Error('offline')))
  queries.setQueryData<unknown>(me, user)
  queries.setQueryData<unknown>(read(listProducts).queryKey, [{ id: 1 }])
  if (user) queries.setQueryData<unknown>(list, { items: orders.map((id) => ({ id })), total: orders.length })
  // Nothing of these is saved.
  queries.setQueryData<unknown>(['/api/admin/orders', {}], 'office-secret')
  queries.setQueryData<unknown>(['/api/auth/link-status', {}], 'link-secret')
  return queries
}
/** What a page that opens offline shows. */
function reopened(now = NOW) {
  const queries = createQueries(() => Promise.reject(new Error('offline')))
  queries.setQueryData<unknown>(me, null)
  const at = restore(queries, now)
  const userOf = () => queries.getQueryData<{ id: number } | null>(me)
  return { at, user: userOf(), queries, products: queries.getQueryData(read(listProducts).queryKey) }
}

describe('data saved for pages without a network', () => {
  it('of a customer are the catalogue, the orders and each of them', () => {
    save(loaded(customer, ['A', 'B']), NOW)
    const { user, products, queries } = reopened()
    expect([user?.id, products]).toEqual([5, [{ id: 1 }]])
    expect(queries.getQueryData(orderKey('B'))).toEqual({ id: 'B' })
  })

  it('contain nothing of the admin area and of sign-in links', () => {
    save(loaded(customer), NOW)
    expect(JSON.stringify({ ...localStorage })).not.toMatch(/secret/)
  })

  it.each([
    ['staff', { id: 5, role: 'vendor_admin', impersonatedBy: null }],
    ['an impersonator', { id: 5, role: 'customer', impersonatedBy: { name: null, phone: '+973' } }],
  ])('of %s are none, not the catalogue with inactive products either', (_, user) => {
    save(loaded(user), NOW)
    expect({ ...localStorage }).toEqual({})
  })

  it('are kept when a later page has loaded less', () => {
    const first = loaded(customer, ['A'])
    first.setQueryData<unknown>(orderKey('A'), { id: 'A', status: 'new' })
    save(first, NOW)
    const second = createQueries(() => Promise.reject(new Error('offline')))
    second.setQueryData<unknown>(me, customer)
    save(second, NOW)
    expect(reopened().queries.getQueryData(orderKey('A'))).toEqual({ id: 'A', status: 'new' })
  })

  it.each([
    ['another account', { id: 6, role: 'customer', impersonatedBy: null }],
    ['a visitor', null],
    ['staff', { id: 5, role: 'driver', impersonatedBy: null }],
    [
      'an admin who impersonates the customer',
      { id: 5, role: 'customer', impersonatedBy: { name: null, phone: '+973' } },
    ],
  ])('of a customer are removed by a page of %s', (_, next) => {
    save(loaded(customer, ['A']), NOW)
    save(loaded(next), NOW)
    const { queries, products } = reopened()
    expect(queries.getQueryData(orderKey('A'))).toBeUndefined()
    expect(products).toEqual([{ id: 1 }])
  })

  it('of a customer are removed by the sign-out, the catalogue stays', () => {
    save(loaded(customer, ['A']), NOW)
    clearPersonalStorage()
    const { user, products, queries } = reopened()
    // Unknown, not a visitor: a page that needs an account says that it is offline.
    expect([user, products]).toEqual([undefined, [{ id: 1 }]])
    expect(queries.getQueryData(orderKey('A'))).toBeUndefined()
  })

  it('are not shown after 30 days, and not by another build', () => {
    save(loaded(customer, ['A']), NOW)
    setBuild('entry-2')
    expect(reopened().at).toBeNull()
    setBuild('entry-1')
    save(loaded(customer, ['A']), NOW)
    expect(reopened(NOW + SAVED_MAX_AGE_MS + 1).at).toBeNull()
    expect({ ...localStorage }).toEqual({})
  })

  it('are at most 60 answers, the newest', () => {
    const queries = loaded(customer)
    for (let n = 0; n < 100; n += 1)
      queries.setQueryData<unknown>(orderKey(`O${n}`), { id: `O${n}` }, { updatedAt: NOW + n })
    save(queries, NOW + 100)
    const { queries: later } = reopened(NOW + 100)
    expect([later.getQueryData(orderKey('O99')), later.getQueryData(orderKey('O10'))]).toEqual([
      { id: 'O99' },
      undefined,
    ])
  })
})
