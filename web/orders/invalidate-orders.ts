import { getCart } from '@qatra/contract/cart/cart'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import { refetchInFlight } from '../app/refetch.ts'

const which: QueryFilters = {
  predicate: ({ queryKey: [path] }) => path === listMyOrders.path || String(path).startsWith(getOrder.path),
}

/** Invalidates the lists, the order and its stops after a change. */
export function invalidateOrders(queries: QueryClient) {
  // The pages of a list contain the first one, which no component observes.
  refetchInFlight(queries, { ...which, type: 'inactive' })
  // Bottles that an order promises, delivers or gives back change the deposit of a cart.
  void queries.invalidateQueries({ queryKey: [getCart.path] })
  return queries.invalidateQueries(which)
}
