import type { FetchQueryOptions, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * Call it after a command or an event has changed the data: a read in flight may have begun before, and its answer would
 * hide the change.
 */
export const refetchInFlight = (queries: QueryClient, which: QueryFilters) =>
  void queries.refetchQueries({ ...which, fetchStatus: 'fetching' })

/**
 * Invalidates and refetches like the client, which keeps a first read in flight: that is repeated once it has ended,
 * since it may have begun before the change.
 */
export async function invalidateAndRefetch(queries: QueryClient, which: QueryFilters): Promise<void> {
  const first = queries
    .getQueryCache()
    .findAll({ ...which, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  await Promise.all([
    queries.invalidateQueries(which),
    ...first.map(async ({ queryKey, promise }) => {
      // The page shows the failure of a read.
      await promise?.catch(() => undefined)
      await queries.invalidateQueries({ queryKey, exact: true })
    }),
  ])
}

/** Reads after a change, also while an earlier read is in flight. */
export function fetchAfterChange<Data, Problem, Shown, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Problem, Shown, Key>,
): Promise<Shown> {
  refetchInFlight(queries, { queryKey: query.queryKey })
  return queries.fetchQuery({ ...query, staleTime: 0 })
}
