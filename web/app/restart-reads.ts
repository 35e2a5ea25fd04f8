import type { FetchQueryOptions, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * Call it after a command or an event has changed the data: a read in flight may have begun before, and its answer would
 * hide the change.
 */
export const restartReads = (queries: QueryClient, which: QueryFilters) =>
  void queries.refetchQueries({ ...which, fetchStatus: 'fetching' })

/** Reads after a change, also while an earlier read is in flight. */
export function readAnew<Data, Problem, Shown, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Problem, Shown, Key>,
): Promise<Shown> {
  restartReads(queries, { queryKey: query.queryKey })
  return queries.fetchQuery({ ...query, staleTime: 0 })
}
