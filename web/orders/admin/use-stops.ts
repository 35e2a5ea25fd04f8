import { listStops } from '@qatra/contract/drivers'
import type { Output } from '@qatra/contract/endpoint'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { runDayOf } from './order-days.ts'

export interface Stop {
  number: number
  /** Number of the last stop of the run. */
  last: number
}

/** Drivers of one call. */
const MOST_DRIVERS = 50

/**
 * Stops of these orders in their drivers' runs by order id, with the permission `drivers.run`; numbers are those of the
 * driver's page. One call for each day of a run.
 */
export function useStops(orders: readonly AdminOrder[] | undefined, { staleTime }: { staleTime?: number } = {}) {
  const mayRead = useUser()?.permissions.includes('drivers.run') ?? false
  const driversByDay = new Map<string, Set<number>>()
  for (const order of (mayRead && orders) || []) {
    if (!order.driver) continue
    const day = runDayOf(order)
    driversByDay.set(day, (driversByDay.get(day) ?? new Set()).add(order.driver.id))
  }
  const calls = [...driversByDay].flatMap(([date, drivers]) => {
    const ids = [...drivers].sort((a, b) => a - b)
    return Array.from({ length: Math.ceil(ids.length / MOST_DRIVERS) }, (_, at) => ({
      date,
      driverId: ids.slice(at * MOST_DRIVERS, (at + 1) * MOST_DRIVERS).join(','),
    }))
  })
  return useQueries({
    queries: calls.map((query) => ({
      ...read(listStops, { query }),
      ...(staleTime === undefined ? {} : { staleTime }),
    })),
    combine,
  })
}

/** Outside of the hook, so that the result stays the same until an answer changes. */
function combine(answers: UseQueryResult<Output<typeof listStops>>[]) {
  const runs = answers.flatMap(({ data }) => data ?? [])
  return {
    isKnown: answers.every(({ isFetching }) => !isFetching),
    byOrder: new Map(
      runs.flatMap(({ orderIds, last }) => orderIds.map((id, at): [string, Stop] => [id, { number: at + 1, last }])),
    ),
  }
}
