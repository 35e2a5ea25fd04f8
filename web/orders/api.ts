import type { Page } from '@qatra/contract/lib/page'
import { getOrder, listMyOrders, type Order, reorder } from '@qatra/contract/orders/orders'
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { call, read } from '../lib/api-client.ts'

const LIMIT = 10

export const orderQuery = (id: string) => read(getOrder, { params: { id } })

/**
 * The document contains the first page; older pages are loaded on demand. Pages load it by `fetchQuery`,
 * which refetches after `invalidateOrders`; `ensureQueryData` would accept stale data.
 */
export const firstOrdersQuery = () => read(listMyOrders, { query: { page: 1, limit: LIMIT } })

const MOST_OPEN = 100

/** Open orders, refetched at each use. */
export const openOrdersQuery = () => ({
  ...read(listMyOrders, { query: { status: 'open', page: 1, limit: MOST_OPEN } }),
  refetchOnMount: 'always' as const,
})

export const olderOrders = (queries: QueryClient) =>
  infiniteQueryOptions({
    queryKey: [listMyOrders.path, 'all'],
    queryFn: ({ pageParam }): Promise<Page<Order>> =>
      pageParam === 1
        ? queries.fetchQuery(firstOrdersQuery())
        : call(listMyOrders, { query: { page: pageParam, limit: LIMIT } }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    initialData: () => {
      const first = queries.getQueryData(firstOrdersQuery().queryKey)
      return first && { pages: [first], pageParams: [1] }
    },
  })

export const orderAgain = (id: string) => call(reorder, { params: { id } })
