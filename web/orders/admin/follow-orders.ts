import type { Output } from '@qatra/contract/endpoint'
import type { LiveEvent } from '@qatra/contract/notifications/notifications'
import { countOrders, getAdminOrder, listOrders } from '@qatra/contract/orders/admin'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, call } from '../../lib/api-client.ts'
import { arrival } from './desk/arrivals.ts'
import { orderQuery, renewDesk, renewOrder } from './order-cache.ts'

/** Above this number, refetch the list in one call. */
const FEW = 5

/** Whether the order is in the cache of a list or a panel. */
function isShown(queries: QueryClient, id: string): boolean {
  if (queries.getQueryState(orderQuery(id).queryKey)) return true
  return queries
    .getQueriesData<Output<typeof listOrders>>({ queryKey: [listOrders.path], type: 'active' })
    .some(([, list]) => list?.items.some((row) => row.id === id))
}

/** Updates rows in place and announces new orders. */
export async function applyOrderEvents(queries: QueryClient, events: readonly LiveEvent[]): Promise<void> {
  // The list counts the new orders.
  arrival.emit()
  const ids = new Set(events.flatMap(({ orderId, kind }) => (orderId && kind !== 'order-placed' ? [orderId] : [])))
  const shown = [...ids].filter((id) => isShown(queries, id))
  if (shown.length > FEW) return void (await renewDesk(queries))
  for (const id of shown) {
    try {
      await renewOrder(queries, id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // No longer visible to this person: remove the row.
      if (error.status === 404) await renewDesk(queries)
    }
  }
}

/** Reloads everything after missed events. */
export function reloadOrders(queries: QueryClient): Promise<unknown> {
  arrival.emit()
  queries.removeQueries({ queryKey: [getAdminOrder.path], type: 'inactive' })
  return renewDesk(queries)
}

/** Number of orders in the person's scope that nobody has confirmed. */
export async function countUnconfirmed(): Promise<number> {
  const { all } = await call(countOrders, { query: { attention: 'unconfirmed' } })
  return all
}
