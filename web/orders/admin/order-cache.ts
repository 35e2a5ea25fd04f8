import { listDrivers, listStops } from '@qatra/contract/drivers'
import type { Output } from '@qatra/contract/endpoint'
import { addFils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import {
  type AdminOrder,
  type AdminOrderDetail,
  countOrders,
  getAdminOrder,
  listOrders,
} from '@qatra/contract/orders/admin'
import { getTimeline } from '@qatra/contract/orders/timeline'
import type { QueryClient } from '@tanstack/react-query'
import { fetchAfterChange, refetchInFlight } from '../../app/refetch.ts'
import { read } from '../../lib/api-client.ts'

export const orderQuery = (id: string) => read(getAdminOrder, { params: { id } })
export const timelineQuery = (id: string) => read(getTimeline, { params: { id } })

/** Writes the server's answer to every cached list and panel; rows keep their position until a refetch. */
export function cacheOrder(queries: QueryClient, order: AdminOrderDetail) {
  const { queryKey } = orderQuery(order.id)
  queries.setQueryData(queryKey, order)
  refetchInFlight(queries, { queryKey })
  replaceRows(queries, [order])
  void queries.invalidateQueries({ queryKey: timelineQuery(order.id).queryKey })
  void queries.invalidateQueries({ queryKey: [countOrders.path] })
  void queries.invalidateQueries({ queryKey: [listDrivers.path] })
  void queries.invalidateQueries({ queryKey: [listStops.path] })
}

function replaceRows(queries: QueryClient, orders: readonly AdminOrder[]) {
  const byId = new Map(orders.map((order) => [order.id, order]))
  queries.setQueriesData<Output<typeof listOrders>>({ queryKey: [listOrders.path] }, (before) => {
    if (!before) return before
    const items = before.items.map((row) => byId.get(row.id) ?? row)
    // The sum is of all pages; the totals of the other rows are as they were.
    const changes = before.items.flatMap(({ total }, at) => [fromBhd(items[at]?.total ?? total), fromBhd(-total)])
    return { ...before, items, sum: before.sum === null ? null : toBhd(addFils(fromBhd(before.sum), ...changes)) }
  })
  refetchInFlight(queries, { queryKey: [listOrders.path] })
}

/** Refetches the list, counts and panel. */
export function renewDesk(queries: QueryClient): Promise<unknown> {
  const paths = [
    listOrders.path,
    countOrders.path,
    getAdminOrder.path,
    getTimeline.path,
    listDrivers.path,
    listStops.path,
  ]
  return Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })))
}

/** Refetches one order and its timeline. */
export async function renewOrder(queries: QueryClient, id: string) {
  const [order, timeline] = await Promise.all([
    fetchAfterChange(queries, orderQuery(id)),
    fetchAfterChange(queries, timelineQuery(id)),
  ])
  replaceRows(queries, [order])
  void queries.invalidateQueries({ queryKey: [countOrders.path] })
  void queries.invalidateQueries({ queryKey: [listStops.path] })
  return { order, timeline }
}
