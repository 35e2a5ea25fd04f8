import { type OrderChanged, streamMyOrders } from '@qatra/contract/notifications/notifications'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openEventSource } from '../lib/event-source.ts'
import { invalidateOrders } from './invalidate-orders.ts'

/** Interval of refetching while there is no connection to the stream. */
const POLL_MS = 60_000

/**
 * Refetches the orders of the page when one of them changes; without a stream each minute. While the page is hidden it
 * waits until it is visible.
 */
export function subscribeToOrderEvents(queries: QueryClient): () => void {
  let isLive = false
  let isStale = false
  function renew() {
    isStale = document.visibilityState === 'hidden'
    if (!isStale) void invalidateOrders(queries)
  }
  const close = openEventSource<OrderChanged>(
    { path: streamMyOrders.path, names: ['orders'] },
    {
      onEvent: renew,
      onReset: renew,
      onState(state) {
        isLive = state === 'connected'
      },
      onRefused() {
        isLive = false
      },
    },
  )
  const timer = setInterval(() => {
    if (!isLive) renew()
  }, POLL_MS)
  const onVisible = () => {
    if (document.visibilityState === 'visible' && (isStale || !isLive)) renew()
  }
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    close()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Keeps the orders true while one of them is open. */
export function useLiveOrders(orders: readonly Pick<Order, 'status'>[]) {
  const queries = useQueryClient()
  const isOpen = orders.some(({ status }) => !isClosed(status))
  useEffect(() => (isOpen ? subscribeToOrderEvents(queries) : undefined), [isOpen, queries])
}
