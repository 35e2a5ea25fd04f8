import type { Output } from '@qatra/contract/endpoint'
import type { LiveEvent } from '@qatra/contract/notifications'
import { countOrders, getAdminOrder, listOrders } from '@qatra/contract/orders-admin'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, call } from '../../app/call.ts'
import { notifyArrival } from './arrivals.ts'
import { orderQuery, renewDesk, renewOrder } from './order-cache.ts'

/** More than these are asked for together. */
const FEW = 5

/** Whether a list or a panel shows this order, or did a moment ago. */
function isShown(queries: QueryClient, id: string): boolean {
  if (queries.getQueryState(orderQuery(id).queryKey)) return true
  return queries
    .getQueriesData<Output<typeof listOrders>>({ queryKey: [listOrders.path], type: 'active' })
    .some(([, list]) => list?.items.some((row) => row.id === id))
}

/** Brings what the desk shows up to date: rows change where they stand, new ones are announced. */
export async function followOrders(queries: QueryClient, events: readonly LiveEvent[]): Promise<void> {
  // The desk looks at its counts, and says how many came.
  notifyArrival()
  const ids = new Set(events.flatMap(({ orderId, kind }) => (orderId && kind !== 'order-placed' ? [orderId] : [])))
  const shown = [...ids].filter((id) => isShown(queries, id))
  if (shown.length > FEW) return void (await renewDesk(queries))
  for (const id of shown) {
    try {
      await renewOrder(queries, id)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // No longer this person's: it goes from the list too.
      if (error.status === 404) await renewDesk(queries)
    }
  }
}

/** After too much was missed. */
export function reloadOrders(queries: QueryClient): Promise<unknown> {
  notifyArrival()
  queries.removeQueries({ queryKey: [getAdminOrder.path], type: 'inactive' })
  return renewDesk(queries)
}

/** How many new orders wait in the person's scope. */
export async function countNew(): Promise<number> {
  const { counts } = await call(countOrders, { query: {} })
  return counts.new
}
